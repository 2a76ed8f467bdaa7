// np: 2 3
/* Who asks its window again and again, by a call that has nothing to wait for, sees what another
 * process puts there; also when that one has to be received from first. */
#include "check.h"

enum { BYTES = 1 << 20 };

/* The places in a window: of what is put by another process, and of what is asked for. */
enum { AWAITED, OTHER, PLACES };

static MPI_Win win;
static long seen;

static void flush(int target)
{
    OK(MPI_Win_flush(target, win));
}

static void flush_local(int target)
{
    OK(MPI_Win_flush_local(target, win));
}

static void flush_all(int target)
{
    (void)target;
    OK(MPI_Win_flush_all(win));
}

static void flush_local_all(int target)
{
    (void)target;
    OK(MPI_Win_flush_local_all(win));
}

static void synchronise(int target)
{
    (void)target;
    OK(MPI_Win_sync(win));
}

static void get(int target)
{
    OK(MPI_Get(&seen, 1, MPI_LONG, target, OTHER, 1, MPI_LONG, win));
    flush(target);
}

static void put(int target)
{
    OK(MPI_Put(&seen, 1, MPI_LONG, target, OTHER, 1, MPI_LONG, win));
    flush(target);
}

static void request(int target)
{
    MPI_Request got;
    OK(MPI_Rget(&seen, 1, MPI_LONG, target, OTHER, 1, MPI_LONG, win, &got));
    OK(MPI_Wait(&got, MPI_STATUS_IGNORE));
}

static void fetch(int target)
{
    OK(MPI_Fetch_and_op(NULL, &seen, MPI_LONG, target, OTHER, MPI_NO_OP, win));
    flush(target);
}

static void lock_shared(int target)
{
    OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    OK(MPI_Win_unlock(target, win));
}

static void lock_exclusive(int target)
{
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
    OK(MPI_Win_unlock(target, win));
}

static void lock_and_get(int target)
{
    OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    OK(MPI_Get(&seen, 1, MPI_LONG, target, OTHER, 1, MPI_LONG, win));
    OK(MPI_Win_unlock(target, win));
}

static void lock_all(int target)
{
    (void)target;
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Win_unlock_all(win));
}

static const struct {
    void (*ask)(int target);
    int locked;
} WAYS[] = {
    {flush, 1},       {flush_local, 1},    {flush_all, 1},    {flush_local_all, 1},
    {synchronise, 1}, {get, 1},            {put, 1},          {request, 1},
    {fetch, 1},       {lock_shared, 0},    {lock_exclusive, 0}, {lock_and_get, 0},
    {lock_all, 0},
};

/* The last rank asks the window of `target` in one way until rank 0 has put `value` into its own. */
static void poll(volatile long *memory, size_t way, int target, long value)
{
    static char message[BYTES];
    int asks = ranks - 1, locked = WAYS[way].locked;
    if (rank != 0 && rank != asks)
        return;
    if (locked)
        OK(MPI_Win_lock_all(0, win));
    if (rank == 0) {
        OK(MPI_Send(message, BYTES, MPI_CHAR, asks, 0, MPI_COMM_WORLD));
        if (!locked)
            OK(MPI_Win_lock(MPI_LOCK_SHARED, asks, 0, win));
        OK(MPI_Put(&value, 1, MPI_LONG, asks, AWAITED, 1, MPI_LONG, win));
        if (!locked)
            OK(MPI_Win_unlock(asks, win));
    } else {
        MPI_Request received;
        OK(MPI_Irecv(message, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &received));
        while (memory[AWAITED] != value)
            WAYS[way].ask(target);
        OK(MPI_Wait(&received, MPI_STATUS_IGNORE));
    }
    if (locked)
        OK(MPI_Win_unlock_all(win));
}

static void run(int allocated)
{
    size_t ways = sizeof WAYS / sizeof WAYS[0];
    long *memory, own[PLACES], value = 0;
    if (allocated) {
        OK(MPI_Win_allocate(sizeof own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    } else {
        memory = own;
        OK(MPI_Win_create(own, sizeof own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    }
    memory[AWAITED] = memory[OTHER] = 0;
    for (size_t way = 0; way < ways; way++)
        for (int itself = 0; itself < 2; itself++) {
            OK(MPI_Barrier(MPI_COMM_WORLD));
            poll(memory, way, itself ? ranks - 1 : 0, ++value);
        }
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    run(0);
    run(1);
    return finish();
}
