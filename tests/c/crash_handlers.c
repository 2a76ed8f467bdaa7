// np: 2
// mpirun: --backtrace
// quick
/* mpirun --backtrace has a process print its stack when it crashes. The handlers for that take no
 * signal that the program handles, neither before nor after MPI_Init, and no stack that it has chosen
 * for its handlers; another process of the program, made by fork, ends by the signal as ever. */
#include "check.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void own(int signal)
{
    handled = signal;
}

static void handle(int signal)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = own;
    sigaction(signal, &action, NULL);
}

static int is_ours(int signal)
{
    handled = 0;
    raise(signal);
    return handled == signal;
}

int main(int argc, char **argv)
{
    static char memory[1 << 16];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory}, now;
    struct sigaction action;

    handle(SIGSEGV);
    sigaltstack(&stack, NULL);
    MPI_Init(&argc, &argv);
    EQUAL(is_ours(SIGSEGV), 1);
    sigaltstack(NULL, &now);
    EQUAL(now.ss_sp == memory, 1);
    /* The library's, until the program wants the signal. */
    sigaction(SIGBUS, NULL, &action);
    EQUAL(action.sa_handler != SIG_DFL, 1);
    handle(SIGBUS);
    EQUAL(is_ours(SIGBUS), 1);

    pid_t child = fork();
    if (child == 0) {
        close(2);
        raise(SIGFPE);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    EQUAL(WIFSIGNALED(status) && WTERMSIG(status) == SIGFPE, 1);
    return finish();
}
