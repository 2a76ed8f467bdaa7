// np: 1 3
/* Ranks start processes of their own while messages are under way; what a child does to its copy of
 * the memory, and how it ends, does not reach the messages. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 22, ROUNDS = 8 };

static void child_of_round(int round, unsigned char *out)
{
    int status = -1;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        memset(out, 0, BYTES);
        if (round % 2)
            exit(0);
        _exit(0);
    }
    EQUAL(waitpid(child, &status, 0), child);
    EQUAL(status, 0);
    EQUAL(system("true"), 0);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request request[2];
        fill(out, BYTES, rank + 100 * round);
        OK(MPI_Irecv(in, BYTES, MPI_BYTE, from, 0, MPI_COMM_WORLD, &request[0]));
        OK(MPI_Isend(out, BYTES, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request[1]));
        child_of_round(round, out);
        OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        FILLED(in, BYTES, from + 100 * round);
    }
    free(out);
    free(in);
    return finish();
}
