// np: 2 4
// quick
/* Accumulates of one element in windows whose user has said that there is no other kind
 * (acc_single_intrinsic): by the network's atomic operations where all processes have them, in
 * other ways elsewhere, and the outcome is the same. Counters that all hammer at, of every size and
 * with operations that no network has; locks made of swaps; the order of accumulates to one
 * element; puts and gets beside them. A longer one is refused, and nothing is written, where the
 * network does them. */
#include "check.h"

#include <stdint.h>

enum { TIMES = 300, OWN = 64, BYTES = 1024, OWNER = 0 };

/* Displacements in bytes. Behind `slots` each rank has some for itself. */
enum {
    tickets = 0,
    most = 8,
    least = 16,
    product = 24,
    halves = 32,
    odd = 44,
    counted = 56,
    lock = 64,
    guarded = 72,
    real = 80,
    narrow = 88,
    slots = 128
};

static int64_t number(const char *memory, int at)
{
    int64_t value;
    memcpy(&value, memory + at, sizeof value);
    return value;
}

/* Whether the network does the window's accumulates. */
static int by_network(MPI_Win win)
{
    char value[MPI_MAX_INFO_VAL];
    int length = sizeof value, found;
    MPI_Info used;
    OK(MPI_Win_get_info(win, &used));
    OK(MPI_Info_get_string(used, "acc_single_intrinsic", &length, value, &found));
    CHECK(found);
    OK(MPI_Info_free(&used));
    return strcmp(value, "true") == 0;
}

/* Every rank, the owner of the memory among them, changes the same elements. */
static void hammer(MPI_Win win)
{
    const int64_t one = 1, minus = -1 - rank;
    const uint32_t half = 3;
    const float quarter = 0.25f;
    const short small = 1;
    int64_t before, sum = 0;
    for (int i = 0; i < TIMES; i++) {
        const uint64_t high = UINT64_C(1) << 63 | (uint64_t)(i * ranks + rank);
        const double there = rank + 1 + i / 1000.0;
        OK(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, OWNER, tickets, MPI_SUM, win));
        OK(MPI_Accumulate(&high, 1, MPI_UINT64_T, OWNER, most, 1, MPI_UINT64_T, MPI_MAX, win));
        OK(MPI_Accumulate(&minus, 1, MPI_INT64_T, OWNER, least, 1, MPI_INT64_T, MPI_MIN, win));
        OK(MPI_Accumulate(&half, 1, MPI_UINT32_T, OWNER, product, 1, MPI_UINT32_T, MPI_PROD, win));
        OK(MPI_Accumulate(&quarter, 1, MPI_FLOAT, OWNER, halves, 1, MPI_FLOAT, MPI_SUM, win));
        OK(MPI_Accumulate(&there, 1, MPI_DOUBLE, OWNER, real, 1, MPI_DOUBLE, MPI_MAX, win));
        /* These no network has: they are not at a multiple of their size, or too short. */
        OK(MPI_Accumulate(&one, 1, MPI_INT64_T, OWNER, odd, 1, MPI_INT64_T, MPI_SUM, win));
        OK(MPI_Accumulate(&small, 1, MPI_SHORT, OWNER, narrow, 1, MPI_SHORT, MPI_SUM, win));
        OK(MPI_Win_flush(OWNER, win));
        sum += before;
    }
    int64_t all, count = (int64_t)TIMES * ranks;
    OK(MPI_Allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(all, count * (count - 1) / 2);
}

static void check_hammered(const char *memory)
{
    int64_t count = (int64_t)TIMES * ranks;
    uint64_t high;
    uint32_t whole, power = 1;
    float sum;
    double there;
    short small;
    for (int64_t i = 0; i < count; i++)
        power *= 3;
    EQUAL(number(memory, tickets), count);
    memcpy(&high, memory + most, sizeof high);
    CHECK(high == (UINT64_C(1) << 63 | (uint64_t)(count - 1)));
    EQUAL(number(memory, least), -ranks);
    memcpy(&whole, memory + product, sizeof whole);
    EQUAL(whole, power);
    memcpy(&sum, memory + halves, sizeof sum);
    CHECK(sum == (float)count / 4);
    memcpy(&there, memory + real, sizeof there);
    CHECK(there == ranks + (TIMES - 1) / 1000.0);
    EQUAL(number(memory, odd), count);
    memcpy(&small, memory + narrow, sizeof small);
    EQUAL(small, count);
}

/* A lock made of a word: who swaps it from 0 to its number has it, and changes another by get and
 * put. It is given back by MPI_REPLACE behind a flush. */
static void exclude(MPI_Win win)
{
    const int64_t mine = rank + 1, nobody = 0;
    int64_t before, value;
    for (int i = 0; i < TIMES / 10; i++) {
        do {
            OK(MPI_Compare_and_swap(&mine, &nobody, &before, MPI_INT64_T, OWNER, lock, win));
            OK(MPI_Win_flush(OWNER, win));
        } while (before != nobody);
        OK(MPI_Get(&value, 1, MPI_INT64_T, OWNER, guarded, 1, MPI_INT64_T, win));
        OK(MPI_Win_flush(OWNER, win));
        value++;
        OK(MPI_Put(&value, 1, MPI_INT64_T, OWNER, guarded, 1, MPI_INT64_T, win));
        OK(MPI_Win_flush(OWNER, win));
        OK(MPI_Fetch_and_op(&nobody, &before, MPI_INT64_T, OWNER, lock, MPI_REPLACE, win));
        OK(MPI_Win_flush(OWNER, win));
        EQUAL(before, mine);
    }
}

/* Accumulates of one origin to one element come in order, and bring what was there in between;
 * those by requests, too. */
