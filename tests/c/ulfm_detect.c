// np: 7
// mpirun: --with-ft ulfm --oversubscribe
/* Time from the death of a rank to the error at each other, in each way to wait for it. The bound is
 * loose: machines that run tests are busy. Arguments: which ways, by default each once; the wait
 * before a death in ms, by which the others have gone to sleep. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BOUND 1.0

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void die_at(double moment)
{
    while (now() < moment - 0.002)
        usleep(500);
    while (now() < moment)
        ;
    raise(SIGKILL);
}

/* Returns once the death is an error here. */
static int wait_by(char way, MPI_Comm comm, int dead)
{
    int number = 0, flag = 0, error = MPI_SUCCESS, high = 1;
    MPI_Request request;

    switch (way) {
    case 'r':
        return MPI_Recv(&number, 1, MPI_INT, dead, 5, comm, MPI_STATUS_IGNORE);
    case 'a':
        return MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 5, comm, MPI_STATUS_IGNORE);
    case 't':
        MPI_Irecv(&number, 1, MPI_INT, dead, 5, comm, &request);
        while (error == MPI_SUCCESS)
            error = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        return error;
    case 'b':
        return MPI_Barrier(comm);
    case 'i':
        MPI_Iallreduce(MPI_IN_PLACE, &high, 1, MPI_INT, MPI_MAX, comm, &request);
        return MPI_Wait(&request, MPI_STATUS_IGNORE);
    case 's':
        return MPI_Ssend(&number, 1, MPI_INT, dead, 6, comm);
    }
    CHECK(0);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *ways = argc > 1 ? argv[1] : "ratbis";
    int pause = argc > 2 ? atoi(argv[2]) : 30;
    MPI_Comm comm = MPI_COMM_WORLD, shrunk;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (; *ways; ways++) {
        int size;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        int dead = size - 1, error;
        double killed = now() + pause * 1e-3, seen, most;
        OK(MPI_Bcast(&killed, 1, MPI_DOUBLE, dead, comm));
        if (rank == dead)
            die_at(killed);
        error = wait_by(*ways, comm, dead);
        seen = now();
        EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
        OK(MPIX_Comm_shrink(comm, &shrunk));
        MPI_Comm_set_errhandler(shrunk, MPI_ERRORS_RETURN);
        if (comm != MPI_COMM_WORLD)
            OK(MPI_Comm_free(&comm));
        comm = shrunk;
        seen -= killed;
        OK(MPI_Allreduce(&seen, &most, 1, MPI_DOUBLE, MPI_MAX, comm));
        CHECK(most < BOUND);
        if (rank == 0 && getenv("ULFM_FIGURES"))
            printf("%c %.1f ms\n", *ways, most * 1e3);
    }
    if (comm != MPI_COMM_WORLD)
        OK(MPI_Comm_free(&comm));
    MPI_Finalize();
    return 0;
}
