/* Programs that save their state and go on from it when they are killed:
 *
 *   checkpoint PROGRAM FOLDER VICTIM STEP [DEATHS [VICTIM2]]
 *
 * Rank VICTIM (and VICTIM2) kills itself in its first DEATHS lives at its STEP-th step: before it
 * saves its state, between that and OXMPI_Checkpoint, behind it, and where it communicates. A
 * negative STEP is a time in microseconds, so that it may die within OXMPI_Checkpoint as well. What
 * rank 0 prints does not depend on deaths.
 *
 *   ring     a token with a checksum goes around, 1 byte to 256 KiB, with collectives beside it, and
 *            a communicator that is made in front of it
 *   workers  a master gives tasks to whoever replies; order and sum of all replies go back and forth
 *   eager    each rank sends ahead to all others what they receive much later
 */
#include <mpi-ext.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "killed.h"

static const char *folder;

/* Counts a step, and dies at the one that was asked for. */
static void step(void)
{
    steps++;
    if (dies() && steps == fatal)
        kill(getpid(), SIGKILL);
}

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

static void fail(const char *what, int tag)
{
    printf("rank %d: %s, tag %d\n", rank, what, tag);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static FILE *open_state(int tag, const char *mode)
{
    char name[4096];
    /* The state before stays whole until OXMPI_Checkpoint has returned. */
    snprintf(name, sizeof name, "%s/state.%d.%d", folder, rank, tag % 2);
    FILE *file = fopen(name, mode);
    if (!file)
        fail(name, tag);
    return file;
}

static void save(int tag, const void *state, size_t bytes)
{
    step();
    FILE *file = open_state(tag, "w");
    if (fwrite(&tag, sizeof tag, 1, file) != 1 || fwrite(state, bytes, 1, file) != 1)
        fail("no state was written", tag);
    fclose(file);
    step();
    if (OXMPI_Checkpoint(tag) != MPI_SUCCESS)
        fail("OXMPI_Checkpoint failed", tag);
    step();
}

/* Returns the tag of the state that was read back; 0 where there is none. */
static int restore(void *state, size_t bytes)
{
    int flag, tag = 0, found;
    if (OXMPI_Restarted(&flag, &tag) != MPI_SUCCESS)
        fail("OXMPI_Restarted failed", 0);
    if (fatal < 0 && dies()) {
        struct itimerval timer = {{0, 0}, {0, -fatal}};
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &timer, NULL);
    }
    if (!flag)
        return 0;
    FILE *file = open_state(tag, "r");
    if (fread(&found, sizeof found, 1, file) != 1 || found != tag || fread(state, bytes, 1, file) != 1)
        fail("the state is another one", tag);
    fclose(file);
    return tag;
}

