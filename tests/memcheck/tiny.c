/* What memcheck has to be quiet on, of each kind a little: messages of several lengths into memory that
 * was never written, a collective, a window in memory of the program that its peers write to, and a file.
 * All that has come is looked at, so that a byte which memcheck takes for uninitialised is reported. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

/* Ends the job unless all bytes are `value`. */
static void is_all(const unsigned char *at, size_t bytes, unsigned char value, const char *what)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != value) {
            printf("rank %d: %s: byte %zu of %zu is wrong\n", rank, what, i, bytes);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

static void *filled(size_t bytes, unsigned char value)
{
    unsigned char *at = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        at[i] = value;
    return at;
}

static void messages(int bytes)
{
    unsigned char *out = filled((size_t)bytes, (unsigned char)rank), *in = malloc((size_t)bytes);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Request requests[2];
    MPI_Irecv(in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    is_all(in, (size_t)bytes, (unsigned char)from, "a message");
    free(in);
    free(out);
}

static void collectives(int bytes)
{
    unsigned char *out = filled((size_t)bytes, 1), *in = malloc((size_t)bytes * (size_t)ranks);
    MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    is_all(in, (size_t)bytes * (size_t)ranks, 1, "MPI_Allgather");
    MPI_Allreduce(out, in, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    is_all(in, (size_t)bytes, (unsigned char)ranks, "MPI_Allreduce");
    free(in);
    free(out);
}

static void windows(int bytes)
{
    unsigned char *out = filled((size_t)bytes, 7), *own = malloc((size_t)bytes), *in = malloc((size_t)bytes);
    int to = (rank + 1) % ranks;
    MPI_Win win;
    MPI_Win_create(own, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(out, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    is_all(own, (size_t)bytes, 7, "MPI_Put");
    MPI_Get(in, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    is_all(in, (size_t)bytes, 7, "MPI_Get");
    MPI_Win_free(&win);
    free(in);
    free(own);
    free(out);
}

static void files(const char *name, int bytes)
{
    unsigned char *out = filled((size_t)bytes, (unsigned char)rank), *in = malloc((size_t)bytes);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)bytes * rank, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, (MPI_Offset)bytes * ((rank + 1) % ranks), in, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    is_all(in, (size_t)bytes, (unsigned char)((rank + 1) % ranks), "MPI_File_read_at");
    MPI_File_close(&file);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int bytes = 1; bytes <= 1 << 20; bytes *= 32) {
        messages(bytes);
        collectives(bytes);
        windows(bytes);
    }
    files(argc > 1 ? argv[1] : "memcheck.data", 5000);
    MPI_Finalize();
    return 0;
}
