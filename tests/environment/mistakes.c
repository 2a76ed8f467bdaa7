/* mistakes WHAT: rank 1 of two makes the mistake WHAT on a communicator named `ocean`, which nobody
 * handles. */
#include <mpi.h>
#include <string.h>

static int word[8];

static int refuse(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)state, (void)in, (void)out, (void)flag;
    return MPI_ERR_OTHER;
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Arguments that are wrong in themselves. */
static void argument(const char *what, MPI_Comm comm)
{
    if (is(what, "count"))
        MPI_Send(word, -1, MPI_INT, 0, 0, comm);
    if (is(what, "rank"))
        MPI_Send(word, 1, MPI_INT, 7, 0, comm);
    if (is(what, "tag"))
        MPI_Send(word, 1, MPI_INT, 0, -3, comm);
    if (is(what, "buffer"))
        MPI_Send(NULL, 1, MPI_INT, 0, 0, comm);
    if (is(what, "root"))
        MPI_Bcast(word, 1, MPI_INT, 9, comm);
    if (is(what, "operation"))
        MPI_Allreduce(word, word + 1, 1, MPI_FLOAT, MPI_BAND, comm);
}

static void datatype(const char *what, MPI_Comm comm)
{
    MPI_Datatype type, freed;
    MPI_Type_vector(2, 2, 1, MPI_INT, &type);
    if (is(what, "uncommitted"))
        MPI_Send(word, 1, type, 0, 0, comm);
    MPI_Type_commit(&type);
    if (is(what, "overlap"))
        MPI_Recv(word, 1, type, 0, 0, comm, MPI_STATUS_IGNORE);
    freed = type;
    MPI_Type_free(&type);
    if (is(what, "freed"))
        MPI_Send(word, 1, freed, 0, 0, comm);
}

/* What is wrong is seen only with what the other rank does. */
static void together(const char *what, int rank, MPI_Comm comm)
{
    int key;
    if (is(what, "attribute")) {
        MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
        MPI_Comm_set_attr(comm, key, word);
        if (rank == 1)
            MPI_Comm_dup(comm, &comm);
    }
    if (is(what, "truncated") && rank == 0)
        MPI_Send(word, 3, MPI_INT, 1, 5, comm);
    if (is(what, "truncated") && rank == 1)
        MPI_Recv(word, 1, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
    if (is(what, "counts"))
        MPI_Bcast(word, 1 + rank, MPI_INT, 0, comm);
    if (is(what, "operations") && rank == 0)
        /* Its own error is for `coll_mismatch.c` to see. */
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (is(what, "operations"))
        MPI_Allreduce(word, word + 1, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, comm);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;
    if (argc != 2)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "ocean");
    if (rank == 1) {
        argument(argv[1], comm);
        datatype(argv[1], comm);
    }
    together(argv[1], rank, comm);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
