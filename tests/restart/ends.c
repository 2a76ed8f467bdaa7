/* Ends that a restart has to meet: `ends CASE`. Rank 1 dies in its first life, but for `none`.
 *
 *   before, finalize, after   before MPI_Init; while it waits in MPI_Finalize; behind it
 *   all                       every rank at once
 *   damaged, inside, trail    after it has spoilt its event log: its beginning; an entry; the first of
 *                             its sends and receives
 *   behind                    right behind its first message, while rank 2 is stopped in MPI_Init
 *   full                      after rank 0 has sent it 8 MiB
 *   time                      after it has sent the time; rank 0 prints how long it was until the next
 *                             life had done all again, and was where the first one had died
 *   KIND                      after which it does something else than before, by its kind: a
 *                             receive with another tag (tag), from another rank (source), from any
 *                             source (any), a send to another rank (to), of another length (length),
 *                             MPI_Waitany for MPI_Test (test), an early MPI_Finalize (early)
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 1 << 20 };

static const char *kind;
static int is_first, rank;

static int is(const char *name)
{
    return !strcmp(kind, name);
}

/* What the first life does, or the next one. */
static int either(const char *name, int first, int next)
{
    return is(name) && !is_first ? next : first;
}

static void spoil(void)
{
    const char *log = getenv("OXMPI_EVENT_LOG");
    /* The first entry is words 16 and 17; the sends and receives are the last 8 MiB. */
    off_t at = is("inside") ? 17 * 8 : is("trail") ? (256 - 8) << 20 : 0;
    if (!log || pwrite(atoi(log), "spoilt!", 8, at) != 8)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void exchange(void)
{
    int word = 0, flag = 0, index, words[2] = {0};
    MPI_Request request;
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(words, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        int source = either("any", either("source", 0, 2), MPI_ANY_SOURCE);
        MPI_Irecv(&word, 1, MPI_INT, source, either("tag", 1, 2), MPI_COMM_WORLD, &request);
        if (either("test", 1, 0))
            while (!flag)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        else
            MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
        MPI_Send(words, either("length", 1, 2), MPI_INT, either("to", 0, 2), 1, MPI_COMM_WORLD);
    }
}

/* Rank 2 is stopped in MPI_Init from before all have come there until rank 1 has gone, and come
 * again. What it finds then are a message of a life that is over, and the address of one that it
 * cannot reach; it sends first. */
static void come_late(int own)
{
    if (own == 1 && is_first)
        usleep(400000);
    if (own == 2 && fork() == 0) {
        usleep(200000);
        kill(getppid(), SIGSTOP);
        usleep(600000);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
}

static void exchange_late(void)
{
    char message[2000] = {0};
    if (rank == 1) {
        MPI_Send(message, sizeof message, MPI_CHAR, 2, 6, MPI_COMM_WORLD);
        if (is_first)
            raise(SIGKILL);
        MPI_Recv(message, sizeof message, MPI_CHAR, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send(message, sizeof message, MPI_CHAR, 1, 6, MPI_COMM_WORLD);
        MPI_Recv(message, sizeof message, MPI_CHAR, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The time from the death of rank 1 until its next life is where it was. */
static void measure(void)
{
    double now = MPI_Wtime(), then;
    if (rank == 1) {
        MPI_Send(&now, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
        if (is_first)
            raise(SIGKILL);
        now = MPI_Wtime();
        MPI_Send(&now, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(&then, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&now, 1, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fprintf(stderr, "again after %.3f s\n", now - then);
    }
}

int main(int argc, char **argv)
{
    const char *life = getenv("OXMPI_LIFE"), *own = getenv("OXMPI_RANK");
    char *bytes = calloc(LONG, 1);
    int sum = 0;
    kind = argc > 1 ? argv[1] : "none";
    is_first = !life || atoi(life) == 1;
    if (is("before") && is_first && own && atoi(own) == 1)
        raise(SIGKILL);
    if (is("behind") && own)
        come_late(atoi(own));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is("behind"))
        exchange_late();
    exchange();
    for (int i = 0; i < 8 && is("full"); i++) {
        if (rank == 0)
            MPI_Send(bytes, LONG, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(bytes, LONG, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < either("early", 20, rank == 1 ? 10 : 20); i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (is("early") && rank == 1 && !is_first)
        return MPI_Finalize();
    if (is("finalize")) {
        if (rank == 1 && is_first && fork() == 0) {
            usleep(100000);
            kill(getppid(), SIGKILL);
            _exit(0);
        }
        usleep(rank == 1 ? 0 : 200000);
    } else if (is("time")) {
        measure();
    } else if (is_first && (is("all") || rank == 1) && !is("none") && !is("after") &&
               !is("behind")) {
        if (is("damaged") || is("inside") || is("trail"))
            spoil();
        raise(SIGKILL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    if (is("after") && rank == 1)
        raise(SIGKILL);
    free(bytes);
    return 0;
}
