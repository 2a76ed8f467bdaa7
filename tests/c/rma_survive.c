// np: 2 3
// mpirun: --enable-recovery
// leaves handles
/* The last rank dies with the exclusive lock of rank 0's memory in its hands, and with that of its
 * own; that of rank 1's it has had so often before that it keeps its ticket. Who waits for the first
 * lock gets it; who wants the other one, or anything else of the dead, learns of the death. So it is
 * in memory that MPI has allocated, and in the program's own. */
#include "check.h"

#include <mpi-ext.h>

#include <signal.h>

/* From the death to the error, in seconds. */
static const double PATIENCE = 20;

/* Locks in a row, without anybody else's between, after which a ticket is kept (osc-sm, lock.rs:
 * 1024), and some more. */
enum { OFTEN = 1100 };

static int victim;

/* A window of which the victim holds two locks. */
static MPI_Win window(int allocated)
{
    int *memory;
    MPI_Win win;
    if (allocated) {
        OK(MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    } else {
        memory = malloc(64);
        OK(MPI_Win_create(memory, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    }
    memory[1] = 7;
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == victim) {
        for (int time = 0; time < OFTEN; time++) {
            OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win));
            OK(MPI_Win_unlock(1, win));
        }
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    }
    return win;
}

static void survive(MPI_Win win, int allocated)
{
    int got = 0;
    double began = MPI_Wtime();
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    OK(MPI_Get(&got, 1, MPI_INT, 0, 1, 1, MPI_INT, win));
    OK(MPI_Win_unlock(0, win));
    EQUAL(got, 7);
    if (victim > 1) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win));
        OK(MPI_Win_unlock(1, win));
    }
    /* Memory that is shared outlives its process. */
    if (!allocated) {
        /* The lock above may have come from another survivor, who learned of the death first. */
        int word, code = MPI_Recv(&word, 1, MPI_INT, victim, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EQUAL(class_of(code), MPIX_ERR_PROC_FAILED);
        int error = MPI_Win_lock(MPI_LOCK_SHARED, victim, 0, win);
        EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    }
    CHECK(MPI_Wtime() - began < PATIENCE);
}

int main(int argc, char **argv)
{
    int token = 5;
    start(&argc, &argv);
    victim = ranks - 1;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_Win own = window(0), allocated = window(1);
    if (rank == victim) {
        for (int r = 0; r < victim; r++)
            OK(MPI_Send(&token, 1, MPI_INT, r, 1, MPI_COMM_WORLD));
        raise(SIGKILL);
    }
    /* It may die before this comes. */
    MPI_Recv(&token, 1, MPI_INT, victim, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    survive(own, 0);
    survive(allocated, 1);
    return finish();
}
