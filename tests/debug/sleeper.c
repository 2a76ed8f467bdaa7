/* Says which process each rank is, and waits for the end of its input's file. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d %d\n", rank, (int)getpid());
    fflush(stdout);
    while (argc > 1 && access(argv[1], F_OK) == 0)
        usleep(20000);
    MPI_Finalize();
    return 0;
}
