// np: 1 2 3
/* Duplicates in numbers and in depth: each keeps its messages to itself, whether its context came
 * from a count or from a message. */
#include "check.h"

enum { WIDE = 150, DEEP = 6 };

/* Sends a number to the right in every communicator, in one order, and receives in another. */
static void round_trip(MPI_Comm *comm, int count)
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    MPI_Request *request = malloc(sizeof(MPI_Request) * count);
    int *out = malloc(sizeof(int) * count);
    for (int i = 0; i < count; i++) {
        out[i] = 1000 * i + rank;
        OK(MPI_Isend(&out[i], 1, MPI_INT, right, 3, comm[i], &request[i]));
    }
    for (int i = count - 1; i >= 0; i--) {
        int in = -1;
        OK(MPI_Recv(&in, 1, MPI_INT, left, 3, comm[i], MPI_STATUS_IGNORE));
        EQUAL(in, 1000 * i + left);
    }
    OK(MPI_Waitall(count, request, MPI_STATUSES_IGNORE));
    free(out);
    free(request);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm wide[WIDE], deep[DEEP], grown[WIDE];
    for (int i = 0; i < WIDE; i++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &wide[i]));
    for (int i = 0; i < DEEP; i++)
        OK(MPI_Comm_dup(i == 0 ? MPI_COMM_WORLD : deep[i - 1], &deep[i]));
    for (int i = 0; i < WIDE; i++)
        OK(MPI_Comm_dup(wide[1], &grown[i]));
    round_trip(wide, WIDE);
    round_trip(deep, DEEP);
    round_trip(grown, WIDE);
    MPI_Comm mixed[3] = {wide[2], grown[2], deep[2]};
    round_trip(mixed, 3);
    for (int i = 0; i < WIDE; i++) {
        OK(MPI_Comm_free(&wide[i]));
        OK(MPI_Comm_free(&grown[i]));
    }
    for (int i = 0; i < DEEP; i++)
        OK(MPI_Comm_free(&deep[i]));
    return finish();
}
