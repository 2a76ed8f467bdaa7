// np: 4
// mpirun: --with-ft ulfm
/* Members of two groups shrink their inter-communicator while another one dies. A member that had
 * never sent it anything took its end for an end in good order where the process was gone before
 * the launcher reported the death (behind a shell, for one), and all waited for ever. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int near, far, merged;
    MPI_Comm half, inter, left, one;

    alarm(20);
    start(&argc, &argv);
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter));
    if (rank == ranks - 1)
        raise(SIGKILL);
    OK(MPIX_Comm_shrink(inter, &left));
    OK(MPI_Comm_size(left, &near));
    OK(MPI_Comm_remote_size(left, &far));
    EQUAL(near + far, ranks - 1);
    OK(MPI_Intercomm_merge(left, rank % 2, &one));
    OK(MPI_Comm_size(one, &merged));
    EQUAL(merged, ranks - 1);
    OK(MPI_Comm_free(&one));
    OK(MPI_Comm_free(&left));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
    return finish();
}
