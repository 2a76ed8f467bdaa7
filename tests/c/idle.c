// np: 2 4
// alone
/* A rank that waits for a message for long leaves its core alone. */
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

enum { SECONDS = 2 };

static double busy_seconds(void)
{
    struct rusage usage;
    EQUAL(getrusage(RUSAGE_SELF, &usage), 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
    int word = 0;
    start(&argc, &argv);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        sleep(SECONDS);
        for (int to = 1; to < ranks; to++)
            OK(MPI_Send(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD));
    } else {
        double before = busy_seconds();
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        /* 10 ms to fall asleep, then one per cent. */
        double busy = busy_seconds() - before, allowed = 0.01 + 0.01 * SECONDS;
        if (busy > allowed)
            check_failed(__FILE__, __LINE__, "busy while waiting (us, allowed)",
                         (long long)(busy * 1e6), (long long)(allowed * 1e6));
    }
    return finish();
}
