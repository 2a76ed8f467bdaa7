// np: 1 2 3
// quick
/* MPI_THREAD_MULTIPLE: threads of each rank exchange messages at the same time, each on its tag, all
 * on one communicator, while others run collectives on communicators of their own. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300, INTS_MAX = 30000 };

static MPI_Comm own[THREADS];

static int ints_of(int round)
{
    static const int INTS[] = {1, 50, 3000, INTS_MAX};
    return INTS[round % 4];
}

static void exchange(int thread, int round, int *out, int *in)
{
    int n = ints_of(round), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Status status;
    for (int i = 0; i < n; i++)
        out[i] = rank * 100000 + thread * 10000 + round + i;
    OK(MPI_Sendrecv(out, n, MPI_INT, to, thread, in, n, MPI_INT, from, thread, MPI_COMM_WORLD,
                    &status));
    EQUAL(status.MPI_TAG, thread);
    for (int i = 0; i < n; i++)
        EQUAL(in[i], from * 100000 + thread * 10000 + round + i);
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    int *out = malloc(sizeof(int) * INTS_MAX), *in = malloc(sizeof(int) * INTS_MAX);
    for (int round = 0; round < ROUNDS; round++) {
        int sum = 0, one = thread + round;
        exchange(thread, round, out, in);
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own[thread]));
        EQUAL(sum, (thread + round) * ranks);
    }
    free(out);
    free(in);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1, level = -1, main_thread = 0;
    pthread_t thread[THREADS];
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Query_thread(&level));
    EQUAL(level, MPI_THREAD_MULTIPLE);
    OK(MPI_Is_thread_main(&main_thread));
    EQUAL(main_thread, 1);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &own[t]));
    for (int t = 0; t < THREADS; t++)
        EQUAL(pthread_create(&thread[t], NULL, work, (void *)(intptr_t)t), 0);
    for (int t = 0; t < THREADS; t++)
        EQUAL(pthread_join(thread[t], NULL), 0);
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_free(&own[t]));
    return finish();
}
