// np: 1 2
// exit: nonzero
/* By default an error is fatal: the job ends, and does not report success. */
#include "check.h"

int main(int argc, char **argv)
{
    int word = 0;
    start(&argc, &argv);
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
