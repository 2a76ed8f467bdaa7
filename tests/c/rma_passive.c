// np: 2
// mpirun: --mca osc_progress_thread 1
// alone
/* A target that computes for a second does not delay who reads its window: not where MPI has
 * allocated the memory, and with a thread that serves it not where it is the program's own. */
#include "check.h"

/* In seconds. */
static const double COMPUTES = 1.0, PATIENCE = 0.5;

static void run(int allocated)
{
    int *memory, got = 0;
    MPI_Win win;
    if (allocated) {
        OK(MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    } else {
        memory = malloc(64);
        OK(MPI_Win_create(memory, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    }
    memory[3] = 11 + rank;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = MPI_Wtime();
    if (rank == 1) {
        volatile double sum = 0;
        while (MPI_Wtime() - began < COMPUTES)
            sum += 1;
    } else {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
        OK(MPI_Get(&got, 1, MPI_INT, 1, 3, 1, MPI_INT, win));
        OK(MPI_Win_unlock(1, win));
        EQUAL(got, 12);
        CHECK(MPI_Wtime() - began < PATIENCE);
    }
    OK(MPI_Win_free(&win));
    if (!allocated)
        free(memory);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    run(1);
    run(0);
    return finish();
}
