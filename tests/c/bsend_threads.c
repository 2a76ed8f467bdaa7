// np: 1 2
/* Threads send from one buffer by MPI_Bsend and MPI_Ibsend, and another one flushes it.
 * MPI_Ibsend locked the buffer with the tables of handles locked, while MPI_Bsend and the flush
 * enter the engine with the buffer locked: two of them waited for each other for ever. And a flush
 * kept the buffer until a message had gone, from an MPI_Bsend that the receiver waited for first. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MESSAGES = 3000, LARGE = 1 << 20 };

static unsigned char out[LARGE], in[LARGE];

static atomic_int senders = 2;

static void *sends(void *none)
{
    for (int i = 0; i < MESSAGES; i++)
        OK(MPI_Bsend(&i, 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD));
    senders--;
    return none;
}

static void *starts(void *none)
{
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Request request;
        OK(MPI_Ibsend(&i, 1, MPI_INT, (rank + 1) % ranks, 2, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    senders--;
    return none;
}

static void *flushes(void *none)
{
    while (senders > 0)
        OK(MPI_Buffer_flush());
    return none;
}

static void *flushes_once(void *none)
{
    OK(MPI_Buffer_flush());
    return none;
}

/* Sends a message that goes once it is received, and, while it is flushed, the one that is received
 * first. */
static void send_beside_a_flush(void)
{
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, word = 0;
    pthread_t thread;
    fill(out, LARGE, rank);
    OK(MPI_Bsend(out, LARGE, MPI_BYTE, to, 3, MPI_COMM_WORLD));
    pthread_create(&thread, NULL, flushes_once, NULL);
    usleep(20000);
    OK(MPI_Bsend(&rank, 1, MPI_INT, to, 4, MPI_COMM_WORLD));
    OK(MPI_Recv(&word, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(word, from);
    OK(MPI_Recv(in, LARGE, MPI_BYTE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    FILLED(in, LARGE, from);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int level, size;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    EQUAL(level, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    send_beside_a_flush();

    void *(*const work[])(void *) = {sends, starts, flushes};
    enum { THREADS = sizeof work / sizeof *work };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    int next[3] = {0};
    for (int i = 0; i < 2 * MESSAGES; i++) {
        int word;
        MPI_Status status;
        OK(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        EQUAL(word, next[status.MPI_TAG]++);
    }
    EQUAL(next[1], MESSAGES);
    EQUAL(next[2], MESSAGES);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    void *buffer;
    OK(MPI_Buffer_detach(&buffer, &size));
    return finish();
}
