// np: 2
/* A communicator whose handle is freed before its persistent requests: they keep it, and freeing
 * the last of them closes it. */
#include "check.h"

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    int out = 40 + rank, in = -1;
    MPI_Request request[2];
    OK(MPI_Send_init(&out, 1, MPI_INT, 1 - rank, 5, comm, &request[0]));
    OK(MPI_Recv_init(&in, 1, MPI_INT, 1 - rank, 5, comm, &request[1]));
    OK(MPI_Comm_free(&comm));
    for (int round = 0; round < 3; round++) {
        in = -1;
        OK(MPI_Startall(2, request));
        OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        EQUAL(in, 40 + 1 - rank);
    }
    OK(MPI_Request_free(&request[0]));
    OK(MPI_Request_free(&request[1]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Finalize());
    return 0;
}
