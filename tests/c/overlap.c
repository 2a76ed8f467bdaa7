// np: 2
// alone
// mpirun: --mca btl_tcp_progress_thread 1
/* With a progress thread, what is under way arrives while one of the two ranks computes: the
 * other one's blocking call ends long before. */
#include "check.h"

enum { BYTES = 16 << 20, SMALL = 20000 };
static const double COMPUTE_S = 1.0, SOON_S = 0.6;

static void compute(void)
{
    volatile double sink = 0;
    double end = MPI_Wtime() + COMPUTE_S;
    while (MPI_Wtime() < end)
        for (int i = 0; i < 1000; i++)
            sink += i;
}

static void soon(double start, const char *what)
{
    double took = MPI_Wtime() - start;
    if (took > SOON_S)
        check_failed(__FILE__, __LINE__, what, (long long)(took * 1e6), (long long)(SOON_S * 1e6));
}

/* `from` sends, and `busy` (one of the two) computes meanwhile. */
static void transfer(unsigned char *data, int from, int busy, long seed)
{
    MPI_Request request;
    int to = 1 - from;
    if (rank == from)
        fill(data, BYTES, seed);
    if (rank == busy && rank == to)
        OK(MPI_Irecv(data, BYTES, MPI_BYTE, from, 1, MPI_COMM_WORLD, &request));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == busy) {
        if (rank == from)
            OK(MPI_Isend(data, BYTES, MPI_BYTE, to, 1, MPI_COMM_WORLD, &request));
        compute();
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        double start = MPI_Wtime();
        if (rank == from)
            OK(MPI_Send(data, BYTES, MPI_BYTE, to, 1, MPI_COMM_WORLD));
        else
            OK(MPI_Recv(data, BYTES, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        soon(start, "waited for a peer that computes (us, allowed)");
    }
    if (rank == to)
        for (size_t i = 0; i < BYTES; i++)
            EQUAL(data[i], pattern(seed, i));
}

int main(int argc, char **argv)
{
    unsigned char *data = malloc(BYTES);
    start(&argc, &argv);
    for (int round = 0; round < 4; round++)
        transfer(data, round & 1, round >> 1, round);
    /* The thread and the application take turns at the door. */
    for (int i = 0, got = -1; i < SMALL; i++) {
        if (rank == 0) {
            OK(MPI_Send(&i, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
            OK(MPI_Recv(&got, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL(got, i);
        } else {
            OK(MPI_Recv(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL(got, i);
            OK(MPI_Send(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD));
        }
    }
    free(data);
    return finish();
}
