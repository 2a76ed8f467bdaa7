/* One-sided communication from rank 0 to rank 1, which does nothing meanwhile but wait.
 *
 *     rma latency|swap|bandwidth|rate|sync|puts|gets [allocate|create]
 *
 * latency    microseconds for an operation and the flush behind it, in an epoch of MPI_Win_lock_all
 * swap       the same of MPI_Compare_and_swap, in which Open MPI 4 may crash
 * bandwidth  MB/s of 64 operations and a flush
 * rate       millions of 8-byte operations a second, likewise
 * sync       microseconds for what synchronises: a lock and an unlock of rank 1's memory, alone and
 *            with an 8-byte put; a flush with nothing to flush; a fence of both ranks; post, start,
 *            complete and wait with a put each way
 *
 * puts, gets bandwidth of these alone, reported as that
 *
 * The second word is how the window is made: memory from MPI, which it may share between the ranks,
 * or the program's own. */
#include "bench.h"

static const size_t SMALL[] = {8, 1024, 65536};
static const size_t LARGE[] = {4096, 65536, 1048576};
static const size_t BYTES_MAX = 1048576;

enum { BURST = 64, TARGET = 1 };

static MPI_Win window;
static unsigned char *memory;
static MPI_Group other;

static void put(size_t bytes)
{
    MPI_Put(bench_out, (int)bytes, MPI_BYTE, TARGET, 0, (int)bytes, MPI_BYTE, window);
}

static void get(size_t bytes)
{
    MPI_Get(bench_in, (int)bytes, MPI_BYTE, TARGET, 0, (int)bytes, MPI_BYTE, window);
}

static void accumulate(size_t bytes)
{
    int count = (int)(bytes / 8);
    MPI_Accumulate(bench_out, count, MPI_INT64_T, TARGET, 0, count, MPI_INT64_T, MPI_SUM, window);
}

static void get_accumulate(size_t bytes)
{
    int count = (int)(bytes / 8);
    MPI_Get_accumulate(bench_out, count, MPI_INT64_T, bench_in, count, MPI_INT64_T, TARGET, 0,
                       count, MPI_INT64_T, MPI_SUM, window);
}

static void fetch_and_op(size_t bytes)
{
    (void)bytes;
    MPI_Fetch_and_op(bench_out, bench_in, MPI_INT64_T, TARGET, 0, MPI_SUM, window);
}

static void compare_and_swap(size_t bytes)
{
    (void)bytes;
    MPI_Compare_and_swap(bench_out, bench_out + 8, bench_in, MPI_INT64_T, TARGET, 0, window);
}

/* The operation that the rounds below are made of. */
static void (*operation)(size_t bytes);

static void flushed(size_t bytes, long round)
{
    if (bench_rank == TARGET)
        return;
    bench_out[0] = (unsigned char)round;
    operation(bytes);
    MPI_Win_flush(TARGET, window);
}

static void burst(size_t bytes, long round)
{
    if (bench_rank == TARGET)
        return;
    bench_out[0] = (unsigned char)round;
    for (int i = 0; i < BURST; i++)
        operation(bytes);
    MPI_Win_flush(TARGET, window);
}

static void flush(size_t bytes, long round)
{
    (void)bytes;
    (void)round;
    if (bench_rank != TARGET)
        MPI_Win_flush(TARGET, window);
}

static void locked(int kind, size_t bytes)
{
    if (bench_rank == TARGET)
        return;
    MPI_Win_lock(kind, TARGET, 0, window);
    if (bytes > 0)
        put(bytes);
    MPI_Win_unlock(TARGET, window);
}

static void lock_exclusive(size_t bytes, long round)
{
    (void)round;
    locked(MPI_LOCK_EXCLUSIVE, bytes);
}

static void lock_shared(size_t bytes, long round)
{
    (void)round;
    locked(MPI_LOCK_SHARED, bytes);
}

static void fence(size_t bytes, long round)
{
    (void)round;
    if (bytes > 0 && bench_rank != TARGET)
        put(bytes);
    MPI_Win_fence(0, window);
}

