// np: 1 2 3
/* Partitioned communication by threads, as it is meant: each thread of the sender makes its own
 * partitions ready, in an order of its own, while threads of the receiver take what has arrived. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, PARTS = 64, PART_BYTES = 5000, ROUNDS = 30, BYTES = PARTS * PART_BYTES };

static unsigned char out[BYTES], in[BYTES];
static MPI_Request sending, receiving;
static int round_now;
static pthread_barrier_t gate;

static void produce(int thread)
{
    for (int n = 0; n < PARTS / THREADS; n++) {
        int turn = (n * 5 + round_now) % (PARTS / THREADS), part = turn * THREADS + thread;
        fill(out + part * PART_BYTES, PART_BYTES, 100L * round_now + part);
        OK(MPI_Pready(part, sending));
    }
}

static void consume(int thread)
{
    for (int part = thread; part < PARTS; part += THREADS) {
        int here = 0;
        while (!here)
            OK(MPI_Parrived(receiving, part, &here));
        FILLED(in + part * PART_BYTES, PART_BYTES, 100L * round_now + part);
        memset(in + part * PART_BYTES, 0, PART_BYTES);
    }
}

static void *work(void *argument)
{
    int thread = (int)(long)argument;
    for (int n = 0; n < ROUNDS; n++) {
        pthread_barrier_wait(&gate);
        produce(thread);
        consume(thread);
        pthread_barrier_wait(&gate);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    EQUAL(level, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    OK(MPI_Psend_init(out, PARTS, PART_BYTES, MPI_BYTE, to, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &sending));
    OK(MPI_Precv_init(in, PARTS, PART_BYTES, MPI_BYTE, from, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &receiving));
    pthread_t threads[THREADS];
    pthread_barrier_init(&gate, NULL, THREADS + 1);
    for (long thread = 0; thread < THREADS; thread++)
        pthread_create(&threads[thread], NULL, work, (void *)thread);
    for (round_now = 0; round_now < ROUNDS; round_now++) {
        OK(MPI_Start(&receiving));
        OK(MPI_Start(&sending));
        pthread_barrier_wait(&gate);
        pthread_barrier_wait(&gate);
        OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&receiving, MPI_STATUS_IGNORE));
    }
    for (int thread = 0; thread < THREADS; thread++)
        pthread_join(threads[thread], NULL);
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));
    return finish();
}
