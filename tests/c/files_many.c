// np: 1 2
/* Many small records and many openings leave no descriptor and no lock behind; a sparse file of
 * 5 TiB is accessed at its end, alone and together, by views that reach there. */
#include <dirent.h>
#include <unistd.h>

#include "check.h"

enum { OPENINGS = 1000 };

/* Records of each rank: a hundred thousand, or the first argument. */
static int records_of_rank = 100000;

static char path[256];

static int descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    CHECK(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static MPI_File opened(MPI_Info info)
{
    MPI_File file;
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
    return file;
}

/* Records of 8 bytes of each rank in turn, out of memory with gaps; 3 bytes are nobody's. */
static void records(int aggregated)
{
    MPI_Info info;
    MPI_Datatype tile, record, memory;
    MPI_Status status;
    MPI_Offset size;
    int count;
    unsigned char *mine = malloc(records_of_rank * 16), *back = malloc(records_of_rank * 16);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "romio_cb_write", aggregated ? "enable" : "disable"));
    OK(MPI_Info_set(info, "romio_cb_read", aggregated ? "enable" : "disable"));
    OK(MPI_Info_set(info, "cb_buffer_size", "1000000"));
    MPI_File file = opened(info);
    OK(MPI_Info_free(&info));
    OK(MPI_File_set_size(file, 0));
    OK(MPI_Type_contiguous(8, MPI_BYTE, &record));
    OK(MPI_Type_create_resized(record, 0, 11 * ranks, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_Type_vector(records_of_rank, 8, 16, MPI_BYTE, &memory));
    OK(MPI_Type_commit(&memory));
    fill(mine, records_of_rank * 16, rank);
    OK(MPI_File_set_view(file, 11 * rank, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    OK(MPI_File_write_all(file, mine, 1, memory, &status));
    OK(MPI_Get_count(&status, MPI_BYTE, &count));
    EQUAL(count, records_of_rank * 8);
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    memset(back, 0, records_of_rank * 16);
    OK(MPI_File_read_at_all(file, 0, back, 1, memory, &status));
    for (int i = 0; i < records_of_rank; i++) {
        EQUAL(memcmp(back + i * 16, mine + i * 16, 8), 0);
        EQUAL(back[i * 16 + 8], 0);
    }
    OK(MPI_File_get_size(file, &size));
    EQUAL(size, 11LL * ranks * records_of_rank - 3);
    OK(MPI_Type_free(&record));
    OK(MPI_Type_free(&tile));
    OK(MPI_Type_free(&memory));
    OK(MPI_File_close(&file));
    free(mine);
    free(back);
}

static void far_away(void)
{
    MPI_Offset end = 5LL << 40, size, at;
    MPI_Datatype int2, tile;
    MPI_File file = opened(MPI_INFO_NULL);
    int value = rank, found = -1;
    OK(MPI_File_set_size(file, end));
    OK(MPI_File_get_size(file, &size));
    EQUAL(size, end);
    OK(MPI_File_write_at_all(file, end - 4 * (rank + 1), &value, 4, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* One int of each 1 MiB: the last tile is number 5 * 2^20 - 1. */
    OK(MPI_Type_create_resized(MPI_INT, 0, 1 << 20, &int2));
    OK(MPI_Type_dup(int2, &tile));
    OK(MPI_Type_commit(&tile));
    MPI_Offset lead = (1 << 20) - 4 * (rank + 1);
    OK(MPI_File_set_view(file, lead, MPI_INT, tile, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at_all(file, (5 << 20) - 1, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(found, rank);
    OK(MPI_File_get_byte_offset(file, (5 << 20) - 1, &at));
    EQUAL(at, end - 4 * (rank + 1));
    OK(MPI_File_seek(file, -1, MPI_SEEK_END));
    OK(MPI_File_get_position(file, &at));
    EQUAL(at, (5 << 20) - 1);
    OK(MPI_Type_free(&int2));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    MPI_File file;
    start(&argc, &argv);
    if (argc > 1)
        records_of_rank = atoi(argv[1]);
    unique_name(path, sizeof path, "files-many");
    records(0);
    records(1);
    far_away();
    int before = 0;
    for (int i = 0; i < OPENINGS; i++) {
        file = opened(MPI_INFO_NULL);
        OK(MPI_File_close(&file));
        if (i == 20)
            before = descriptors();
    }
    EQUAL(descriptors(), before);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        unlink(path);
    return finish();
}
