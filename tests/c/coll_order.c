// np: 2 3 4
// check: reports
/* A started collective and a blocking one in different orders on different ranks. MPI wants one
 * order of both, but programs get away with it elsewhere: an agreement that one rank has begun and
 * the others have not is not to be taken for the barrier that they are in. */
#include "check.h"

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int round = 0; round < 20; round++) {
        int own = 1 << rank, all = -1, flag = -1;
        MPI_Request request;
        int first = rank == round % ranks;
        if (first) {
            OK(MPI_Iallreduce(&own, &all, 1, MPI_INT, MPI_BOR, comm, &request));
            OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            EQUAL(flag, 0);
        }
        OK(MPI_Barrier(comm));
        if (!first)
            OK(MPI_Iallreduce(&own, &all, 1, MPI_INT, MPI_BOR, comm, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL(all, (1 << ranks) - 1);
    }
    OK(MPI_Comm_free(&comm));
    return finish();
}
