// np: 2 3
/* One rank hides its memory and descriptors from the others, as a program does that has dropped
 * privileges: messages go by another way, also where only one direction is denied. */
#define _GNU_SOURCE
#include "check.h"
#include <sys/prctl.h>
#include <unistd.h>

enum { BYTES_MAX = 1 << 22, NOBODY = 65534 };

static void hide(void)
{
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    /* Nothing is denied to root. */
    if (geteuid() == 0) {
        EQUAL(setresgid(NOBODY, NOBODY, NOBODY), 0);
        EQUAL(setresuid(NOBODY, NOBODY, NOBODY), 0);
    }
    EQUAL(prctl(PR_SET_DUMPABLE, own && atoi(own) == 1 ? 0 : 1), 0);
}

int main(int argc, char **argv)
{
    hide();
    start(&argc, &argv);
    unsigned char *out = malloc(BYTES_MAX), *in = malloc(BYTES_MAX);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int bytes = 1; bytes <= BYTES_MAX; bytes *= 4) {
        fill(out, bytes, rank + bytes);
        OK(MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
        FILLED(in, bytes, from + bytes);
    }
    for (int round = 0; round < 200; round++) {
        int sum = 0, one = rank + round;
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL(sum, ranks * (ranks - 1) / 2 + ranks * round);
    }
    free(out);
    free(in);
    return finish();
}
