// np: 2 3
/* A message that was sent arrives, also when its sender ends its session at once and its receiver
 * looks only later: short ones, which a network may keep for a while after the send has returned,
 * so many that they may not all fit on the way. Arguments: messages, bytes of each, milliseconds
 * that the receivers take their time. */
#include "session.h"

enum { ROUNDS = 3 };

static void late(MPI_Comm comm, int messages, int bytes, int wait_ms)
{
    int own, size;
    OK(MPI_Comm_rank(comm, &own));
    OK(MPI_Comm_size(comm, &size));
    unsigned char *data = malloc((size_t)bytes);
    CHECK(data);
    for (int n = 0; n < messages && own == 0; n++)
        for (int to = 1; to < size; to++) {
            fill(data, (size_t)bytes, n + to);
            OK(MPI_Send(data, bytes, MPI_BYTE, to, 5, comm));
        }
    if (own != 0)
        usleep((useconds_t)wait_ms * 1000);
    for (int n = 0; n < messages && own != 0; n++) {
        MPI_Status status;
        memset(data, 0, (size_t)bytes);
        OK(MPI_Recv(data, bytes, MPI_BYTE, 0, 5, comm, &status));
        int count = -1;
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        EQUAL(count, bytes);
        FILLED(data, (size_t)bytes, n + own);
    }
    free(data);
}

int main(int argc, char **argv)
{
    int messages = argc > 1 ? atoi(argv[1]) : 20, bytes = argc > 2 ? atoi(argv[2]) : 40;
    int wait_ms = argc > 3 ? atoi(argv[3]) : 30;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Session session = begin(NULL);
        MPI_Comm comm = join(session, "mpi://WORLD", "farewell");
        late(comm, messages, bytes, wait_ms);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Session_finalize(&session));
    }
    return 0;
}
