// np: 1
// mpirun: --with-ft ulfm
/* Constants and types that programs written for Open MPI take from its headers: mpi.h brings size_t,
 * mpi-ext.h the error classes under both names, and the attribute MPIX_FT. */
#include <mpi.h>

static const size_t from_mpi_h = sizeof(MPI_Status);

#include "check.h"

#include <mpi-ext.h>

#if !defined MPI_ERR_PROC_FAILED || !defined MPI_ERR_PROC_FAILED_PENDING || \
    !defined MPI_ERR_REVOKED || !defined MPIX_FT
#error "mpi-ext.h lacks names"
#endif

int main(int argc, char **argv)
{
    int flag = 0, *value = NULL;
    MPI_Comm comm;

    start(&argc, &argv);
    EQUAL(from_mpi_h, 32);
    EQUAL(MPI_ERR_PROC_FAILED, MPIX_ERR_PROC_FAILED);
    EQUAL(MPI_ERR_PROC_FAILED_PENDING, MPIX_ERR_PROC_FAILED_PENDING);
    EQUAL(MPI_ERR_REVOKED, MPIX_ERR_REVOKED);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_get_attr(comm, MPIX_FT, &value, &flag));
    EQUAL(flag, 1);
    EQUAL(*value, 1);
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    EQUAL(class_of(MPI_Comm_set_attr(comm, MPIX_FT, &flag)), MPI_ERR_KEYVAL);
    OK(MPI_Comm_free(&comm));
    return finish();
}
