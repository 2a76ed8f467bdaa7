// np: 1 3
/* A rank starts programs with MPI by itself, as scripts do with `system` and `subprocess`. Each is a
 * job of its own, of one rank, with its own exit code; they failed, since they had the rank's
 * environment and not its way to the launcher. */
#include "check.h"
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 2 };

static char command[4200];

/* How the program ends that a rank starts as `part`. */
static int child(const char *own, const char *part)
{
    snprintf(command, sizeof command, "exec %s %s", own, part);
    int status = system(command);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The same, with another file under all numbers that a descriptor may have had. */
static int child_of_fork(char *own)
{
    int status = -1;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        for (int number = 3; number < 64; number++)
            if (number != null)
                dup2(null, number);
        execl(own, own, "alone", (char *)0);
        _exit(1);
    }
    EQUAL(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int play(const char *own, const char *part)
{
    EQUAL(ranks, 1);
    if (!strcmp(part, "abort"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (!strcmp(part, "parent"))
        EQUAL(child(own, "alone"), 42);
    finish();
    return 42;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    if (argc > 1)
        return play(argv[0], argv[1]);
    for (int round = 0; round < ROUNDS; round++) {
        int sum = 0;
        EQUAL(child(argv[0], "alone"), 42);
        EQUAL(child(argv[0], "abort 2>/dev/null"), 7);
        EQUAL(child(argv[0], "parent"), 42);
        EQUAL(child_of_fork(argv[0]), 42);
        OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL(sum, ranks * (ranks - 1) / 2);
    }
    OK(MPI_Finalize());
    EQUAL(child(argv[0], "alone"), 42);
    return 0;
}
