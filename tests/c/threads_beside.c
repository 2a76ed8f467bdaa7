// np: 2 4
/* MPI_THREAD_MULTIPLE: threads of each rank wait, each on a communicator of its own, while the process
 * has a window, a file with a shared pointer, a progress thread, a file access under way, and every
 * combination of these: on as many ranks as cores, where a wait notifies the peers that it handles
 * accesses to its windows, and on more. The end of such a wait takes that back, which enters the
 * engine: a wait that ends while its thread is inside must do so with the guard that it has. */
#include "session.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 24, FILE_INTS = 1 << 16 };
enum { WINDOW = 1, POINTER = 2, ACCESS = 4, COMBINATIONS = 8 };

static MPI_Comm own[THREADS];
static MPI_Win window;
static int *exposed, beside;

/* A round of waits of every kind: within one call, for one request, for several, for a message. */
static void wait_for_others(MPI_Comm comm, int number)
{
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, sum = 0, in[2] = {-1, -1};
    MPI_Request requests[3];
    MPI_Status status;
    OK(MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(sum, number * ranks);
    OK(MPI_Sendrecv(&number, 1, MPI_INT, to, 1, &in[0], 1, MPI_INT, from, 1, comm, &status));
    EQUAL(in[0], number);
    OK(MPI_Irecv(&in[1], 1, MPI_INT, from, 2, comm, &requests[0]));
    OK(MPI_Isend(&number, 1, MPI_INT, to, 2, comm, &requests[1]));
    OK(MPI_Ibarrier(comm, &requests[2]));
    OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    EQUAL(in[1], number);
    OK(MPI_Isend(&number, 1, MPI_INT, to, 3, comm, &requests[0]));
    OK(MPI_Probe(from, 3, comm, &status));
    OK(MPI_Recv(&in[0], 1, MPI_INT, from, 3, comm, &status));
    OK(MPI_Wait(&requests[0], &status));
    EQUAL(in[0], number);
}

static void *run_thread(void *argument)
{
    int thread = (int)(intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        int number = 100 * thread + round;
        wait_for_others(own[thread], number);
        /* Each thread has a place of its own in the next rank's memory. */
        if (beside & WINDOW && round % 8 == 0) {
            OK(MPI_Put(&number, 1, MPI_INT, (rank + 1) % ranks, thread, 1, MPI_INT, window));
            OK(MPI_Win_flush((rank + 1) % ranks, window));
        }
        /* Others have the core, so that waits become long now and then. */
        if (round % 8 == 4)
            usleep(100);
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        EQUAL(pthread_create(&threads[i], NULL, run_thread, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        EQUAL(pthread_join(threads[i], NULL), 0);
}

static MPI_File opened(MPI_Comm comm, const char *path)
{
    MPI_File file;
    OK(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    return file;
}

/* The threads' work beside one combination of objects and what is under way. */
static void run_beside(MPI_Comm comm, const char *path)
{
    static int data[FILE_INTS];
    MPI_File shared, accessed;
    MPI_Request request;
    MPI_Status status;
    int ints = 0;
    if (beside & WINDOW) {
        OK(MPI_Win_allocate(THREADS * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &exposed,
                            &window));
        OK(MPI_Win_lock_all(0, window));
    }
    if (beside & POINTER) {
        shared = opened(comm, path);
        OK(MPI_File_write_ordered(shared, &rank, 1, MPI_INT, &status));
    }
    if (beside & ACCESS) {
        accessed = opened(comm, path);
        OK(MPI_File_iwrite_at(accessed, (MPI_Offset)(rank + 1) * sizeof data, data, FILE_INTS,
                              MPI_INT, &request));
    }
    run_threads();
    if (beside & ACCESS) {
        OK(MPI_Wait(&request, &status));
        OK(MPI_Get_count(&status, MPI_INT, &ints));
        EQUAL(ints, FILE_INTS);
        OK(MPI_File_close(&accessed));
    }
    if (beside & POINTER)
        OK(MPI_File_close(&shared));
    if (beside & WINDOW) {
        OK(MPI_Win_unlock_all(window));
        OK(MPI_Barrier(comm));
        for (int i = 0; i < THREADS; i++)
            EQUAL(exposed[i], 100 * i + (ROUNDS - 1) / 8 * 8);
        OK(MPI_Win_free(&window));
    }
}

static void run(const char *progress_thread)
{
    char path[256];
    setenv("OXMPI_MCA_osc_progress_thread", progress_thread, 1);
    MPI_Session session = begin("MPI_THREAD_MULTIPLE");
    MPI_Comm comm = join(session, "mpi://WORLD", "threads_beside");
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &ranks));
    unique_name_on(comm, path, sizeof path, "beside");
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_dup(comm, &own[i]));
    for (beside = 0; beside < COMBINATIONS; beside++)
        run_beside(comm, path);
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_free(&own[i]));
    if (rank == 0)
        OK(MPI_File_delete(path, MPI_INFO_NULL));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
}

int main(void)
{
    run("0");
    run("1");
    return 0;
}
