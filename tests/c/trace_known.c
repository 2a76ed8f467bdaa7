// np: 4
/* Makes calls that a trace has to show in their order, with the right peers: see the step `trace`.
 *
 * Each rank sends rank + 1 ints to the next one with tag 7, receives from the one before, exchanges
 * with non-blocking calls, receives from anybody, starts a persistent send, and puts. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, sent[64] = {0}, received[64], token = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    if (rank == 0) {
        MPI_Send(sent, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
        MPI_Recv(received, 64, MPI_INT, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(received, 64, MPI_INT, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(sent, rank + 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    }
    if (argc > 1 && rank == atoi(argv[1])) {
        raise(9);
    }
    MPI_Request requests[2];
    MPI_Irecv(received, 64, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 2, MPI_INT, before, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm halves;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
    int half, halfs;
    MPI_Comm_rank(halves, &half);
    MPI_Comm_size(halves, &halfs);
    MPI_Sendrecv(sent, 3, MPI_INT, (half + 1) % halfs, 9, received, 64, MPI_INT,
                 (half + halfs - 1) % halfs, 9, halves, MPI_STATUS_IGNORE);
    MPI_Request again[2];
    MPI_Send_init(&token, 1, MPI_INT, next, 10, MPI_COMM_WORLD, &again[0]);
    MPI_Recv_init(received, 1, MPI_INT, before, 10, MPI_COMM_WORLD, &again[1]);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Startall(2, again);
        MPI_Waitall(2, again, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&again[0]);
    MPI_Request_free(&again[1]);
    if (rank == size - 1) {
        usleep(20000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&halves);
    MPI_Finalize();
    if (rank == 0) {
        puts("No Errors");
    }
    return 0;
}
