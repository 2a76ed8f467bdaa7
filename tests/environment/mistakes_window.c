/* mistakes_window WHAT: rank 1 of two makes the mistake WHAT on a window that nobody handles. */
#include <mpi.h>
#include <string.h>

static int word[8], *memory;
static MPI_Win window;

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Accesses that are wrong in themselves. */
static void access(const char *what)
{
    if (is(what, "no epoch"))
        MPI_Put(word, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    if (is(what, "outside"))
        MPI_Put(word, 2, MPI_INT, 0, 7, 2, MPI_INT, window);
    if (is(what, "before"))
        MPI_Get(word, 1, MPI_INT, 0, -1, 1, MPI_INT, window);
    if (is(what, "rank"))
        MPI_Put(word, 1, MPI_INT, 7, 0, 1, MPI_INT, window);
    if (is(what, "not locked"))
        MPI_Accumulate(word, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_unlock(0, window);
}

static void synchronisation(const char *what)
{
    if (is(what, "unlock"))
        MPI_Win_unlock(0, window);
    if (is(what, "flush"))
        MPI_Win_flush(0, window);
    if (is(what, "wait"))
        MPI_Win_wait(window);
    if (is(what, "lock twice"))
        for (int i = 0; i < 2; i++)
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    if (is(what, "free locked")) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Win_free(&window);
    }
}

/* A window that is attached to, of all ranks. */
static void dynamic(const char *what, int rank)
{
    MPI_Win win;
    MPI_Aint address;
    MPI_Get_address(word, &address);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1 && is(what, "detach"))
        MPI_Win_detach(win, word);
    if (rank == 1 && is(what, "attach twice"))
        for (int i = 0; i < 2; i++)
            MPI_Win_attach(win, word, sizeof word);
    if (rank == 1 && is(what, "not attached")) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(word, 1, MPI_INT, 0, address, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
}

static void made(const char *what, int rank)
{
    MPI_Info hints;
    if (is(what, "size") && rank == 0)
        /* It receives the error too. */
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (is(what, "size"))
        MPI_Win_allocate(rank == 1 ? -1 : 32, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "no_locks", is(what, "no_locks") ? "true" : "false");
    MPI_Win_allocate(sizeof word, 4, hints, MPI_COMM_WORLD, &memory, &window);
    MPI_Info_free(&hints);
    if (is(what, "no_locks") && rank == 1)
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
}

/* Both write the same bytes; rank 1 comes second. */
static void conflict(const char *what, int rank)
{
    int epochs = is(what, "conflict") ? 2 : 0;
    if (epochs == 0)
        return;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Put(word, 1, MPI_INT, 0, 2, 1, MPI_INT, window);
        MPI_Send(word, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(word, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(word, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Accumulate(word, 2, MPI_INT, 0, 1, 2, MPI_INT, MPI_SUM, window);
        MPI_Win_flush(0, window);
        MPI_Send(word, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);
}

int main(int argc, char **argv)
{
    int rank;
    if (argc != 2)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    made(argv[1], rank);
    conflict(argv[1], rank);
    if (rank == 1) {
        synchronisation(argv[1]);
        access(argv[1]);
    }
    dynamic(argv[1], rank);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
