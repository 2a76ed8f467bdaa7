// np: 4
// alone
/* Ranks that test for messages and work for a moment in turns, where there are fewer cores than ranks,
 * as HPCC's MPIRandomAccess does. A test that finds nothing may give the core away now and then, but not
 * each time, and no test sleeps while messages keep coming: a turn took a tenth of a millisecond, and
 * nearly no message was sent. Every message arrives. */
#include "check.h"

enum { TURNS = 10000, TURNS_PER_SEND = 250, DATA = 1, END = 2 };
static const double TURN_S = 60e-6;

static int in[256];
static MPI_Request receive;

static void expect(void)
{
    OK(MPI_Irecv(in, 256, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive));
}

/* Tests for a message; returns the tag of one that has come, or 0. */
static int test(void)
{
    int found, index;
    MPI_Status status;
    OK(MPI_Testany(1, &receive, &index, &found, &status));
    if (!found)
        return 0;
    EQUAL(in[0], status.MPI_SOURCE);
    expect();
    return status.MPI_TAG;
}

int main(int argc, char **argv)
{
    static int out[256];
    long sent = 0, received = 0, all_sent, all_received;
    int ended = 0, tag, done = 1;
    MPI_Request send = MPI_REQUEST_NULL;
    start(&argc, &argv);
    out[0] = rank;
    expect();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double begin = MPI_Wtime();
    for (int turn = 1; turn <= TURNS; turn++) {
        tag = test();
        received += tag == DATA;
        ended += tag == END;
        for (volatile int i = 0; i < 50; i++)
            ;
        if (turn % TURNS_PER_SEND == 0)
            OK(MPI_Test(&send, &done, MPI_STATUS_IGNORE));
        if (turn % TURNS_PER_SEND == 0 && done) {
            int to = (rank + 1 + (int)(sent % (ranks - 1))) % ranks;
            OK(MPI_Isend(out, 256, MPI_INT, to, DATA, MPI_COMM_WORLD, &send));
            sent++;
        }
    }
    double each = (MPI_Wtime() - begin) / TURNS;
    OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    for (int to = 0; to < ranks; to++)
        if (to != rank)
            OK(MPI_Send(out, 1, MPI_INT, to, END, MPI_COMM_WORLD));
    while (ended < ranks - 1) {
        tag = test();
        received += tag == DATA;
        ended += tag == END;
    }
    OK(MPI_Cancel(&receive));
    OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    OK(MPI_Allreduce(&sent, &all_sent, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    OK(MPI_Allreduce(&received, &all_received, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(all_received, all_sent);
    if (each > TURN_S) {
        fprintf(stderr, "rank %d: %.1f us a turn\n", rank, each * 1e6);
        CHECK(!"tests leave work its time");
    }
    return finish();
}
