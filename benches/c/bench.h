/* What the benchmark programs share: the clock, the number of rounds, the middle of many batches,
 * and the one form of a result line that `cargo xtask bench` reads:
 *
 *     result NAME BYTES VALUE
 *
 * A measured loop runs for about BATCH_SECONDS, BATCHES times over; what counts is the median of
 * the batches, so that one interruption by the machine spoils one batch and not the figure. */
#ifndef BENCH_H
#define BENCH_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 15, ROUNDS_MAX = 1 << 20 };

static const double BATCH_SECONDS = 0.004;

/* One round of what is measured; `bytes` is the size, `round` counts up from 0. */
typedef void (*bench_round)(size_t bytes, long round);

static int bench_rank, bench_ranks;
static unsigned char *bench_out, *bench_in;

/* The system's clock, in seconds. Not MPI_Wtime: a library that reads the processor's counter and
 * mistakes its speed would then be measured by its own mistake. */
static double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *bench_memory(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, bytes ? bytes : 1) != 0) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(memory, 1, bytes);
    return memory;
}

static void bench_start(int *argc, char ***argv, size_t out_bytes, size_t in_bytes)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bench_ranks);
    bench_out = bench_memory(out_bytes);
    bench_in = bench_memory(in_bytes);
}

static int bench_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rounds that fill a batch, the same on every rank: the slowest rank's guess counts. */
static inline long bench_rounds(bench_round round, size_t bytes)
{
    long rounds = 4;
    for (;;) {
        double spent, start;
        MPI_Barrier(MPI_COMM_WORLD);
        start = bench_now();
        for (long i = 0; i < rounds; i++)
            round(bytes, i);
        spent = bench_now() - start;
        MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (spent >= BATCH_SECONDS / 2 || rounds >= ROUNDS_MAX) {
            double wanted = (double)rounds * BATCH_SECONDS / (spent > 1e-9 ? spent : 1e-9);
            return wanted < 1 ? 1 : wanted > ROUNDS_MAX ? ROUNDS_MAX : (long)wanted;
        }
        rounds *= 2;
    }
}

/* Seconds a round takes, by the median batch; the slowest rank's batches count. */
static inline double bench_seconds(bench_round round, size_t bytes)
{
    double batch[BATCHES];
    long rounds = bench_rounds(round, bytes);
    for (int b = 0; b < BATCHES; b++) {
        double start;
        MPI_Barrier(MPI_COMM_WORLD);
        start = bench_now();
        for (long i = 0; i < rounds; i++)
            round(bytes, i);
        batch[b] = (bench_now() - start) / (double)rounds;
    }
    MPI_Allreduce(MPI_IN_PLACE, batch, BATCHES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(batch, BATCHES, sizeof batch[0], bench_by_value);
    return batch[BATCHES / 2];
}

static inline void bench_report(const char *name, size_t bytes, double value)
{
    if (bench_rank == 0) {
        printf("result %s %zu %.6g\n", name, bytes, value);
        fflush(stdout);
    }
}

#endif
