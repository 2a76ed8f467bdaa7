/* Put before a program of tests/c by the compiler (-include): its MPI_COMM_WORLD is a communicator of
 * the processes that were started and of MERGED_CHILDREN more, which they spawn. */
#include <mpi.h>
#include <stdlib.h>

static MPI_Comm merged;

static inline int merged_init(int *argc, char ***argv)
{
    MPI_Comm parent, between;
    int code = MPI_Init(argc, argv);
    if (code != MPI_SUCCESS || (code = MPI_Comm_get_parent(&parent)) != MPI_SUCCESS)
        return code;
    between = parent;
    if (parent == MPI_COMM_NULL)
        code = MPI_Comm_spawn((*argv)[0], *argv + 1, atoi(getenv("MERGED_CHILDREN")), MPI_INFO_NULL,
                              0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Intercomm_merge(between, parent != MPI_COMM_NULL, &merged);
    return code == MPI_SUCCESS ? MPI_Comm_free(&between) : code;
}

static inline int merged_finalize(void)
{
    int code = MPI_Comm_disconnect(&merged);
    return code == MPI_SUCCESS ? MPI_Finalize() : code;
}

#define MPI_Init merged_init
#define MPI_Finalize merged_finalize
#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD merged
