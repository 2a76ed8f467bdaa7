// np: 3
// mpirun: --with-ft ulfm
/* All members of the remote group of an inter-communicator have died before it is shrunk. The
 * members of the other group asked an empty group for its first process. A merge leaves them by
 * themselves. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int near, far, all, flag = 1, got = -1;
    MPI_Comm half, inter, left, one;

    alarm(20);
    start(&argc, &argv);
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank == ranks - 1, 0, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == ranks - 1 ? 0 : ranks - 1, 1, &inter));
    if (rank == ranks - 1)
        raise(SIGKILL);
    OK(MPIX_Comm_shrink(inter, &left));
    OK(MPI_Comm_size(left, &near));
    OK(MPI_Comm_remote_size(left, &far));
    EQUAL(near, ranks - 1);
    EQUAL(far, 0);
    OK(MPIX_Comm_agree(left, &flag));
    EQUAL(flag, 1);
    OK(MPI_Intercomm_merge(left, 0, &one));
    OK(MPI_Comm_size(one, &all));
    EQUAL(all, ranks - 1);
    OK(MPI_Allreduce(&flag, &got, 1, MPI_INT, MPI_SUM, one));
    EQUAL(got, ranks - 1);
    OK(MPI_Comm_free(&one));
    OK(MPI_Comm_free(&left));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
    return finish();
}
