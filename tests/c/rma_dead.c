// np: 2 3
// mpirun: --enable-recovery
// leaves handles
/* The last rank dies with the locks of all windows in its hands, and has rank 0's at the head of a
 * row: whoever wants them has them soon after, or learns of the death, and nobody waits for ever. An
 * argument is how the window is made: "allocate" (the default) or "create". */
#include "check.h"

#include <mpi-ext.h>

#include <signal.h>
#include <unistd.h>

/* From the death to the lock, in seconds. */
static const double PATIENCE = 8;
static const int DEATH_AFTER_US = 200000;

static void die(MPI_Win window)
{
    for (int r = 0; r < ranks; r++)
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, r, 0, window));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    usleep(DEATH_AFTER_US);
    kill(getpid(), SIGKILL);
}

/* Locks a rank's window for good or has an error that names the dead. */
static void lock(int kind, int target, MPI_Win window)
{
    long seen = -1, one = 1;
    int error = MPI_Win_lock(kind, target, 0, window);
    if (error != MPI_SUCCESS) {
        EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
        return;
    }
    error = MPI_Fetch_and_op(&one, &seen, MPI_LONG, target, 0, MPI_SUM, window);
    if (error == MPI_SUCCESS)
        error = MPI_Win_unlock(target, window);
    else
        MPI_Win_unlock(target, window);
    if (target != ranks - 1)
        EQUAL(error, MPI_SUCCESS);
    if (error == MPI_SUCCESS)
        CHECK(seen >= 0 && seen < 4 * ranks);
    else
        EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
}

int main(int argc, char **argv)
{
    long own[8] = {0}, *memory = own;
    MPI_Win window;
    start(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "create") == 0)
        OK(MPI_Win_create(own, sizeof own, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    else
        OK(MPI_Win_allocate(sizeof own, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    memset(memory, 0, sizeof own);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    if (rank == ranks - 1)
        die(window);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = MPI_Wtime();
    for (int target = 0; target < ranks; target++) {
        lock(MPI_LOCK_EXCLUSIVE, target, window);
        lock(MPI_LOCK_SHARED, target, window);
    }
    CHECK(MPI_Wtime() - began < PATIENCE);
    return finish();
}
