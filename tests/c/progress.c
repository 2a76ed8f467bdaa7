// np: 2 3
/* What the application has started arrives while all ranks compute and none calls MPI: messages
 * that have to be asked for, and collectives of several rounds. Operators of the application run in
 * its own thread alone, and nothing happens behind its back where it does not want that. */
#include <pthread.h>
#include <sys/resource.h>

#include "check.h"

enum { BYTES = 4 << 20, LONGS = 32 << 10, ROUNDS = 4 };

/* In seconds; a machine that is busy is slow. */
static const double PATIENCE = 60;

static pthread_t own;
static int operations;

/* Computes until a word in memory is that value, without a call of MPI. */
static void await(volatile long *word, long value, const char *what)
{
    volatile double sink = 0;
    for (double end = MPI_Wtime() + PATIENCE; *word != value;) {
        for (int i = 0; i < 1000; i++)
            sink += i;
        if (MPI_Wtime() > end) {
            check_failed(__FILE__, __LINE__, what, *word, value);
            return;
        }
    }
}

/* All send to the next rank and receive from the one before. */
static void messages(unsigned char *in, unsigned char *out, int persistent)
{
    MPI_Request requests[2];
    int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    if (persistent) {
        OK(MPI_Recv_init(in, BYTES, MPI_BYTE, before, 1, MPI_COMM_WORLD, &requests[0]));
        OK(MPI_Send_init(out, BYTES, MPI_BYTE, after, 1, MPI_COMM_WORLD, &requests[1]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        long seed = 10 * round;
        memset(in, 0, BYTES);
        fill(out, BYTES, seed + rank);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        if (persistent) {
            OK(MPI_Startall(2, requests));
        } else {
            OK(MPI_Irecv(in, BYTES, MPI_BYTE, before, 1, MPI_COMM_WORLD, &requests[0]));
            OK(MPI_Isend(out, BYTES, MPI_BYTE, after, 1, MPI_COMM_WORLD, &requests[1]));
        }
        long last;
        unsigned char wanted[sizeof last];
        for (size_t i = 0; i < sizeof last; i++)
            wanted[i] = pattern(seed + before, BYTES - sizeof last + i);
        memcpy(&last, wanted, sizeof last);
        await((volatile long *)(in + BYTES - sizeof last), last, "a message");
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        for (size_t i = 0; i < BYTES; i++)
            EQUAL(in[i], pattern(seed + before, i));
    }
    if (persistent)
        for (int i = 0; i < 2; i++)
            OK(MPI_Request_free(&requests[i]));
}

static void collectives(long *in, long *out)
{
    MPI_Request request;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LONGS; i++)
            out[i] = i + rank + round;
        memset(in, 0, LONGS * sizeof *in);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Iallreduce(out, in, LONGS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request));
        for (int i = 0; i < ranks; i++) {
            long at = (LONGS - 1) / ranks * i;
            await(in + at, ranks * (at + round) + ranks * (ranks - 1) / 2, "a sum");
        }
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (long i = 0; i < LONGS; i++)
            EQUAL(in[i], ranks * (i + round) + ranks * (ranks - 1) / 2);

        long block = LONGS / ranks;
        for (long i = 0; i < LONGS; i++)
            out[i] = 1000000 * rank + i + round;
        memset(in, 0, LONGS * sizeof *in);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Ialltoall(out, block, MPI_LONG, in, block, MPI_LONG, MPI_COMM_WORLD, &request));
        for (int from = 0; from < ranks; from++)
            await(in + from * block + block - 1,
                  1000000L * from + rank * block + block - 1 + round, "a block");
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int from = 0; from < ranks; from++)
            for (long i = 0; i < block; i++)
                EQUAL(in[from * block + i], 1000000L * from + rank * block + i + round);
    }
}

static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    operations++;
    EQUAL(pthread_equal(pthread_self(), own) != 0, 1);
    for (int i = 0; i < *len; i++)
        ((long *)inout)[i] += ((long *)in)[i];
}

static void operators(long *in, long *out)
{
    MPI_Op op;
    MPI_Request request;
    OK(MPI_Op_create(add, 1, &op));
    for (int i = 0; i < LONGS; i++)
        out[i] = i + rank;
    OK(MPI_Iallreduce(out, in, LONGS, MPI_LONG, op, MPI_COMM_WORLD, &request));
    for (double end = MPI_Wtime() + .05; MPI_Wtime() < end;)
        ;
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (long i = 0; i < LONGS; i++)
        EQUAL(in[i], ranks * i + ranks * (ranks - 1) / 2);
    EQUAL(operations > 0, 1);
    OK(MPI_Op_free(&op));
}

static double cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
           1e-6 * (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* A receive that waits for long costs next to nothing. */
static void idle(unsigned char *in)
{
    MPI_Request request;
    OK(MPI_Irecv(in, BYTES, MPI_BYTE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request));
    double before = cpu();
    struct timespec second = {1, 0};
    nanosleep(&second, NULL);
    double used = cpu() - before;
    if (used > .05)
        check_failed(__FILE__, __LINE__, "processor time of a second (us)", used * 1e6, 50000);
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    unsigned char *in = malloc(BYTES), *out = malloc(BYTES);
    own = pthread_self();
    start(&argc, &argv);
    messages(in, out, 0);
    messages(in, out, 1);
    collectives((long *)in, (long *)out);
    operators((long *)in, (long *)out);
    idle(in);
    free(in);
    free(out);
    return finish();
}
