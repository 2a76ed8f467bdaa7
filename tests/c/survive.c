// np: 2 3
// mpirun: --enable-recovery
/* The last rank is killed in the middle of transfers with all others: their calls return an error
 * that names it, in reasonable time, and they end in good order. An argument is what they were at:
 * "large" (the default), "small", "recv" (nothing was sent yet), "together" (a collective), "started" (one
 * that does not block, waited for in one way after the other) or "again" (a persistent one). */
#include "check.h"

#include <mpi-ext.h>

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 64 << 20 };

/* From the death to the error, in seconds. */
static const double PATIENCE = 8;
static const int DEATH_AFTER_US = 200000;

static void *killer(void *unused)
{
    (void)unused;
    usleep(DEATH_AFTER_US);
    raise(SIGKILL);
    kill(getpid(), SIGKILL);
    return NULL;
}

/* One exchange with a peer; what the first call that failed returned. */
static int exchange(int peer, char *out, char *in, int bytes)
{
    MPI_Request request;
    int error = MPI_Irecv(in, bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request);
    if (error != MPI_SUCCESS)
        return error;
    int sent = MPI_Send(out, bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    return sent != MPI_SUCCESS ? sent : error;
}

/* The end of several collectives that do not block: what the first call that failed returned. */
static int end_of(MPI_Request *requests, int count, int how)
{
    int error = MPI_SUCCESS, flag = 0;
    for (int i = 0; i < count && error == MPI_SUCCESS; i++) {
        if (how == 0)
            error = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        else if (how == 1)
            for (flag = 0; !flag && error == MPI_SUCCESS;)
                error = MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        else
            error = MPI_Waitany(count, requests, &flag, MPI_STATUS_IGNORE);
    }
    return error;
}

static int start_several(void)
{
    static int turns, ones[4] = {1, 1, 1, 1}, sums[4];
    MPI_Request requests[4];
    int error = MPI_SUCCESS, count = 1 + turns % 4;
    for (int i = 0; i < count && error == MPI_SUCCESS; i++)
        error = MPI_Iallreduce(&ones[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
    return error != MPI_SUCCESS ? error : end_of(requests, count, turns++ % 3);
}

static int start_again(void)
{
    static MPI_Request request = MPI_REQUEST_NULL;
    static int one = 1, sum;
    if (request == MPI_REQUEST_NULL)
        OK(MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    int error = MPI_Start(&request);
    if (error == MPI_SUCCESS)
        error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS)
        OK(MPI_Request_free(&request));
    return error;
}

static int turn(const char *what, int peer, char *out, char *in)
{
    int sum = 1;
    if (!strcmp(what, "started"))
        return start_several();
    if (!strcmp(what, "again"))
        return start_again();
    if (!strcmp(what, "large"))
        return exchange(peer, out, in, LARGE);
    if (!strcmp(what, "small"))
        return exchange(peer, out, in, 8);
    if (!strcmp(what, "recv"))
        return MPI_Recv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void survive(const char *what, int victim)
{
    char *out = calloc(1, LARGE), *in = calloc(1, LARGE), text[MPI_MAX_ERROR_STRING], name[32];
    double began = MPI_Wtime();
    int error, class, length;
    do
        error = turn(what, victim, out, in);
    while (error == MPI_SUCCESS);
    double took = MPI_Wtime() - began;
    if (took > PATIENCE + DEATH_AFTER_US / 1e6)
        fprintf(stderr, "%s: the error came after %.1f s\n", what, took);
    CHECK(took < PATIENCE + DEATH_AFTER_US / 1e6);
    OK(MPI_Error_class(error, &class));
    OK(MPI_Error_string(error, text, &length));
    if (class != MPIX_ERR_PROC_FAILED)
        fprintf(stderr, "%s: %s\n", what, text);
    EQUAL(class, MPIX_ERR_PROC_FAILED);
    snprintf(name, sizeof name, "rank %d ", victim);
    if (!strstr(text, name))
        fprintf(stderr, "%s\n", text);
    CHECK(strstr(text, name));
    /* It stays so. */
    EQUAL(MPI_Send(out, 8, MPI_BYTE, victim, 3, MPI_COMM_WORLD), error);
    EQUAL(MPI_Recv(in, 8, MPI_BYTE, victim, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE), error);
    /* Those that are left still reach each other. */
    if (victim == 2) {
        int peer = 1 - rank, word = rank;
        OK(MPI_Sendrecv_replace(&word, 1, MPI_INT, peer, 4, peer, 4, MPI_COMM_WORLD,
                                MPI_STATUS_IGNORE));
        EQUAL(word, peer);
    }
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "large";
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int victim = ranks - 1;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank != victim) {
        survive(what, victim);
        OK(MPI_Finalize());
        return 0;
    }
    pthread_t thread;
    EQUAL(pthread_create(&thread, NULL, killer, NULL), 0);
    if (!strcmp(what, "recv"))
        pause();
    char *out = calloc(1, LARGE), *in = calloc(1, LARGE);
    for (int peer = 0;; peer = (peer + 1) % victim)
        OK(turn(what, peer, out, in));
}