/* Both expose and access. */
static void post_to_wait(size_t bytes, long round)
{
    (void)round;
    MPI_Win_post(other, 0, window);
    MPI_Win_start(other, 0, window);
    MPI_Put(bench_out, (int)bytes, MPI_BYTE, 1 - bench_rank, 0, (int)bytes, MPI_BYTE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
}

static const struct {
    const char *name;
    void (*operation)(size_t bytes);
    int sizes;
} OPERATIONS[] = {
    {"put", put, 3},
    {"get", get, 3},
    {"accumulate", accumulate, 3},
    {"get_accumulate", get_accumulate, 3},
    {"fetch_and_op", fetch_and_op, 1},
};

static void measure_latency(void)
{
    MPI_Win_lock_all(0, window);
    for (size_t o = 0; o < sizeof OPERATIONS / sizeof OPERATIONS[0]; o++) {
        operation = OPERATIONS[o].operation;
        for (int i = 0; i < OPERATIONS[o].sizes; i++)
            bench_report(OPERATIONS[o].name, SMALL[i], bench_seconds(flushed, SMALL[i]) * 1e6);
    }
    MPI_Win_unlock_all(window);
}

static void measure_swap(void)
{
    MPI_Win_lock_all(0, window);
    operation = compare_and_swap;
    bench_report("compare_and_swap", 8, bench_seconds(flushed, 8) * 1e6);
    MPI_Win_unlock_all(window);
}

static void measure_bandwidth(void)
{
    MPI_Win_lock_all(0, window);
    for (int o = 0; o < 2; o++) {
        operation = OPERATIONS[o].operation;
        for (size_t i = 0; i < sizeof LARGE / sizeof LARGE[0]; i++) {
            double seconds = bench_seconds(burst, LARGE[i]);
            bench_report(OPERATIONS[o].name, LARGE[i], (double)(BURST * LARGE[i]) / seconds * 1e-6);
        }
    }
    MPI_Win_unlock_all(window);
}

static void measure_rate(void)
{
    MPI_Win_lock_all(0, window);
    for (size_t o = 0; o < sizeof OPERATIONS / sizeof OPERATIONS[0]; o++) {
        operation = OPERATIONS[o].operation;
        bench_report(OPERATIONS[o].name, 8, BURST / bench_seconds(burst, 8) * 1e-6);
    }
    MPI_Win_unlock_all(window);
}

static void measure_sync(void)
{
    bench_report("lock_exclusive", 0, bench_seconds(lock_exclusive, 0) * 1e6);
    bench_report("lock_exclusive", 8, bench_seconds(lock_exclusive, 8) * 1e6);
    bench_report("lock_shared", 0, bench_seconds(lock_shared, 0) * 1e6);
    bench_report("lock_shared", 8, bench_seconds(lock_shared, 8) * 1e6);
    MPI_Win_lock_all(0, window);
    bench_report("flush", 0, bench_seconds(flush, 0) * 1e6);
    MPI_Win_unlock_all(window);
    bench_report("post_to_wait", 8, bench_seconds(post_to_wait, 8) * 1e6);
    MPI_Win_fence(0, window);
    bench_report("fence", 0, bench_seconds(fence, 0) * 1e6);
    bench_report("fence", 8, bench_seconds(fence, 8) * 1e6);
}

/* Of one operation, and as `bandwidth`. */
static void measure_stream(void (*one)(size_t bytes))
{
    MPI_Win_lock_all(0, window);
    operation = one;
    for (size_t i = 0; i < sizeof LARGE / sizeof LARGE[0]; i++) {
        double seconds = bench_seconds(burst, LARGE[i]);
        bench_report("bandwidth", LARGE[i], (double)(BURST * LARGE[i]) / seconds * 1e-6);
    }
    MPI_Win_unlock_all(window);
}

/* A library that measures well and moves nothing would be found out here. */
static void check(void)
{
    const unsigned char written = 0xa5;
    unsigned char seen = 0;
    MPI_Win_lock_all(0, window);
    if (bench_rank == 0) {
        MPI_Put(&written, 1, MPI_BYTE, TARGET, 77, 1, MPI_BYTE, window);
        MPI_Win_flush(TARGET, window);
        MPI_Get(&seen, 1, MPI_BYTE, TARGET, 77, 1, MPI_BYTE, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (bench_rank == TARGET) {
        MPI_Win_lock(MPI_LOCK_SHARED, TARGET, 0, window);
        seen = memory[77];
        MPI_Win_unlock(TARGET, window);
    }
    if (seen != written) {
        fprintf(stderr, "rma: what was put is not there\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static void open_window(const char *how)
{
    MPI_Group world;
    int peer;
    if (strcmp(how, "create") == 0) {
        memory = bench_memory(BYTES_MAX);
        MPI_Win_create(memory, (MPI_Aint)BYTES_MAX, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    } else {
        MPI_Win_allocate((MPI_Aint)BYTES_MAX, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
        memset(memory, 1, BYTES_MAX);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    peer = 1 - bench_rank;
    MPI_Group_incl(world, 1, &peer, &other);
    MPI_Group_free(&world);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "latency";
    bench_start(&argc, &argv, BYTES_MAX, BYTES_MAX);
    if (bench_ranks != 2) {
        fprintf(stderr, "rma: runs on 2 ranks, not %d\n", bench_ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    open_window(argc > 2 ? argv[2] : "allocate");
    if (strcmp(what, "latency") == 0)
        measure_latency();
    else if (strcmp(what, "swap") == 0)
        measure_swap();
    else if (strcmp(what, "bandwidth") == 0)
        measure_bandwidth();
    else if (strcmp(what, "rate") == 0)
        measure_rate();
    else if (strcmp(what, "puts") == 0)
        measure_stream(put);
    else if (strcmp(what, "gets") == 0)
        measure_stream(get);
    else
        measure_sync();
    check();
    MPI_Group_free(&other);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