static void keep_order(MPI_Win win)
{
    int target = (rank + 1) % ranks, at = slots + OWN * rank;
    int64_t values[40], before[40], none = 0;
    MPI_Request requests[40];
    for (int i = 0; i < 40; i++) {
        values[i] = i + 1;
        if (i % 2 == 0)
            OK(MPI_Rget_accumulate(&values[i], 1, MPI_INT64_T, &before[i], 1, MPI_INT64_T, target,
                                   at, 1, MPI_INT64_T, MPI_REPLACE, win, &requests[i]));
        else
            OK(MPI_Rget_accumulate(NULL, 0, MPI_INT64_T, &before[i], 1, MPI_INT64_T, target, at, 1,
                                   MPI_INT64_T, MPI_NO_OP, win, &requests[i]));
    }
    OK(MPI_Waitall(40, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Win_flush(target, win));
    for (int i = 1; i < 40; i++)
        EQUAL(before[i], i % 2 == 0 ? i - 1 : i);
    OK(MPI_Put(&none, 1, MPI_INT64_T, target, at, 1, MPI_INT64_T, win));
    OK(MPI_Win_flush(target, win));
    OK(MPI_Fetch_and_op(NULL, &before[0], MPI_INT64_T, target, at, MPI_NO_OP, win));
    OK(MPI_Win_flush(target, win));
    EQUAL(before[0], 0);
}

/* An element that a derived datatype names is one, too; of two the network's window has none. */
static void refuse_longer(MPI_Win win, const char *memory)
{
    int target = (rank + 1) % ranks, at = slots + OWN * rank, origin = (rank + ranks - 1) % ranks;
    const int64_t values[2] = {7, 9};
    int64_t before[2] = {-1, -1};
    const int place = 1;
    MPI_Datatype second;
    OK(MPI_Type_create_indexed_block(1, 1, &place, MPI_INT64_T, &second));
    OK(MPI_Type_commit(&second));
    OK(MPI_Accumulate(values, 1, MPI_INT64_T, target, at, 1, second, MPI_SUM, win));
    OK(MPI_Win_flush(target, win));
    OK(MPI_Get_accumulate(values, 1, MPI_INT64_T, before, 1, MPI_INT64_T, target, at, 1, second,
                          MPI_SUM, win));
    OK(MPI_Win_flush(target, win));
    EQUAL(before[0], 7);
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    int code = MPI_Accumulate(values, 2, MPI_INT64_T, target, at, 2, MPI_INT64_T, MPI_SUM, win);
    EQUAL(class_of(code), by_network(win) ? MPI_ERR_COUNT : MPI_SUCCESS);
    code = MPI_Get_accumulate(values, 2, MPI_INT64_T, before, 2, MPI_INT64_T, target, at, 2,
                              MPI_INT64_T, MPI_NO_OP, win);
    EQUAL(class_of(code), by_network(win) ? MPI_ERR_COUNT : MPI_SUCCESS);
    OK(MPI_Win_flush(target, win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_sync(win));
    EQUAL(number(memory, slots + OWN * origin), by_network(win) ? 0 : 7);
    EQUAL(number(memory, slots + OWN * origin + 8), by_network(win) ? 14 : 23);
    OK(MPI_Type_free(&second));
}

/* Fences and groups wait for accumulates, too. */
static void other_epochs(MPI_Win win, const char *memory)
{
    const int64_t one = 1;
    MPI_Group all;
    OK(MPI_Win_get_group(win, &all));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < 20; i++)
        OK(MPI_Accumulate(&one, 1, MPI_INT64_T, i % ranks, counted, 1, MPI_INT64_T, MPI_SUM, win));
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    int each = 20 / ranks * ranks;
    EQUAL(number(memory, counted), each);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_post(all, 0, win));
    OK(MPI_Win_start(all, 0, win));
    for (int i = 0; i < ranks; i++)
        OK(MPI_Accumulate(&one, 1, MPI_INT64_T, i, counted, 1, MPI_INT64_T, MPI_SUM, win));
    OK(MPI_Win_complete(win));
    OK(MPI_Win_wait(win));
    EQUAL(number(memory, counted), each + ranks);
    OK(MPI_Group_free(&all));
}

static void try_window(MPI_Win win, char *memory)
{
    memset(memory, 0, BYTES);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    uint32_t one = 1;
    if (rank == OWNER)
        memcpy(memory + product, &one, sizeof one);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, win));
    hammer(win);
    exclude(win);
    keep_order(win);
    refuse_longer(win, memory);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == OWNER) {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, OWNER, 0, win));
        check_hammered(memory);
        EQUAL(number(memory, guarded), TIMES / 10 * ranks);
        OK(MPI_Win_unlock(OWNER, win));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    other_epochs(win, memory);
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Info info;
    MPI_Win win;
    char *memory, *own = malloc(BYTES + 8);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "acc_single_intrinsic", "true"));
    OK(MPI_Win_allocate(BYTES, 1, info, MPI_COMM_WORLD, &memory, &win));
    try_window(win, memory);
    /* Memory of the program's own, which begins where 8 bytes are no word. */
    OK(MPI_Win_create(own + 4, BYTES, 1, info, MPI_COMM_WORLD, &win));
    try_window(win, own + 4);
    /* One process has not said it: all go the other way. */
    OK(MPI_Info_set(info, "acc_single_intrinsic", rank == 1 ? "false" : "true"));
    OK(MPI_Win_create(own, BYTES, 1, info, MPI_COMM_WORLD, &win));
    CHECK(!by_network(win));
    try_window(win, own);
    OK(MPI_Info_free(&info));
    free(own);
    return finish();
}
