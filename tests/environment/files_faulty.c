/* files_faulty PATH CLASS: all ranks write and read a file by every kind of access. Where CLASS is
 * MPI_SUCCESS all must go well; otherwise at least one rank gets an error of that class from each
 * collective write and none of another, soon, the calls after it go on, and the file is closed. */
#include "../c/check.h"

#include <unistd.h>

enum { BLOCK = 100, BLOCKS = 3000, BYTES = BLOCK * BLOCKS };

/* How many errors the ranks got; each must be of the class. */
static int errors(int code, int class)
{
    int mine = code != MPI_SUCCESS, all;
    if (mine)
        EQUAL(class_of(code), class);
    OK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

static void access_all(const char *path, const char *aggregated, int class, unsigned char *data)
{
    MPI_Info info;
    MPI_File file;
    MPI_Datatype block, tile;
    MPI_Request request;
    int bad = class != MPI_SUCCESS;
    double began = MPI_Wtime();
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "romio_cb_write", aggregated));
    OK(MPI_Info_set(info, "romio_cb_read", aggregated));
    OK(MPI_Info_set(info, "cb_buffer_size", "100000"));
    int code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    OK(MPI_Info_free(&info));
    if (class == MPI_ERR_READ_ONLY || class == MPI_ERR_NO_SUCH_FILE) {
        EQUAL(errors(code, class), ranks);
        return;
    }
    OK(code);
    OK(MPI_Type_contiguous(BLOCK, MPI_BYTE, &block));
    OK(MPI_Type_create_resized(block, 0, BLOCK * ranks, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * BLOCK, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    fill(data, BYTES, rank);
    int failed = errors(MPI_File_write_at_all(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE), class);
    CHECK(bad ? failed > 0 : failed == 0);
    OK(MPI_File_iwrite_at_all(file, 0, data, BYTES, MPI_BYTE, &request));
    failed = errors(MPI_Wait(&request, MPI_STATUS_IGNORE), class);
    CHECK(bad ? failed > 0 : failed == 0);
    OK(MPI_File_iwrite_at(file, 0, data, BYTES, MPI_BYTE, &request));
    failed = errors(MPI_Wait(&request, MPI_STATUS_IGNORE), class);
    CHECK(bad ? failed > 0 : failed == 0);
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (!bad) {
        memset(data, 0, BYTES);
        OK(MPI_File_read_at_all(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
        FILLED(data, BYTES, rank);
        memset(data, 0, BYTES);
        OK(MPI_File_read_at(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
        FILLED(data, BYTES, rank);
        /* A file that is removed meanwhile stays what it is to those that have it open. */
        if (rank == 0)
            unlink(path);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_File_write_at_all(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_File_read_at(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
        FILLED(data, BYTES, rank);
    }
    OK(MPI_Type_free(&block));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
    CHECK(MPI_Wtime() - began < 10);
    if (rank == 0)
        unlink(path);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int class;
    } classes[] = {{"MPI_SUCCESS", MPI_SUCCESS},         {"MPI_ERR_IO", MPI_ERR_IO},
                   {"MPI_ERR_NO_SPACE", MPI_ERR_NO_SPACE}, {"MPI_ERR_READ_ONLY", MPI_ERR_READ_ONLY}};
    int class = -1;
    start(&argc, &argv);
    if (argc != 3)
        return 2;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(argv[2], classes[i].name) == 0)
            class = classes[i].class;
    CHECK(class >= 0);
    unsigned char *data = malloc(BYTES);
    access_all(argv[1], "enable", class, data);
    access_all(argv[1], "disable", class, data);
    free(data);
    return finish();
}
