/* Spawns two processes again and again, each time until both groups have exchanged messages and
 * disconnected:
 *     many_spawns ROUNDS [strict]
 * Where that is strict, descriptors do not grow after the first tenth, and memory by no more than two
 * MiB. Prints the mean time of a spawn, from the call to its return. */
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHILDREN = 2, KIB_MORE_MAX = 2048 };

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        return -1;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void meet(MPI_Comm inter, int high)
{
    MPI_Comm all;
    int one = 1, sum = 0, size;
    MPI_Intercomm_merge(inter, high, &all);
    MPI_Comm_size(all, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    if (sum != size)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&inter);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        meet(parent, 1);
        MPI_Finalize();
        return 0;
    }
    int rounds = argc > 1 ? atoi(argv[1]) : 100, rank, descriptors = 0;
    long kib = 0;
    double time = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; round++) {
        if (round == rounds / 10) {
            descriptors = count_descriptors();
            kib = resident_kib();
        }
        double start = MPI_Wtime();
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                       MPI_ERRCODES_IGNORE);
        time += MPI_Wtime() - start;
        meet(inter, 0);
    }
    int descriptors_more = count_descriptors() - descriptors;
    long kib_more = resident_kib() - kib;
    if (rank == 0)
        printf("spawn %.5f s, descriptors %+d, KiB %+ld\n", time / rounds, descriptors_more,
               kib_more);
    if (argc > 2 && (descriptors_more > 0 || kib_more > KIB_MORE_MAX))
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
