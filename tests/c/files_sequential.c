// np: 1 2 3
/* A file that was opened with MPI_MODE_SEQUENTIAL has no positions: whatever moves a pointer, names
 * an offset or changes the size is an error at all ranks, and what is written by the shared file
 * pointer stays where it is. */
#include "check.h"

static MPI_File file;

static void refused(int code)
{
    EQUAL(class_of(code), MPI_ERR_UNSUPPORTED_OPERATION);
}

static void ordered(void)
{
    char mine = (char)('a' + rank);
    OK(MPI_File_write_ordered(file, &mine, 1, MPI_CHAR, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    char name[256], byte = 0, text[32] = "";
    MPI_Offset at, size;
    MPI_Status status;
    start(&argc, &argv);
    unique_name(name, sizeof name, "sequential");
    OK(MPI_File_open(MPI_COMM_WORLD, name,
                     MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file));
    ordered();
    refused(MPI_File_seek(file, 0, MPI_SEEK_SET));
    refused(MPI_File_get_position(file, &at));
    refused(MPI_File_get_byte_offset(file, 0, &at));
    refused(MPI_File_write(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    refused(MPI_File_write_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    refused(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    refused(MPI_File_seek_shared(file, 0, MPI_SEEK_END));
    refused(MPI_File_set_size(file, 0));
    refused(MPI_File_preallocate(file, 1000));
    ordered();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_get_size(file, &size));
    EQUAL(size, 2 * ranks);
    OK(MPI_File_close(&file));
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &file));
    OK(MPI_File_read_at(file, 0, text, sizeof text, MPI_CHAR, &status));
    for (int i = 0; i < 2 * ranks; i++)
        EQUAL(text[i], 'a' + i % ranks);
    OK(MPI_File_close(&file));
    return finish();
}
