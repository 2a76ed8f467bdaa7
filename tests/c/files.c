// np: 1 2 4
// quick
/* Files: views against a picture of the file, pointers of all kinds, forms that do not block, atomic
 * mode, representations, and errors with the right class, after which the library goes on. */
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

#define BLOCK 7
#define BLOCKS 300

static char path[256];

static MPI_File opened(int mode)
{
    MPI_File file;
    OK(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file));
    return file;
}

/* Has all ranks see what all have written. */
static void synced(MPI_File file)
{
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_sync(file));
}

static int bytes_of(MPI_Status *status)
{
    int bytes;
    OK(MPI_Get_count(status, MPI_BYTE, &bytes));
    return bytes;
}

/* Ranks write blocks in turn, out of memory with gaps, and all read what the others wrote. */
static void interleaved(void)
{
    MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Datatype tile, gaps;
    MPI_Status status;
    MPI_Offset size, byte;
    unsigned char mine[BLOCKS][2 * BLOCK], *all = malloc(ranks * BLOCKS * BLOCK);
    for (int block = 0; block < BLOCKS; block++)
        fill(mine[block], BLOCK, rank * BLOCKS + block);
    OK(MPI_Type_vector(BLOCKS, BLOCK, ranks * BLOCK, MPI_BYTE, &tile));
    OK(MPI_Type_create_hvector(BLOCKS, BLOCK, 2 * BLOCK, MPI_BYTE, &gaps));
    OK(MPI_Type_commit(&tile));
    OK(MPI_Type_commit(&gaps));
    OK(MPI_File_set_view(file, 11 + rank * BLOCK, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    OK(MPI_File_get_byte_offset(file, BLOCK + 1, &byte));
    EQUAL(byte, 11 + rank * BLOCK + ranks * BLOCK + 1);
    OK(MPI_File_write_all(file, mine, 1, gaps, &status));
    EQUAL(bytes_of(&status), BLOCKS * BLOCK);
    synced(file);
    OK(MPI_File_get_size(file, &size));
    EQUAL(size, 11 + ranks * BLOCKS * BLOCK);
    OK(MPI_File_set_view(file, 11, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at_all(file, 0, all, ranks * BLOCKS * BLOCK, MPI_BYTE, &status));
    EQUAL(bytes_of(&status), ranks * BLOCKS * BLOCK);
    for (int block = 0; block < BLOCKS; block++)
        for (int of = 0; of < ranks; of++)
            FILLED(all + (block * ranks + of) * BLOCK, BLOCK, of * BLOCKS + block);
    /* Past the end there is nothing; the pointer stands where the data ended. */
    OK(MPI_File_seek(file, -3, MPI_SEEK_END));
    OK(MPI_File_read(file, all, 10, MPI_BYTE, &status));
    EQUAL(bytes_of(&status), 3);
    OK(MPI_File_get_position(file, &byte));
    EQUAL(byte, ranks * BLOCKS * BLOCK);
    /* What is read with gaps is sieved: the bytes between are not touched. */
    OK(MPI_File_set_view(file, 11 + rank * BLOCK, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    memset(mine, 0, sizeof mine);
    OK(MPI_File_read(file, mine, 1, gaps, &status));
    for (int block = 0; block < BLOCKS; block++) {
        FILLED(mine[block], BLOCK, rank * BLOCKS + block);
        for (int i = BLOCK; i < 2 * BLOCK; i++)
            EQUAL(mine[block][i], 0);
    }
    OK(MPI_Type_free(&tile));
    OK(MPI_Type_free(&gaps));
    OK(MPI_File_close(&file));
    CHECK(file == MPI_FILE_NULL);
    free(all);
}

/* Each write at the shared pointer gets a place of its own; ordered ones the one of its rank. */
static void shared(void)
{
    MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    int seen[4] = {0}, value;
    MPI_Offset at;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_File_set_size(file, 0));
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < 50; i++) {
        OK(MPI_File_iwrite_shared(file, &rank, 1, MPI_INT, &request));
        OK(MPI_Wait(&request, &status));
        EQUAL(bytes_of(&status), 4);
    }
    synced(file);
    OK(MPI_File_get_position_shared(file, &at));
    EQUAL(at, 50 * ranks);
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    for (int i = 0; i < 50; i++) {
        OK(MPI_File_read_shared(file, &value, 1, MPI_INT, &status));
        seen[value]++;
    }
    OK(MPI_Allreduce(MPI_IN_PLACE, seen, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int of = 0; of < 4; of++)
        EQUAL(seen[of], of < ranks ? 50 : 0);
    int many[8] = {rank, rank, rank, rank, rank, rank, rank, rank};
    OK(MPI_File_write_ordered_begin(file, many, rank + 1, MPI_INT));
    EQUAL(class_of(MPI_File_read_ordered_end(file, many, &status)), MPI_ERR_OTHER);
    OK(MPI_File_write_ordered_end(file, many, &status));
    EQUAL(bytes_of(&status), 4 * (rank + 1));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    at = 50 * ranks + rank * (rank + 1) / 2;
    OK(MPI_File_read_at(file, at, many, rank + 1, MPI_INT, &status));
    for (int i = 0; i <= rank; i++)
        EQUAL(many[i], rank);
    OK(MPI_File_close(&file));
    /* It is gone: also on another host of NFS, whose system asks the server only to open a file.
     * The next test makes it again. */
    EQUAL(class_of(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file)),
          MPI_ERR_NO_SUCH_FILE);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* In atomic mode who reads sees all of a write or nothing of it. */
static void atomic(void)
{
    MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    static unsigned char data[100000];
    int flag;
    OK(MPI_File_set_atomicity(file, 1));
    OK(MPI_File_get_atomicity(file, &flag));
    EQUAL(flag, 1);
    memset(data, 77, sizeof data);
    if (rank == 0)
        OK(MPI_File_write_at(file, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 50; i++) {
        memset(data, rank == 0 ? i : 0, sizeof data);
        if (rank == 0) {
            OK(MPI_File_write_at(file, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE));
        } else {
            OK(MPI_File_read_at(file, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE));
            for (size_t at = 1; at < sizeof data; at++)
                EQUAL(data[at], data[0]);
        }
    }
    OK(MPI_File_close(&file));
}

/* A representation that holds an int as 8 bytes, one more than it is. */
static int extent_of(MPI_Datatype type, MPI_Aint *extent, void *state)
{
    (void)state;
    *extent = type == MPI_INT ? 8 : 1;
    return MPI_SUCCESS;
}

static int to_file(void *memory, MPI_Datatype type, int count, void *data, MPI_Offset position,
                   void *state)
{
    (void)type;
    ++*(int *)state;
    for (int i = 0; i < count; i++) {
        long long value = ((int *)memory)[position + i] + 1LL;
        memcpy((char *)data + 8 * i, &value, 8);
    }
    return MPI_SUCCESS;
}

static int from_file(void *memory, MPI_Datatype type, int count, void *data, MPI_Offset position,
                     void *state)
{
    (void)type;
    (void)state;
    for (int i = 0; i < count; i++) {
        long long value;
        memcpy(&value, (char *)data + 8 * i, 8);
        ((int *)memory)[position + i] = (int)(value - 1);
    }
    return MPI_SUCCESS;
}

static void representations(void)
{
    MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    int calls = 0, values[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, back[3] = {0};
    unsigned char raw[12];
    char name[MPI_MAX_DATAREP_STRING];
    long long wide[3];
    MPI_Aint extent;
    MPI_Offset at;
    MPI_Datatype etype, filetype;
    OK(MPI_Register_datarep("one_more", from_file, to_file, extent_of, &calls));
    EQUAL(class_of(MPI_Register_datarep("one_more", from_file, to_file, extent_of, NULL)),
          MPI_ERR_DUP_DATAREP);
    EQUAL(class_of(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "unheard", MPI_INFO_NULL)),
          MPI_ERR_UNSUPPORTED_DATAREP);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "one_more", MPI_INFO_NULL));
    OK(MPI_File_get_type_extent(file, MPI_INT, &extent));
    EQUAL(extent, 8);
    OK(MPI_File_write_at_all(file, 3 * rank, values, 3, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(calls > 0);
    OK(MPI_File_get_byte_offset(file, 3, &at));
    EQUAL(at, 24);
    OK(MPI_File_read_at(file, 3 * rank, back, 3, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++)
        EQUAL(back[i], values[i]);
    OK(MPI_File_get_view(file, &at, &etype, &filetype, name));
    CHECK(strcmp(name, "one_more") == 0 && etype == MPI_INT && filetype == MPI_INT);
    OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(file, 24 * rank, wide, 24, MPI_BYTE, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++)
        EQUAL(wide[i], values[i] + 1);
    /* What rank 0 stores here lies where another rank's bytes of above are looked at. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    values[0] = 0x01020304;
    OK(MPI_File_write_at(file, 3 * rank, values, 3, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(file, 12 * rank, raw, 12, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK(raw[0] == 1 && raw[1] == 2 && raw[2] == 3 && raw[3] == 4);
    OK(MPI_File_close(&file));
}

static void large(void)
{
    MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Offset far = 5LL << 40, size;
    int back = -1;
    OK(MPI_File_write_at(file, far + 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_read_at(file, far + 4 * rank, &back, 1, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(back, rank);
    synced(file);
    OK(MPI_File_get_size(file, &size));
    EQUAL(size, far + 4 * ranks);
    OK(MPI_File_close(&file));
}

static int open_fails(const char *name, int mode)
{
    MPI_File file;
    int class = class_of(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file));
    CHECK(file == MPI_FILE_NULL);
    return class;
}

static void failures(void)
{
    MPI_File file;
    MPI_Status status;
    char text[MPI_MAX_ERROR_STRING];
    int length, data = 1, mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    EQUAL(open_fails("/no/such/folder/file", mode), MPI_ERR_NO_SUCH_FILE);
    EQUAL(open_fails(path, MPI_MODE_RDONLY), MPI_ERR_NO_SUCH_FILE);
    EQUAL(open_fails("/tmp", MPI_MODE_RDONLY), MPI_ERR_BAD_FILE);
    EQUAL(open_fails(path, MPI_MODE_RDONLY | MPI_MODE_CREATE), MPI_ERR_AMODE);
    if (ranks > 1)
        EQUAL(open_fails(path, mode | (rank ? MPI_MODE_APPEND : 0)), MPI_ERR_NOT_SAME);
    EQUAL(class_of(MPI_File_delete(path, MPI_INFO_NULL)), MPI_ERR_NO_SUCH_FILE);
    file = opened(mode | MPI_MODE_EXCL);
    EQUAL(open_fails(path, mode | MPI_MODE_EXCL), MPI_ERR_FILE_EXISTS);
    EQUAL(class_of(MPI_File_read_at(file, -1, &data, 1, MPI_INT, &status)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_File_seek(file, -1, MPI_SEEK_SET)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_File_seek(file, 0, -1)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_File_set_size(file, -1)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_File_write(file, &data, -1, MPI_INT, &status)), MPI_ERR_COUNT);
    /* One rank with a wrong argument keeps nobody waiting. */
    int wrong = rank == ranks - 1 ? -1 : 1;
    int code = MPI_File_write_at_all(file, 4 * rank, &data, wrong, MPI_INT, &status);
    EQUAL(class_of(code), wrong == -1 ? MPI_ERR_COUNT : MPI_SUCCESS);
    code = MPI_File_write_ordered(file, &data, wrong, MPI_INT, &status);
    EQUAL(class_of(code), wrong == -1 ? MPI_ERR_COUNT : MPI_SUCCESS);
    OK(MPI_File_close(&file));
    file = opened(MPI_MODE_RDONLY);
    EQUAL(class_of(MPI_File_write(file, &data, 1, MPI_INT, &status)), MPI_ERR_READ_ONLY);
    OK(MPI_File_close(&file));
    EQUAL(class_of(MPI_File_close(&file)), MPI_ERR_FILE);
    /* A device that is full. */
    OK(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    code = MPI_File_write(file, &data, 1, MPI_INT, &status);
    EQUAL(class_of(code), MPI_ERR_NO_SPACE);
    OK(MPI_Error_string(code, text, &length));
    CHECK(strstr(text, "write bytes 0 to 4 of `/dev/full`: No space left on device") != NULL);
    OK(MPI_File_close(&file));
    /* A limit of the user: no signal ends the process. */
    struct rlimit before, small;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 100;
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    file = opened(MPI_MODE_RDWR);
    static char much[200];
    EQUAL(class_of(MPI_File_write_at(file, 0, much, 200, MPI_BYTE, &status)), MPI_ERR_IO);
    EQUAL(class_of(MPI_File_set_size(file, 101)), MPI_ERR_IO);
    OK(MPI_File_write_at(file, 0, much, 100, MPI_BYTE, &status));
    OK(MPI_File_close(&file));
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    if (rank == 0)
        OK(MPI_File_delete(path, MPI_INFO_NULL));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static int calls;
static MPI_File failed;

static void count_error(MPI_File *file, int *code, ...)
{
    (void)code;
    calls++;
    failed = *file;
}

/* A file's errors go to its own handler, those without a file to that of MPI_FILE_NULL. */
static void handlers(void)
{
    MPI_Errhandler handler;
    MPI_File file;
    int data = 0;
    OK(MPI_File_create_errhandler(count_error, &handler));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    CHECK(open_fails("/no/such/folder/file", MPI_MODE_RDONLY) == MPI_ERR_NO_SUCH_FILE);
    CHECK(calls == 1 && failed == MPI_FILE_NULL);
    file = opened(MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
    CHECK(class_of(MPI_File_read(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ACCESS);
    CHECK(calls == 2 && failed == file);
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    OK(MPI_File_close(&file));
    OK(MPI_Errhandler_free(&handler));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    unique_name(path, sizeof path, "files");
    interleaved();
    shared();
    atomic();
    representations();
    large();
    failures();
    handlers();
    return finish();
}
