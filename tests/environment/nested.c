/* nested COMMAND: the last rank starts a program with MPI, which is no rank of the job but a job of
 * its own, and the job goes on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, status = 0, failed;
    if (argc != 2)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == ranks - 1)
        status = system(argv[1]);
    failed = status != 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0 && !failed)
        printf("nested: alone\n");
    MPI_Finalize();
    return 0;
}
