// np: 1 2 4
// quick
/* Windows: what is put, got and accumulated arrives, with each way of synchronising. */
#include "check.h"

enum { WORDS = 40000 };

static int next, before;

/* Puts and gets between fences, of any length and with types that have gaps on both sides. */
static void with_fences(void)
{
    int *words, *mine = malloc(WORDS * sizeof(int));
    MPI_Win win;
    OK(MPI_Win_allocate(WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &words,
                        &win));
    for (int i = 0; i < WORDS; i++) {
        words[i] = -1;
        mine[i] = rank * WORDS + i;
    }
    OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    OK(MPI_Put(mine, WORDS, MPI_INT, next, 0, WORDS, MPI_INT, win));
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    for (int i = 0; i < WORDS; i++)
        EQUAL(words[i], before * WORDS + i);

    /* Every other element of ours to every third of theirs. */
    MPI_Datatype evens, thirds;
    int count = WORDS / 4;
    OK(MPI_Type_vector(count, 1, 2, MPI_INT, &evens));
    OK(MPI_Type_vector(count, 1, 3, MPI_INT, &thirds));
    OK(MPI_Type_commit(&evens));
    OK(MPI_Type_commit(&thirds));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(mine, 1, evens, next, 7, 1, thirds, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < WORDS; i++) {
        int put = i >= 7 && (i - 7) % 3 == 0 && (i - 7) / 3 < count;
        EQUAL(words[i], before * WORDS + (put ? (i - 7) / 3 * 2 : i));
    }
    int *got = calloc(WORDS, sizeof(int));
    OK(MPI_Get(got, 1, evens, next, 7, 1, thirds, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < 2 * count; i++)
        EQUAL(got[i], i % 2 == 0 ? rank * WORDS + i : 0);

    /* Blocks of irregular lengths, of which each is a run of its own. */
    enum { BLOCKS = 3000 };
    int *lengths = malloc(BLOCKS * sizeof(int)), *places = malloc(BLOCKS * sizeof(int));
    int total = 0;
    for (int i = 0; i < BLOCKS; i++) {
        lengths[i] = 1 + i % 3;
        places[i] = i * 13 + i % 5;
        total += lengths[i];
    }
    MPI_Datatype blocks;
    OK(MPI_Type_indexed(BLOCKS, lengths, places, MPI_INT, &blocks));
    OK(MPI_Type_commit(&blocks));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(mine, total, MPI_INT, next, 0, 1, blocks, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0, at = 0; i < BLOCKS; i++)
        for (int j = 0; j < lengths[i]; j++, at++)
            EQUAL(words[places[i] + j], before * WORDS + at);
    memset(got, 0, WORDS * sizeof(int));
    OK(MPI_Get(got, total, MPI_INT, next, 0, 1, blocks, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < total; i++)
        EQUAL(got[i], rank * WORDS + i);
    OK(MPI_Type_free(&evens));
    OK(MPI_Type_free(&thirds));
    OK(MPI_Type_free(&blocks));
    OK(MPI_Win_free(&win));
    CHECK(win == MPI_WIN_NULL);
    free(lengths);
    free(places);
    free(got);
    free(mine);
}

/* All combine into rank 0's window at once; each sees a value of its own. */
static void with_locks(void)
{
    struct {
        double value;
        int index;
    } *pairs, mine = {rank * 1.5, rank};
    long *counters = calloc(WORDS, sizeof(long));
    MPI_Win win, places;
    OK(MPI_Win_create(counters, rank == 0 ? WORDS * sizeof(long) : 0, sizeof(long), MPI_INFO_NULL,
                      MPI_COMM_WORLD, &win));
    enum { TIMES = 200 };
    long one = 1, found, *all = malloc(WORDS * sizeof(long));
    char *seen = calloc(ranks * TIMES, 1);
    OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < TIMES; i++) {
        OK(MPI_Fetch_and_op(&one, &found, MPI_LONG, 0, 0, MPI_SUM, win));
        OK(MPI_Win_flush(0, win));
        CHECK(found >= 0 && found < ranks * TIMES && !seen[found]);
        seen[found] = 1;
    }
    OK(MPI_Win_unlock_all(win));

    /* A lock made of compare and swap, around an addition that is not atomic. */
    for (int i = 0; i < 20; i++) {
        long none = -1, me = rank, was;
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        if (i == 0 && rank == 0)
            OK(MPI_Accumulate(&none, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_REPLACE, win));
        OK(MPI_Win_unlock(0, win));
        if (i == 0)
            OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        do {
            OK(MPI_Compare_and_swap(&me, &none, &was, MPI_LONG, 0, 1, win));
            OK(MPI_Win_flush(0, win));
        } while (was != -1);
        OK(MPI_Get(&found, 1, MPI_LONG, 0, 2, 1, MPI_LONG, win));
        OK(MPI_Win_flush(0, win));
        found++;
        OK(MPI_Put(&found, 1, MPI_LONG, 0, 2, 1, MPI_LONG, win));
        OK(MPI_Win_flush(0, win));
        OK(MPI_Compare_and_swap(&none, &me, &was, MPI_LONG, 0, 1, win));
        OK(MPI_Win_flush(0, win));
        EQUAL(was, rank);
        OK(MPI_Win_unlock(0, win));
    }
    /* The same with an exclusive lock. */
    for (int i = 0; i < 20; i++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Get(&found, 1, MPI_LONG, 0, 3, 1, MPI_LONG, win));
        OK(MPI_Win_flush_local(0, win));
        found++;
        OK(MPI_Put(&found, 1, MPI_LONG, 0, 3, 1, MPI_LONG, win));
        OK(MPI_Win_unlock(0, win));
    }
    /* A long accumulate, and one that gives what was there before. */
    for (int i = 0; i < WORDS; i++)
        all[i] = i;
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    OK(MPI_Accumulate(all, WORDS - 8, MPI_LONG, 0, 8, WORDS - 8, MPI_LONG, MPI_SUM, win));
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    memset(all, 0xff, WORDS * sizeof(long));
    OK(MPI_Get_accumulate(NULL, 0, MPI_LONG, all, WORDS, MPI_LONG, 0, 0, WORDS, MPI_LONG,
                          MPI_NO_OP, win));
    OK(MPI_Win_unlock(0, win));
    EQUAL(all[0], ranks * TIMES);
    EQUAL(all[1], -1);
    EQUAL(all[2], ranks * 20);
    EQUAL(all[3], ranks * 20);
    for (int i = 8; i < WORDS; i++)
        EQUAL(all[i], (long)(i - 8) * ranks);
    OK(MPI_Win_free(&win));

    /* Pairs, which have gaps. */
    OK(MPI_Win_allocate(2 * sizeof *pairs, sizeof *pairs, MPI_INFO_NULL, MPI_COMM_WORLD, &pairs,
                        &places));
    pairs[1].value = -1;
    pairs[1].index = 77;
    OK(MPI_Win_fence(0, places));
    OK(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, 1, 1, MPI_DOUBLE_INT, MPI_MAXLOC, places));
    OK(MPI_Win_fence(0, places));
    if (rank == 0) {
        CHECK(pairs[1].value == (ranks - 1) * 1.5);
        EQUAL(pairs[1].index, ranks - 1);
    }
    OK(MPI_Win_free(&places));
    free(all);
    free(seen);
    free(counters);
}

