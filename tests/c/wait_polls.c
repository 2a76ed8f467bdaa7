// np: 3
// alone
/* A rank that polls (MPI_Improbe, MPI_Testall, MPI_Test) and finds nothing leaves its core to a rank that
 * has work, where there are fewer cores than ranks: a sparse exchange by synchronous sends and a
 * non-blocking barrier, as PETSc, hypre and deal.II do it. If polls kept the core, each step of a round
 * would take a slice of the scheduler: milliseconds. Every message arrives once, in its round. */
#include "check.h"

enum { ROUNDS = 300, SENDS_MAX = 3 };

static unsigned state;

static unsigned next(unsigned below)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % below;
}

/* One message, if there is one; returns how many. */
static int receive(MPI_Comm comm, int tag, int round)
{
    int found, value = -1;
    MPI_Message message;
    MPI_Status status;
    OK(MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &found, &message, &status));
    if (!found)
        return 0;
    OK(MPI_Mrecv(&value, 1, MPI_INT, &message, &status));
    EQUAL(value, round * 16 + status.MPI_SOURCE);
    return 1;
}

int main(int argc, char **argv)
{
    long sent = 0, received = 0, all_sent, all_received;
    start(&argc, &argv);
    state = 12345 + 77 * rank;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double begin = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        int tag = round % 2, values[SENDS_MAX], done = 0, in_barrier = 0;
        MPI_Request sends[SENDS_MAX], barrier = MPI_REQUEST_NULL;
        int count = next(SENDS_MAX + 1);
        for (int i = 0; i < count; i++) {
            values[i] = round * 16 + rank;
            OK(MPI_Issend(&values[i], 1, MPI_INT, next(ranks), tag, MPI_COMM_WORLD, &sends[i]));
        }
        sent += count;
        while (!done) {
            received += receive(MPI_COMM_WORLD, tag, round);
            if (in_barrier) {
                OK(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE));
                continue;
            }
            OK(MPI_Testall(count, sends, &in_barrier, MPI_STATUSES_IGNORE));
            if (in_barrier)
                OK(MPI_Ibarrier(MPI_COMM_WORLD, &barrier));
        }
    }
    double each = (MPI_Wtime() - begin) / ROUNDS;
    OK(MPI_Allreduce(&sent, &all_sent, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    OK(MPI_Allreduce(&received, &all_received, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(all_sent, all_received);
    if (each > 2e-3)
        check_failed(__FILE__, __LINE__, "microseconds a round, allowed", each * 1e6, 2000);
    return finish();
}
