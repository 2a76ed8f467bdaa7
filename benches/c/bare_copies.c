/* What the machine's memory gives two processes that copy a message into shared memory and out of it,
 * and do nothing else: the yardstick for messages within a node.
 *
 *   latency       half a ping-pong, in microseconds
 *   bandwidth     a stream one way, in MB/s
 *   bibandwidth   a stream each way at once, in MB/s (both added)
 *
 * Each process has a core. A message goes in pieces through a ring, and the receiver copies a piece
 * while the sender fills the next. The best of several lengths of pieces and of rings counts, and of
 * ways to store (memcpy, `rep movsb`, past the caches): which it is depends on the caches. Lines are
 * those of `bench.h`, with the distance of the cores. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

enum { BATCHES = 7, TRIPS = 200, RING_MAX = 4 << 20, BYTES_MAX = 4 << 20 };
static const double BATCH_SECONDS = 0.001;
static const size_t BYTES[] = {1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
static const size_t PIECES[] = {2048, 8192, 32768, 131072};
static const size_t DEPTHS[] = {2, 8, 32, 128};

/* One direction: pieces filled and taken so far, each in lines of their own, and the ring. */
typedef struct {
    _Alignas(256) atomic_size_t filled;
    _Alignas(256) atomic_size_t taken;
    _Alignas(4096) unsigned char ring[RING_MAX];
} path;

typedef struct {
    path there, back;
    _Alignas(256) atomic_long word[2][32];
    double spent;
} shared;

static shared *all;
static unsigned char *out, *in;
static int rank;
static size_t piece_bytes, depth;
static enum { CACHED, MOVSB, PAST, STORES } stores;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(unsigned char *to, const unsigned char *from, size_t bytes)
{
#ifdef __x86_64__
    if (stores == MOVSB) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
        return;
    }
    if (stores == PAST) {
        /* All lengths are whole lines. */
        for (size_t at = 0; at < bytes; at += 16)
            _mm_stream_si128((__m128i *)(to + at), _mm_load_si128((const __m128i *)(from + at)));
        _mm_sfence();
        return;
    }
#endif
    memcpy(to, from, bytes);
}

/* A message under way: bytes that were copied so far, and pieces before it. */
typedef struct {
    size_t done, pieces;
} progress;

static void put(path *to, progress *at, size_t bytes)
{
    size_t piece = bytes - at->done < piece_bytes ? bytes - at->done : piece_bytes;
    fill(to->ring + at->pieces % depth * piece_bytes, out + at->done, piece);
    atomic_store_explicit(&to->filled, ++at->pieces, memory_order_release);
    at->done += piece;
}

static void take(path *from, progress *at, size_t bytes)
{
    size_t piece = bytes - at->done < piece_bytes ? bytes - at->done : piece_bytes;
    memcpy(in + at->done, from->ring + at->pieces % depth * piece_bytes, piece);
    atomic_store_explicit(&from->taken, ++at->pieces, memory_order_release);
    at->done += piece;
}

static int has_room(path *to, const progress *at)
{
    return at->pieces - atomic_load_explicit(&to->taken, memory_order_acquire) < depth;
}

static int has_piece(path *from, const progress *at)
{
    return atomic_load_explicit(&from->filled, memory_order_acquire) > at->pieces;
}

/* A message there and one back, of which each may be none: both at once, as each finds room. */
static void exchange(progress *sent, progress *received, size_t sends, size_t receives)
{
    path *to = rank == 0 ? &all->there : &all->back, *from = rank == 0 ? &all->back : &all->there;
    sent->done = received->done = 0;
    while (sent->done < sends || received->done < receives) {
        if (sent->done < sends && has_room(to, sent))
            put(to, sent, sends);
        if (received->done < receives && has_piece(from, received))
            take(from, received, receives);
    }
}

enum { LATENCY, ONE_WAY, BOTH_WAYS };

static void run(int what, size_t bytes, long rounds)
{
    static progress sent, received;
    for (long i = 0; i < rounds; i++) {
        out[0]++;
        switch (what) {
        case LATENCY:
            exchange(&sent, &received, rank == 0 ? bytes : 0, rank == 0 ? 0 : bytes);
            exchange(&sent, &received, rank == 0 ? 0 : bytes, rank == 0 ? bytes : 0);
            break;
        case ONE_WAY:
            exchange(&sent, &received, rank == 0 ? bytes : 0, rank == 0 ? 0 : bytes);
            break;
        case BOTH_WAYS:
            exchange(&sent, &received, bytes, bytes);
        }
    }
}

