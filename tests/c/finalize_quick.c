// np: 2 3
/* Leaving takes no time worth mentioning: the last session of a process, which closes the network,
 * ends within a tenth of a second, in half of the cases on the slowest rank (the machine may be busy
 * with others). Another MPI slept for a second here. Argument: the limit in milliseconds. */
#include "session.h"

enum { CYCLES = 9 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    double limit = (argc > 1 ? atof(argv[1]) : 100) / 1000, took[CYCLES], worst[CYCLES];
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        MPI_Session session = begin(NULL);
        use(session, "mpi://WORLD", "quick");
        double began = MPI_Wtime();
        OK(MPI_Session_finalize(&session));
        took[cycle] = MPI_Wtime() - began;
    }
    start(&argc, &argv);
    OK(MPI_Allreduce(took, worst, CYCLES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    qsort(worst, CYCLES, sizeof *worst, ascending);
    if (rank == 0 && worst[CYCLES / 2] >= limit)
        for (int cycle = 0; cycle < CYCLES; cycle++)
            fprintf(stderr, "%.1f ms\n", worst[cycle] * 1e3);
    CHECK(worst[CYCLES / 2] < limit);
    return finish();
}
