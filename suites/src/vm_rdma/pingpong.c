/* A ping-pong of two ranks over sizes that take every protocol, up to one that no single message of
 * the device holds, or to the size given. Each byte that comes is checked, and depends on the size
 * and on the round. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const int BYTES[] = {0,     1,      8,       192,     193,     1024, 4096,
                            16385, 65536, 262144, 1048577, 8388608, 9437184};

enum { SIZES = sizeof BYTES / sizeof BYTES[0], TAG = 7 };

static unsigned char pattern(int size, int round, int i)
{
    return (unsigned char)(i * 7 + (i >> 8) + round * 31 + size * 3);
}

static void fill(unsigned char *data, int size, int round)
{
    for (int i = 0; i < BYTES[size]; i++)
        data[i] = pattern(size, round, i);
}

static void check(const unsigned char *data, int size, int round)
{
    for (int i = 0; i < BYTES[size]; i++) {
        if (data[i] != pattern(size, round, i)) {
            printf("%d bytes, round %d: byte %d is %d\n", BYTES[size], round, i, data[i]);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static void bounce(unsigned char *data, int size, int round, int rank)
{
    if (rank == 0) {
        fill(data, size, round);
        MPI_Send(data, BYTES[size], MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        fill(data, size, round + 1);
        MPI_Recv(data, BYTES[size], MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(data, size, round);
    } else {
        MPI_Recv(data, BYTES[size], MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(data, size, round);
        MPI_Send(data, BYTES[size], MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, sizes = 0;
    MPI_Init(&argc, &argv);
    long most = argc > 1 ? atol(argv[1]) : BYTES[SIZES - 1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    unsigned char *data = malloc((size_t)BYTES[SIZES - 1]);
    if (ranks != 2 || data == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (; sizes < SIZES && BYTES[sizes] <= most; sizes++) {
        int size = sizes, rounds = BYTES[size] > 100000 ? 2 : 20;
        double from = MPI_Wtime();
        for (int round = 0; round < rounds; round++)
            bounce(data, size, round, rank);
        if (rank == 0)
            printf("%d bytes: %.0f us\n", BYTES[size], (MPI_Wtime() - from) / rounds / 2 * 1e6);
    }
    free(data);
    MPI_Finalize();
    if (rank == 0)
        printf("summary %d sizes up to %d bytes\n", sizes, BYTES[sizes - 1]);
    return 0;
}
