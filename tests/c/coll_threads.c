// np: 1 2 3
/* Threads that run collectives at the same time, each on a communicator of its own: blocking ones,
 * started ones that another thread may move along, and persistent ones. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 150 };

static MPI_Comm comms[THREADS];

static void round_of(MPI_Comm comm, int seed)
{
    int n = 1 + seed * 37 % 2000, root = seed % ranks;
    int *data = malloc(sizeof(int) * (size_t)n), *sums = malloc(sizeof(int) * (size_t)n);
    CHECK(data != NULL && sums != NULL);
    for (int i = 0; i < n; i++)
        data[i] = rank == root ? seed + i : -1;
    OK(MPI_Bcast(data, n, MPI_INT, root, comm));
    for (int i = 0; i < n; i++)
        EQUAL(data[i], seed + i);
    MPI_Request requests[2];
    OK(MPI_Iallreduce(data, sums, n, MPI_INT, MPI_SUM, comm, &requests[0]));
    OK(MPI_Ibarrier(comm, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < n; i++)
        EQUAL(sums[i], (seed + i) * ranks);
    OK(MPI_Barrier(comm));
    free(data);
    free(sums);
}

static void *work(void *argument)
{
    int mine = *(int *)argument;
    MPI_Request kept;
    int give = rank + mine, most = -1;
    OK(MPI_Allreduce_init(&give, &most, 1, MPI_INT, MPI_MAX, comms[mine], MPI_INFO_NULL, &kept));
    for (int r = 0; r < ROUNDS; r++) {
        round_of(comms[mine], mine * 1000 + r);
        most = -1;
        OK(MPI_Start(&kept));
        OK(MPI_Wait(&kept, MPI_STATUS_IGNORE));
        EQUAL(most, ranks - 1 + mine);
    }
    OK(MPI_Request_free(&kept));
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]));
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        CHECK(pthread_create(&threads[t], NULL, work, &numbers[t]) == 0);
    }
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_join(threads[t], NULL) == 0);
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_free(&comms[t]));
    return finish();
}
