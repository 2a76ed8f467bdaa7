// np: 1 2 4
// leaves handles
/* Four threads, each with sessions of its own, one after the other: lives with MPI begin and end
 * whenever the last of them happens to end, at different times on every rank. Each thread talks to
 * its like on the other ranks; its messages must not meet those of earlier lives. Arguments: how
 * many cycles, how many threads, and what libfabric leaves behind in a life, in bytes. */
#include "session.h"

#include <pthread.h>

#define THREADS_MAX 16
static int cycles = 50, threads = 4;

static void *cycle(void *argument)
{
    int number = (int)(long)argument;
    char tag[32];
    unsigned dice = (unsigned)(number + 100 * getpid());
    snprintf(tag, sizeof tag, "thread %d", number);
    /* Odd threads promise that their own calls do not overlap; those of others do. */
    const char *level = number % 2 ? "MPI_THREAD_SERIALIZED" : "MPI_THREAD_MULTIPLE";
    for (int n = 0; n < cycles; n++) {
        MPI_Session session = begin(level);
        MPI_Comm comm = join(session, "mpi://WORLD", tag);
        int own, size, in[2] = {-1, -1}, out[2] = {number, n};
        OK(MPI_Comm_rank(comm, &own));
        OK(MPI_Comm_size(comm, &size));
        MPI_Request request[2];
        OK(MPI_Irecv(in, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[0]));
        OK(MPI_Isend(out, 2, MPI_INT, (own + 1) % size, n, comm, &request[1]));
        OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        EQUAL(in[0], number);
        EQUAL(in[1], n);
        work(comm);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Session_finalize(&session));
        /* Now and then all threads are between two sessions, and a life ends. */
        if (rand_r(&dice) % 2)
            usleep(rand_r(&dice) % 1000);
    }
    return NULL;
}

static void run(void)
{
    pthread_t thread[THREADS_MAX];
    for (long n = 0; n < threads; n++)
        EQUAL(pthread_create(&thread[n], NULL, cycle, (void *)n), 0);
    for (int n = 0; n < threads; n++)
        EQUAL(pthread_join(thread[n], NULL), 0);
}

int main(int argc, char **argv)
{
    int wanted = argc > 1 ? atoi(argv[1]) : cycles;
    threads = argc > 2 ? atoi(argv[2]) : threads;
    long left = argc > 3 ? atol(argv[3]) : 0;
    CHECK(threads <= THREADS_MAX);
    cycles = 5;
    run();
    struct holdings before = count_holdings();
    cycles = wanted;
    run();
    same_holdings(before, count_holdings(), threads, left * cycles * threads);
    return 0;
}
