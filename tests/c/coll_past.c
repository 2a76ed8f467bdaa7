// np: 2 3
// exit: nonzero
// check: reports
/* A rank whose part of a collective is to show data in shared memory, and which goes on to the end,
 * while another one has called something else that is made of messages, and waits for one. It says so,
 * and who waits at the end for all, or in a later call, finds that its own call of that number was
 * another one. */
#include "check.h"

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    start(&argc, &argv);
    /* Until collectives go through shared memory, where they can. */
    for (int i = 0; i < 20; i++)
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (rank == 0)
        OK(MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD));
    else
        OK(MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (ranks == 3)
        OK(MPI_Barrier(MPI_COMM_WORLD));
    return finish();
}
