// np: 3
// mpirun: --with-ft ulfm
/* Replacement, as many times as the argument says: a rank is killed, the others shrink their
 * communicator, start a process in its place, merge with it, and split by the old ranks. Memory and
 * descriptors stay as they were. */
#include "check.h"

#include <dirent.h>
#include <mpi-ext.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int descriptors(void)
{
    int count = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The communicator of all, with the newcomer at the rank of the dead. */
static MPI_Comm join(MPI_Comm between, int high, int rank)
{
    MPI_Comm merged, whole;
    OK(MPI_Intercomm_merge(between, high, &merged));
    OK(MPI_Comm_split(merged, 0, rank, &whole));
    OK(MPI_Comm_free(&merged));
    OK(MPI_Comm_free(&between));
    OK(MPI_Comm_set_errhandler(whole, MPI_ERRORS_RETURN));
    return whole;
}

static MPI_Comm replace(MPI_Comm comm, int dead, char *program, int turn, int turns)
{
    MPI_Comm shrunk, between;
    int rank, flag = 1, error;

    MPI_Comm_rank(comm, &rank);
    do
        error = MPI_Barrier(comm);
    while (error == MPI_SUCCESS);
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    MPIX_Comm_failure_ack(comm);
    OK(MPIX_Comm_agree(comm, &flag));
    OK(MPIX_Comm_revoke(comm));
    OK(MPIX_Comm_shrink(comm, &shrunk));
    OK(MPI_Comm_set_errhandler(shrunk, MPI_ERRORS_RETURN));
    char words[3][16];
    snprintf(words[0], 16, "%d", turns);
    snprintf(words[1], 16, "%d", turn);
    snprintf(words[2], 16, "%d", dead);
    char *args[] = {words[0], words[1], words[2], NULL};
    OK(MPI_Comm_spawn(program, args, 1, MPI_INFO_NULL, 0, shrunk, &between, MPI_ERRCODES_IGNORE));
    OK(MPI_Comm_free(&shrunk));
    if (comm != MPI_COMM_WORLD)
        OK(MPI_Comm_free(&comm));
    return join(between, 0, rank);
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD, parent;
    int turns = argc > 1 ? atoi(argv[1]) : 5, turn = 0, rank, size, number = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        turn = atoi(argv[2]) + 1;
        comm = join(parent, 1, atoi(argv[3]));
    }
    int first = 0;
    long kib = 0;
    for (;; turn++) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        EQUAL(size, 3);
        int sum = 0;
        OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL(sum, 3);
        if (turn == turns)
            break;
        if (turn == turns / 5) {
            first = descriptors();
            kib = resident_kib();
        }
        int dead = 1 + turn % (size - 1);
        if (rank == dead) {
            for (int i = 0; i < size; i++)
                if (i != rank)
                    MPI_Recv(&number, 1, MPI_INT, i, 1, comm, MPI_STATUS_IGNORE);
            raise(SIGKILL);
        }
        OK(MPI_Send(&number, 1, MPI_INT, dead, 1, comm));
        comm = replace(comm, dead, argv[0], turn, turns);
    }
    if (rank == 0 && turns >= 5) {
        CHECK(descriptors() <= first + 4);
        CHECK(resident_kib() - kib < 2048);
    }
    if (rank == 0 && getenv("ULFM_FIGURES"))
        printf("%d turns: descriptors %+d, %+ld KiB\n", turns, descriptors() - first,
            resident_kib() - kib);
    if (comm != MPI_COMM_WORLD)
        OK(MPI_Comm_free(&comm));
    MPI_Finalize();
    return 0;
}
