/* Access to files, in MB/s of all ranks' data: the best of some turns, each between barriers.
 *
 *     io FOLDER contiguous|strided|square|cube|shared|behind|bare|runs|sieve
 *
 * contiguous  each rank its own part of the file, at once
 * strided     each rank its own part, 4 KiB of every 8 KiB
 * square      collective: columns of a matrix of doubles
 * cube        collective: blocks of a cube of doubles, cut in two dimensions where ranks allow it
 * shared      records of 64 KiB by the shared file pointer
 * behind      contiguous writes that do not block, behind a computation that takes as long: the rate
 *             is that of both together
 * bare        contiguous by a call of the system at each rank, runs as strided by one for each run,
 * runs        and sieve as strided by reading, changing and writing back 512 KiB under a lock: what
 * sieve       the system allows, without the library
 *
 * Files of a few megabytes stay in the cache of the file system: what is measured is the library. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "bench.h"

enum { TURNS = 9, RECORD = 65536 };

static const MPI_Offset PART = 8 << 20;

static MPI_File file;
static MPI_Datatype tile;
static volatile double sink;

static void compute(double seconds)
{
    double x = 1, end = bench_now() + seconds;
    while (bench_now() < end)
        for (int i = 0; i < 1000; i++)
            x = x * 1.0000001 + 0.1;
    sink = x;
}

static void contiguous(int reads, double pause)
{
    MPI_Offset at = bench_rank * PART;
    (void)pause;
    if (reads)
        MPI_File_read_at(file, at, bench_in, (int)PART, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_write_at(file, at, bench_out, (int)PART, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void together(int reads, double pause)
{
    (void)pause;
    if (reads)
        MPI_File_read_at_all(file, 0, bench_in, (int)PART, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_write_at_all(file, 0, bench_out, (int)PART, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void shared(int reads, double pause)
{
    (void)pause;
    for (MPI_Offset done = 0; done < PART; done += RECORD)
        if (reads)
            MPI_File_read_shared(file, bench_in, RECORD, MPI_BYTE, MPI_STATUS_IGNORE);
        else
            MPI_File_write_shared(file, bench_out, RECORD, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void behind(int reads, double pause)
{
    MPI_Offset at = bench_rank * PART;
    MPI_Request request;
    if (reads)
        MPI_File_iread_at(file, at, bench_in, (int)PART, MPI_BYTE, &request);
    else
        MPI_File_iwrite_at(file, at, bench_out, (int)PART, MPI_BYTE, &request);
    compute(pause);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The file of the system. */
static int plain;

static void bare(int reads, double pause)
{
    MPI_Offset at = bench_rank * PART;
    (void)pause;
    ssize_t done = reads ? pread(plain, bench_in, (size_t)PART, at)
                         : pwrite(plain, bench_out, (size_t)PART, at);
    if (done != PART)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void runs(int reads, double pause)
{
    (void)pause;
    for (MPI_Offset done = 0; done < PART; done += 4096) {
        MPI_Offset at = 2 * (bench_rank * PART + done);
        ssize_t moved = reads ? pread(plain, (char *)bench_in + done, 4096, at)
                              : pwrite(plain, (char *)bench_out + done, 4096, at);
        if (moved != 4096)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static void sieve(int reads, double pause)
{
    enum { CHUNK = 512 << 10 };
    static char chunk[CHUNK];
    (void)pause;
    for (MPI_Offset done = 0; done < PART; done += CHUNK / 2) {
        MPI_Offset at = 2 * (bench_rank * PART + done);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = CHUNK};
        if (!reads)
            fcntl(plain, F_OFD_SETLKW, &lock);
        if (pread(plain, chunk, CHUNK, at) < 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
        for (int i = 0; i < CHUNK / 2; i += 4096)
            if (reads)
                memcpy((char *)bench_in + done + i, chunk + 2 * i, 4096);
            else
                memcpy(chunk + 2 * i, (char *)bench_out + done + i, 4096);
        if (reads)
            continue;
        if (pwrite(plain, chunk, CHUNK, at) != CHUNK)
            MPI_Abort(MPI_COMM_WORLD, 3);
        lock.l_type = F_UNLCK;
        fcntl(plain, F_OFD_SETLK, &lock);
    }
}

/* The best turn, in seconds. */
static double measure(void (*access)(int, double), int reads, double pause)
{
    double best = 1e9;
    for (int turn = 0; turn < TURNS; turn++) {
        double spent, start;
        MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
        MPI_Barrier(MPI_COMM_WORLD);
        start = bench_now();
        access(reads, pause);
        spent = bench_now() - start;
        MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        best = spent < best ? spent : best;
    }
    return best;
}

static void subarray(int dimensions)
{
    int sizes[3], parts[3], starts[3], grid[3] = {1, 0, 0}, at = bench_rank;
    long all = (long)PART * bench_ranks / 8;
    if (dimensions == 3)
        grid[0] = 0;
    MPI_Dims_create(bench_ranks, dimensions == 3 ? 3 : 2, grid);
    sizes[0] = dimensions == 3 ? 64 : 1024;
    sizes[1] = dimensions == 3 ? 128 : (int)(all / 1024);
    sizes[2] = (int)(all / 64 / 128);
    /* The last dimension, which is contiguous in the file, is cut first. */
    for (int d = dimensions - 1; d >= 0; d--) {
        int count = dimensions == 3 ? grid[2 - d] : grid[d];
        parts[d] = sizes[d] / count;
        starts[d] = at % count * parts[d];
        at /= count;
    }
    MPI_Type_create_subarray(dimensions, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &tile);
    MPI_Type_commit(&tile);
}

int main(int argc, char **argv)
{
    char path[256] = "";
    void (*access)(int, double) = contiguous;
    const char *folder = argc > 1 ? argv[1] : ".", *what = argc > 2 ? argv[2] : "contiguous";
    bench_start(&argc, &argv, (size_t)PART, (size_t)PART);
    if (bench_rank == 0)
        snprintf(path, sizeof path, "%s/bench-io-%ld", folder, (long)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file))
        MPI_Abort(MPI_COMM_WORLD, 1);
    tile = MPI_BYTE;
    if (strcmp(what, "strided") == 0) {
        MPI_Datatype block;
        MPI_Type_contiguous(4096, MPI_BYTE, &block);
        MPI_Type_create_resized(block, 0, 8192, &tile);
        MPI_Type_commit(&tile);
        MPI_Type_free(&block);
    } else if (strcmp(what, "square") == 0 || strcmp(what, "cube") == 0) {
        subarray(what[0] == 's' ? 2 : 3);
        access = together;
    } else if (strcmp(what, "shared") == 0) {
        access = shared;
    } else if (strcmp(what, "behind") == 0) {
        access = behind;
    } else if (strcmp(what, "bare") == 0) {
        access = bare;
    } else if (strcmp(what, "runs") == 0) {
        access = runs;
    } else if (strcmp(what, "sieve") == 0) {
        access = sieve;
    }
    plain = open(path, O_RDWR);
    MPI_File_set_view(file, 0, MPI_BYTE, tile, "native", MPI_INFO_NULL);
    double bytes = (double)PART * bench_ranks / 1e6, pause = 0;
    for (int reads = 0; reads < 2; reads++) {
        if (access == behind)
            pause = measure(contiguous, reads, 0);
        double spent = measure(access, reads, pause);
        bench_report(reads ? "read" : "write", (size_t)PART, bytes / spent);
    }
    if (tile != MPI_BYTE)
        MPI_Type_free(&tile);
    close(plain);
    MPI_File_close(&file);
    if (bench_rank == 0)
        MPI_File_delete(path, MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}
