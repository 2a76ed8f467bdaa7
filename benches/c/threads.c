/* Threads of ranks 0 and 1 (MPI_THREAD_MULTIPLE); thread i of one rank talks to thread i of the other.
 *
 *   comms    8-byte messages in windows, each pair of threads on its communicator, M/s of all together
 *   tags     the same on one communicator, each pair with a tag of its own
 *   beside   the same as `comms`, beside one more thread that waits in MPI_Recv all the time
 *   latency  half a ping-pong of 8 bytes, each pair on its communicator, in us
 *
 * The sizes of the results are numbers of threads: those named after the measurement, else 1 to 16.
 * Each is measured for some slices of time, and the slowest slice counts: a convoy of threads comes
 * and goes. A pair ends by a flag in its last window, so that no pair waits for another. */
#include "bench.h"

#include <pthread.h>

enum { WINDOW = 64, THREADS_MAX = 64, SLICES = 5, TAG = 7, DONE = 8, WAKE = 9 };

static const double SLICE_SECONDS = 0.15;

struct pair {
    pthread_t thread;
    MPI_Comm comm;
    int tag;
    long rounds;
};

static struct pair pairs[THREADS_MAX];
static MPI_Comm own[THREADS_MAX], waiting;
static pthread_barrier_t begin;
static double until;

static void *send_windows(void *argument)
{
    struct pair *pair = argument;
    MPI_Request request[WINDOW];
    long long out[WINDOW] = {0};
    pthread_barrier_wait(&begin);
    for (int over = 0; !over; pair->rounds++) {
        out[WINDOW - 1] = over = bench_now() >= until;
        for (int i = 0; i < WINDOW; i++)
            MPI_Isend(&out[i], 8, MPI_BYTE, 1, pair->tag, pair->comm, &request[i]);
        MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, 1, pair->tag + 1, pair->comm, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void *receive_windows(void *argument)
{
    struct pair *pair = argument;
    MPI_Request request[WINDOW];
    long long in[WINDOW] = {0};
    pthread_barrier_wait(&begin);
    while (!in[WINDOW - 1]) {
        for (int i = 0; i < WINDOW; i++)
            MPI_Irecv(&in[i], 8, MPI_BYTE, 0, pair->tag, pair->comm, &request[i]);
        MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_BYTE, 0, pair->tag + 1, pair->comm);
    }
    return NULL;
}

static void *ping(void *argument)
{
    struct pair *pair = argument;
    long long word[1] = {0};
    pthread_barrier_wait(&begin);
    for (; !word[0]; pair->rounds++) {
        word[0] = bench_now() >= until;
        MPI_Send(word, 8, MPI_BYTE, 1, pair->tag, pair->comm);
        MPI_Recv(word, 8, MPI_BYTE, 1, pair->tag, pair->comm, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void *pong(void *argument)
{
    struct pair *pair = argument;
    long long word[1] = {0};
    pthread_barrier_wait(&begin);
    while (!word[0]) {
        MPI_Recv(word, 8, MPI_BYTE, 0, pair->tag, pair->comm, MPI_STATUS_IGNORE);
        MPI_Send(word, 8, MPI_BYTE, 0, pair->tag, pair->comm);
    }
    return NULL;
}

static void *wait_long(void *argument)
{
    MPI_Recv(NULL, 0, MPI_BYTE, 1 - bench_rank, WAKE, waiting, MPI_STATUS_IGNORE);
    return argument;
}

/* Rounds of all pairs in a second. */
static double slice(void *(*work)(void *), int threads)
{
    double start, rounds = 0;
    pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
    for (int t = 0; t < threads; t++) {
        pairs[t].rounds = 0;
        pthread_create(&pairs[t].thread, NULL, work, &pairs[t]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_now();
    until = start + SLICE_SECONDS;
    pthread_barrier_wait(&begin);
    for (int t = 0; t < threads; t++) {
        pthread_join(pairs[t].thread, NULL);
        rounds += (double)pairs[t].rounds;
    }
    pthread_barrier_destroy(&begin);
    return rounds / (bench_now() - start);
}

static void measure(const char *name, int threads)
{
    void *(*first)(void *) = send_windows, *(*second)(void *) = receive_windows;
    int shares = strcmp(name, "tags") == 0, beside = strcmp(name, "beside") == 0;
    int latency = strcmp(name, "latency") == 0;
    double slowest = 0;
    pthread_t waiter;
    if (latency)
        first = ping, second = pong;
    for (int t = 0; t < threads; t++) {
        pairs[t].comm = shares ? own[0] : own[t];
        pairs[t].tag = shares ? 2 * t : TAG;
    }
    if (beside)
        pthread_create(&waiter, NULL, wait_long, NULL);
    bench_apart_ns = bench_apart();
    for (int i = 0; i < SLICES; i++) {
        double rounds = slice(bench_rank == 0 ? first : second, threads);
        if (i == 0 || rounds < slowest)
            slowest = rounds;
        if (bench_rank == 0 && getenv("SLICES"))
            printf("  slice %.3f\n", latency ? threads / rounds / 2 * 1e6 : rounds * WINDOW / 1e6);
    }
    if (beside) {
        MPI_Send(NULL, 0, MPI_BYTE, 1 - bench_rank, WAKE, waiting);
        pthread_join(waiter, NULL);
    }
    bench_report(name, (size_t)threads, latency ? threads / slowest / 2 * 1e6 : slowest * WINDOW / 1e6);
}

int main(int argc, char **argv)
{
    static const int COUNTS[] = {1, 2, 4, 8, 16};
    const char *name = argc > 1 ? argv[1] : "comms";
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "threads: the library gives no MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &bench_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bench_ranks);
    if (bench_ranks != 2) {
        fprintf(stderr, "threads: runs on 2 ranks, not %d\n", bench_ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench_find_apart();
    MPI_Comm_dup(MPI_COMM_WORLD, &waiting);
    for (int t = 0; t < THREADS_MAX; t++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[t]);
    if (argc > 2)
        for (int i = 2; i < argc; i++)
            measure(name, atoi(argv[i]));
    else
        for (size_t i = 0; i < sizeof COUNTS / sizeof COUNTS[0]; i++)
            measure(name, COUNTS[i]);
    MPI_Finalize();
    return 0;
}
