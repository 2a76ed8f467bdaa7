// np: 2
/* oxmpi_info --queues PID shows what another rank waits for while that waits, and reports an error for
 * a process that is no rank. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs oxmpi_info --queues, and returns its exit code. */
static int queues(int pid, char *text, size_t room)
{
    Dl_info info;
    char path[4096], command[5000];
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "MPI_Init"), &info) != 0);
    snprintf(path, sizeof path, "%s", info.dli_fname);
    for (int i = 0; i < 2; i++) {
        CHECK(strrchr(path, '/') != NULL);
        *strrchr(path, '/') = 0;
    }
    snprintf(command, sizeof command, "%s/bin/oxmpi_info --queues %d 2>&1", path, pid);
    FILE *output = popen(command, "r");
    CHECK(output != NULL);
    text[fread(text, 1, room - 1, output)] = 0;
    return WEXITSTATUS(pclose(output));
}

static void expect(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fprintf(stderr, "`%s` is not in:\n%s", part, text);
    CHECK(strstr(text, part) != NULL);
}

int main(int argc, char **argv)
{
    int pid = getpid(), word = 7;
    char text[8192];
    MPI_Comm comm;
    start(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_name(comm, "the pair"));
    if (rank == 0) {
        int other = 8;
        MPI_Request request;
        OK(MPI_Send(&pid, 1, MPI_INT, 1, 0, comm));
        OK(MPI_Irecv(&other, 1, MPI_INT, 1, 13, comm, &request));
        OK(MPI_Recv(&word, 1, MPI_INT, 1, 12, comm, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL(word + other, 12 + 13);
    } else {
        int tag;
        OK(MPI_Recv(&pid, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        /* It may not have come to its receive. */
        for (int tries = 0; tries < 100; tries++) {
            EQUAL(queues(pid, text, sizeof text), 0);
            if (strstr(text, "MPI_Recv") != NULL)
                break;
            usleep(10000);
        }
        expect(text, "MPI_Recv from rank 1, tag 12, 4 bytes, on the pair");
        expect(text, "receives posted: 2");
        expect(text, "from rank 1, tag 13, 4 bytes, on the pair");
        expect(text, "sends not complete: 0");
        /* This rank is in no call of MPI. */
        EQUAL(queues(getpid(), text, sizeof text), 0);
        expect(text, "outside of MPI");
        EQUAL(queues(1, text, sizeof text), 2);
        expect(text, "process 1 was not started by a running mpirun");
        EQUAL(queues(getppid(), text, sizeof text), 2);
        expect(text, "was not started by");
        for (tag = 12; tag <= 13; tag++)
            OK(MPI_Send(&tag, 1, MPI_INT, 0, tag, comm));
    }
    OK(MPI_Comm_free(&comm));
    return finish();
}
