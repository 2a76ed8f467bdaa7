/* Accesses of 8 bytes to a window of own memory, each with its flush, for looking at what they load
 * and store: rank 0 makes so many of each kind, and rank 1 waits in MPI_Barrier.
 *
 *     accesses TIMES
 *
 * Each rank says on standard error where the library lies, `library ADDRESS PATH`, and a word that it
 * writes before the accesses and behind them, `mark ADDRESS`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TARGET = 1 };

static int64_t memory[8];
static MPI_Win window;
static volatile int mark;

static void tell_places(void)
{
    Dl_info found;
    if (dladdr((void *)MPI_Put, &found) != 0)
        fprintf(stderr, "library %p %s\nmark %p\n", found.dli_fbase, found.dli_fname, (void *)&mark);
}

static void expect(const char *what, int64_t seen, int64_t expected)
{
    if (seen == expected)
        return;
    fprintf(stderr, "%s found %ld in the place of %ld\n", what, (long)seen, (long)expected);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each kind of access, the turns from `first` on. */
static void access_all(int64_t first, int64_t end)
{
    const int64_t one = 1;
    int64_t seen = -1;
    for (int64_t i = first; i < end; i++) {
        MPI_Put(&i, 8, MPI_BYTE, TARGET, 0, 8, MPI_BYTE, window);
        MPI_Win_flush(TARGET, window);
        MPI_Get(&seen, 8, MPI_BYTE, TARGET, 0, 8, MPI_BYTE, window);
        MPI_Win_flush(TARGET, window);
        expect("a get", seen, i);
        MPI_Accumulate(&one, 1, MPI_INT64_T, TARGET, 8, 1, MPI_INT64_T, MPI_SUM, window);
        MPI_Win_flush(TARGET, window);
        MPI_Fetch_and_op(&one, &seen, MPI_INT64_T, TARGET, 8, MPI_SUM, window);
        MPI_Win_flush(TARGET, window);
        expect("a fetch and op", seen, 2 * i + 1);
        MPI_Compare_and_swap(&one, &i, &seen, MPI_INT64_T, TARGET, 0, window);
        MPI_Win_flush(TARGET, window);
        expect("a compare and swap", seen, i);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2 || atol(argv[1]) <= 0) {
        fprintf(stderr, "usage: accesses TIMES\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    tell_places();
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    /* What is made at the first access is made by then. */
    if (rank != TARGET)
        access_all(0, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    mark = 1;
    if (rank != TARGET)
        access_all(1, 1 + atol(argv[1]));
    MPI_Barrier(MPI_COMM_WORLD);
    mark = 2;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