/* Both processes come here; returns nanoseconds of a word one way. */
static double meet(void)
{
    static long number;
    double start = 0;
    for (int trip = 0; trip < TRIPS; trip++) {
        if (trip == TRIPS / 2)
            start = now();
        number++;
        if (rank == 0)
            atomic_store_explicit(&all->word[0][0], number, memory_order_release);
        while (atomic_load_explicit(&all->word[1 - rank][0], memory_order_acquire) < number)
            ;
        if (rank == 1)
            atomic_store_explicit(&all->word[1][0], number, memory_order_release);
    }
    return (now() - start) / (TRIPS - TRIPS / 2) / 2 * 1e9;
}

/* Seconds of a round by the quickest batch, at the slower of both processes. */
static double seconds(int what, size_t bytes, double *apart)
{
    double best = 0;
    long rounds = (long)(BATCH_SECONDS / (2e-7 + (double)bytes * 1e-10)) + 1;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start, spent, far = meet();
        start = now();
        run(what, bytes, rounds);
        spent = now() - start;
        if (rank == 1)
            all->spent = spent;
        meet();
        spent = (all->spent > spent ? all->spent : spent) / (double)rounds;
        if (batch == 0 || spent < best) {
            best = spent;
            *apart = far;
        }
    }
    return best;
}

/* Seconds of a round with the best of all rings, of one way to store. */
static double best_ring(int what, size_t bytes, double *apart)
{
    double best = 0;
    for (size_t p = 0; p < sizeof PIECES / sizeof PIECES[0]; p++)
        for (size_t d = 0; d < sizeof DEPTHS / sizeof DEPTHS[0]; d++) {
            double spent, far;
            /* Neither process may have pieces of another length in the ring. */
            meet();
            piece_bytes = PIECES[p];
            depth = DEPTHS[d];
            if ((p > 0 && PIECES[p - 1] >= bytes) || piece_bytes * depth > RING_MAX)
                continue;
            spent = seconds(what, bytes, &far);
            if (best == 0 || spent < best) {
                best = spent;
                *apart = far;
            }
        }
    return best;
}

static void measure(const char *name, int what)
{
    for (size_t b = 0; b < sizeof BYTES / sizeof BYTES[0]; b++) {
        double best = 0, apart = 0, ways = what == BOTH_WAYS ? 2 : 1, value;
        for (stores = CACHED; stores < STORES; stores++) {
            double far = 0, spent = best_ring(what, BYTES[b], &far);
            if (best == 0 || spent < best) {
                best = spent;
                apart = far;
            }
            if (rank == 0 && getenv("BARE_COPIES_ALL") != NULL)
                printf("store %d %zu %.4g us\n", (int)stores, BYTES[b], spent * 1e6);
        }
        value = what == LATENCY ? best / 2 * 1e6 : ways * (double)BYTES[b] / best / 1e6;
        if (rank == 0)
            printf("result %s %zu %.6g %.4g\n", name, BYTES[b], value, apart);
    }
}

/* Puts this process on the number-th core that it may use. */
static void take_core(int number)
{
    cpu_set_t may, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof may, &may);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &may) && number-- == 0)
            CPU_SET(cpu, &one);
    if (CPU_COUNT(&one) == 0) {
        fprintf(stderr, "bare_copies: needs two cores\n");
        exit(1);
    }
    sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "latency";
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        perror("bare_copies: mmap");
        return 1;
    }
    memset(all, 0, sizeof *all);
    pid_t child = fork();
    rank = child == 0 ? 1 : 0;
    take_core(rank);
    out = aligned_alloc(4096, BYTES_MAX);
    in = aligned_alloc(4096, BYTES_MAX);
    memset(out, 1, BYTES_MAX);
    memset(in, 1, BYTES_MAX);
    if (strcmp(what, "latency") == 0)
        measure(what, LATENCY);
    else if (strcmp(what, "bandwidth") == 0)
        measure(what, ONE_WAY);
    else if (strcmp(what, "bibandwidth") == 0)
        measure(what, BOTH_WAYS);
    if (rank == 0)
        waitpid(child, NULL, 0);
    return 0;
}
