/* Programs that never end, each with a mistake that many have made. The argument names the mistake;
 * the report that `mpirun --timeout` prints of each is in `expected.txt`. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 1 << 22 };

static int rank, ranks, one = 1;
static char big[LONG];

static void send_to(int peer, int tag, MPI_Comm comm)
{
    MPI_Send(&one, 1, MPI_INT, peer, tag, comm);
}

static void receive_from(int peer, int tag, MPI_Comm comm)
{
    MPI_Recv(&one, 1, MPI_INT, peer, tag, comm, MPI_STATUS_IGNORE);
}

static void send_cycle(void)
{
    MPI_Send(big, LONG, MPI_BYTE, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
    MPI_Recv(big, LONG, MPI_BYTE, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ssend_cycle(void)
{
    MPI_Ssend(&one, 1, MPI_INT, (rank + 1) % ranks, 2, MPI_COMM_WORLD);
    receive_from((rank + ranks - 1) % ranks, 2, MPI_COMM_WORLD);
}

static void receive_cycle(void)
{
    receive_from((rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD);
    send_to((rank + 1) % ranks, 3, MPI_COMM_WORLD);
}

/* Ranks 1 and 2 wait for each other; ranks 0 and 3 wait for them. */
static void small_cycle(void)
{
    int peers[] = {1, 2, 1, 0};
    receive_from(peers[rank], 4, MPI_COMM_WORLD);
}

static void left_out(void)
{
    if (rank == 2)
        receive_from(0, 5, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void other_collective(void)
{
    if (rank == 1)
        receive_from(3, 6, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* A receive from any rank has taken the message that the second one waits for. */
static void wildcard(void)
{
    if (rank == 0) {
        receive_from(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD);
        receive_from(1, 7, MPI_COMM_WORLD);
    } else if (rank == 1) {
        send_to(0, 7, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void lock_kept(void)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_name(win, "results");
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
}

static void sleeper(void)
{
    if (rank == 3)
        sleep(1000);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void computing(void)
{
    volatile unsigned long sum = 0;
    if (rank == 1)
        for (;;)
            sum += 1;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void stopped(void)
{
    if (rank == 0)
        raise(SIGSTOP);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void wrong_comm(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    if (rank == 0)
        send_to(1, 8, MPI_COMM_WORLD);
    else if (rank == 1)
        receive_from(0, 8, copy);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void tag_off_by_one(void)
{
    if (rank == 0)
        send_to(1, 10, MPI_COMM_WORLD);
    else if (rank == 1)
        receive_from(0, 9, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void wrong_sender(void)
{
    if (rank == 2)
        send_to(0, 11, MPI_COMM_WORLD);
    else if (rank == 0)
        receive_from(1, 11, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 leaves without the message that rank 0 waits for. */
static void finalized(void)
{
    if (rank == 0)
        receive_from(1, 12, MPI_COMM_WORLD);
}

/* The receiver computes while it is sent more than a window of messages. */
static void full_window(void)
{
    if (rank == 1)
        sleep(1000);
    for (int i = 0; i < 1 << 20; i++)
        MPI_Send(big, 4096, MPI_BYTE, 1, 13, MPI_COMM_WORLD);
}

static void wait_all(void)
{
    MPI_Request requests[2];
    MPI_Irecv(&one, 1, MPI_INT, (rank + 1) % ranks, 14, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&one, 1, MPI_INT, (rank + 1) % ranks, 15, MPI_COMM_WORLD, &requests[1]);
    send_to((rank + ranks - 1) % ranks, 14, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void group_barrier(void)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    if (rank == 0)
        receive_from(1, 16, MPI_COMM_WORLD);
    MPI_Barrier(half);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void fence_left_out(void)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_name(win, "field");
    MPI_Win_fence(0, win);
    if (rank == 1)
        receive_from(0, 17, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* A rank that is killed while the others wait for it: its death ends the job. */
static void killed(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        raise(SIGKILL);
    receive_from(1, 22, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} CASES[] = {
    {"send_cycle", send_cycle},
    {"ssend_cycle", ssend_cycle},
    {"receive_cycle", receive_cycle},
    {"small_cycle", small_cycle},
    {"left_out", left_out},
    {"other_collective", other_collective},
    {"wildcard", wildcard},
    {"lock_kept", lock_kept},
    {"sleeper", sleeper},
    {"computing", computing},
    {"stopped", stopped},
    {"wrong_comm", wrong_comm},
    {"tag_off_by_one", tag_off_by_one},
    {"wrong_sender", wrong_sender},
    {"finalized", finalized},
    {"full_window", full_window},
    {"wait_all", wait_all},
    {"group_barrier", group_barrier},
    {"fence_left_out", fence_left_out},
    {"killed", killed},
};

int main(int argc, char **argv)
{
    const char *number = getenv("OXMPI_RANK");
    if (argc > 1 && strcmp(argv[1], "no_init") == 0) {
        if (number != NULL && strcmp(number, "2") == 0)
            sleep(1000);
        MPI_Init(&argc, &argv);
        return MPI_Finalize();
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        if (argc > 1 && strcmp(argv[1], CASES[i].name) == 0) {
            CASES[i].run();
            return MPI_Finalize();
        }
    }
    fprintf(stderr, "no case is called %s\n", argc > 1 ? argv[1] : "");
    MPI_Abort(MPI_COMM_WORLD, 3);
    return 3;
}
