/* An estimate of pi by points thrown at a square, which goes on when processes fail (ULFM):
 *
 *     mpicc outlive.c -o outlive && mpirun -n 4 --with-ft ulfm ./outlive 2
 *
 * The argument is how many processes are to kill themselves: the highest rank, in the middle. */
#include <mpi.h>
#include <mpi-ext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 40, POINTS = 20000 };

static long throw_points(unsigned *seed)
{
    long inside = 0;
    for (int i = 0; i < POINTS; i++) {
        double x = rand_r(seed) / (RAND_MAX + 1.0), y = rand_r(seed) / (RAND_MAX + 1.0);
        inside += x * x + y * y < 1.0;
    }
    return inside;
}

/* Returns a communicator of those that live. Others may still be in a call: revoking ends it. */
static MPI_Comm repaired(MPI_Comm comm)
{
    MPI_Comm shrunk;
    MPIX_Comm_revoke(comm);
    MPIX_Comm_shrink(comm, &shrunk);
    MPI_Comm_set_errhandler(shrunk, MPI_ERRORS_RETURN);
    MPI_Comm_free(&comm);
    return shrunk;
}

int main(int argc, char **argv)
{
    int rank, size, victims = argc > 1 ? atoi(argv[1]) : 0;
    /* What is done: the same at all that live, since each step is either done by all or by none. */
    long total[2] = {0, 0};
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    unsigned seed = 17 + rank;
    for (int step = 0; step < STEPS;) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        if (victims > 0 && step == STEPS / 2 && rank >= size - victims)
            raise(SIGKILL);
        long own[2] = {throw_points(&seed), POINTS}, sum[2];
        int error = MPI_Allreduce(own, sum, 2, MPI_LONG, MPI_SUM, comm);
        /* Some may have the sum, others an error: they agree whether the step counts. */
        int good = error == MPI_SUCCESS;
        if (MPIX_Comm_agree(comm, &good) != MPI_SUCCESS || !good) {
            comm = repaired(comm);
            victims = 0;
            MPI_Comm_rank(comm, &rank);
            if (rank == 0)
                printf("step %d is done again by those that are left\n", step);
            continue;
        }
        total[0] += sum[0];
        total[1] += sum[1];
        step++;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0)
        printf("%d processes at the end: pi is about %.3f\n", size, 4.0 * total[0] / total[1]);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
