// np: 2 4
// exit: nonzero
/* A rank that dies by a signal ends the job, although the others wait for it. */
#include "check.h"
#include <signal.h>

int main(int argc, char **argv)
{
    int word = 0;
    start(&argc, &argv);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1)
        raise(SIGKILL);
    MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
