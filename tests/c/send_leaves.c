// np: 3
// alone
/* A message whose send has returned arrives although its sender is not in MPI any more: the first to
 * a peer, blocking or not, and the last of many that are more than the network takes in. */
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { AWAY_S = 1, MANY = 160, BYTES = 60000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The connection is made while the sender waits, not when it comes back. */
static void first(void)
{
    int value = 41;
    if (rank == 0) {
        MPI_Request request;
        OK(MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD));
        OK(MPI_Isend(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        sleep(AWAY_S);
    } else {
        double begin = now();
        value = 0;
        OK(MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(value, 41);
        CHECK(now() - begin < AWAY_S / 2.0);
    }
}

/* More than the network takes in while nobody receives. */
static void many(void)
{
    char *data = malloc(BYTES);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        for (int i = 0; i < MANY; i++) {
            memset(data, i, BYTES);
            OK(MPI_Send(data, BYTES, MPI_BYTE, 1, i, MPI_COMM_WORLD));
        }
        sleep(AWAY_S);
    } else if (rank == 1) {
        usleep(300 * 1000);
        double begin = now();
        for (int i = 0; i < MANY; i++) {
            OK(MPI_Recv(data, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL(data[0], (char)i);
            EQUAL(data[BYTES - 1], (char)i);
        }
        CHECK(now() - begin < AWAY_S / 2.0);
    }
    free(data);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    first();
    many();
    return finish();
}
