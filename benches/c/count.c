/* Messages of 8 bytes for counting instructions: rank 0 sends, rank 1 receives, and neither ever
 * waits inside MPI. They take turns by a file that both have mapped: a message is sent when the one
 * before it has been received, and asked for when it is there.
 *
 * Then rank 0 accesses as often 8 bytes of rank 1, which is at the end already. Then both open their
 * windows to each other as often, and neither waits inside MPI there either.
 *
 * In the end come as many collectives of 8 bytes of each kind in which one rank only sends and the other
 * only receives: the sender is out of the call before the receiver calls. Last, rank 0 adds numbers of
 * its own.
 *
 *     count MESSAGES FILE */
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    atomic_long sent, received;
} turns;

static turns *share(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT, 0600);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(turns)) == 0)
        memory = mmap(NULL, sizeof(turns), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    close(file);
    return memory;
}

static void await(atomic_long *count, long least)
{
    while (atomic_load(count) < least)
        sched_yield();
}

/* Rank 0's memory is left alone, and rank 1 does nothing. */
static void access_window(int rank, long times)
{
    MPI_Win window;
    long *memory, sum = 0;
    const long one = 1;
    MPI_Win_allocate(sizeof sum, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock_all(0, window);
        for (long i = 0; i < times; i++) {
            long seen = -1, before = -1;
            MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 1, 0, MPI_SUM, window);
            MPI_Get(&seen, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
            MPI_Win_flush(1, window);
            if (before != sum || seen != sum + 1) {
                fprintf(stderr, "access %ld found %ld and %ld\n", i, before, seen);
                MPI_Abort(MPI_COMM_WORLD, 4);
            }
            sum += 2;
            MPI_Put(&sum, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
        }
        MPI_Win_unlock_all(window);
        for (long i = 0; i < times; i++) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            MPI_Win_unlock(1, window);
        }
    }
    MPI_Win_free(&window);
}

/* Notifies the other rank that this one has come so far, and waits until that one has. */
static void meet(turns *turns, int rank)
{
    atomic_long *own = rank == 0 ? &turns->sent : &turns->received;
    long number = atomic_load(own) + 1;
    atomic_store(own, number);
    await(rank == 0 ? &turns->received : &turns->sent, number);
}

/* Epochs of post, start, complete and wait. */
static void open_windows(int rank, long times, turns *turns)
{
    MPI_Win window;
    MPI_Group all, group;
    long *memory;
    const int other = 1 - rank;
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &other, &group);
    for (long i = 0; i < times; i++) {
        MPI_Win_post(group, 0, window);
        meet(turns, rank);
        MPI_Win_start(group, 0, window);
        MPI_Accumulate(&i, 1, MPI_LONG, other, 0, 1, MPI_LONG, MPI_REPLACE, window);
        MPI_Win_complete(window);
        meet(turns, rank);
        MPI_Win_wait(window);
        if (*memory != i) {
            fprintf(stderr, "epoch %ld has %ld\n", i, *memory);
            MPI_Abort(MPI_COMM_WORLD, 5);
        }
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
}

static void bcast(const long *out, long *in)
{
    *in = *out;
    MPI_Bcast(in, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void scatter(const long *out, long *in)
{
    MPI_Scatter(out, 1, MPI_LONG, in, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void gather(const long *out, long *in)
{
    MPI_Gather(out, 1, MPI_LONG, in, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void reduce(const long *out, long *in)
{
    MPI_Reduce(out, in, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* The collectives, with the rank that sends. At the one that receives `in[0] + in[1]`, both -1 before,
 * is `factor` times the turn and `summand`. */
static const struct {
    const char *name;
    void (*call)(const long *out, long *in);
    int sender;
    long factor, summand;
} COLLECTIVE[] = {
    {"bcast", bcast, 0, 2, -1},
    {"scatter", scatter, 0, 2, -1},
    {"gather", gather, 1, 4, 1},
    {"reduce", reduce, 1, 4, 0},
};

static void call_together(int rank, long times, turns *turns)
{
    /* Both ranks meet in the call that makes the communicator's shared memory. */
    for (int i = 0; i < 20; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (size_t c = 0; c < sizeof COLLECTIVE / sizeof COLLECTIVE[0]; c++)
        for (long i = 0; i < times; i++) {
            long out[2] = {2 * i + rank, 2 * i + rank}, in[2] = {-1, -1};
            int sends = rank == COLLECTIVE[c].sender;
            if (sends)
                COLLECTIVE[c].call(out, in);
            meet(turns, rank);
            if (!sends)
                COLLECTIVE[c].call(out, in);
            if (!sends && in[0] + in[1] != COLLECTIVE[c].factor * i + COLLECTIVE[c].summand) {
                fprintf(stderr, "%s %ld gives %ld, %ld\n", COLLECTIVE[c].name, i, in[0], in[1]);
                MPI_Abort(MPI_COMM_WORLD, 6);
            }
            meet(turns, rank);
        }
}

/* A thousand numbers added to as many, which takes few instructions where the loop has vectors. */
static void add_vectors(long times)
{
    enum { NUMBERS = 1024 };
    static double ones[NUMBERS], sums[NUMBERS];
    for (int n = 0; n < NUMBERS; n++)
        ones[n] = 1;
    for (long i = 0; i < times; i++)
        MPI_Reduce_local(ones, sums, NUMBERS, MPI_DOUBLE, MPI_SUM);
    for (int n = 0; n < NUMBERS; n++)
        if (sums[n] != (double)times) {
            fprintf(stderr, "sum %d is %g\n", n, sums[n]);
            MPI_Abort(MPI_COMM_WORLD, 7);
        }
}

int main(int argc, char **argv)
{
    int rank;
    long messages = argc > 2 ? atol(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    if (messages <= 0) {
        fprintf(stderr, "usage: count MESSAGES FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    turns *turns = share(argv[2]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < messages; i++) {
        if (rank == 0) {
            await(&turns->received, i);
            MPI_Send(&i, 8, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
            atomic_store(&turns->sent, i + 1);
        } else {
            long value = -1;
            await(&turns->sent, i + 1);
            MPI_Recv(&value, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (value != i) {
                fprintf(stderr, "message %ld has %ld\n", i, value);
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
            atomic_store(&turns->received, i + 1);
        }
    }
    access_window(rank, messages);
    open_windows(rank, messages, turns);
    call_together(rank, messages, turns);
    if (rank == 0)
        add_vectors(messages);
    MPI_Finalize();
    return 0;
}
