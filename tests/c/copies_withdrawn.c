// np: 2 4
/* In the middle of a run the kernel withdraws the permission to copy between processes, from one
 * rank after the other: large messages go on, and every byte arrives. */
#include "check.h"

#include "../environment/refuse_copies.h"

enum { BYTES = (3 << 20) + 77, ROUNDS = 3 };

static unsigned char *out, *in[2];

static void withdraw(void)
{
    EQUAL(refuse_copies(), 0);
}

/* Around the ring, both ways, each message announced before `before` is called. */
static void exchange(int round, void (*before)(void))
{
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    size_t bytes = BYTES - (size_t)round * 4099;
    MPI_Request request[4];
    fill(out, bytes, rank * 100 + round);
    OK(MPI_Isend(out, (int)bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD, &request[0]));
    OK(MPI_Isend(out, (int)bytes, MPI_BYTE, last, 2, MPI_COMM_WORLD, &request[1]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (before)
        before();
    OK(MPI_Irecv(in[0], BYTES, MPI_BYTE, last, 1, MPI_COMM_WORLD, &request[2]));
    OK(MPI_Irecv(in[1], BYTES, MPI_BYTE, next, 2, MPI_COMM_WORLD, &request[3]));
    OK(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
    FILLED(in[0], bytes, last * 100 + round);
    FILLED(in[1], bytes, next * 100 + round);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    out = malloc(BYTES);
    in[0] = malloc(BYTES);
    in[1] = malloc(BYTES);
    CHECK(out && in[0] && in[1]);
    for (int round = 0; round < ROUNDS; round++)
        exchange(round, NULL);
    for (int loser = 0; loser < ranks; loser++)
        for (int round = 0; round < ROUNDS; round++)
            exchange(loser * ROUNDS + round, rank == loser && round == 0 ? withdraw : NULL);
    free(out);
    free(in[0]);
    free(in[1]);
    return finish();
}
