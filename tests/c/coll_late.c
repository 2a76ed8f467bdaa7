// np: 2 3
/* A rank that is waited for in a collective for more than a second, just before the end.
 *
 * Who waits so long says what it calls by a message that it takes back when it goes on. The answer to
 * that may come after the process has left, and was counted as a message that the library had not
 * let go of. */
#include "check.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Comm other;
    int sum = 0;
    start(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    OK(MPI_Barrier(other));
    if (rank == 0)
        usleep(1300000);
    OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other));
    EQUAL(sum, ranks * (ranks - 1) / 2);
    OK(MPI_Comm_free(&other));
    return finish();
}