/* Each process lets its neighbour before it write, and writes to the next. */
static void with_groups(void)
{
    int data[4] = {-1, -1, -1, -1}, value;
    MPI_Win win;
    MPI_Group world, from, to;
    OK(MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_get_group(win, &world));
    OK(MPI_Group_incl(world, 1, &before, &from));
    OK(MPI_Group_incl(world, 1, &next, &to));
    for (int round = 0; round < 50; round++) {
        value = rank * 1000 + round;
        OK(MPI_Win_post(from, 0, win));
        OK(MPI_Win_start(to, 0, win));
        OK(MPI_Put(&value, 1, MPI_INT, next, (round % 4) * sizeof(int), 1, MPI_INT, win));
        OK(MPI_Win_complete(win));
        if (round % 2) {
            OK(MPI_Win_wait(win));
        } else {
            int flag = 0;
            while (!flag)
                OK(MPI_Win_test(win, &flag));
        }
        EQUAL(data[round % 4], before * 1000 + round);
    }
    OK(MPI_Group_free(&world));
    OK(MPI_Group_free(&from));
    OK(MPI_Group_free(&to));
    OK(MPI_Win_free(&win));
}

static void with_requests(void)
{
    double *memory, mine[100], got[100], old[100];
    MPI_Win win;
    MPI_Request requests[2];
    OK(MPI_Win_allocate(200 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                        &memory, &win));
    for (int i = 0; i < 200; i++)
        memory[i] = i;
    for (int i = 0; i < 100; i++)
        mine[i] = rank + i;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    OK(MPI_Rput(mine, 100, MPI_DOUBLE, next, 100, 100, MPI_DOUBLE, win, &requests[0]));
    OK(MPI_Rget(got, 100, MPI_DOUBLE, next, 0, 100, MPI_DOUBLE, win, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 100; i++)
        CHECK(got[i] == i);
    OK(MPI_Win_flush_all(win));
    OK(MPI_Raccumulate(mine, 100, MPI_DOUBLE, next, 100, 100, MPI_DOUBLE, MPI_SUM, win,
                       &requests[0]));
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    OK(MPI_Rget_accumulate(mine, 100, MPI_DOUBLE, old, 100, MPI_DOUBLE, next, 100, 100, MPI_DOUBLE,
                           MPI_REPLACE, win, &requests[0]));
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    for (int i = 0; i < 100; i++)
        CHECK(old[i] == 2.0 * (rank + i));
    /* There is nobody there. */
    OK(MPI_Rput(mine, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win, &requests[0]));
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    OK(MPI_Put(mine, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win));
    OK(MPI_Win_flush_local_all(win));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 100; i++)
        CHECK(memory[100 + i] == before + i);
    OK(MPI_Win_free(&win));
}

