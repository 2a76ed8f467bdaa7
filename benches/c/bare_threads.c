/* What two processes of several threads reach with one ring each way and one mutex each, and nothing
 * else: the yardstick for threads that share an engine.
 *
 *   comms  8-byte messages in windows of 64, each answered by one, M/s of all pairs of threads
 *
 * Thread i of one process sends to thread i of the other. A thread that waits takes what has come, for
 * all threads, and yields its core when nothing has. As in `threads.c` the slowest of five slices
 * counts, and the sizes of the results are numbers of threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 64, THREADS_MAX = 16, SLICES = 5, SLOTS = 1024, VAIN_POLLS = 100, TRIPS = 2000 };
static const double SLICE_SECONDS = 0.15;
static const int COUNTS[] = {1, 2, 4, 8, 16};

/* A message: the number of its place in the ring, once it is there, and what it carries. */
typedef struct {
    _Alignas(64) atomic_long number;
    long thread, word;
} slot;

/* One direction. */
typedef struct {
    slot slots[SLOTS];
    _Alignas(256) atomic_long taken;
} path;

typedef struct {
    path to[2];
    _Alignas(256) atomic_int arrived;
    _Alignas(256) atomic_long word[2][32];
} shared;

static shared *all;
static int rank;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sent, polled;
static double until;
static pthread_barrier_t begin;

/* What has come for a thread: how many messages, and the last word. */
static struct {
    _Alignas(256) atomic_long count, word;
    long rounds;
    pthread_t thread;
} mine[THREADS_MAX];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Takes everything that has come; under the mutex. Returns whether there was something. */
static int poll_ring(void)
{
    path *in = &all->to[rank];
    long before = polled;
    for (;;) {
        slot *next = &in->slots[polled % SLOTS];
        if (atomic_load_explicit(&next->number, memory_order_acquire) != polled + 1)
            break;
        long thread = next->thread;
        atomic_store_explicit(&mine[thread].word, next->word, memory_order_relaxed);
        atomic_fetch_add_explicit(&mine[thread].count, 1, memory_order_release);
        polled++;
    }
    if (polled != before)
        atomic_store_explicit(&in->taken, polled, memory_order_release);
    return polled != before;
}

static void send_word(long thread, long word)
{
    path *out = &all->to[1 - rank];
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (sent - atomic_load_explicit(&out->taken, memory_order_acquire) < SLOTS)
            break;
        poll_ring();
        pthread_mutex_unlock(&mutex);
        sched_yield();
    }
    slot *next = &out->slots[sent % SLOTS];
    next->thread = thread;
    next->word = word;
    atomic_store_explicit(&next->number, ++sent, memory_order_release);
    pthread_mutex_unlock(&mutex);
}

/* Waits until `count` messages have come for a thread in all. */
static void wait_for(long thread, long count)
{
    int vain = 0;
    while (atomic_load_explicit(&mine[thread].count, memory_order_acquire) < count) {
        int some = 0;
        if (pthread_mutex_trylock(&mutex) == 0) {
            some = poll_ring();
            pthread_mutex_unlock(&mutex);
        }
        if (some)
            vain = 0;
        else if (++vain % VAIN_POLLS == 0)
            sched_yield();
    }
}

static void *work(void *argument)
{
    long thread = (long)argument, over = 0, count = 0;
    pthread_barrier_wait(&begin);
    for (mine[thread].rounds = 0; !over; mine[thread].rounds++) {
        if (rank == 0) {
            over = now() >= until;
            for (int i = 0; i < WINDOW; i++)
                send_word(thread, over);
            wait_for(thread, ++count);
        } else {
            wait_for(thread, count += WINDOW);
            over = atomic_load(&mine[thread].word);
            send_word(thread, 0);
        }
    }
    return NULL;
}

/* Waits until both processes are here. */
static void meet(void)
{
    int turn = atomic_fetch_add(&all->arrived, 1) / 2;
    while (atomic_load(&all->arrived) < 2 * (turn + 1))
        sched_yield();
}

/* Messages of all pairs in a microsecond. */
static double slice(int threads)
{
    double start, rounds = 0;
    pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
    for (long t = 0; t < threads; t++) {
        atomic_store(&mine[t].count, 0);
        pthread_create(&mine[t].thread, NULL, work, (void *)t);
    }
    meet();
    start = now();
    until = start + SLICE_SECONDS;
    pthread_barrier_wait(&begin);
    for (int t = 0; t < threads; t++) {
        pthread_join(mine[t].thread, NULL);
        rounds += (double)mine[t].rounds;
    }
    pthread_barrier_destroy(&begin);
    meet();
    return rounds * WINDOW / (now() - start) / 1e6;
}

/* Nanoseconds that a word takes from one process to the other. */
static double apart(void)
{
    meet();
    double start = now();
    for (long trip = 1; trip <= TRIPS; trip++) {
        if (rank == 0)
            atomic_store(&all->word[0][0], trip);
        while (atomic_load(&all->word[rank == 0 ? 1 : 0][0]) < trip)
            continue;
        if (rank == 1)
            atomic_store(&all->word[1][0], trip);
    }
    double nanoseconds = (now() - start) / TRIPS / 2 * 1e9;
    meet();
    memset(all->word, 0, sizeof all->word);
    meet();
    return nanoseconds;
}

int main(void)
{
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        perror("bare_threads: mmap");
        return 1;
    }
    memset(all, 0, sizeof *all);
    pid_t child = fork();
    if (child < 0) {
        perror("bare_threads: fork");
        return 1;
    }
    rank = child == 0 ? 1 : 0;
    for (size_t c = 0; c < sizeof COUNTS / sizeof COUNTS[0]; c++) {
        double distance = apart(), slowest = 0;
        for (int i = 0; i < SLICES; i++) {
            double rate = slice(COUNTS[c]);
            if (i == 0 || rate < slowest)
                slowest = rate;
        }
        if (rank == 0)
            printf("result comms %d %.6g %.4g\n", COUNTS[c], slowest, distance);
    }
    if (rank == 0)
        waitpid(child, NULL, 0);
    return 0;
}
