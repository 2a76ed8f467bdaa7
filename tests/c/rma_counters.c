// np: 2 4
/* Counters at one rank that all others hammer at: with accumulates of one element and of more, with
 * fetches, and by get and put under an exclusive lock. Nothing is lost. */
#include "check.h"

enum { TIMES = 30000, LOCKED = 3000 };

static void count(MPI_Win win)
{
    const long ones[3] = {1, 1, 1};
    long old;
    OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < TIMES; i++) {
        if (i % 3 == 0)
            OK(MPI_Fetch_and_op(ones, &old, MPI_LONG, 0, 1, MPI_SUM, win));
        else if (i % 3 == 1)
            OK(MPI_Accumulate(ones, 3, MPI_LONG, 0, 0, 3, MPI_LONG, MPI_SUM, win));
        else
            OK(MPI_Accumulate(ones, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM, win));
    }
    OK(MPI_Win_unlock_all(win));
}

static void count_locked(MPI_Win win)
{
    long seen;
    for (int i = 0; i < LOCKED; i++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Get(&seen, 1, MPI_LONG, 0, 5, 1, MPI_LONG, win));
        OK(MPI_Win_flush(0, win));
        seen++;
        OK(MPI_Put(&seen, 1, MPI_LONG, 0, 5, 1, MPI_LONG, win));
        OK(MPI_Win_unlock(0, win));
    }
}

int main(int argc, char **argv)
{
    long *memory;
    MPI_Win win;
    start(&argc, &argv);
    OK(MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    for (int i = 0; i < 8; i++)
        memory[i] = 0;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    count(win);
    count_locked(win);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        EQUAL(memory[1], (long)TIMES * ranks);
        EQUAL(memory[0], (long)TIMES / 3 * ranks);
        EQUAL(memory[5], (long)LOCKED * ranks);
        OK(MPI_Win_unlock(0, win));
    }
    OK(MPI_Win_free(&win));
    return finish();
}
