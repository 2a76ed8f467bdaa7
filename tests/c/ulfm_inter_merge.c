// np: 3
// mpirun: --with-ft ulfm
/* A member of one group dies in a merge, and the first of the other group learns of it before it
 * calls. The first of its own group waited for that one's offer, and for failures among the other
 * group only. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int side, size = 0, merged, all;
    MPI_Group failed;
    MPI_Comm half, inter, left, one = MPI_COMM_NULL;

    alarm(20);
    start(&argc, &argv);
    side = rank == 1;
    OK(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 1, &inter));
    OK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    if (rank == 2) {
        usleep(100000);
        raise(SIGKILL);
    }
    while (rank == 1 && size == 0) {
        OK(MPIX_Comm_get_failed(inter, &failed));
        OK(MPI_Group_size(failed, &size));
        OK(MPI_Group_free(&failed));
    }
    MPI_Error_class(MPI_Intercomm_merge(inter, side, &one), &merged);
    EQUAL(merged, MPIX_ERR_PROC_FAILED);
    OK(MPIX_Comm_shrink(inter, &left));
    OK(MPI_Intercomm_merge(left, side, &one));
    OK(MPI_Comm_size(one, &all));
    EQUAL(all, 2);
    OK(MPI_Comm_free(&one));
    OK(MPI_Comm_free(&left));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
    return finish();
}
