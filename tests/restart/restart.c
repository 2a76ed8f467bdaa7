/* Programs that a rank may be killed in and started again: `restart PROGRAM VICTIM EVENT`. Where
 * the variable OXMPI_LIFE says that this is the first life, rank VICTIM kills itself at its EVENT-th
 * step; a negative one kills nobody. What rank 0 prints does not depend on deaths. With RESTART_HOST
 * in the environment it kills the daemon that it was started by first, and so all ranks of its host.
 * RESTART_PAUSE is how long each step waits, in microseconds.
 *
 *   ring     a token with a checksum goes around, 1 byte to 256 KiB
 *   heat     2-D diffusion with named receives and a reduction
 *   workers  a master gives tasks to whoever replies, and a hash of the order of all replies, which
 *            has to be the same when it is run again
 *   loops    Waitany, Testsome and Iprobe until all messages are there
 *   started  non-blocking collectives
 *   several  several of them at a time on a communicator, and blocking ones behind them
 *   input    rank 0 reads lines from its standard input and sends them around
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "killed.h"

/* Counts a step, and dies at the one that was asked for. */
static void step(void)
{
    if (getenv("RESTART_PAUSE"))
        usleep(atoi(getenv("RESTART_PAUSE")));
    steps++;
    if (dies() && steps == fatal * lives()) {
        if (getenv("RESTART_HOST"))
            kill(getppid(), SIGKILL);
        kill(getpid(), SIGKILL);
    }
}

