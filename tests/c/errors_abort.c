// np: 2
// exit: nonzero
/* MPI_ERRORS_ABORT ends the processes of the communicator, whatever they wait for. */
#include "check.h"

int main(int argc, char **argv)
{
    int word = 0;
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT));
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
