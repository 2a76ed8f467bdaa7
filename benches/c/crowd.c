/* More ranks than cores: a loop of barriers. Reports the wall time of one barrier and the processor
 * time that all ranks together spent on it, both in microseconds. On one core a barrier of ranks
 * that burn their time slices takes as long as the slices; ranks that yield or sleep pass quickly. */
#include "bench.h"
#include <sys/resource.h>

static double processor_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
           1e-6 * ((double)used.ru_utime.tv_usec + (double)used.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    long rounds = 0, rounds_max = argc > 1 ? atol(argv[1]) : 20000;
    double start, spent, limit = 2.0;
    int more = 1;
    bench_start(&argc, &argv, 0, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    spent = processor_seconds();
    start = bench_now();
    /* A library that burns its slices would take minutes: the time is bounded, the count is not. */
    while (more) {
        for (int i = 0; i < 20; i++)
            MPI_Barrier(MPI_COMM_WORLD);
        rounds += 20;
        more = rounds < rounds_max && bench_now() - start < limit;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    start = bench_now() - start;
    spent = processor_seconds() - spent;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    bench_report("barrier", 0, start / (double)rounds * 1e6);
    bench_report("processor", 0, spent / (double)rounds * 1e6);
    MPI_Finalize();
    return 0;
}
