/* A stand-in for the library of PBS (libpbs.so, tm(3)), for tests on one host: it starts processes
 * here instead of on the nodes of the job, by the rules of the documentation. A process starts in
 * the root folder with the environment that it is given, and with no input. Errors have the numbers
 * of tm.h. STANDIN_LOG names a file that it notes the nodes in. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUCCESS = 0, BAD_ENVIRONMENT = 17005, NOT_FOUND = 17006, BAD_INIT = 17007, NO_PROCESS = 17011 };
enum { PROCESSES_MAX = 64, FAILED_EXEC = 254 };

/* Events have the numbers 1 and up: two for each process, its start and its end. */
static struct {
    pid_t pid;
    unsigned *task;
    int started, ended, *code;
} processes[PROCESSES_MAX];
static int count, nodes, is_open;

int tm_init(void *info, void *roots)
{
    (void)info, (void)roots;
    const char *file = getenv("PBS_NODEFILE");
    FILE *lines = file != NULL && getenv("PBS_JOBID") != NULL ? fopen(file, "r") : NULL;
    if (lines == NULL)
        return BAD_ENVIRONMENT;
    for (int c; (c = fgetc(lines)) != EOF;)
        nodes += c == '\n';
    fclose(lines);
    is_open = 1;
    return SUCCESS;
}

int tm_spawn(int argc, char **argv, char **envp, int node, unsigned *task, int *event)
{
    if (!is_open)
        return BAD_INIT;
    if (node < 0 || node >= nodes)
        return NOT_FOUND;
    if (count == PROCESSES_MAX || argc < 1 || argv[argc] != NULL)
        return NO_PROCESS;
    const char *log = getenv("STANDIN_LOG");
    FILE *out = log != NULL ? fopen(log, "a") : NULL;
    if (out != NULL) {
        fprintf(out, "node %d\n", node);
        fclose(out);
    }
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDWR);
        if (chdir("/") == 0 && dup2(nothing, 0) == 0 && dup2(nothing, 1) == 1)
            execve(argv[0], argv, envp);
        _exit(FAILED_EXEC);
    }
    processes[count].pid = pid;
    processes[count].task = task;
    *event = ++count;
    return SUCCESS;
}

int tm_obit(unsigned task, int *code, int *event)
{
    if (task == 0 || task > (unsigned)count)
        return NOT_FOUND;
    processes[task - 1].code = code;
    *event = PROCESSES_MAX + (int)task;
    return SUCCESS;
}

int tm_poll(int wanted, int *event, int wait, int *error)
{
    (void)wanted, (void)wait;
    *error = SUCCESS;
    for (int i = 0; i < count; i++)
        if (!processes[i].started) {
            processes[i].started = 1;
            *processes[i].task = (unsigned)i + 1;
            *event = i + 1;
            return SUCCESS;
        }
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    for (int i = 0; i < count; i++)
        if (processes[i].pid == pid && processes[i].code != NULL) {
            *processes[i].code = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
            *event = PROCESSES_MAX + i + 1;
            return SUCCESS;
        }
    return NO_PROCESS;
}

int tm_finalize(void)
{
    is_open = 0;
    return SUCCESS;
}
