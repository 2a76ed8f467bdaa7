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

/* Duplicates that do not block, beyond those that a count can name: rank 0, which names them, calls
 * when it knows that the others are through with their calls. */
static void started(MPI_Comm from, MPI_Comm *made, int count)
{
    MPI_Request *request = malloc(sizeof(MPI_Request) * count);
    int token = rank;
    if (rank == 0)
        for (int i = 1; i < ranks; i++)
            OK(MPI_Recv(&token, 1, MPI_INT, i, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
        OK(MPI_Comm_idup(from, &made[i], &request[i]));
    if (rank != 0)
        OK(MPI_Send(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD));
    OK(MPI_Waitall(count, request, MPI_STATUSES_IGNORE));
    free(request);
}

/* The same of an inter-communicator. */
static void between(void)
{
    enum { COUNT = 70 };
    MPI_Comm half, inter, made[COUNT];
    MPI_Request request[COUNT];
    int side = rank == 0;
    OK(MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 1 : 0, 9, &inter));
    for (int i = 0; i < COUNT; i++)
        OK(MPI_Comm_idup(inter, &made[i], &request[i]));
    OK(MPI_Waitall(COUNT, request, MPI_STATUSES_IGNORE));
    for (int i = COUNT - 1; i >= 0; i--) {
        int in = -1, out = i * ranks + rank, partner = 0;
        if (rank == 0 || rank == 1) {
            OK(MPI_Sendrecv(&out, 1, MPI_INT, partner, 1, &in, 1, MPI_INT, partner, 1, made[i],
                            MPI_STATUS_IGNORE));
            EQUAL(in, i * ranks + 1 - rank);
        }
    }
    for (int i = 0; i < COUNT; i++)
        OK(MPI_Comm_free(&made[i]));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm wide[WIDE], deep[DEEP], grown[WIDE], begun[WIDE], deeper[DEEP];
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
    started(wide[3], begun, WIDE);
    round_trip(begun, WIDE);
    for (int i = 0; i < DEEP; i++)
        started(i == 0 ? begun[0] : deeper[i - 1], &deeper[i], 1);
    round_trip(deeper, DEEP);
    if (ranks > 1)
        between();
    for (int i = 0; i < WIDE; i++) {
        OK(MPI_Comm_free(&wide[i]));
        OK(MPI_Comm_free(&grown[i]));
        OK(MPI_Comm_free(&begun[i]));
    }
    for (int i = 0; i < DEEP; i++) {
        OK(MPI_Comm_free(&deep[i]));
        OK(MPI_Comm_free(&deeper[i]));
    }
    return finish();
}
