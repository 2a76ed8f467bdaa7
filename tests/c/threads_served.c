// np: 2
/* MPI_THREAD_MULTIPLE: threads of rank 0 wait for messages of rank 1, each on its communicator, while
 * others of them poll, compute, or wait as well. Each gets its message at once, whichever thread
 * polls. */
#include "check.h"
#include <pthread.h>
#include <time.h>

enum { THREADS = 6, TURNS = 40, ROUNDS = 200, WORK = 1, OVER = 2 };
static const double COMPUTE_S = 1.0, SOON_S = 0.5;

static MPI_Comm own[THREADS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(double seconds)
{
    double end = now() + seconds;
    while (now() < end)
        ;
}

/* Answers messages until one says that it is over. */
static void *serve(void *argument)
{
    MPI_Comm comm = own[(intptr_t)argument];
    for (;;) {
        MPI_Status status;
        int number;
        OK(MPI_Recv(&number, 1, MPI_INT, 1, MPI_ANY_TAG, comm, &status));
        if (status.MPI_TAG == OVER)
            return NULL;
        number++;
        OK(MPI_Send(&number, 1, MPI_INT, 1, WORK, comm));
    }
}

static void ask(int thread, int number)
{
    int answer = 0;
    OK(MPI_Send(&number, 1, MPI_INT, 0, WORK, own[thread]));
    OK(MPI_Recv(&answer, 1, MPI_INT, 0, WORK, own[thread], MPI_STATUS_IGNORE));
    EQUAL(answer, number + 1);
}

/* The main threads take turns with each other, without a pause between. */
static void exchange(int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        int theirs = -1;
        OK(MPI_Sendrecv(&turn, 1, MPI_INT, 1 - rank, WORK, &theirs, 1, MPI_INT, 1 - rank, WORK,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(theirs, turn);
    }
}

/* The thread that polled last computes: another one has to poll. */
static void one_computes(void)
{
    exchange(ROUNDS);
    if (rank == 0) {
        compute(COMPUTE_S);
    } else {
        double start = now();
        ask(0, 7);
        CHECK(now() - start < SOON_S);
    }
    exchange(1);
}

/* One thread has been asleep when another begins to wait, for something that comes later. */
static void one_waits_beside(void)
{
    for (int turn = 0; turn < TURNS; turn++) {
        compute(0.002);
        if (rank == 0) {
            OK(MPI_Recv(NULL, 0, MPI_INT, 1, OVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            ask(turn % THREADS, turn);
            OK(MPI_Send(NULL, 0, MPI_INT, 0, OVER, MPI_COMM_WORLD));
        }
    }
}

/* No thread of rank 0 but those that answer is in a call. */
static void none_beside(void)
{
    if (rank == 1)
        for (int round = 0; round < ROUNDS; round++)
            ask((5 * round + round / 7) % THREADS, round);
    if (rank == 0)
        compute(0.05);
}

int main(int argc, char **argv)
{
    int provided = -1;
    pthread_t thread[THREADS];
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &own[t]));
    if (rank == 0)
        for (int t = 0; t < THREADS; t++)
            EQUAL(pthread_create(&thread[t], NULL, serve, (void *)(intptr_t)t), 0);
    one_computes();
    one_waits_beside();
    none_beside();
    if (rank == 1)
        for (int t = 0; t < THREADS; t++)
            OK(MPI_Send(NULL, 0, MPI_INT, 0, OVER, own[t]));
    if (rank == 0)
        for (int t = 0; t < THREADS; t++)
            EQUAL(pthread_join(thread[t], NULL), 0);
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_free(&own[t]));
    return finish();
}
