// np: 2 4
/* Ranks write runs of a few bytes in the same pages of a file, which all have read before, with
 * calls of their own: no run is lost, wherever the ranks run and whatever their machines cache. */
#include <unistd.h>

#include "check.h"

enum { RUN = 100, RUNS = 60, ROUNDS = 2 };

static char path[256];

int main(int argc, char **argv)
{
    MPI_File file;
    start(&argc, &argv);
    unique_name(path, sizeof path, "files-pages");
    size_t size = (size_t)RUN * RUNS * (size_t)ranks;
    unsigned char *all = calloc(size, 1), *run = calloc(RUN, 1);
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    if (rank == 0)
        OK(MPI_File_write_at(file, 0, all, (int)size, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_sync(file));
    for (int round = 0; round < ROUNDS; round++) {
        OK(MPI_File_read_at(file, 0, all, (int)size, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < RUNS; i++) {
            MPI_Offset at = RUN * ((MPI_Offset)i * ranks + (rank + round) % ranks);
            memset(run, 1 + (round * 31 + i * 7 + rank) % 255, RUN);
            OK(MPI_File_write_at(file, at, run, RUN, MPI_BYTE, MPI_STATUS_IGNORE));
        }
        OK(MPI_File_sync(file));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_File_sync(file));
        MPI_Status status;
        int count;
        memset(all, 0, size);
        OK(MPI_File_read_at(file, 0, all, (int)size, MPI_BYTE, &status));
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        EQUAL(count, (int)size);
        for (int i = 0; i < RUNS; i++)
            for (int of = 0; of < ranks; of++)
                for (int byte = 0; byte < RUN; byte++) {
                    size_t at = (size_t)RUN * (size_t)(i * ranks + (of + round) % ranks) + (size_t)byte;
                    EQUAL(all[at], 1 + (round * 31 + i * 7 + of) % 255);
                }
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    /* The size that one machine has set is seen by the others. */
    MPI_Offset found;
    if (rank == 0)
        OK(MPI_File_write_at(file, (MPI_Offset)size, run, RUN, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_sync(file));
    OK(MPI_File_get_size(file, &found));
    EQUAL(found, (MPI_Offset)size + RUN);
    OK(MPI_File_close(&file));
    if (rank == 0)
        unlink(path);
    free(all);
    free(run);
    return finish();
}
