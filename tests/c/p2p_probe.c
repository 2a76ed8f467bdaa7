// np: 1 2 3
// quick
/* Probe, matched probe, cancel, and what a single test finds. */
#include "check.h"

static int to, from;

static void probe(void)
{
    int word = 7 + rank, in = 0, flag = 1, count = -1;
    MPI_Status status;
    MPI_Request request;
    OK(MPI_Iprobe(from, 1234, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    EQUAL(flag, 0);
    OK(MPI_Isend(&word, 1, MPI_INT, to, 3, MPI_COMM_WORLD, &request));
    OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    EQUAL(status.MPI_SOURCE, from);
    EQUAL(status.MPI_TAG, 3);
    OK(MPI_Get_count(&status, MPI_INT, &count));
    EQUAL(count, 1);
    /* A probed message stays. */
    OK(MPI_Iprobe(from, 3, MPI_COMM_WORLD, &flag, &status));
    EQUAL(flag, 1);
    OK(MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status));
    EQUAL(in, 7 + from);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* A matched message is out of the queue: a later receive takes the next one. */
static void matched(int ints)
{
    int *out = malloc(sizeof(int) * 2 * (size_t)ints), *in = malloc(sizeof(int) * (size_t)ints);
    int flag = 0, count = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request[3];
    for (int i = 0; i < 2 * ints; i++)
        out[i] = rank + i;
    OK(MPI_Isend(out, ints, MPI_INT, to, 4, MPI_COMM_WORLD, &request[0]));
    OK(MPI_Isend(out + ints, ints, MPI_INT, to, 4, MPI_COMM_WORLD, &request[1]));
    OK(MPI_Mprobe(from, 4, MPI_COMM_WORLD, &message, &status));
    CHECK(message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC);
    OK(MPI_Get_count(&status, MPI_INT, &count));
    EQUAL(count, ints);
    OK(MPI_Recv(in, ints, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < ints; i++)
        EQUAL(in[i], from + ints + i);
    OK(MPI_Imrecv(in, ints, MPI_INT, &message, &request[2]));
    CHECK(message == MPI_MESSAGE_NULL);
    OK(MPI_Waitall(3, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < ints; i++)
        EQUAL(in[i], from + i);
    OK(MPI_Isend(out, ints, MPI_INT, to, 6, MPI_COMM_WORLD, &request[0]));
    while (!flag)
        OK(MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &message, &status));
    OK(MPI_Mrecv(in, ints, MPI_INT, &message, &status));
    EQUAL(status.MPI_SOURCE, from);
    for (int i = 0; i < ints; i++)
        EQUAL(in[i], from + i);
    OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    free(out);
    free(in);
}

/* A test finds what was sent before a barrier, whatever came before it from that process. */
static void behind_others(void)
{
    enum { SENT = 6 };
    int out[SENT], in[SENT], flag = 0, at = 0;
    MPI_Request sends[SENT], receives[SENT];
    for (int i = 0; i < SENT; i++) {
        out[i] = 100 * rank + i;
        OK(MPI_Isend(&out[i], 1, MPI_INT, to, 70 + i, MPI_COMM_WORLD, &sends[i]));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Iprobe(from, 70 + SENT - 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    EQUAL(flag, 1);
    for (int i = 0; i < SENT; i++)
        OK(MPI_Recv(&in[i], 1, MPI_INT, from, 70 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Waitall(SENT, sends, MPI_STATUSES_IGNORE));
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < SENT; i++)
            OK(MPI_Irecv(&in[i], 1, MPI_INT, from, 80 + i, MPI_COMM_WORLD, &receives[i]));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < SENT; i++)
            OK(MPI_Isend(&out[i], 1, MPI_INT, to, 80 + i, MPI_COMM_WORLD, &sends[i]));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        flag = 0;
        if (way == 0)
            OK(MPI_Test(&receives[SENT - 1], &flag, MPI_STATUS_IGNORE));
        else if (way == 1)
            OK(MPI_Testall(SENT, receives, &flag, MPI_STATUSES_IGNORE));
        else if (way == 2)
            OK(MPI_Testany(1, &receives[SENT - 1], &at, &flag, MPI_STATUS_IGNORE));
        else
            OK(MPI_Request_get_status(receives[SENT - 1], &flag, MPI_STATUS_IGNORE));
        EQUAL(flag, 1);
        OK(MPI_Waitall(SENT, receives, MPI_STATUSES_IGNORE));
        OK(MPI_Waitall(SENT, sends, MPI_STATUSES_IGNORE));
        for (int i = 0; i < SENT; i++)
            EQUAL(in[i], 100 * from + i);
    }
}

static void nowhere(void)
{
    int flag = 0, word = 5, count = -1;
    MPI_Message message;
    MPI_Status status;
    OK(MPI_Send(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    OK(MPI_Recv(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status));
    EQUAL(word, 5);
    EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
    EQUAL(status.MPI_TAG, MPI_ANY_TAG);
    OK(MPI_Get_count(&status, MPI_INT, &count));
    EQUAL(count, 0);
    OK(MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &status));
    EQUAL(flag, 1);
    OK(MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    OK(MPI_Mrecv(&word, 1, MPI_INT, &message, &status));
    EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
}

static void cancel(void)
{
    int in = -1, flag = 0, word = 3;
    MPI_Status status;
    MPI_Request request;
    OK(MPI_Irecv(&in, 1, MPI_INT, from, 55, MPI_COMM_WORLD, &request));
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 1);
    CHECK(request == MPI_REQUEST_NULL);
    /* The cancelled receive takes nothing: the next one gets the message. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Sendrecv(&word, 1, MPI_INT, to, 55, &in, 1, MPI_INT, from, 55, MPI_COMM_WORLD, &status));
    EQUAL(in, 3);
    OK(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 0);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    to = (rank + 1) % ranks;
    from = (rank + ranks - 1) % ranks;
    for (int i = 0; i < 50; i++) {
        probe();
        matched(1);
        matched(3000);
        matched(100000);
        cancel();
        behind_others();
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    nowhere();
    return finish();
}
