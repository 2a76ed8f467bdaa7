// np: 2 4
// exit: 3
/* A rank that leaves with an exit code of its own, without MPI_Finalize, ends the job with it. */
#include "check.h"

int main(int argc, char **argv)
{
    int word = 0;
    start(&argc, &argv);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1)
        _Exit(3);
    MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
