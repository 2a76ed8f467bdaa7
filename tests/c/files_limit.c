// np: 1 2 3
// quick
/* Writes across the largest size that a file may have (RLIMIT_FSIZE), which the program lowers while
 * the file is open: the system writes a part, and the rest of such an access is refused. Each form
 * has to end with MPI_ERR_IO, whoever carries it (io_uring, threads, this thread, an aggregator), and
 * no signal may end the process. An access of io_uring whose rest was refused was lost, and its wait
 * had no end: now whatever the ring does not take is left to plain calls. Threads wait for such
 * accesses at once beside an open window, and all works again under the old limit. */
#include <pthread.h>
#include <sys/resource.h>

#include "check.h"

enum { LONG = 1 << 20, BELOW = 500000, THREADS = 3, LIMIT = 3 << 20 };

static unsigned char *data, *back;
static MPI_File file;
static MPI_Datatype gaps;
static struct rlimit before;

static void limit(rlim_t bytes)
{
    struct rlimit now = before;
    now.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_FSIZE, &now) == 0);
}

static void refused(int error)
{
    EQUAL(class_of(error), MPI_ERR_IO);
}

static MPI_Offset at(int number)
{
    return LIMIT - BELOW + (MPI_Offset)number * 1000;
}

static void by_one_process(void)
{
    MPI_Request request, requests[2];
    MPI_Status statuses[2];
    int flag = 0, error = MPI_SUCCESS;
    refused(MPI_File_write_at(file, at(rank), data, LONG, MPI_BYTE, MPI_STATUS_IGNORE));
    refused(MPI_File_write_at(file, at(rank), data, 1, gaps, MPI_STATUS_IGNORE));
    refused(MPI_File_set_size(file, LIMIT + 1));
    OK(MPI_File_iwrite_at(file, at(rank), data, LONG, MPI_BYTE, &request));
    refused(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_iwrite_at(file, at(rank), data, 1, gaps, &request));
    refused(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_seek(file, at(rank), MPI_SEEK_SET));
    OK(MPI_File_iwrite(file, data, LONG, MPI_BYTE, &request));
    while (!flag)
        error = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    refused(error);
    /* One of two that is beyond the limit as a whole, and one that is below it. */
    OK(MPI_File_iwrite_at(file, LIMIT, data, LONG, MPI_BYTE, &requests[0]));
    OK(MPI_File_iwrite_at(file, 0, data, LONG, MPI_BYTE, &requests[1]));
    EQUAL(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    refused(statuses[0].MPI_ERROR);
    if (statuses[1].MPI_ERROR == MPI_ERR_PENDING)
        statuses[1].MPI_ERROR = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    OK(statuses[1].MPI_ERROR);
    /* Nobody waits for this one; the end of the program does. */
    OK(MPI_File_iwrite_at(file, at(rank), data, LONG, MPI_BYTE, &request));
    OK(MPI_Request_free(&request));
}

static void by_all(void)
{
    MPI_Request request;
    MPI_Offset from = LIMIT - BELOW + (MPI_Offset)rank * LONG;
    refused(MPI_File_write_at_all(file, from, data, LONG, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_iwrite_at_all(file, from, data, LONG, MPI_BYTE, &request));
    refused(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_write_at_all_begin(file, from, data, LONG, MPI_BYTE));
    refused(MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE));
}

static void *waits(void *number)
{
    MPI_Request request;
    for (int i = 0; i < 5; i++) {
        OK(MPI_File_iwrite_at(file, at(*(int *)number), data, LONG, MPI_BYTE, &request));
        refused(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    return NULL;
}

static void by_threads(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    MPI_Win win;
    void *base;
    OK(MPI_Win_allocate(4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, waits, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
}

static void under_the_old_limit(void)
{
    MPI_Request request;
    MPI_Offset from = LIMIT - BELOW + (MPI_Offset)rank * LONG;
    fill(data, LONG, rank);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_iwrite_at(file, from, data, LONG, MPI_BYTE, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_iread_at(file, from, back, LONG, MPI_BYTE, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    FILLED(back, LONG, rank);
}

int main(int argc, char **argv)
{
    char path[256];
    int provided;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    data = calloc(2, LONG);
    back = calloc(1, LONG);
    OK(MPI_Type_vector(LONG / 1000, 1000, 2000, MPI_BYTE, &gaps));
    OK(MPI_Type_commit(&gaps));
    unique_name(path, sizeof path, "files_limit");
    OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &file));
    limit(LIMIT);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    by_one_process();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    by_all();
    by_threads();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    limit(before.rlim_cur);
    under_the_old_limit();
    OK(MPI_File_close(&file));
    OK(MPI_Type_free(&gaps));
    free(back);
    return finish();
}
