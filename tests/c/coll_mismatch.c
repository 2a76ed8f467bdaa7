// np: 2 3 4
// leaves handles
// check: reports
/* Ranks that call different collectives, or name different roots or operations: both ranks are named
 * in an error of the right class, instead of a wrong result or a wait without end. Where a network
 * matches messages, nobody sees who waits. */
#include "check.h"

static int data[4096], more[4096];

enum { BY_MESSAGES = 0, BY_MEMORY = 64 };

/* A communicator that has made so many calls: after a few it has memory that its ranks share. */
static MPI_Comm fresh(int calls)
{
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int i = 0; i < calls; i++)
        OK(MPI_Barrier(comm));
    return comm;
}

/* A communicator whose ranks are out of step is not used again: it is let go. */
#define EXPECT(code, class) EQUAL(class_of(code), class)

/* Of several ranks one may learn that another gave up before it sees why. */
static void expect_with(int code, int class)
{
    if (ranks == 2 || class_of(code) != MPI_ERR_OTHER)
        EXPECT(code, class);
}

static void operations(int calls)
{
    MPI_Comm comm = fresh(calls);
    MPI_Op op = rank == 1 ? MPI_MAX : MPI_SUM;
    int code = MPI_Allreduce(data, more, 1, MPI_INT, op, comm);
    expect_with(code, MPI_ERR_OP);
    MPI_Barrier(MPI_COMM_WORLD);
    comm = fresh(calls);
    code = MPI_Reduce(data, more, 1, MPI_INT, op, 0, comm);
    if (rank == 0)
        EXPECT(code, MPI_ERR_OP);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void functions(int calls)
{
    MPI_Comm comm = fresh(calls);
    int code = rank == 0 ? MPI_Barrier(comm)
                         : MPI_Allgather(data, 1, MPI_INT, more, 1, MPI_INT, comm);
    EXPECT(code, MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
    comm = fresh(calls);
    code = rank == 0 ? MPI_Bcast(data, 1, MPI_INT, 0, comm)
                     : MPI_Scatter(data, 1, MPI_INT, more, 1, MPI_INT, 0, comm);
    EQUAL(code == MPI_SUCCESS, rank == 0);
    if (rank != 0)
        EXPECT(code, MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Scans are made of messages alone, also where the others meet in memory. */
static void scans(int calls)
{
    MPI_Comm comm = fresh(calls);
    int code = rank == 0 ? MPI_Barrier(comm) : MPI_Scan(data, more, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(code, MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
    comm = fresh(calls);
    code = rank == 0 ? MPI_Reduce(data, more, 1, MPI_INT, MPI_SUM, 0, comm)
                     : MPI_Exscan(data, more, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(code, MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A communicator on which so many calls were started. */
static MPI_Comm fresh_started(int calls)
{
    MPI_Comm comm = fresh(BY_MESSAGES);
    MPI_Request request;
    for (int i = 0; i < calls; i++) {
        OK(MPI_Ibarrier(comm, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    return comm;
}

/* Rank 0 has a shorter vector: all learn of it, also those whose messages fit. */
static void lengths(int calls)
{
    MPI_Request request;
    MPI_Comm comm = fresh_started(calls);
    int count = rank == 0 ? 4 : 4096;
    OK(MPI_Iallreduce(data, more, count, MPI_INT, MPI_SUM, comm, &request));
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    comm = fresh(calls);
    CHECK(MPI_Allreduce(data, more, count, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void nonblocking(int calls, int by_lanes)
{
    MPI_Comm comm = fresh_started(calls);
    MPI_Request request;
    MPI_Op op = rank == 1 ? MPI_PROD : MPI_BXOR;
    OK(MPI_Iallreduce(data, more, 4, MPI_INT, op, comm, &request));
    int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_with(code, MPI_ERR_OP);
    MPI_Barrier(MPI_COMM_WORLD);
    comm = fresh_started(calls);
    if (rank == 0)
        OK(MPI_Ibarrier(comm, &request));
    else
        OK(MPI_Iallgather(data, 1, MPI_INT, more, 1, MPI_INT, comm, &request));
    EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!by_lanes)
        return;
    /* Each takes itself for the root. */
    comm = fresh_started(calls);
    OK(MPI_Igather(data, 1, MPI_INT, more, 1, MPI_INT, rank, comm, &request));
    expect_with(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_ROOT);
    MPI_Barrier(MPI_COMM_WORLD);
    /* One goes by messages in any case, and so do long ones. */
    for (int i = 0; i < 2; i++) {
        comm = fresh_started(calls);
        if (rank == 0)
            OK(MPI_Ibarrier(comm, &request));
        else if (i == 0)
            OK(MPI_Iscan(data, more, 1, MPI_INT, MPI_SUM, comm, &request));
        else
            OK(MPI_Iallreduce(data, more, 4096, MPI_INT, MPI_SUM, comm, &request));
        EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    lengths(calls);
}

/* Computes for a time, in seconds. */
static void be_late(double seconds)
{
    double end = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end)
        ;
}

/* Nobody sends anything: each waits for the next one. A rank that waits long reports its call; one that
 * came later receives the report before it has waited long itself. */
static void waits_for_each_other(int calls)
{
    MPI_Comm comm = fresh(calls);
    int code = MPI_Bcast(data, 1, MPI_INT, (rank + 1) % ranks, comm);
    expect_with(code, MPI_ERR_ROOT);
    MPI_Barrier(MPI_COMM_WORLD);
    comm = fresh(calls);
    be_late(rank == 0 ? 0.9 : 0);
    code = MPI_Gather(data, 1, MPI_INT, more, 1, MPI_INT, rank, comm);
    expect_with(code, MPI_ERR_ROOT);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One who is late is waited for, however long: what the others said meanwhile is taken back. */
static void late(void)
{
    MPI_Comm comm = fresh(BY_MESSAGES);
    for (int round = 0; round < 2; round++) {
        be_late(rank == ranks - 1 ? 1.5 : 0);
        int sum = -1, one = 1;
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL(sum, ranks);
        OK(MPI_Barrier(comm));
    }
    OK(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    /* What mpirun passes on of `--mca pml`. */
    const char *layer = getenv("OXMPI_MCACMD_pml");
    static const int CALLS[] = {BY_MESSAGES, BY_MEMORY};
    for (int i = 0; i < 2; i++) {
        operations(CALLS[i]);
        functions(CALLS[i]);
        if (layer == NULL || strcmp(layer, "cm") != 0) {
            scans(CALLS[i]);
            waits_for_each_other(CALLS[i]);
        }
    }
    int by_lanes = layer == NULL || strcmp(layer, "cm") != 0;
    for (int i = 0; i < 2; i++)
        nonblocking(CALLS[i], by_lanes);
    late();
    return finish();
}
