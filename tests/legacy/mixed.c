/* Compiled with one MPI's header and linked to the library for another's programs: its handles mean
 * nothing there, and an error says so instead of a rank. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("a rank: %d\n", rank);
    MPI_Finalize();
    return 0;
}
