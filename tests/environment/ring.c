/* A ring of messages whose connections cannot be made: `ring sendrecv|waitall free N` lets each rank
 * have N descriptors more than it has, `... cut` takes the network away. Each rank comes to know that
 * it cannot send while what it receives never comes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void take_descriptors(int left)
{
    int next = dup(0);
    struct rlimit limit;
    close(next);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = (rlim_t)(next + left);
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    int rank, ranks, out, in = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 3)
        take_descriptors(atoi(argv[3]));
    else if (rank == 0 && system("ip link set lo down"))
        return 9;
    else
        usleep(200000);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    out = rank;
    if (!strcmp(argv[1], "sendrecv")) {
        MPI_Sendrecv(&out, 1, MPI_INT, to, 0, &in, 1, MPI_INT, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    } else {
        MPI_Request request[2];
        MPI_Irecv(&in, 1, MPI_INT, from, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    if (in != from)
        return 8;
    MPI_Finalize();
    return 0;
}
