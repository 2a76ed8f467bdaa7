// np: 4
// mpirun: --with-ft ulfm --oversubscribe
/* Thousands of agreements are under way at once, and hundreds of communicators with agreements are
 * freed: what a member keeps for others is bounded, and nobody waits for ever. One rank is late, so
 * that what the others send it waits. A member that dies at the end is found dead by all. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { AGREEMENTS = 3000, COMMS = 200, LATE = 1, DEAD = 3 };

static void agree_on_many(MPI_Comm comm)
{
    static int flags[AGREEMENTS];
    static MPI_Request requests[AGREEMENTS];
    if (rank == LATE)
        usleep(200 * 1000);
    for (int at = 0; at < AGREEMENTS; at++) {
        flags[at] = at | 1 << (20 + rank);
        OK(MPIX_Comm_iagree(comm, &flags[at], &requests[at]));
    }
    OK(MPI_Waitall(AGREEMENTS, requests, MPI_STATUSES_IGNORE));
    for (int at = 0; at < AGREEMENTS; at++)
        EQUAL(flags[at], at);
}

static void free_many(void)
{
    for (int at = 0; at < COMMS; at++) {
        MPI_Comm made;
        int flag = at;
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &made));
        OK(MPIX_Comm_agree(made, &flag));
        EQUAL(flag, at);
        if (at % 10 == rank)
            OK(MPIX_Comm_revoke(made));
        OK(MPI_Comm_free(&made));
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm late;
    MPI_Request request;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_idup(MPI_COMM_WORLD, &late, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    agree_on_many(late);
    OK(MPI_Comm_free(&late));
    agree_on_many(MPI_COMM_WORLD);
    free_many();
    if (rank == DEAD)
        raise(SIGKILL);
    int flag = 7, code = MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    EQUAL(flag, 7);
    EQUAL(code, MPIX_ERR_PROC_FAILED);
    MPI_Comm shrunk;
    OK(MPIX_Comm_shrink(MPI_COMM_WORLD, &shrunk));
    OK(MPI_Comm_size(shrunk, &ranks));
    EQUAL(ranks, DEAD);
    OK(MPI_Comm_free(&shrunk));
    return finish();
}
