// np: 2 3
// alone
/* Leaving takes no time worth mentioning: the last session of a process, which closes the network,
 * ends within a tenth of a second, in half of the cases on the slowest rank (the machine may be busy
 * with others). So does MPI_Finalize, which happens only once: on the quickest rank, since what the
 * library sleeps there is slept by all. Another MPI slept for a second here. Argument: the limit in
 * milliseconds. */
#include "session.h"

#include <time.h>

enum { CYCLES = 9 };

/* Also without MPI. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The least and the most of all ranks, known to all. */
static void spread(double mine, double *least, double *most)
{
    MPI_Session session = begin(NULL);
    MPI_Comm comm = join(session, "mpi://WORLD", "spread");
    OK(MPI_Allreduce(&mine, least, 1, MPI_DOUBLE, MPI_MIN, comm));
    OK(MPI_Allreduce(&mine, most, 1, MPI_DOUBLE, MPI_MAX, comm));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
}

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
    work(MPI_COMM_WORLD);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = now(), least, most;
    OK(MPI_Finalize());
    spread(now() - began, &least, &most);
    if (least >= limit) {
        fprintf(stderr, "MPI_Finalize: %.1f to %.1f ms\n", least * 1e3, most * 1e3);
        return 1;
    }
    return 0;
}
