// np: 3
/* An aggregator holds no more of a collective access than cb_buffer_size bytes of file data, and an
 * eighth of that to note whose they are, however much there is. Memory is measured by the most that
 * the process had resident, which the kernel begins to measure anew when it is asked to. */
#include <unistd.h>

#include "check.h"

enum { BLOCK = 2000, BLOCKS = 6000, BUFFER = 4 << 20, SLACK = 3 << 20 };

/* Room of the rings that messages go through is touched as they come: SLACK. */
static const long BOUND = BUFFER + BUFFER / 8 + SLACK;

static char path[256];

/* Bytes that the process has had resident at most since `restart`. */
static long most(int restart)
{
    char line[256];
    long kib = 0;
    if (restart) {
        FILE *refs = fopen("/proc/self/clear_refs", "w");
        CHECK(refs && fputs("5", refs) >= 0);
        EQUAL(fclose(refs), 0);
    }
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status);
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    fclose(status);
    CHECK(kib > 0);
    return kib << 10;
}

/* Accesses a file with an aggregator whose buffer has so many bytes, without blocking or not, and
 * returns the bytes that this process grew by. */
static long grown(long buffer, int blocks, int writes, unsigned char *mine)
{
    MPI_Info info;
    MPI_File file;
    MPI_Datatype block, tile;
    MPI_Status status;
    char value[32];
    int count;
    snprintf(value, sizeof value, "%ld", buffer);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "romio_cb_write", "enable"));
    OK(MPI_Info_set(info, "romio_cb_read", "enable"));
    OK(MPI_Info_set(info, "cb_nodes", "1"));
    OK(MPI_Info_set(info, "cb_buffer_size", value));
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    OK(MPI_File_open(MPI_COMM_WORLD, path, mode, info, &file));
    OK(MPI_Info_free(&info));
    OK(MPI_Type_contiguous(BLOCK, MPI_BYTE, &block));
    OK(MPI_Type_create_resized(block, 0, BLOCK * ranks, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, BLOCK * rank, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    long before = most(1);
    if (writes)
        OK(MPI_File_write_all(file, mine, blocks * BLOCK, MPI_BYTE, &status));
    else
        OK(MPI_File_read_all(file, mine, blocks * BLOCK, MPI_BYTE, &status));
    long growth = most(0) - before;
    OK(MPI_Get_count(&status, MPI_BYTE, &count));
    EQUAL(count, blocks * BLOCK);
    OK(MPI_Type_free(&block));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
    return growth;
}

static void check_growth(int writes, unsigned char *mine)
{
    /* The first access takes what any takes: rings, pools, the stack of a thread. */
    grown(BUFFER, 200, writes, mine);
    long growth = grown(BUFFER, BLOCKS, writes, mine);
    if (growth > BOUND)
        printf("rank %d: %ld bytes for a buffer of %d\n", rank, growth, BUFFER);
    CHECK(growth <= BOUND);
    /* The measure sees a buffer that takes all. */
    growth = grown(64 << 20, BLOCKS, writes, mine);
    if (rank == 0 && growth <= 2 * BOUND)
        printf("%ld bytes for a buffer that takes all\n", growth);
    CHECK(rank > 0 || growth > 2 * BOUND);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    unique_name(path, sizeof path, "files-memory");
    unsigned char *mine = malloc(BLOCK * BLOCKS), *back = malloc(BLOCK * BLOCKS);
    fill(mine, BLOCK * BLOCKS, rank);
    memset(back, 0, BLOCK * BLOCKS);
    check_growth(1, mine);
    check_growth(0, back);
    EQUAL(memcmp(mine, back, BLOCK * BLOCKS), 0);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        unlink(path);
    free(mine);
    free(back);
    return finish();
}
