/* A process that ends with a name in a file that has become a folder. */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        char port[MPI_MAX_PORT_NAME];
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "ompi_global_scope", "true");
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name("lost", info, port);
        MPI_Info_free(&info);
        if (remove("names_lost.names") || mkdir("names_lost.names", 0700))
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
