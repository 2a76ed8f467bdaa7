/* Every rank says who it is; rank 0 also says on which MPI library. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, ranks, length;
    char host[MPI_MAX_PROCESSOR_NAME], library[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Get_processor_name(host, &length);
    MPI_Get_library_version(library, &length);
    printf("hello from rank %d of %d on %s\n", rank, ranks, host);
    if (rank == 0)
        printf("library: %.*s\n", (int)sizeof library - 1, library);
    MPI_Finalize();
    return 0;
}
