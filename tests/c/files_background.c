// np: 1 2 3
// quick
/* Accesses to files that go on while the program does something else: long ones of every pointer,
 * with gaps on either side, past the end, refused; awaited alone, together, by tests, and beside
 * messages that a sleeping process waits for. Programs end with accesses whose requests were freed. */
#include <unistd.h>

#include "check.h"

enum { LONG = 3 << 20, PARTS = 12, PART = LONG / PARTS };

static char path[256];
static unsigned char *data, *back;

static MPI_File opened(void)
{
    MPI_File file;
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    return file;
}

static void ended(MPI_Request *request, int bytes)
{
    MPI_Status status;
    int count;
    OK(MPI_Wait(request, &status));
    OK(MPI_Get_count(&status, MPI_BYTE, &count));
    EQUAL(count, bytes);
}

static void by_position(void)
{
    MPI_File file = opened();
    MPI_Request requests[PARTS];
    MPI_Status statuses[PARTS];
    MPI_Offset base = (MPI_Offset)rank * LONG, at;
    int flag = 0, count;
    fill(data, LONG, rank);
    for (int i = 0; i < PARTS; i++)
        OK(MPI_File_iwrite_at(file, base + (MPI_Offset)i * PART, data + i * PART, PART, MPI_BYTE,
                              &requests[i]));
    OK(MPI_Waitall(PARTS, requests, statuses));
    for (int i = 0; i < PARTS; i++) {
        OK(MPI_Get_count(&statuses[i], MPI_BYTE, &count));
        EQUAL(count, PART);
    }
    memset(back, 0, LONG);
    OK(MPI_File_iread_at(file, base, back, LONG, MPI_BYTE, &requests[0]));
    while (!flag)
        OK(MPI_Test(&requests[0], &flag, &statuses[0]));
    FILLED(back, LONG, rank);
    /* The individual pointer moves when the access begins, by all of it. */
    OK(MPI_File_seek(file, base, MPI_SEEK_SET));
    memset(back, 0, LONG);
    OK(MPI_File_iread(file, back, LONG, MPI_BYTE, &requests[0]));
    OK(MPI_File_get_position(file, &at));
    EQUAL(at, base + LONG);
    ended(&requests[0], LONG);
    FILLED(back, LONG, rank);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* Past the end there is nothing. */
    OK(MPI_File_iread_at(file, (MPI_Offset)ranks * LONG - 100001, back, LONG, MPI_BYTE, &requests[0]));
    ended(&requests[0], 100001);
    OK(MPI_File_iread_at(file, (MPI_Offset)ranks * LONG, back, LONG, MPI_BYTE, &requests[0]));
    ended(&requests[0], 0);
    OK(MPI_File_close(&file));
}

/* Data with gaps in memory, in the file, and in both. */
static void with_gaps(void)
{
    MPI_File file = opened();
    MPI_Datatype tile, block, memory;
    MPI_Request requests[2];
    int blocks = LONG / 2 / 1000;
    OK(MPI_Type_vector(blocks, 1000, 2000, MPI_BYTE, &memory));
    OK(MPI_Type_commit(&memory));
    OK(MPI_Type_contiguous(1000, MPI_BYTE, &block));
    OK(MPI_Type_create_resized(block, 0, 1000 * ranks, &tile));
    OK(MPI_Type_free(&block));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * 1000, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    fill(data, LONG, 50 + rank);
    OK(MPI_File_iwrite_at(file, 0, data, 1, memory, &requests[0]));
    ended(&requests[0], blocks * 1000);
    memset(back, 0, LONG);
    OK(MPI_File_iread_at(file, 0, back, blocks * 1000, MPI_BYTE, &requests[0]));
    OK(MPI_File_iread_at(file, 0, back + LONG, 1, memory, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int block = 0; block < blocks; block++) {
        EQUAL(memcmp(back + block * 1000, data + block * 2000, 1000), 0);
        EQUAL(memcmp(back + LONG + block * 2000, data + block * 2000, 1000), 0);
    }
    OK(MPI_File_set_atomicity(file, 1));
    OK(MPI_File_iwrite_at(file, 0, data, 1, memory, &requests[0]));
    OK(MPI_File_iread_at(file, 0, back, 1, memory, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Type_free(&tile));
    OK(MPI_Type_free(&memory));
    OK(MPI_File_close(&file));
}

/* The shared pointer gives each access its own part. */
static void by_shared_pointer(void)
{
    MPI_File file = opened();
    MPI_Request request;
    int *seen = calloc(ranks, sizeof *seen);
    OK(MPI_File_set_size(file, 0));
    OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    memset(data, rank, LONG);
    OK(MPI_File_iwrite_shared(file, data, LONG, MPI_BYTE, &request));
    ended(&request, LONG);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int of = 0; of < ranks; of++) {
        OK(MPI_File_read_at(file, (MPI_Offset)of * LONG, back, LONG, MPI_BYTE, MPI_STATUS_IGNORE));
        for (int i = 1; i < LONG; i++)
            EQUAL(back[i], back[0]);
        seen[back[0]]++;
    }
    for (int of = 0; of < ranks; of++)
        EQUAL(seen[of], 1);
    free(seen);
    OK(MPI_File_close(&file));
}

/* A process that sleeps in a receive is woken by its message, whether its accesses end before. */
static void beside_messages(void)
{
    MPI_File file = opened();
    MPI_Request requests[3];
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, token = rank;
    double began = MPI_Wtime();
    for (int round = 0; round < 20; round++) {
        OK(MPI_File_iread_at(file, 0, back, LONG, MPI_BYTE, &requests[0]));
        OK(MPI_Irecv(&token, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[1]));
        if (rank == 0)
            usleep(3000);
        OK(MPI_Isend(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[2]));
        if (round % 2)
            OK(MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE));
        OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
        EQUAL(token, before);
    }
    CHECK(MPI_Wtime() - began < 20);
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Request request;
    start(&argc, &argv);
    unique_name(path, sizeof path, "files-background");
    data = malloc(2 * LONG);
    back = malloc(2 * LONG);
    by_position();
    with_gaps();
    by_shared_pointer();
    beside_messages();
    /* What cannot be is refused at the start, or by the request. */
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    int error = MPI_File_iwrite_at(file, 0, data, LONG, MPI_BYTE, &request);
    if (error == MPI_SUCCESS)
        error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(class_of(error), MPI_ERR_READ_ONLY);
    OK(MPI_File_close(&file));
    /* Nobody waits for the last access. */
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    OK(MPI_File_iread_at(file, 0, back, LONG, MPI_BYTE, &request));
    OK(MPI_Request_free(&request));
    OK(MPI_File_close(&file));
    int done = finish();
    free(data);
    free(back);
    return done;
}
