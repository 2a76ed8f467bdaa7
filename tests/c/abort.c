// np: 1 2 4
// quick
// exit: 7
/* MPI_Abort on one rank ends all of them, with its code, although the others wait for ever. */
#include "check.h"

int main(int argc, char **argv)
{
    int word = 0;
    start(&argc, &argv);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == ranks - 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
