/* striped NAME: all ranks create a file with stripes, and write it. */
#include "../c/check.h"

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_File file;
    start(&argc, &argv);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "striping_factor", "5"));
    OK(MPI_Info_set(info, "striping_unit", "1048576"));
    OK(MPI_Info_set(info, "start_iodevice", "2"));
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    OK(MPI_File_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "", mode, info, &file));
    OK(MPI_Info_free(&info));
    OK(MPI_File_write_at_all(file, rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    return finish();
}
