// np: 2 3
/* MPI_THREAD_MULTIPLE: several threads of each rank send, others take whatever comes from anybody,
 * and others again run collectives. Every message arrives once. */
#include "check.h"
#include <pthread.h>
#include <stdint.h>

enum { PAIRS = 2, MESSAGES = 4000, DATA = 5, END = 6 };

static MPI_Comm own[PAIRS];
static long long got[PAIRS], sums[PAIRS];

static void *sends(void *argument)
{
    for (int i = 0; i < MESSAGES; i++) {
        int to = (rank + 1 + i % (ranks - 1)) % ranks;
        /* The last to each rank is synchronous: once it is received, so is all before it. */
        if (i % 7 == 0 || i > MESSAGES - ranks)
            OK(MPI_Ssend(&i, 1, MPI_INT, to, DATA, MPI_COMM_WORLD));
        else
            OK(MPI_Send(&i, 1, MPI_INT, to, DATA, MPI_COMM_WORLD));
    }
    return argument;
}

static void *receives(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (;;) {
        int word = -1;
        MPI_Status status;
        OK(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        if (status.MPI_TAG == END)
            return NULL;
        got[me]++;
        sums[me] += word;
    }
}

static void *adds(void *argument)
{
    for (int i = 0; i < MESSAGES / 20; i++) {
        int one = rank + i, sum = 0;
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own[(intptr_t)argument]));
        EQUAL(sum, ranks * (ranks - 1) / 2 + ranks * i);
    }
    return NULL;
}

static void check_totals(void)
{
    long long mine[2] = {got[0] + got[1], sums[0] + sums[1]}, all[2], sent = PAIRS * ranks;
    OK(MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(all[0], sent * MESSAGES);
    EQUAL(all[1], sent * ((long long)MESSAGES * (MESSAGES - 1) / 2));
}

int main(int argc, char **argv)
{
    int provided = -1, word = 0;
    pthread_t sender[PAIRS], receiver[PAIRS], adder[PAIRS];
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    for (intptr_t i = 0; i < PAIRS; i++) {
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &own[i]));
        EQUAL(pthread_create(&receiver[i], NULL, receives, (void *)i), 0);
    }
    for (intptr_t i = 0; i < PAIRS; i++) {
        EQUAL(pthread_create(&sender[i], NULL, sends, (void *)i), 0);
        EQUAL(pthread_create(&adder[i], NULL, adds, (void *)i), 0);
    }
    for (int i = 0; i < PAIRS; i++) {
        EQUAL(pthread_join(sender[i], NULL), 0);
        EQUAL(pthread_join(adder[i], NULL), 0);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < PAIRS; i++)
        OK(MPI_Send(&word, 1, MPI_INT, rank, END, MPI_COMM_WORLD));
    for (int i = 0; i < PAIRS; i++) {
        EQUAL(pthread_join(receiver[i], NULL), 0);
        OK(MPI_Comm_free(&own[i]));
    }
    check_totals();
    return finish();
}
