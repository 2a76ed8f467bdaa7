// np: 2 3
/* Memory of unexpected messages goes back to the system once they are received, also where the
 * program has allocated something since, above which the C library gives nothing back by itself. */
#include "check.h"

enum { MESSAGES = 300000, BYTES = 100, ROUNDS = 2, LEFT_MIB = 12 };

static long resident_mib(void)
{
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &all, &pages) == 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) >> 20;
}

int main(int argc, char **argv)
{
    static char message[BYTES];
    void *kept[ROUNDS];
    start(&argc, &argv);
    long before = resident_mib();
    for (int round = 0; round < ROUNDS; round++) {
        /* The receives of the end come first: when they are over all is here. */
        if (rank == 1) {
            for (int i = 0; i < MESSAGES; i++)
                OK(MPI_Send(message, BYTES, MPI_BYTE, 0, i % 2, MPI_COMM_WORLD));
            OK(MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD));
        } else if (rank == 0) {
            OK(MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            long held = resident_mib();
            kept[round] = malloc(100);
            for (int i = 0; i < MESSAGES; i++)
                OK(MPI_Recv(message, BYTES, MPI_BYTE, 1, MPI_ANY_TAG, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE));
            long after = resident_mib();
            CHECK(held - before > 2 * LEFT_MIB);
            if (after - before > LEFT_MIB)
                check_failed(__FILE__, __LINE__, "MiB (held, left)", held - before, after - before);
        }
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    if (rank == 0)
        for (int round = 0; round < ROUNDS; round++)
            free(kept[round]);
    return finish();
}
