// np: 2 3 4
// mpirun: --enable-recovery
// leaves handles
/* The last rank dies between collective writes: the others get an error that says so, and soon; a
 * lock or an access of their own still works, and nothing lies outside the ranges that were written. */
#include "check.h"

#include <mpi-ext.h>

#include <signal.h>
#include <unistd.h>

/* From the death to the error, in seconds. */
static const double PATIENCE = 1;
enum { BLOCK = 64, BLOCKS = 1000, ROUNDS = 3 };

int main(int argc, char **argv)
{
    static unsigned char mine[BLOCKS * BLOCK];
    char path[256];
    MPI_File file;
    MPI_Datatype tile;
    MPI_Info info;
    MPI_Offset size;
    start(&argc, &argv);
    int error = MPI_SUCCESS;
    unique_name(path, sizeof path, "files-dead");
    OK(MPI_Info_create(&info));
    /* All ranks exchange data: a process alone would not notice. */
    OK(MPI_Info_set(info, "romio_cb_write", "enable"));
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
    OK(MPI_Type_vector(BLOCKS, BLOCK, ranks * BLOCK, MPI_BYTE, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * BLOCK, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    memset(mine, rank + 1, sizeof mine);
    double since = 0;
    for (int round = 0; round < 10000 && error == MPI_SUCCESS; round++) {
        if (round == ROUNDS && rank == ranks - 1)
            kill(getpid(), SIGKILL);
        if (round == ROUNDS)
            since = MPI_Wtime();
        error = MPI_File_write_at_all(file, 0, mine, sizeof mine, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    CHECK(MPI_Wtime() - since < PATIENCE);
    OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    OK(MPI_File_write_at(file, 0, mine, sizeof mine, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_get_size(file, &size));
    CHECK(size <= (MPI_Offset)ranks * BLOCKS * BLOCK);
    MPI_File_delete(path, MPI_INFO_NULL);
    EQUAL(class_of(MPI_File_close(&file)), MPIX_ERR_PROC_FAILED);
    CHECK(file == MPI_FILE_NULL);
    return finish();
}
