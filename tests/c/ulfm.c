// np: 3 4
// mpirun: --with-ft ulfm
/* Fault tolerance: the last rank is killed. Each function of mpi-ext.h, and each error class, by
 * the other ranks. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static int size_of(MPI_Group group)
{
    int members;
    MPI_Group_size(group, &members);
    MPI_Group_free(&group);
    return members;
}

/* Before anybody has failed. */
static void without_failures(void)
{
    int flag = 0x7f & ~(1 << rank), revoked = 1, all = 0x7f;
    MPI_Comm comm, shrunk;
    MPI_Group group;
    MPI_Request request;

    for (int i = 0; i < size; i++)
        all &= ~(1 << i);
    EQUAL(MPIX_Comm_agree(MPI_COMM_WORLD, &flag), MPI_SUCCESS);
    EQUAL(flag, all);
    flag = 0x7f & ~(1 << rank);
    EQUAL(MPIX_Comm_iagree(MPI_COMM_WORLD, &flag, &request), MPI_SUCCESS);
    EQUAL(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EQUAL(flag, all);
    EQUAL(MPIX_Comm_is_revoked(MPI_COMM_WORLD, &revoked), MPI_SUCCESS);
    EQUAL(revoked, 0);
    EQUAL(MPIX_Comm_get_failed(MPI_COMM_WORLD, &group), MPI_SUCCESS);
    EQUAL(size_of(group), 0);
    EQUAL(MPIX_Comm_shrink(MPI_COMM_WORLD, &shrunk), MPI_SUCCESS);
    int members;
    MPI_Comm_size(shrunk, &members);
    EQUAL(members, size);
    EQUAL(MPI_Barrier(shrunk), MPI_SUCCESS);
    MPI_Comm_free(&shrunk);

    /* A revoked communicator ends what is pending, and refuses what begins. */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int number = 0, other = 0;
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 9, comm, &request);
    if (rank == 0)
        EQUAL(MPIX_Comm_revoke(comm), MPI_SUCCESS);
    EQUAL(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPIX_ERR_REVOKED);
    MPI_Request barrier;
    EQUAL(class_of(MPI_Barrier(comm)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Bcast(&number, 1, MPI_INT, 0, comm)), MPIX_ERR_REVOKED);
    int started = MPI_Ibarrier(comm, &barrier);
    if (started == MPI_SUCCESS)
        started = MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    EQUAL(class_of(started), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, comm)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Send(&number, 1, MPI_INT, (rank + 1) % size, 0, comm)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Recv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE)),
        MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Recv(&number, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE)),
        MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Probe(MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Iprobe(0, 0, comm, &other, MPI_STATUS_IGNORE)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Comm_dup(comm, &shrunk)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Comm_split(comm, 0, 0, &shrunk)), MPIX_ERR_REVOKED);
    EQUAL(MPIX_Comm_is_revoked(comm, &revoked), MPI_SUCCESS);
    EQUAL(revoked, 1);
    flag = 5;
    EQUAL(MPIX_Comm_agree(comm, &flag), MPI_SUCCESS);
    EQUAL(flag, 5);
    EQUAL(MPIX_Comm_ishrink(comm, &shrunk, &request), MPI_SUCCESS);
    EQUAL(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EQUAL(MPI_Barrier(shrunk), MPI_SUCCESS);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&shrunk);
}

static void with_a_failure(void)
{
    int dead = size - 1, number = 0, acked = -1, flag;
    MPI_Request request;
    MPI_Group group;
    MPI_Comm comm, shrunk;

    EQUAL(class_of(MPI_Recv(&number, 1, MPI_INT, dead, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)),
        MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Ssend(&number, 1, MPI_INT, dead, 0, MPI_COMM_WORLD)), MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Probe(dead, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)), MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Barrier(MPI_COMM_WORLD)), MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)),
        MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm)), MPIX_ERR_PROC_FAILED);

    /* A receive from any source goes on, and each rank that waits gets an error. */
    EQUAL(class_of(MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE)), MPIX_ERR_PROC_FAILED);
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    EQUAL(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPIX_ERR_PROC_FAILED_PENDING);
    EQUAL(request != MPI_REQUEST_NULL, 1);
    EQUAL(class_of(MPI_Test(&request, &flag, MPI_STATUS_IGNORE)), MPIX_ERR_PROC_FAILED_PENDING);
    EQUAL(class_of(MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE)),
        MPIX_ERR_PROC_FAILED_PENDING);
    flag = 3;
    EQUAL(class_of(MPIX_Comm_agree(MPI_COMM_WORLD, &flag)), MPIX_ERR_PROC_FAILED);
    EQUAL(flag, 3);

    EQUAL(MPIX_Comm_get_failed(MPI_COMM_WORLD, &group), MPI_SUCCESS);
    EQUAL(size_of(group), 1);
    EQUAL(MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &group), MPI_SUCCESS);
    EQUAL(size_of(group), 0);
    EQUAL(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 0, &acked), MPI_SUCCESS);
    EQUAL(acked, 0);
    EQUAL(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 1, &acked), MPI_SUCCESS);
    EQUAL(acked, 1);
    EQUAL(MPIX_Comm_failure_ack(MPI_COMM_WORLD), MPI_SUCCESS);
    EQUAL(MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &group), MPI_SUCCESS);
    EQUAL(size_of(group), 1);

    /* Acknowledged: it waits again, and gets its message. */
    EQUAL(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    flag = 6;
    EQUAL(MPIX_Comm_agree(MPI_COMM_WORLD, &flag), MPI_SUCCESS);
    EQUAL(flag, 6);
    EQUAL(MPI_Send(&rank, 1, MPI_INT, (rank + 1) % dead, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    EQUAL(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EQUAL(number, (rank + dead - 1) % dead);

    /* Nobody revokes it before all are here. */
    EQUAL(MPIX_Comm_agree(MPI_COMM_WORLD, &flag), MPI_SUCCESS);
    EQUAL(MPIX_Comm_revoke(MPI_COMM_WORLD), MPI_SUCCESS);
    EQUAL(MPIX_Comm_shrink(MPI_COMM_WORLD, &shrunk), MPI_SUCCESS);
    int members, sum = 0, one = 1;
    MPI_Comm_size(shrunk, &members);
    EQUAL(members, dead);
    MPI_Comm_set_errhandler(shrunk, MPI_ERRORS_RETURN);
    EQUAL(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, shrunk), MPI_SUCCESS);
    EQUAL(sum, dead);
    MPI_Comm_free(&shrunk);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    without_failures();
    int number = 0;
    if (rank == size - 1) {
        for (int i = 0; i < size - 1; i++)
            MPI_Recv(&number, 1, MPI_INT, i, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        raise(SIGKILL);
    }
    MPI_Send(&number, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD);
    with_a_failure();
    MPI_Finalize();
    return 0;
}
