/* What the tool is tried on: rank r sends r + 1 messages to its neighbour by MPI_Send. */
#include "../c/check.h"

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Request request;
    for (int i = 0; i < ranks; i++) {
        int word = rank * 10 + i, in = -1;
        if (i <= from)
            OK(MPI_Irecv(&in, 1, MPI_INT, from, i, MPI_COMM_WORLD, &request));
        if (i <= rank)
            OK(MPI_Send(&word, 1, MPI_INT, to, i, MPI_COMM_WORLD));
        if (i <= from) {
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            EQUAL(in, from * 10 + i);
        }
    }
    return finish();
}
