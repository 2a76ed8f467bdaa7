/* disturbed HOW WHERE SEED: ranks exchange what each of them checks, while rank 1 is disturbed.
 *
 * HOW: "not", or "kill": it is killed at a moment that the seed decides, in a call or between two;
 * or "stop": it is stopped there for three seconds. WHERE: "messages" of all lengths between all
 * pairs, or "collectives".
 *
 * Under `mpirun --enable-recovery` those that outlive rank 1 get an error for what depended on it,
 * and go on with each other. */
#include "../c/check.h"

#include <mpi-ext.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DISTURBED = 1, RANKS_MAX = 16, STOPPED_S = 3 };

/* Within this time the launcher ends a job of which a rank was killed. */
enum { ENDED_S = 5 };

/* What goes through the queue in one cell and in several, through the ring, and by one copy. */
static const int lengths[] = {8, 600, 5000, 70000, 300000};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], LONGEST = 300000 };

/* Rounds before and after the disturbance. Without one, all. */
enum { BEFORE = 3, AFTER = 12, ALL = 40 };

static unsigned char out[LONGEST], in[RANKS_MAX][LONGEST];
static int has_died[RANKS_MAX];

static double busy_seconds(void)
{
    struct rusage usage;
    EQUAL(getrusage(RUSAGE_SELF, &usage), 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* A process of its own, which disturbs this one. */
static void disturb(int is_kill, unsigned delay_us)
{
    pid_t victim = getpid();
    if (fork() != 0)
        return;
    usleep(delay_us);
    kill(victim, is_kill ? SIGKILL : SIGSTOP);
    if (!is_kill) {
        sleep(STOPPED_S);
        kill(victim, SIGCONT);
    }
    _exit(0);
}

/* What a call returned that may depend on `peer`: whether it has succeeded. */
static int survived(int peer, int error)
{
    if (error == MPI_SUCCESS)
        return 1;
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    if (peer != DISTURBED) {
        /* A job that does not go on without rank 1 is ended one rank after another: this rank has
         * seen that of another before its own. */
        sleep(ENDED_S);
        check_failed(__FILE__, __LINE__, "a rank that nobody disturbed is gone (peer)", peer, 0);
    }
    has_died[peer] = 1;
    return 0;
}

static long seed_of(int from, int round)
{
    return round * 1000L + from;
}

/* Everybody sends to everybody. The first word of a message is the sender's `word`; the greatest
 * of all is the answer. */
static int messages(int round, int word)
{
    MPI_Request receives[RANKS_MAX], sends[RANKS_MAX];
    int bytes = lengths[round % LENGTHS], greatest = word;
    for (int peer = 0; peer < ranks; peer++) {
        receives[peer] = MPI_REQUEST_NULL;
        if (peer != rank && !has_died[peer])
            survived(peer, MPI_Irecv(in[peer], bytes, MPI_BYTE, peer, round, MPI_COMM_WORLD,
                                     &receives[peer]));
    }
    fill(out, (size_t)bytes, seed_of(rank, round));
    memcpy(out, &word, sizeof word);
    for (int peer = 0; peer < ranks; peer++) {
        sends[peer] = MPI_REQUEST_NULL;
        if (peer != rank && !has_died[peer])
            survived(peer, MPI_Isend(out, bytes, MPI_BYTE, peer, round, MPI_COMM_WORLD,
                                     &sends[peer]));
    }
    for (int peer = 0; peer < ranks; peer++) {
        int expects = receives[peer] != MPI_REQUEST_NULL, theirs;
        if (survived(peer, MPI_Wait(&receives[peer], MPI_STATUS_IGNORE)) && expects) {
            memcpy(&theirs, in[peer], sizeof theirs);
            for (size_t i = sizeof theirs; i < (size_t)bytes; i++)
                if (in[peer][i] != pattern(seed_of(peer, round), i))
                    check_failed(__FILE__, __LINE__, "wrong byte (peer, at)", peer, (long long)i);
            greatest = theirs > greatest ? theirs : greatest;
        }
        survived(peer, MPI_Wait(&sends[peer], MPI_STATUS_IGNORE));
    }
    return greatest;
}

/* What each collective does to data, with the word in an allreduce. */
static int collectives(int round, int word)
{
    static long sums[LONGEST / sizeof(long)];
    int bytes = lengths[round % LENGTHS], root = round % ranks, greatest = 0;
    int numbers = bytes / (int)sizeof(long), block = bytes / ranks;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == root)
        fill(out, (size_t)bytes, round);
    else
        memset(out, 0, (size_t)bytes);
    OK(MPI_Bcast(out, bytes, MPI_BYTE, root, MPI_COMM_WORLD));
    FILLED(out, (size_t)bytes, round);
    for (int i = 0; i < numbers; i++)
        sums[i] = (long)round * i + rank;
    OK(MPI_Allreduce(MPI_IN_PLACE, sums, numbers, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < numbers; i++)
        EQUAL(sums[i], (long)ranks * round * i + ranks * (ranks - 1) / 2);
    for (int peer = 0; peer < ranks; peer++)
        fill(out + peer * block, (size_t)block, seed_of(rank, round) * ranks + peer);
    OK(MPI_Alltoall(out, block, MPI_BYTE, in[0], block, MPI_BYTE, MPI_COMM_WORLD));
    for (int peer = 0; peer < ranks; peer++)
        FILLED(in[0] + peer * block, (size_t)block, seed_of(peer, round) * ranks + rank);
    OK(MPI_Allreduce(&word, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    return greatest;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const char *how = argv[1];
    int (*exchange)(int, int) = strcmp(argv[2], "messages") ? collectives : messages;
    int is_kill = !strcmp(how, "kill"), is_stop = !strcmp(how, "stop");
    start(&argc, &argv);
    CHECK(ranks > DISTURBED && ranks <= RANKS_MAX);
    if (exchange == messages)
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int last = is_kill || is_stop ? INT32_MAX : ALL, seen = 0;
    for (int round = 0; round < last; round++) {
        /* The place in the first rounds, when queues, rings and segments are made, or later on. */
        uint32_t seed = (uint32_t)atoi(argv[3]);
        if (rank == DISTURBED && (is_kill || is_stop) && round == (seed % 2 ? 0 : BEFORE))
            disturb(is_kill, seed * 2654435761u % 4096 * (seed % 3 ? 1 : 8));
        double began = MPI_Wtime(), busy = busy_seconds();
        /* Who has seen the disturbance has all of them end some rounds later. */
        int end = exchange(round, seen);
        double took = MPI_Wtime() - began;
        busy = busy_seconds() - busy;
        int stopped = is_stop && took > STOPPED_S - 1;
        /* As in tests/c/idle.c: some milliseconds to fall asleep, then one per cent. */
        if (stopped && busy > 0.01 + 0.01 * took)
            check_failed(__FILE__, __LINE__, "busy while a peer is stopped (us, took)",
                         (long long)(busy * 1e6), (long long)(took * 1e6));
        if (end > 0)
            last = end;
        else if (seen == 0 && (stopped || has_died[DISTURBED]))
            seen = round + AFTER;
    }
    while (wait(NULL) > 0)
        ;
    if (has_died[DISTURBED])
        printf("rank %d has outlived rank %d\n", rank, DISTURBED);
    return finish();
}
