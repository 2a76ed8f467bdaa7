// np: 2 3
// mpirun: --mca btl sm,self
// alone
// check: not, all windows are served by messages then
/* A target that computes does not delay who accesses its own memory from the same node: a thread
 * takes its place, as long as it is needed, also while the application goes in and out of MPI. */
#include <dirent.h>

#include "check.h"

enum { LONGS = 100000, LONG = 20000, ROUNDS = 300 };

/* In seconds. */
static const double COMPUTES = 0.6, PATIENCE = 0.3;

static long *memory, bytes[LONG], brought[LONG];
static MPI_Win win;

static void compute(double seconds)
{
    volatile double sum = 0;
    for (double began = MPI_Wtime(); MPI_Wtime() - began < seconds;)
        sum += 1;
}

static int threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void put(int target)
{
    long put = 21, got = 0;
    OK(MPI_Put(&put, 1, MPI_LONG, target, 1 + rank, 1, MPI_LONG, win));
    OK(MPI_Win_flush(target, win));
    OK(MPI_Get(&got, 1, MPI_LONG, target, 1 + rank, 1, MPI_LONG, win));
    OK(MPI_Win_flush(target, win));
    EQUAL(got, 21);
}

static void accumulate(int target)
{
    long add = 4, one = 1, got = 0, swapped = 0, zero = 0;
    OK(MPI_Accumulate(&add, 1, MPI_LONG, target, 10 + rank, 1, MPI_LONG, MPI_SUM, win));
    OK(MPI_Fetch_and_op(&one, &got, MPI_LONG, target, 10 + rank, MPI_SUM, win));
    OK(MPI_Win_flush(target, win));
    EQUAL(got, 4);
    OK(MPI_Compare_and_swap(&one, &zero, &swapped, MPI_LONG, target, 20 + rank, win));
    OK(MPI_Win_flush(target, win));
    EQUAL(swapped, 0);
}

/* Many times what a ring holds. */
static void accumulate_long(int target)
{
    for (int i = 0; i < LONG; i++)
        bytes[i] = i;
    int at = 100 + rank * LONG;
    for (int i = 0; i < 20; i++)
        OK(MPI_Accumulate(bytes, LONG, MPI_LONG, target, at, LONG, MPI_LONG, MPI_SUM, win));
    OK(MPI_Get_accumulate(NULL, 0, MPI_LONG, brought, LONG, MPI_LONG, target, at, LONG,
                          MPI_LONG, MPI_NO_OP, win));
    OK(MPI_Win_flush(target, win));
    for (int i = 0; i < LONG; i++)
        EQUAL(brought[i], 20L * i);
}

static void test(int target)
{
    long got = 0;
    int flag = 0;
    MPI_Request request;
    OK(MPI_Rget(&got, 1, MPI_LONG, target, 0, 1, MPI_LONG, win, &request));
    while (!flag)
        OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    EQUAL(got, 1000 + target);
}

/* Rank 1 computes, and the others access its memory. */
static void passive(void (*access)(int target))
{
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = MPI_Wtime();
    if (rank == 1) {
        compute(COMPUTES);
    } else {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
        access(1);
        OK(MPI_Win_unlock(1, win));
        CHECK(MPI_Wtime() - began < PATIENCE);
    }
}

static void dynamic(void)
{
    MPI_Win dynamic;
    MPI_Aint at;
    long own = 31 + rank, got = 0;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic));
    OK(MPI_Win_attach(dynamic, &own, sizeof own));
    OK(MPI_Get_address(&own, &at));
    OK(MPI_Bcast(&at, 1, MPI_AINT, 1, MPI_COMM_WORLD));
    double began = MPI_Wtime();
    if (rank == 1) {
        compute(COMPUTES);
    } else {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, dynamic));
        OK(MPI_Get(&got, 1, MPI_LONG, 1, at, 1, MPI_LONG, dynamic));
        OK(MPI_Win_unlock(1, dynamic));
        EQUAL(got, 32);
        CHECK(MPI_Wtime() - began < PATIENCE);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_detach(dynamic, &own));
    OK(MPI_Win_free(&dynamic));
}

/* All compute a little, access each other, and send and receive. */
static void mingled(void)
{
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    long one = 1, sum = 0;
    OK(MPI_Win_lock_all(0, win));
    for (long i = 0; i < ROUNDS; i++) {
        long counted = -1, sent = 1000 * i + rank, got = -1;
        compute((i + rank) % 3 * 150e-6);
        OK(MPI_Fetch_and_op(&one, &counted, MPI_LONG, next, 30, MPI_SUM, win));
        OK(MPI_Win_flush(next, win));
        EQUAL(counted, i);
        OK(MPI_Sendrecv(&sent, 1, MPI_LONG, next, 0, &got, 1, MPI_LONG, before, 0, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
        EQUAL(got, 1000 * i + before);
        if (i % 50 == 0) {
            OK(MPI_Allreduce(&one, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
            EQUAL(sum, ranks);
        }
    }
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    EQUAL(memory[30], ROUNDS);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int alone = threads();
    OK(MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    /* Loads and stores need nobody, unless the component that does them was excluded. */
    if (!getenv("OXMPI_MCACMD_osc"))
        EQUAL(threads(), alone);
    OK(MPI_Win_free(&win));
    memory = calloc(LONGS, sizeof *memory);
    memory[0] = 1000 + rank;
    OK(MPI_Win_create(memory, LONGS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                      &win));
    EQUAL(threads(), alone + 1);
    passive(put);
    passive(accumulate);
    passive(accumulate_long);
    passive(test);
    mingled();
    OK(MPI_Win_free(&win));
    dynamic();
    EQUAL(threads(), alone + 1);
    free(memory);
    finish();
    return threads() != alone;
}
