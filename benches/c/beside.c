/* Calls of ranks that share the machine with other programs, or with each other: the mean over SECONDS of
 * wall time, so that slices that somebody else has count. Microseconds of
 *
 *   trip        8 bytes to and fro between ranks 0 and 1, while the others wait for the end
 *   allreduce   of 8 bytes
 *   halo        8 KiB to and from the next rank on each side, after 100 us of work
 *   probe       8 bytes to and fro, received after a loop of MPI_Iprobe
 *
 * and `waiting`, microseconds of its core that rank 1 spends while it waits in MPI_Recv for 2 s. The
 * argument is SECONDS, 2 by default. */
#include "bench.h"

#include <sys/resource.h>

enum { FEW = 8, HALO = 8192, END = 9 };

static const double WORK_SECONDS = 100e-6, WAIT_SECONDS = 2;

static void trip(size_t bytes, long probes)
{
    int other = 1 - bench_rank, there = 0;
    MPI_Status status;
    if (bench_rank > 1)
        return;
    if (bench_rank == 0)
        MPI_Send(bench_out, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    while (probes && !there)
        MPI_Iprobe(other, 0, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(bench_in, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &status);
    if (bench_rank == 1)
        MPI_Send(bench_out, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
}

static void waited_trip(size_t bytes, long round)
{
    (void)round;
    trip(bytes, 0);
}

static void probed_trip(size_t bytes, long round)
{
    (void)round;
    trip(bytes, 1);
}

static void allreduce(size_t bytes, long round)
{
    (void)round;
    MPI_Allreduce(bench_out, bench_in, (int)bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

static void halo(size_t bytes, long round)
{
    int next = (bench_rank + 1) % bench_ranks, last = (bench_rank + bench_ranks - 1) % bench_ranks;
    MPI_Request requests[4];
    double since = bench_now();
    volatile double number = 1;
    (void)round;
    while (bench_now() - since < WORK_SECONDS)
        number *= 1.0000001;
    MPI_Irecv(bench_in, (int)bytes, MPI_BYTE, last, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(bench_in + bytes, (int)bytes, MPI_BYTE, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(bench_out, (int)bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(bench_out + bytes, (int)bytes, MPI_BYTE, last, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* Rank 0 says after each block of rounds whether another follows; a block that waits is a few rounds. */
static void measure(const char *name, bench_round round, size_t bytes, double seconds)
{
    long rounds = 0, block = 4;
    double start, spent = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_now();
    while (block > 0) {
        for (long i = 0; i < block; i++)
            round(bytes, i);
        rounds += block;
        spent = bench_now() - start;
        /* Ten milliseconds of the mean so far. */
        block = spent < seconds ? 1 + (long)(0.01 * (double)rounds / spent) : 0;
        MPI_Bcast(&block, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    }
    if (bench_rank == 0)
        printf("result %s %zu %.3f\n", name, bytes, spent / (double)rounds * 1e6);
}

static double busy_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void wait_long(void)
{
    double busy = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (bench_rank == 1) {
        double before = busy_seconds();
        MPI_Recv(bench_in, FEW, MPI_BYTE, 0, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        busy = busy_seconds() - before;
        MPI_Send(&busy, 1, MPI_DOUBLE, 0, END, MPI_COMM_WORLD);
    } else if (bench_rank == 0) {
        usleep((useconds_t)(WAIT_SECONDS * 1e6));
        MPI_Send(bench_out, FEW, MPI_BYTE, 1, END, MPI_COMM_WORLD);
        MPI_Recv(&busy, 1, MPI_DOUBLE, 1, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("result waiting 0 %.3f\n", busy * 1e6);
    }
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv, (size_t)2 * HALO, (size_t)2 * HALO);
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    measure("trip", waited_trip, FEW, seconds);
    measure("allreduce", allreduce, FEW, seconds);
    measure("halo", halo, HALO, seconds);
    measure("probe", probed_trip, FEW, seconds);
    wait_long();
    MPI_Finalize();
    return 0;
}
