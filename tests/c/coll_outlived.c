// np: 2 3
/* A communicator whose handle is freed before what was made of it: persistent collectives, a
 * window and a file go on. The ranks free it at different times, so that a message of a call that
 * another rank has started already lies there when a rank frees: that rank starts its part later,
 * and the message is no sign of a call that it leaves out. */
#include "check.h"

enum { ROUNDS = 200, STARTS = 3 };

/* Whoever's turn it is comes late to the freeing, so that the others are ahead. */
static void stagger(int round)
{
    if (round % 10 < ranks && round % ranks == rank)
        usleep(2000);
}

static void persistent(int round)
{
    int moved, mine = rank + 1, sum, ends[2], from[2];
    int periods[1] = {1}, dims[1] = {ranks};
    MPI_Comm comm, ring;
    MPI_Request requests[4];
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring));
    OK(MPI_Bcast_init(&moved, 1, MPI_INT, round % ranks, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Barrier_init(comm, MPI_INFO_NULL, &requests[2]));
    OK(MPI_Neighbor_alltoall_init(ends, 1, MPI_INT, from, 1, MPI_INT, ring, MPI_INFO_NULL,
                                  &requests[3]));
    stagger(round);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&ring));
    for (int turn = 0; turn < STARTS; turn++) {
        moved = rank == round % ranks ? turn : -1;
        ends[0] = 10 * rank + turn;
        ends[1] = 10 * rank + turn + 5;
        OK(MPI_Startall(4, requests));
        OK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        EQUAL(moved, turn);
        EQUAL(sum, ranks * (ranks + 1) / 2);
        EQUAL(from[0], 10 * ((rank + ranks - 1) % ranks) + turn + 5);
        EQUAL(from[1], 10 * ((rank + 1) % ranks) + turn);
    }
    for (int i = 0; i < 4; i++)
        OK(MPI_Request_free(&requests[i]));
}

static void window(int round)
{
    int *memory, got = -1, right = (rank + 1) % ranks;
    MPI_Comm comm;
    MPI_Win win;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &win));
    *memory = 7 * rank + round;
    stagger(round);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Get(&got, 1, MPI_INT, right, 0, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    EQUAL(got, 7 * right + round);
    OK(MPI_Win_free(&win));
}

static void file(int round)
{
    static char name[256];
    int out = 9 * rank + round, in = -1, left = (rank + ranks - 1) % ranks;
    MPI_Comm comm;
    MPI_File file;
    if (!name[0])
        unique_name(name, sizeof name, "outlived");
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_File_open(comm, name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    stagger(round);
    OK(MPI_Comm_free(&comm));
    OK(MPI_File_set_atomicity(file, 1));
    OK(MPI_File_write_at_all(file, 4 * rank, &out, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_read_at_all(file, 4 * left, &in, 1, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(in, 9 * left + round);
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        persistent(round);
        if (round % 20 < 3) {
            window(round);
            file(round);
        }
    }
    return finish();
}
