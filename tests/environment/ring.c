/* Messages whose connections cannot be made: `ring sendrecv|waitall free N` lets each rank have N
 * descriptors more than it has, `... refuse` has each refuse connections, as a firewall does. Each rank
 * of a ring comes to know that it cannot send while what it receives never comes. `ring gather free N`
 * does so to rank 0 alone, to which the others send. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

/* Ends listening: who connects from now on is refused. */
static void refuse(void)
{
    for (int fd = 3; fd < 1024; fd++) {
        int listens = 0;
        socklen_t length = sizeof listens;
        if (!getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) && listens)
            shutdown(fd, SHUT_RDWR);
    }
    usleep(200000);
}

static int gather(int rank, int ranks)
{
    int number = rank;
    if (rank > 0)
        MPI_Ssend(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int from = 1; from < ranks; from++)
            MPI_Recv(&number, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    int rank, ranks, out, in = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 3 && (rank == 0 || strcmp(argv[1], "gather")))
        take_descriptors(atoi(argv[3]));
    else if (argc <= 3)
        refuse();
    if (!strcmp(argv[1], "gather"))
        return gather(rank, ranks);
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
