/* Right programs that wait much, and in circles: `mpirun --report-deadlock` says nothing of them.
 * The argument names the program. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks, next, last;

static void check(int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void pause_for(double seconds)
{
    usleep((useconds_t)(seconds * 1e6));
}

/* A token goes round, and whoever has it works: the waits of the others form all of a circle but for
 * one rank, which is another one at each look. */
static void slow_ring(void)
{
    int token = 0;
    for (int turn = 0; turn < 6; turn++) {
        if (rank == turn % ranks) {
            pause_for(0.9);
            token++;
            MPI_Send(&token, 1, MPI_INT, next, turn, MPI_COMM_WORLD);
        }
        if (rank == (turn + 1) % ranks)
            MPI_Recv(&token, 1, MPI_INT, last, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&token, 1, MPI_INT, 6 % ranks, MPI_COMM_WORLD);
    check(token == 6, "the token lost a turn");
}

static void *send_later(void *nothing)
{
    int five = 5;
    (void)nothing;
    pause_for(3.5);
    MPI_Send(&five, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    return NULL;
}

/* The main thread of each rank waits for what another thread of its neighbour sends later. */
static void thread_sends(void)
{
    pthread_t thread;
    int got = 0;
    check(pthread_create(&thread, NULL, send_later, NULL) == 0, "no thread");
    MPI_Recv(&got, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(got == 5, "another message");
    pthread_join(thread, NULL);
}

/* All ranks poll for messages of each other, and do something else when it is time. */
static void testany(void)
{
    double until = MPI_Wtime() + 3.5;
    MPI_Request requests[2];
    int in[2] = {0}, one = 1, at, flag = 0, come = 0, sent = 0;
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, i ? next : last, 2, MPI_COMM_WORLD, &requests[i]);
    while (come < 2 || !sent) {
        MPI_Testany(2, requests, &at, &flag, MPI_STATUS_IGNORE);
        come += flag && at != MPI_UNDEFINED;
        if (!sent && MPI_Wtime() > until) {
            MPI_Send(&one, 1, MPI_INT, last, 2, MPI_COMM_WORLD);
            MPI_Send(&one, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
            sent = 1;
        }
    }
    check(in[0] == 1 && in[1] == 1, "a message is not right");
}

/* One rank polls by a probe, until it is time; the others wait for it. */
static void iprobe(void)
{
    double until = MPI_Wtime() + 3.5;
    int flag = 0;
    while (rank == 0 && MPI_Wtime() < until)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    check(!flag, "nobody has sent anything");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks that talk all the time. */
static void ping_pong(void)
{
    int peer = rank ^ 1, token = 0, goes_on = 1;
    double until = MPI_Wtime() + 3.5;
    while (goes_on && peer < ranks) {
        if (rank < peer) {
            goes_on = MPI_Wtime() < until;
            MPI_Send(&goes_on, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&goes_on, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&token, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
        }
    }
}

/* All ranks wait for a process that they have spawned, which works. */
static void spawned(const char *program)
{
    MPI_Comm child, parent;
    int got = 0;
    char *arguments[] = {"spawned", NULL};
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        pause_for(3.5);
        got = 7;
        MPI_Bcast(&got, 1, MPI_INT, MPI_ROOT, parent);
        MPI_Comm_disconnect(&parent);
        return;
    }
    MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child,
                   MPI_ERRCODES_IGNORE);
    MPI_Bcast(&got, 1, MPI_INT, 0, child);
    check(got == 7, "another number");
    MPI_Comm_disconnect(&child);
}

/* The ranks end one after the other. */
static void ending(void)
{
    pause_for(0.7 * rank);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int level = strcmp(name, "thread_sends") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    next = (rank + 1) % ranks;
    last = (rank + ranks - 1) % ranks;
    if (strcmp(name, "slow_ring") == 0)
        slow_ring();
    else if (strcmp(name, "thread_sends") == 0)
        thread_sends();
    else if (strcmp(name, "testany") == 0)
        testany();
    else if (strcmp(name, "iprobe") == 0)
        iprobe();
    else if (strcmp(name, "ping_pong") == 0)
        ping_pong();
    else if (strcmp(name, "spawned") == 0)
        spawned(argv[0]);
    else if (strcmp(name, "ending") == 0)
        ending();
    else
        check(0, "no program has this name");
    return MPI_Finalize();
}
