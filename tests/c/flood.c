// np: 3
/* Rank 0 sends far more small messages than rank 1 may keep unmatched, while rank 1 waits for
 * somebody else: nothing is lost or out of order, and memory stays bounded. */
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

enum { MESSAGES = 200000, LIMIT_KIB = 1024, GROWTH_MAX_KIB = 8 * LIMIT_KIB };

static long memory_kib(void)
{
    struct rusage usage;
    EQUAL(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void receive(long before)
{
    long word = -1;
    OK(MPI_Recv(&word, 1, MPI_LONG, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (long i = 0; i < MESSAGES; i++) {
        OK(MPI_Recv(&word, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(word, i);
    }
    long growth = memory_kib() - before;
    if (growth > GROWTH_MAX_KIB)
        check_failed(__FILE__, __LINE__, "memory grew (KiB, limit)", growth, GROWTH_MAX_KIB);
}

int main(int argc, char **argv)
{
    setenv("OXMPI_MCA_pml_ob1_unexpected_limit", "1m", 1);
    start(&argc, &argv);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        for (long i = 0; i < MESSAGES; i++)
            OK(MPI_Send(&i, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD));
    if (rank == 1)
        receive(memory_kib());
    if (rank == 2) {
        long word = 0;
        usleep(500000);
        OK(MPI_Send(&word, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD));
    }
    return finish();
}
