/* What the benchmark programs share: the clock, the number of rounds, the first tenth of many batches,
 * and the one form of a result line that `cargo xtask bench` reads:
 *
 *     result NAME BYTES VALUE [APART]
 *
 * A measured loop runs for about BATCH_SECONDS, BATCHES times over; what counts is the first decile of
 * the batches. Who has the other half of a core takes up to half of what the core can do, for some
 * milliseconds at a time, also where it is another virtual machine: the median then says how often
 * that was, and the first decile what a round takes.
 *
 * APART says how far apart the cores of two ranks were meanwhile: nanoseconds for a word one way,
 * through memory that both map, without MPI. Where a system moves processes, or a virtual machine its
 * processors, figures compare only with others at the same distance. */
#ifndef BENCH_H
#define BENCH_H

#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 45, ROUNDS_MAX = 1 << 20 };

static const double BATCH_SECONDS = 0.0015;

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

/* A word for each of two ranks, in a line of its own. The quickest of some turns counts: what
 * interrupts one of them says nothing of the distance. */
enum { APART_TURNS = 10, APART_TRIPS = 10, APART_LINE = 32 };

static atomic_int *bench_words;
static int bench_trips;
/* Of the last result; 0 where it is not known. */
static double bench_apart_ns;

/* Maps the words, where there are two ranks. */
static void bench_find_apart(void)
{
    char name[64];
    int pid = (int)getpid(), file = -1, fit;
    void *memory = MAP_FAILED;
    MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/dev/shm/bench-%d", pid);
    if (bench_rank == 0) {
        file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file >= 0 && ftruncate(file, 4096) != 0)
            pid = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (bench_rank != 0)
        file = open(name, O_RDWR);
    if (file >= 0)
        memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (bench_rank == 0)
        unlink(name);
    if (file >= 0)
        close(file);
    fit = memory != MAP_FAILED && bench_ranks == 2 && pid != 0;
    MPI_Allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    bench_words = fit ? memory : NULL;
}

/* Some trips of a word there and back; who waits for long gives up and says so. */
static int bench_trip(void)
{
    atomic_int *own = bench_words + bench_rank * APART_LINE;
    atomic_int *other = bench_words + (1 - bench_rank) * APART_LINE;
    double start = bench_now();
    for (int trip = 0; trip < APART_TRIPS; trip++) {
        int number = ++bench_trips;
        if (bench_rank == 0)
            atomic_store_explicit(own, number, memory_order_release);
        for (long looks = 1; atomic_load_explicit(other, memory_order_acquire) != number; looks++)
            if (looks % 4096 == 0 && bench_now() - start > 0.02)
                return 0;
        if (bench_rank == 1)
            atomic_store_explicit(own, number, memory_order_release);
    }
    return 1;
}

/* Nanoseconds for a word one way between the two ranks; 0 where it is not known. Both call it at
 * once. Who has waited for long does not try again: they have one processor, or others need theirs. */
static double bench_apart(void)
{
    double best = 0;
    for (int turn = 0; turn < APART_TURNS && bench_words != NULL; turn++) {
        double start = bench_now(), spent;
        if (!bench_trip()) {
            bench_words = NULL;
            return 0;
        }
        spent = bench_now() - start;
        if (turn == 0 || spent < best)
            best = spent;
    }
    return best / APART_TRIPS / 2 * 1e9;
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
    bench_find_apart();
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

/* The first decile of those batches whose distance is the usual one, within a fifth. */
static inline double bench_usual(const double *batch, const double *apart)
{
    double sorted[BATCHES], usual[BATCHES];
    int count = 0;
    memcpy(sorted, apart, sizeof sorted);
    qsort(sorted, BATCHES, sizeof sorted[0], bench_by_value);
    bench_apart_ns = sorted[BATCHES / 2];
    for (int b = 0; b < BATCHES; b++)
        if (apart[b] >= bench_apart_ns / 1.2 && apart[b] <= bench_apart_ns * 1.2)
            usual[count++] = batch[b];
    qsort(usual, (size_t)count, sizeof usual[0], bench_by_value);
    return usual[count / 10];
}

/* Seconds a round takes, by the first decile of the batches; the slowest rank's count. */
static inline double bench_seconds(bench_round round, size_t bytes)
{
    double batch[BATCHES], apart[BATCHES + 1];
    long rounds = bench_rounds(round, bytes);
    for (int b = 0; b < BATCHES; b++) {
        double start;
        MPI_Barrier(MPI_COMM_WORLD);
        apart[b] = bench_apart();
        MPI_Barrier(MPI_COMM_WORLD);
        start = bench_now();
        for (long i = 0; i < rounds; i++)
            round(bytes, i);
        batch[b] = (bench_now() - start) / (double)rounds;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    apart[BATCHES] = bench_apart();
    MPI_Allreduce(MPI_IN_PLACE, batch, BATCHES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(apart, BATCHES + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    /* The larger of before and after: where they differ the batch is none of the usual ones. */
    for (int b = 0; b < BATCHES; b++)
        apart[b] = apart[b] > apart[b + 1] ? apart[b] : apart[b + 1];
    return bench_usual(batch, apart);
}

static inline void bench_report(const char *name, size_t bytes, double value)
{
    if (bench_rank == 0) {
        printf("result %s %zu %.6g %.4g\n", name, bytes, value, bench_apart_ns);
        fflush(stdout);
    }
}

#endif
