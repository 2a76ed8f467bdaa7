// np: 2
/* Sends and receives that are cancelled: in time, and too late. A wait for a cancelled send ends
 * though nobody receives the message; one that was matched arrives whole; those before and after it
 * keep their order. */
#include "check.h"

enum { LONG = 3 << 20, SHORT = 100 };

static unsigned char data[LONG];

static int was_cancelled(MPI_Request *request)
{
    MPI_Status status;
    int flag = -1;
    MPI_Request asked = *request;
    OK(MPI_Cancel(&asked));
    OK(MPI_Wait(request, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    return flag;
}

/* A send of rank 0 that is taken back; `synchronous` ones are short. The receiver finds the messages
 * around it, and not the one between. */
static void in_time(int bytes, int synchronous)
{
    int words[2] = {7, 8};
    MPI_Request request;
    if (rank == 0) {
        fill(data, (size_t)bytes, 1);
        OK(MPI_Send(&words[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD));
        if (synchronous)
            OK(MPI_Issend(data, bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &request));
        else
            OK(MPI_Isend(data, bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &request));
        EQUAL(was_cancelled(&request), 1);
        OK(MPI_Send(&words[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
    } else {
        int in = 0, flag = -1;
        MPI_Status status;
        /* Messages are taken back while this rank is in MPI, whatever for. */
        OK(MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(in, 7);
        OK(MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(in, 9);
        OK(MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(in, 8);
        OK(MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
        EQUAL(flag, 0);
    }
    if (rank == 0) {
        int word = 9;
        OK(MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* A message that a receive, or a matched probe, has is not taken back. */
static void too_late(int bytes, int probed)
{
    MPI_Request request;
    int word = 0;
    if (rank == 0) {
        fill(data, (size_t)bytes, 2);
        OK(MPI_Issend(data, bytes, MPI_BYTE, 1, 4, MPI_COMM_WORLD, &request));
        OK(MPI_Recv(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(was_cancelled(&request), 0);
    } else {
        memset(data, 0, sizeof data);
        if (probed) {
            MPI_Message message;
            OK(MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
            OK(MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD));
            OK(MPI_Mrecv(data, LONG, MPI_BYTE, &message, MPI_STATUS_IGNORE));
        } else {
            OK(MPI_Recv(data, LONG, MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            OK(MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD));
        }
        FILLED(data, (size_t)bytes, 2);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void receives(void)
{
    MPI_Request request;
    OK(MPI_Irecv(data, LONG, MPI_BYTE, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request));
    EQUAL(was_cancelled(&request), 1);
    OK(MPI_Recv_init(data, LONG, MPI_BYTE, 0, 98, MPI_COMM_WORLD, &request));
    for (int n = 0; n < 2; n++) {
        OK(MPI_Start(&request));
        EQUAL(was_cancelled(&request), 1);
    }
    OK(MPI_Request_free(&request));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    receives();
    for (int n = 0; n < 3; n++) {
        in_time(LONG, 0);
        in_time(SHORT, 1);
        in_time(LONG, 1);
        too_late(SHORT, 0);
        too_late(LONG, 1);
        too_late(SHORT, 1);
    }
    return finish();
}
