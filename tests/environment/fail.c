/* fail HOW WHERE: rank 1 fails in the way HOW while the others are in WHERE. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAILING = 1, BYTES = 1 << 24 };

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void fail(const char *how, int ranks)
{
    int word = 0;
    if (is(how, "segfault"))
        raise(SIGSEGV);
    if (is(how, "kill"))
        raise(SIGKILL);
    if (is(how, "abort"))
        abort();
    if (is(how, "exit"))
        exit(3);
    if (is(how, "leave"))
        exit(0);
    if (is(how, "mpi_abort"))
        MPI_Abort(MPI_COMM_WORLD, 9);
    if (is(how, "error"))
        MPI_Send(&word, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD);
}

static void wait_in(const char *where)
{
    int word = 0;
    if (is(where, "barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (is(where, "recv"))
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is(where, "send"))
        MPI_Send(calloc(BYTES, 1), BYTES, MPI_BYTE, FAILING, 0, MPI_COMM_WORLD);
    if (is(where, "elsewhere")) {
        signal(SIGTERM, SIG_IGN);
        sleep(60);
    }
}

/* Calls at the wrong time. */
static void untimely(const char *how, int *argc, char ***argv)
{
    int word = 0;
    if (is(how, "before_init"))
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Init(argc, argv);
    if (is(how, "init_twice"))
        MPI_Init(argc, argv);
    MPI_Finalize();
    if (is(how, "finalize_twice"))
        MPI_Finalize();
    if (is(how, "after_finalize"))
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    if (argc != 3)
        return 2;
    const char *how = argv[1], *where = argv[2];
    if (is(where, "untimely")) {
        untimely(how, &argc, &argv);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    /* Twice: what the first one sends may wait for a connection until its sender is in MPI again,
     * which some of these never are. */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == FAILING)
        fail(how, ranks);
    wait_in(where);
    MPI_Finalize();
    return 0;
}
