// np: 2 3
// exit: nonzero
// check: reports
/* Ranks that call different collectives of which none waits for another: each sends its part and
 * goes on. At the end a message lies there that nobody has asked for, and the job does not report
 * success. */
#include "check.h"

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    start(&argc, &argv);
    if (rank == 0)
        OK(MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    else if (rank == 1)
        OK(MPI_Bcast(&sum, 1, MPI_INT, 1, MPI_COMM_WORLD));
    return finish();
}