static void ring(void)
{
    static const int lengths[] = {1, 8, 100, 3000, 5000, 40000, 70000, 262144};
    static char token[262144];
    uint64_t hash = 0xcbf29ce484222325ull;
    MPI_Comm around;
    MPI_Comm_dup(MPI_COMM_WORLD, &around);
    int start = 0, from = (rank + ranks - 1) % ranks, to = (rank + 1) % ranks;
    MPI_Bcast(&start, 1, MPI_INT, 0, around);
    if (rank == 0)
        printf("ring of %d\n", ranks);
    for (int round = restore(&hash, sizeof hash); round < 40; round++) {
        int length = lengths[round % 8];
        if (rank == 0) {
            for (int i = 0; i < length; i++)
                token[i] = (char)(hash >> (i % 56)) + i;
            step();
            MPI_Send(token, length, MPI_CHAR, to, round, around);
            step();
            MPI_Recv(token, length, MPI_CHAR, from, round, around, MPI_STATUS_IGNORE);
            if (round % 7 == 0)
                printf("round %d %016llx\n", round, (unsigned long long)hash);
        } else {
            step();
            MPI_Recv(token, length, MPI_CHAR, from, round, around, MPI_STATUS_IGNORE);
            token[rank % length] += rank;
            step();
            MPI_Send(token, length, MPI_CHAR, to, round, around);
        }
        hash = mixed(hash, token, length);
        if (round % 5 == rank % 5) {
            MPI_Comm twin;
            MPI_Request request;
            uint64_t sum, all[2] = {0, 0};
            MPI_Comm_dup(MPI_COMM_SELF, &twin);
            MPI_Iallreduce(&hash, &all[0], 1, MPI_UINT64_T, MPI_SUM, twin, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Comm_free(&twin);
            sum = all[0];
            hash = mixed(hash, &sum, sizeof sum);
        }
        if (round % 4 == 3) {
            uint64_t sum = 0;
            MPI_Request request;
            MPI_Iallreduce(&hash, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            hash = mixed(hash, &sum, sizeof sum);
        }
        if ((round + rank) % 3 == 0)
            save(round + 1, &hash, sizeof hash);
    }
    if (rank == 0)
        printf("ring %016llx\n", (unsigned long long)hash);
    MPI_Comm_free(&around);
}

struct master {
    int next, busy;
    uint64_t order, sum, last[64];
};

static void workers(void)
{
    enum { TASKS = 120 };
    if (rank == 0) {
        struct master state = {0, 0, 1, 0, {0}};
        int tag = restore(&state, sizeof state);
        if (!tag)
            for (int to = 1; to < ranks; to++, state.busy++) {
                MPI_Send(&state.next, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
                state.next++;
            }
        while (state.busy > 0) {
            long reply[3];
            MPI_Status status;
            step();
            MPI_Recv(reply, 3, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if ((uint64_t)reply[2] != state.last[status.MPI_SOURCE])
                fail("the replies came in another order before", tag);
            state.order = mixed(state.order, &status.MPI_SOURCE, sizeof(int));
            state.sum += reply[1];
            int task = state.next < TASKS ? state.next++ : -1;
            state.busy -= task < 0;
            state.last[status.MPI_SOURCE] = state.order;
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
            MPI_Send(&state.order, 8, MPI_BYTE, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
            if (state.next % 7 == 0)
                save(++tag, &state, sizeof state);
        }
        printf("workers %llu\n", (unsigned long long)state.sum);
        return;
    }
    uint64_t order = 0;
    int tag = restore(&order, sizeof order);
    for (;;) {
        int task;
        step();
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task < 0)
            return;
        long reply[3] = {rank, (long)task * task, (long)order};
        MPI_Send(reply, 3, MPI_LONG, 0, task, MPI_COMM_WORLD);
        step();
        MPI_Recv(&order, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task % 2)
            save(++tag, &order, sizeof order);
    }
}

static void eager(void)
{
    enum { ROUNDS = 30, AHEAD = 6 };
    uint64_t state[2] = {0, rank}, hash;
    int tag = restore(state, sizeof state);
    hash = state[1];
    for (int round = (int)state[0]; round < ROUNDS; round++) {
        uint64_t out = mixed(round, &rank, sizeof rank), in;
        step();
        for (int to = 0; to < ranks; to++)
            if (to != rank)
                MPI_Send(&out, 1, MPI_UINT64_T, to, round % 3, MPI_COMM_WORLD);
        int behind = round - AHEAD;
        for (int from = 0; from < ranks && behind >= 0; from++)
            if (from != rank) {
                MPI_Recv(&in, 1, MPI_UINT64_T, from, behind % 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                hash = mixed(hash, &in, sizeof in);
            }
        if (round % 2 == rank % 2) {
            state[0] = round + 1;
            state[1] = hash;
            save(++tag, state, sizeof state);
        }
    }
    for (int behind = ROUNDS - AHEAD; behind < ROUNDS; behind++)
        for (int from = 0; from < ranks; from++)
            if (from != rank) {
                uint64_t in;
                MPI_Recv(&in, 1, MPI_UINT64_T, from, behind % 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                hash = mixed(hash, &in, sizeof in);
            }
    uint64_t all = 0;
    MPI_Reduce(&hash, &all, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("eager %016llx\n", (unsigned long long)all);
}

int main(int argc, char **argv)
{
    const char *program = argc > 1 ? argv[1] : "ring";
    folder = argc > 2 ? argv[2] : ".";
    victim = argc > 3 ? atoi(argv[3]) : -1;
    fatal = argc > 4 ? atol(argv[4]) : 0;
    deaths = argc > 5 ? atoi(argv[5]) : 1;
    victim2 = argc > 6 ? atoi(argv[6]) : -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!strcmp(program, "ring"))
        ring();
    else if (!strcmp(program, "workers"))
        workers();
    else
        eager();
    MPI_Finalize();
    return 0;
}
