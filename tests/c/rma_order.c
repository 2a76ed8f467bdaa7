// np: 2 3 4
/* What an origin reads, writes and accumulates at one target keeps its order though only
 * MPI_Win_flush_local is between, whatever carries each: loads and stores, messages, a lane, or the
 * network's atomic operations. And what one process has written before a fence a second one finds at
 * a third one after it. */
#include "check.h"

enum { SIDE = 64, PART = 16, COUNT = SIDE * SIDE, ROUNDS = 150, FENCES = 60 };

static double *memory, numbers[COUNT], ones[COUNT], got[COUNT];
static MPI_Datatype block;

/* One element, a block with gaps, or all of the window. */
struct form {
    int count, first, last;
    MPI_Datatype type;
};

static void put(double value, int target, struct form of, MPI_Win win)
{
    numbers[of.first] = numbers[of.last] = value;
    OK(MPI_Put(numbers, of.count, of.type, target, 0, of.count, of.type, win));
    OK(MPI_Win_flush_local(target, win));
}

static void add_one(int target, struct form of, MPI_Win win)
{
    OK(MPI_Accumulate(ones, of.count, of.type, target, 0, of.count, of.type, MPI_SUM, win));
    OK(MPI_Win_flush_local(target, win));
}

static void found(double value, int target, struct form of, MPI_Win win)
{
    got[of.first] = got[of.last] = -1;
    OK(MPI_Get(got, of.count, of.type, target, 0, of.count, of.type, win));
    OK(MPI_Win_flush_local(target, win));
    EQUAL(got[of.first], value);
    EQUAL(got[of.last], value);
}

static void in_order(int target, struct form of, MPI_Win win)
{
    for (int i = 1; i <= ROUNDS; i++) {
        double before = -1, three = 3, ten = 10;
        put(i, target, of, win);
        add_one(target, of, win);
        found(i + 1, target, of, win);
        add_one(target, of, win);
        add_one(target, of, win);
        put(7, target, of, win);
        found(7, target, of, win);
        add_one(target, of, win);
        OK(MPI_Fetch_and_op(&three, &before, MPI_DOUBLE, target, 0, MPI_SUM, win));
        OK(MPI_Win_flush_local(target, win));
        EQUAL(before, 8);
        if (of.count == 1 && of.first == of.last)
            found(11, target, of, win);
        put(1, target, of, win);
        OK(MPI_Fetch_and_op(&ten, &before, MPI_DOUBLE, target, 0, MPI_REPLACE, win));
        OK(MPI_Win_flush(target, win));
        EQUAL(before, 1);
    }
}

/* The first rank accesses the memory of the last, while that waits. */
static void under_locks(MPI_Win win, int single)
{
    struct form one = {1, 0, 0, MPI_DOUBLE}, apart = {1, 0, SIDE * (PART - 1) + PART - 1, block},
                all = {COUNT, 0, COUNT - 1, MPI_DOUBLE};
    OK(MPI_Win_lock_all(0, win));
    if (rank == 0) {
        in_order(ranks - 1, one, win);
        if (!single) {
            in_order(ranks - 1, apart, win);
            in_order(ranks - 1, all, win);
        }
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_unlock_all(win));
}

/* Whoever accumulates is a process of its own, or the target itself. */
static void by_fences(MPI_Win win)
{
    int target = 1, writer = ranks - 1;
    memset(memory, 0, COUNT * sizeof *memory);
    OK(MPI_Win_fence(0, win));
    for (int i = 1; i <= FENCES; i++) {
        double value = -1;
        if (rank == writer)
            OK(MPI_Accumulate(ones, COUNT, MPI_DOUBLE, target, 0, COUNT, MPI_DOUBLE, MPI_SUM, win));
        OK(MPI_Win_fence(0, win));
        if (rank == 0)
            OK(MPI_Get(&value, 1, MPI_DOUBLE, target, COUNT - 1, 1, MPI_DOUBLE, win));
        OK(MPI_Win_fence(0, win));
        if (rank == 0)
            EQUAL(value, i);
    }
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
}

int main(int argc, char **argv)
{
    int sizes[] = {SIDE, SIDE}, part[] = {PART, PART}, first[] = {0, 0};
    static double own[COUNT];
    MPI_Win win;
    MPI_Info info;
    start(&argc, &argv);
    for (int i = 0; i < COUNT; i++)
        ones[i] = 1;
    OK(MPI_Type_create_subarray(2, sizes, part, first, MPI_ORDER_C, MPI_DOUBLE, &block));
    OK(MPI_Type_commit(&block));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "acc_single_intrinsic", "true"));
    for (int kind = 0; kind < 3; kind++) {
        int unit = sizeof(double);
        memory = own;
        if (kind == 0)
            OK(MPI_Win_allocate(sizeof own, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
        else
            OK(MPI_Win_create(own, sizeof own, unit, kind == 1 ? MPI_INFO_NULL : info,
                              MPI_COMM_WORLD, &win));
        under_locks(win, kind == 2);
        if (kind < 2)
            by_fences(win);
        OK(MPI_Win_free(&win));
    }
    OK(MPI_Info_free(&info));
    OK(MPI_Type_free(&block));
    return finish();
}
