// np: 2 4
/* Thousands of accesses under way at once, from every rank to every other and before anybody looks
 * for their ends: of a word each, and of several datagrams each. All of them arrive, once. A
 * transport's queues, credit and window are full meanwhile, both ways. */
#include "check.h"

enum { WORDS = 3000, ROW = 1024, ROWS = 64, ROUNDS = 2 };

static long word(int origin, int round, int index)
{
    return ((long)origin * ROUNDS + round) * WORDS + index + 1;
}

/* Each rank has a row of words at every other. */
static void words(long *memory)
{
    static long given[WORDS], got[WORDS];
    MPI_Win win;
    OK(MPI_Win_create(memory, (MPI_Aint)ranks * WORDS * (MPI_Aint)sizeof(long), sizeof(long),
                      MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_lock_all(0, win));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++)
            given[i] = word(rank, round, i);
        for (int k = 1; k < ranks; k++)
            for (int i = 0; i < WORDS; i++)
                OK(MPI_Put(&given[i], 1, MPI_LONG, (rank + k) % ranks, rank * WORDS + i, 1,
                           MPI_LONG, win));
        OK(MPI_Win_flush_all(win));
        for (int k = 1; k < ranks; k++) {
            int target = (rank + k) % ranks;
            memset(got, 0, sizeof got);
            for (int i = 0; i < WORDS; i++)
                OK(MPI_Get(&got[i], 1, MPI_LONG, target, rank * WORDS + i, 1, MPI_LONG, win));
            OK(MPI_Win_flush(target, win));
            for (int i = 0; i < WORDS; i++)
                EQUAL(got[i], word(rank, round, i));
        }
    }
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
}

/* All ranks add to the same rows of each other. */
static void rows(double *memory)
{
    static double given[ROW];
    MPI_Win win;
    for (int i = 0; i < ROW; i++)
        given[i] = (rank + 1) * (i + 1);
    memset(memory, 0, ROWS * ROW * sizeof(double));
    OK(MPI_Win_create(memory, ROWS * ROW * sizeof(double), sizeof(double), MPI_INFO_NULL,
                      MPI_COMM_WORLD, &win));
    OK(MPI_Win_lock_all(0, win));
    for (int round = 0; round < ROUNDS; round++) {
        for (int row = 0; row < ROWS; row++)
            for (int k = 1; k < ranks; k++)
                OK(MPI_Accumulate(given, ROW, MPI_DOUBLE, (rank + k) % ranks, row * ROW, ROW,
                                  MPI_DOUBLE, MPI_SUM, win));
        OK(MPI_Win_flush_all(win));
    }
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    int others = ranks * (ranks + 1) / 2 - (rank + 1);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));
    for (int i = 0; i < ROWS * ROW; i++)
        EQUAL(memory[i], ROUNDS * others * (i % ROW + 1));
    OK(MPI_Win_unlock(rank, win));
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    size_t most = (size_t)ranks * WORDS * sizeof(long);
    void *memory = malloc(most > ROWS * ROW * sizeof(double) ? most : ROWS * ROW * sizeof(double));
    CHECK(memory != NULL);
    words(memory);
    rows(memory);
    free(memory);
    return finish();
}
