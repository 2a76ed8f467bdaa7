// np: 3 4
/* Many non-blocking collectives under way on a communicator, and one rank late. The number of a call
 * stood in the same bits of a tag as the code of what is called, so what came 2,048 calls ahead
 * looked like another call of the same number; and all that waited was looked through for each. */
#include "check.h"

enum { MANY = 12000 };

static int in[MANY], out[MANY], all[MANY][4];
static MPI_Request requests[MANY];

/* The last rank comes later than what the others have sent. */
static void be_late(double seconds)
{
    double end = MPI_Wtime() + seconds;
    while (rank == ranks - 1 && MPI_Wtime() < end)
        ;
}

static void start_all(int (*start)(int, MPI_Request *))
{
    memset(out, -1, sizeof out);
    for (int i = 0; i < MANY; i++)
        in[i] = 3 * i + rank;
    be_late(0.3);
    for (int i = 0; i < MANY; i++)
        OK(start(i, &requests[i]));
    OK(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
}

static int barrier(int i, MPI_Request *request)
{
    return MPI_Ibarrier(MPI_COMM_WORLD, request);
}

static int allreduce(int i, MPI_Request *request)
{
    return MPI_Iallreduce(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
}

/* The roots take turns, so a rank's messages to another do not come in the order of the calls. */
static int bcast(int i, MPI_Request *request)
{
    out[i] = rank == i % ranks ? in[i] : -1;
    return MPI_Ibcast(&out[i], 1, MPI_INT, i % ranks, MPI_COMM_WORLD, request);
}

static int allgather(int i, MPI_Request *request)
{
    return MPI_Iallgather(&in[i], 1, MPI_INT, all[i], 1, MPI_INT, MPI_COMM_WORLD, request);
}

static int reduce(int i, MPI_Request *request)
{
    return MPI_Ireduce(&in[i], &out[i], 1, MPI_INT, MPI_MAX, i % ranks, MPI_COMM_WORLD, request);
}

static int scan(int i, MPI_Request *request)
{
    return MPI_Iscan(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
}

static void many_under_way(void)
{
    start_all(barrier);
    start_all(allreduce);
    for (int i = 0; i < MANY; i++)
        EQUAL(out[i], 3 * i * ranks + ranks * (ranks - 1) / 2);
    start_all(bcast);
    for (int i = 0; i < MANY; i++)
        EQUAL(out[i], 3 * i + i % ranks);
    start_all(allgather);
    for (int i = 0; i < MANY; i++)
        for (int from = 0; from < ranks; from++)
            EQUAL(all[i][from], 3 * i + from);
    start_all(reduce);
    for (int i = rank; i < MANY; i += ranks)
        EQUAL(out[i], 3 * i + ranks - 1);
    start_all(scan);
    for (int i = 0; i < MANY; i++)
        EQUAL(out[i], 3 * i * (rank + 1) + rank * (rank + 1) / 2);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    many_under_way();
    return finish();
}