/* Memory that comes and goes; places are addresses. */
static void dynamically(void)
{
    int *one = calloc(1000, sizeof(int)), *two = calloc(1000, sizeof(int)), got[2];
    MPI_Aint addresses[2], theirs[2];
    MPI_Win win;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_attach(win, one, 1000 * sizeof(int)));
    OK(MPI_Win_attach(win, two, 1000 * sizeof(int)));
    OK(MPI_Get_address(one + 10, &addresses[0]));
    OK(MPI_Get_address(two + 20, &addresses[1]));
    OK(MPI_Sendrecv(addresses, 2, MPI_AINT, before, 0, theirs, 2, MPI_AINT, next, 0,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    int values[2] = {rank + 1, rank + 2};
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win));
    OK(MPI_Put(&values[0], 1, MPI_INT, next, theirs[0], 1, MPI_INT, win));
    OK(MPI_Accumulate(&values[1], 1, MPI_INT, next, theirs[1], 1, MPI_INT, MPI_SUM, win));
    OK(MPI_Win_flush(next, win));
    OK(MPI_Get(&got[0], 1, MPI_INT, next, theirs[0], 1, MPI_INT, win));
    OK(MPI_Get(&got[1], 1, MPI_INT, next, theirs[1], 1, MPI_INT, win));
    OK(MPI_Win_unlock(next, win));
    EQUAL(got[0], rank + 1);
    EQUAL(got[1], rank + 2);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    EQUAL(one[10], before + 1);
    EQUAL(two[20], before + 2);
    OK(MPI_Win_detach(win, one));
    OK(MPI_Win_detach(win, two));
    OK(MPI_Win_free(&win));
    free(one);
    free(two);
}

/* Memory that all load and store, one part behind the other. */
static void in_common(void)
{
    MPI_Comm node;
    MPI_Win win;
    int *mine, *first, *theirs, unit, members, me;
    MPI_Aint size;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &members));
    OK(MPI_Comm_rank(node, &me));
    OK(MPI_Win_allocate_shared((me + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine,
                               &win));
    OK(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &first));
    EQUAL(size, sizeof(int));
    EQUAL(unit, sizeof(int));
    OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int i = 0; i <= me; i++)
        mine[i] = me * 100 + i;
    OK(MPI_Win_sync(win));
    OK(MPI_Barrier(node));
    OK(MPI_Win_sync(win));
    for (int r = 0, at = 0; r < members; r++) {
        OK(MPI_Win_shared_query(win, r, &size, &unit, &theirs));
        EQUAL(size, (r + 1) * sizeof(int));
        CHECK(theirs == first + at);
        for (int i = 0; i <= r; i++, at++)
            EQUAL(first[at], r * 100 + i);
    }
    OK(MPI_Barrier(node));
    int value = -me, to = (me + 1) % members;
    OK(MPI_Put(&value, 1, MPI_INT, to, to, 1, MPI_INT, win));
    OK(MPI_Win_flush(to, win));
    OK(MPI_Barrier(node));
    EQUAL(mine[me], -((me + members - 1) % members));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
    OK(MPI_Comm_free(&node));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    with_fences();
    with_locks();
    with_groups();
    with_requests();
    dynamically();
    in_common();
    return finish();
}
