// np: 2
// mpirun: --mca osc_rdma_min 0
// alone
/* Over shared memory, where the kernel lets a process read another's, a target that computes for a
 * second delays neither a put nor a get: no thread serves it. The lock is held before it begins. On
 * a machine that forbids it, and over other transports, only the values count. Nor does it delay an
 * accumulate of one word over sockets, whose thread does those if it is let, where the window has
 * no others. Then puts of several pieces, long and short ones, and of none. */
#define _GNU_SOURCE
#include "check.h"

#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TARGET = 1, WORDS = 1 << 16, BLOCK = 2048 };

/* In seconds. */
static const double COMPUTES = 1.0, PATIENCE = 0.5;

/* The value of a parameter, on the command line or by a variable. */
static const char *parameter(const char *line, const char *variable)
{
    return getenv(line) != NULL ? getenv(line) : getenv(variable);
}

static int goes_elsewhere(void)
{
    const char *btl = parameter("OXMPI_MCACMD_btl", "OXMPI_MCA_btl");
    const char *pml = parameter("OXMPI_MCACMD_pml", "OXMPI_MCA_pml");
    return (btl != NULL && strstr(btl, "sm") == NULL) || (pml != NULL && strcmp(pml, "cm") == 0);
}

/* Whether the kernel lets rank 0 read memory of rank 1. */
static int may_read(const int *memory)
{
    uint64_t where[2] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)memory};
    int seen = 0;
    OK(MPI_Bcast(where, 2, MPI_UINT64_T, TARGET, MPI_COMM_WORLD));
    struct iovec here = {&seen, sizeof seen}, there = {(void *)(uintptr_t)where[1], sizeof seen};
    ssize_t read = process_vm_readv((pid_t)where[0], &here, 1, &there, 1, 0);
    return rank != TARGET && read == sizeof seen && seen == 100;
}

static void compute(double began)
{
    volatile double sum = 0;
    while (MPI_Wtime() - began < COMPUTES)
        sum += 1;
}

static void passive(MPI_Win win, const int *memory)
{
    int must = may_read(memory) && !goes_elsewhere();
    int got[2] = {0, 0}, put[2] = {41, 42};
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = MPI_Wtime();
    if (rank == TARGET) {
        compute(began);
    } else {
        OK(MPI_Put(put, 2, MPI_INT, TARGET, 5, 2, MPI_INT, win));
        OK(MPI_Win_flush(TARGET, win));
        OK(MPI_Get(got, 2, MPI_INT, TARGET, 4, 2, MPI_INT, win));
        OK(MPI_Win_flush(TARGET, win));
        EQUAL(got[0], 104);
        EQUAL(got[1], 41);
        CHECK(!must || MPI_Wtime() - began < PATIENCE);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == TARGET) {
        EQUAL(memory[5], 41);
        EQUAL(memory[6], 42);
        EQUAL(memory[7], 107);
    }
}

/* Whether libfabric's provider is to do atomic operations by a thread of its own. */
static int has_thread(void)
{
    const char *btl = parameter("OXMPI_MCACMD_btl", "OXMPI_MCA_btl");
    const char *mode = parameter("OXMPI_MCACMD_btl_ofi_progress_mode",
                            "OXMPI_MCA_btl_ofi_progress_mode");
    return btl != NULL && strstr(btl, "ofi") != NULL && mode != NULL && strcmp(mode, "auto") == 0;
}

static void passive_word(void)
{
    static long memory[2];
    const long one = 1;
    long before = -1;
    MPI_Info info;
    MPI_Win win;
    memory[1] = 41;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "acc_single_intrinsic", "true"));
    OK(MPI_Win_create(memory, sizeof memory, sizeof(long), info, MPI_COMM_WORLD, &win));
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = MPI_Wtime();
    if (rank == TARGET) {
        compute(began);
    } else {
        /* The target may still be on its way out of the barrier, and would answer a message. */
        usleep(200000);
        OK(MPI_Fetch_and_op(&one, &before, MPI_LONG, TARGET, 1, MPI_SUM, win));
        OK(MPI_Win_flush(TARGET, win));
        EQUAL(before, 41);
        CHECK(!has_thread() || MPI_Wtime() - began < PATIENCE);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
    OK(MPI_Info_free(&info));
}

/* Every other block of `block` words goes to the target, which has no gaps, and comes back into
 * other gaps. */
static void in_pieces(MPI_Win win, const int *memory, int block)
{
    int *mine = malloc(WORDS * sizeof(int)), count = WORDS / block / 4;
    MPI_Datatype every;
    OK(MPI_Type_vector(count, block, 2 * block, MPI_INT, &every));
    OK(MPI_Type_commit(&every));
    for (int i = 0; i < WORDS; i++)
        mine[i] = 1000 * rank + i;
    int to = (rank + 1) % ranks;
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(mine, 1, every, to, 16, count * block, MPI_INT, win));
    OK(MPI_Put(mine, 0, MPI_INT, to, 0, 0, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    int from = (rank + ranks - 1) % ranks;
    for (int i = 0; i < count * block; i++)
        EQUAL(memory[16 + i], 1000 * from + i / block * 2 * block + i % block);
    OK(MPI_Win_fence(0, win));
    memset(mine, 0, WORDS * sizeof(int));
    OK(MPI_Get(mine, 1, every, to, 16, count * block, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < count * block; i++) {
        int at = i / block * 2 * block + i % block;
        EQUAL(mine[at], 1000 * rank + at);
        EQUAL(mine[at + block], 0);
    }
    OK(MPI_Type_free(&every));
    free(mine);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int *memory = malloc(WORDS * sizeof(int));
    MPI_Win win;
    for (int i = 0; i < WORDS; i++)
        memory[i] = 100 + i;
    OK(MPI_Win_create(memory, WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                      &win));
    passive(win, memory);
    passive_word();
    in_pieces(win, memory, BLOCK);
    in_pieces(win, memory, 4);
    OK(MPI_Win_free(&win));
    free(memory);
    return finish();
}