static void ring(void)
{
    static const int lengths[] = {1, 8, 100, 3000, 5000, 40000, 70000, 262144};
    char *token = malloc(262144);
    uint64_t hash = 0xcbf29ce484222325ull;
    for (int round = 0; round < 40; round++) {
        int length = lengths[round % 8];
        int from = (rank + ranks - 1) % ranks, to = (rank + 1) % ranks;
        if (rank == 0) {
            for (int i = 0; i < length; i++)
                token[i] = (char)(hash >> (i % 56)) + i;
            step();
            MPI_Send(token, length, MPI_CHAR, to, round, MPI_COMM_WORLD);
            step();
            MPI_Recv(token, length, MPI_CHAR, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            step();
            MPI_Recv(token, length, MPI_CHAR, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token[rank % length] += rank;
            step();
            MPI_Send(token, length, MPI_CHAR, to, round, MPI_COMM_WORLD);
        }
        hash = mixed(hash, token, length);
    }
    if (rank == 0)
        printf("ring %016llx\n", (unsigned long long)hash);
    free(token);
}

static void heat(void)
{
    enum { WIDTH = 64, ROWS = 16 };
    double old[ROWS + 2][WIDTH] = {{0}}, new[ROWS + 2][WIDTH] = {{0}};
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            old[i][j] = (rank * ROWS + i) * j % 17;
    double most = 0;
    for (int round = 0; round < 60; round++) {
        MPI_Request requests[4];
        step();
        MPI_Irecv(old[0], WIDTH, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(old[ROWS + 1], WIDTH, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(old[1], WIDTH, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(old[ROWS], WIDTH, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
        step();
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        double change = 0;
        for (int i = 1; i <= ROWS; i++)
            for (int j = 1; j < WIDTH - 1; j++) {
                new[i][j] = (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]) / 4;
                double d = new[i][j] - old[i][j];
                change = d * d > change ? d * d : change;
            }
        memcpy(old[1], new[1], sizeof(double) * ROWS * WIDTH);
        if (round % 10 == 9)
            MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    double sum = 0, all = 0;
    for (int i = 1; i <= ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            sum += old[i][j];
    step();
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat %.12g %.12g\n", all, most);
}

static void workers(void)
{
    enum { TASKS = 200 };
    if (rank == 0) {
        int next = 0, busy = 0;
        uint64_t order = 1, sum = 0, *last = calloc(ranks, sizeof(uint64_t));
        for (int to = 1; to < ranks; to++, busy++) {
            step();
            MPI_Send(&next, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
            next++;
        }
        while (busy > 0) {
            long reply[3];
            MPI_Status status;
            step();
            MPI_Recv(reply, 3, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if ((uint64_t)reply[2] != last[status.MPI_SOURCE]) {
                printf("workers: the replies came in another order before\n");
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
            order = mixed(order, &status.MPI_SOURCE, sizeof(int));
            sum += reply[1];
            int task = next < TASKS ? next++ : -1;
            busy -= task < 0;
            /* A hash of the order so far, which comes back with the next reply: a master that was
             * started again finds whether its earlier life had the same. */
            last[status.MPI_SOURCE] = order;
            step();
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
            MPI_Send(&order, 8, MPI_BYTE, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
        }
        printf("workers %llu\n", (unsigned long long)sum);
        free(last);
        return;
    }
    uint64_t order = 0;
    for (;;) {
        int task;
        step();
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task < 0)
            break;
        long reply[3] = {task, (long)task * task, (long)order};
        usleep((task * 37 + rank * 11) % 50);
        step();
        MPI_Send(reply, 3, MPI_LONG, 0, task % 3, MPI_COMM_WORLD);
        MPI_Recv(&order, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void loops(void)
{
    enum { EACH = 20 };
    int peers = ranks - 1;
    int *values = calloc(peers * EACH + 1, sizeof(int));
    MPI_Request *requests = malloc(sizeof(MPI_Request) * (peers * EACH * 2 + 1));
    long sum = 0;
    for (int phase = 0; phase < 3; phase++) {
        int count = 0;
        for (int i = 0; i < EACH; i++)
            for (int to = 0; to < ranks; to++)
                if (to != rank) {
                    int value = rank * 1000 + i * 10 + phase;
                    step();
                    MPI_Send(&value, 1, MPI_INT, to, phase, MPI_COMM_WORLD);
                }
        if (phase < 2)
            for (int i = 0; i < peers * EACH; i++)
                MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD,
                          &requests[count++]);
        for (int done = 0; done < peers * EACH;) {
            step();
            if (phase == 0) {
                int index;
                MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
                sum += values[index];
                done++;
            } else if (phase == 1) {
                int several, indices[1000];
                MPI_Testsome(count, requests, &several, indices, MPI_STATUSES_IGNORE);
                for (int i = 0; i < several; i++)
                    sum += values[indices[i]];
                done += several == MPI_UNDEFINED ? 0 : several;
            } else {
                int flag, value;
                MPI_Status status;
                MPI_Iprobe(MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, &flag, &status);
                if (flag) {
                    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, phase, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
                    sum += value;
                    done++;
                }
            }
        }
    }
    long all;
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("loops %ld\n", all);
    free(values);
    free(requests);
}

static void started(void)
{
    long mine = rank + 1, sum = 0, total = 0;
    for (int round = 0; round < 50; round++) {
        MPI_Request requests[2];
        long root = rank == round % ranks ? round * 7 : 0;
        step();
        MPI_Iallreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        step();
        MPI_Ibcast(&root, 1, MPI_LONG, round % ranks, MPI_COMM_WORLD, &requests[1]);
        int flag = 0;
        while (!flag)
            MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
        mine = sum % 1000 + rank + root;
        total += mine;
    }
    long all;
    MPI_Reduce(&total, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("started %ld\n", all);
}

static void several(void)
{
    enum { COUNT = 4000, ROUNDS = 15 };
    long *values = calloc(COUNT * 4, sizeof(long)), total = rank;
    long *sum = values + COUNT, *root = values + 2 * COUNT, *all = values + 3 * COUNT;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[4];
        long each = 0, most = 0;
        for (int i = 0; i < COUNT; i++) {
            values[i] = total % 1000 + i;
            root[i] = rank == round % ranks ? total % 1000 * i : 0;
        }
        step();
        MPI_Iallreduce(values, sum, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
        MPI_Ibcast(root, COUNT, MPI_LONG, round % ranks, MPI_COMM_WORLD, &requests[1]);
        MPI_Iallgather(&total, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD, &requests[2]);
        MPI_Ireduce(&total, &each, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD, &requests[3]);
        step();
        /* Behind those that were started. */
        if (round % 3 == 0)
            MPI_Allreduce(&total, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        for (int done = 0, index; done < 4; done++) {
            MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
            step();
        }
        for (int i = 0; i < COUNT; i++)
            total += sum[i] % 7 + root[i] % 5;
        for (int i = 0; i < ranks; i++)
            total += all[i] % 3;
        total += each % 11 + most % 13;
    }
    long everything;
    MPI_Reduce(&total, &everything, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("several %ld\n", everything);
    free(values);
}

static void input(void)
{
    char line[100] = "";
    uint64_t hash = 1;
    for (int more = 1; more;) {
        step();
        if (rank == 0)
            more = fgets(line, sizeof line, stdin) != NULL;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
        hash = mixed(hash, line, strlen(line));
        if (rank == 0 && more)
            printf("%d %s", (int)(hash % 100), line);
    }
    uint64_t all;
    MPI_Reduce(&hash, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("input %016llx\n", (unsigned long long)all);
}

int main(int argc, char **argv)
{
    const char *program = argc > 1 ? argv[1] : "ring";
    if (argc > 3) {
        victim = atoi(argv[2]);
        fatal = atol(argv[3]);
    }
    if (argc > 4)
        deaths = atoi(argv[4]);
    if (argc > 5)
        victim2 = atoi(argv[5]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!strcmp(program, "ring"))
        ring();
    else if (!strcmp(program, "heat"))
        heat();
    else if (!strcmp(program, "workers"))
        workers();
    else if (!strcmp(program, "loops"))
        loops();
    else if (!strcmp(program, "started"))
        started();
    else if (!strcmp(program, "several"))
        several();
    else if (!strcmp(program, "input"))
        input();
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
    return 0;
}
