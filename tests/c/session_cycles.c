// np: 1 2 4
// leaves handles
/* Sessions one after the other, each with a communicator that is used: nothing of a session may
 * outlive it. Counts what the process holds after the first few, when lasting things have been
 * made, and again at the end. Open MPI crashed on the second session over libfabric, and leaves
 * descriptors open. Arguments: how many cycles, and what libfabric leaves behind in each, in bytes. */
#include "session.h"

int main(int argc, char **argv)
{
    int cycles = argc > 1 ? atoi(argv[1]) : 100;
    long left = argc > 2 ? atol(argv[2]) : 0;
    struct holdings before = {0};
    for (int cycle = 0; cycle < cycles + 5; cycle++) {
        if (cycle == 5)
            before = count_holdings();
        MPI_Session session = begin(NULL);
        use(session, "mpi://WORLD", "cycle");
        /* The second one needs no introductions; a third stays unused and unfreed. */
        MPI_Comm comm = join(session, "mpi://WORLD", "cycle"), copy;
        OK(MPI_Comm_dup(comm, &copy));
        work(copy);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Session_finalize(&session));
    }
    same_holdings(before, count_holdings(), 0, left * cycles);
    return 0;
}
