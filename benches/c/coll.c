/* Collectives on all ranks, in microseconds a call: the time until the slowest rank is through, over
 * many calls in a row. Those that do not block are waited for as soon as they are started. `bytes`
 * is what one rank sends to one other (alltoall, allgather) or the whole vector (bcast, reduce,
 * allreduce). The sender changes a word of the data before each call.
 *
 * `parts` measures collectives beside others that do as much or more (the guidelines of Träff, Gropp
 * and Thakur for consistent performance): each line `what:parts` follows its line `what`. */
#include "bench.h"

static const size_t BYTES[] = {8, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
static const size_t BYTES_MAX = 4194304, PARTS_BYTES_MAX = 1048576;

enum { RANKS_MAX = 16 };

static void barrier(size_t bytes, long round)
{
    (void)bytes;
    (void)round;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(size_t bytes, long round)
{
    bench_out[0] = (unsigned char)round;
    MPI_Bcast(bench_out, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void reduce(size_t bytes, long round)
{
    ((double *)bench_out)[0] = (double)round;
    MPI_Reduce(bench_out, bench_in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(size_t bytes, long round)
{
    ((double *)bench_out)[0] = (double)round;
    MPI_Allreduce(bench_out, bench_in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(size_t bytes, long round)
{
    bench_out[0] = (unsigned char)round;
    MPI_Allgather(bench_out, (int)bytes, MPI_BYTE, bench_in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(size_t bytes, long round)
{
    bench_out[0] = (unsigned char)round;
    MPI_Alltoall(bench_out, (int)bytes, MPI_BYTE, bench_in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void gather(size_t bytes, long round)
{
    bench_out[0] = (unsigned char)round;
    MPI_Gather(bench_out, (int)bytes, MPI_BYTE, bench_in, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(size_t bytes, long round)
{
    bench_out[0] = (unsigned char)round;
    MPI_Scatter(bench_out, (int)bytes, MPI_BYTE, bench_in, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void ibarrier(size_t bytes, long round)
{
    MPI_Request request;
    (void)bytes;
    (void)round;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ibcast(size_t bytes, long round)
{
    MPI_Request request;
    bench_out[0] = (unsigned char)round;
    MPI_Ibcast(bench_out, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void iallreduce(size_t bytes, long round)
{
    MPI_Request request;
    ((double *)bench_out)[0] = (double)round;
    MPI_Iallreduce(bench_out, bench_in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void iallgather(size_t bytes, long round)
{
    MPI_Request request;
    bench_out[0] = (unsigned char)round;
    MPI_Iallgather(bench_out, (int)bytes, MPI_BYTE, bench_in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void reduce_scatter(size_t bytes, long round)
{
    int each = (int)(bytes / 8) / bench_ranks;
    ((double *)bench_out)[0] = (double)round;
    MPI_Reduce_scatter_block(bench_out, bench_in, each, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_then_bcast(size_t bytes, long round)
{
    reduce(bytes, round);
    MPI_Bcast(bench_in, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather_then_bcast(size_t bytes, long round)
{
    gather(bytes, round);
    MPI_Bcast(bench_in, (int)bytes * bench_ranks, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void bcast_of_all(size_t bytes, long round)
{
    bcast(bytes * (size_t)bench_ranks, round);
}

/* Blocks of a size that the ranks share; what is left over of it is not sent. */
static void scatter_then_allgather(size_t bytes, long round)
{
    int each = (int)bytes / bench_ranks;
    scatter((size_t)each, round);
    MPI_Allgather(bench_in, each, MPI_BYTE, bench_out, each, MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce_then_scatter(size_t bytes, long round)
{
    int each = (int)(bytes / 8) / bench_ranks;
    reduce(bytes, round);
    MPI_Scatter(bench_in, each, MPI_DOUBLE, bench_out, each, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    bench_round round, parts;
} PARTS[] = {
    {"allreduce:reduce+bcast", allreduce, reduce_then_bcast},
    {"reduce:allreduce", reduce, allreduce},
    {"allgather:gather+bcast", allgather, gather_then_bcast},
    {"allgather:alltoall", allgather, alltoall},
    {"gather:allgather", gather, allgather},
    {"scatter:bcast", scatter, bcast_of_all},
    {"bcast:scatter+allgather", bcast, scatter_then_allgather},
    {"reduce_scatter:reduce+scatter", reduce_scatter, reduce_then_scatter},
};

static void measure_parts(void)
{
    for (size_t p = 0; p < sizeof PARTS / sizeof PARTS[0]; p++) {
        const char *name = PARTS[p].name;
        char whole[64];
        snprintf(whole, sizeof whole, "%.*s:", (int)strcspn(name, ":"), name);
        for (size_t i = 0; BYTES[i] <= PARTS_BYTES_MAX; i++) {
            double seconds = bench_seconds(PARTS[p].round, BYTES[i]);
            bench_report(whole, BYTES[i], seconds * 1e6);
            bench_report(name, BYTES[i], bench_seconds(PARTS[p].parts, BYTES[i]) * 1e6);
        }
    }
}

static const struct {
    const char *name;
    bench_round round;
} OPERATION[] = {
    {"bcast", bcast},         {"reduce", reduce},     {"allreduce", allreduce},
    {"allgather", allgather}, {"alltoall", alltoall}, {"gather", gather},
    {"scatter", scatter},
};

/* Started, and waited for at once. */
static const struct {
    const char *name;
    bench_round round;
} STARTED[] = {{"ibcast", ibcast}, {"iallreduce", iallreduce}, {"iallgather", iallgather}};
static const size_t STARTED_BYTES[] = {8, 1024, 4096};

static void measure_started(const char *only)
{
    int all = strcmp(only, "all") == 0;
    if (all || strcmp(only, "ibarrier") == 0)
        bench_report("ibarrier", 0, bench_seconds(ibarrier, 0) * 1e6);
    for (size_t o = 0; o < sizeof STARTED / sizeof STARTED[0]; o++)
        for (size_t i = 0; i < sizeof STARTED_BYTES / sizeof STARTED_BYTES[0]; i++) {
            size_t bytes = STARTED_BYTES[i];
            if (all || strcmp(only, STARTED[o].name) == 0)
                bench_report(STARTED[o].name, bytes, bench_seconds(STARTED[o].round, bytes) * 1e6);
        }
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "all";
    bench_start(&argc, &argv, BYTES_MAX * RANKS_MAX, BYTES_MAX * RANKS_MAX);
    if (bench_ranks > RANKS_MAX) {
        fprintf(stderr, "coll: runs on up to %d ranks, not %d\n", RANKS_MAX, bench_ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (strcmp(only, "parts") == 0)
        measure_parts();
    if (strcmp(only, "all") == 0 || strcmp(only, "barrier") == 0)
        bench_report("barrier", 0, bench_seconds(barrier, 0) * 1e6);
    for (size_t o = 0; o < sizeof OPERATION / sizeof OPERATION[0]; o++) {
        if (strcmp(only, "all") != 0 && strcmp(only, OPERATION[o].name) != 0)
            continue;
        for (size_t i = 0; i < sizeof BYTES / sizeof BYTES[0]; i++) {
            double seconds = bench_seconds(OPERATION[o].round, BYTES[i]);
            bench_report(OPERATION[o].name, BYTES[i], seconds * 1e6);
        }
    }
    measure_started(only);
    MPI_Finalize();
    return 0;
}
