// np: 2 4
/* Big messages both ways at once, many at a time, and to oneself: nothing deadlocks that MPI says
 * does not, and every byte arrives. */
#include "check.h"

enum { BYTES = 8 << 20, MANY = 12 };

static void both_ways(unsigned char *out, unsigned char *in)
{
    int peer = rank ^ 1;
    if (peer >= ranks)
        return;
    for (int round = 0; round < 4; round++) {
        size_t bytes = (size_t)BYTES - (size_t)round * 4097;
        MPI_Request request[2];
        fill(out, bytes, rank + round * 10);
        OK(MPI_Irecv(in, BYTES, MPI_BYTE, peer, round, MPI_COMM_WORLD, &request[0]));
        OK(MPI_Isend(out, (int)bytes, MPI_BYTE, peer, round, MPI_COMM_WORLD, &request[1]));
        OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        FILLED(in, bytes, peer + round * 10);
    }
}

/* Sent before any receive is posted, received last first. */
static void many(unsigned char *out, unsigned char *in)
{
    size_t each = BYTES / MANY;
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Request request[2 * MANY];
    for (int i = 0; i < MANY; i++) {
        fill(out + each * (size_t)i, each, rank * 100 + i);
        OK(MPI_Isend(out + each * (size_t)i, (int)each, MPI_BYTE, to, i, MPI_COMM_WORLD,
                     &request[i]));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = MANY - 1; i >= 0; i--)
        OK(MPI_Irecv(in + each * (size_t)i, (int)each, MPI_BYTE, from, i, MPI_COMM_WORLD,
                     &request[MANY + i]));
    OK(MPI_Waitall(2 * MANY, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        FILLED(in + each * (size_t)i, each, from * 100 + i);
}

static void to_oneself(unsigned char *out, unsigned char *in)
{
    MPI_Request request;
    fill(out, BYTES, 5);
    memset(in, 0, BYTES);
    OK(MPI_Isend(out, BYTES, MPI_BYTE, rank, 9, MPI_COMM_WORLD, &request));
    OK(MPI_Recv(in, BYTES, MPI_BYTE, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    FILLED(in, BYTES, 5);
    memset(in, 0, BYTES);
    OK(MPI_Irecv(in, BYTES, MPI_BYTE, 0, 9, MPI_COMM_SELF, &request));
    OK(MPI_Send(out, BYTES, MPI_BYTE, 0, 9, MPI_COMM_SELF));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    FILLED(in, BYTES, 5);
}

int main(int argc, char **argv)
{
    unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
    start(&argc, &argv);
    both_ways(out, in);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    many(out, in);
    to_oneself(out, in);
    free(out);
    free(in);
    return finish();
}
