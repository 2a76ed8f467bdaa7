/* Processes that connect and disconnect again and again, of which one is killed at a random moment:
 *     killed_anytime server|client VICTIM SEED FOLDER
 *     killed_anytime parent VICTIM SEED FOLDER
 * VICTIM: side and rank ("client1"), or "launcher": that of the side with children. It leaves a file
 * "death" in the folder as it dies. The others go on until they get an error; a process that is
 * alone in its world then finishes, any other one aborts its job. */
#include "../c/check.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { CHILDREN = 2, LENGTH = 30000, ABORTED = 7 };

/* A victim dies this long after it has begun at most. What has children begins more slowly. */
enum { LONGEST_US = 120000, CHILD_LONGEST_US = 25000 };

/* A group that nobody comes to waits this long. */
#define PATIENCE "1"

static const char *folder, *seed;
static char death[4096];
static pid_t target;

static unsigned long draw(unsigned long of)
{
    unsigned long x = (strtoul(seed, NULL, 10) + 1) * 0x9e3779b97f4a7c15ul + of;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
    return x ^ (x >> 31);
}

static void die(int signal)
{
    (void)signal;
    close(open(death, O_CREAT | O_WRONLY, 0600));
    kill(target, SIGKILL);
}

/* Has this process, or its launcher, die within a while. */
static void doom(pid_t whom, int longest)
{
    long us = 1 + (long)(draw(1) % longest);
    struct itimerval timer = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};
    target = whom;
    CHECK(signal(SIGALRM, die) != SIG_ERR && setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void doom_victim(const char *side, const char *victim)
{
    char own[32];
    const char *at = getenv("OXMPI_RANK");
    snprintf(own, sizeof own, "%s%s", side, at ? at : "0");
    if (strcmp(own, victim) == 0)
        doom(getpid(), strcmp(side, "child") ? LONGEST_US : CHILD_LONGEST_US);
}

/* Ends this process after an error: whoever waits for it learns that it is gone. */
static void leave(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    OK(MPI_Error_string(code, text, &length));
    printf("rank %d of %d: %s\n", rank, ranks, text);
    fflush(stdout);
    if (ranks > 1)
        MPI_Abort(MPI_COMM_WORLD, ABORTED);
    exit(finish());
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        int code_ = (call);                                                                        \
        if (code_ != MPI_SUCCESS)                                                                  \
            return code_;                                                                          \
    } while (0)

/* What connected groups do together: messages of every pair, a collective, all in one group. */
static int together(MPI_Comm between, int high)
{
    static char out[LENGTH], in[LENGTH];
    int others, sum = 0, one = 1;
    MPI_Comm all;
    OK(MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN));
    OK(MPI_Comm_remote_size(between, &others));
    for (int at = 0; at < 4 * others; at++) {
        int to = at % others;
        TRY(MPI_Sendrecv(out, 8, MPI_BYTE, to, 1, in, 8, MPI_BYTE, to, 1, between,
                         MPI_STATUS_IGNORE));
        TRY(MPI_Sendrecv(out, LENGTH, MPI_BYTE, to, 2, in, LENGTH, MPI_BYTE, to, 2, between,
                         MPI_STATUS_IGNORE));
    }
    TRY(MPI_Intercomm_merge(between, high, &all));
    OK(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
    for (int i = 0; i < 20; i++)
        TRY(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    EQUAL(sum, ranks + others);
    TRY(MPI_Comm_free(&all));
    return MPI_Comm_disconnect(&between);
}

/* Writes the name of a port, in one step for the one who reads it. */
static void publish(const char *port)
{
    char name[4096], file[4096];
    snprintf(name, sizeof name, "%s/new", folder);
    snprintf(file, sizeof file, "%s/port", folder);
    FILE *out = fopen(name, "w");
    CHECK(out != NULL && fputs(port, out) >= 0 && fclose(out) == 0);
    CHECK(rename(name, file) == 0);
}

/* Reads the name of a port, as soon as there is one; a wrong name if the server has died. */
static void learn(char *port)
{
    char file[4096];
    FILE *in;
    snprintf(file, sizeof file, "%s/port", folder);
    while ((in = fopen(file, "r")) == NULL && access(death, F_OK) != 0)
        usleep(10000);
    if (in == NULL)
        return;
    CHECK(fgets(port, MPI_MAX_PORT_NAME, in) != NULL);
    fclose(in);
}

static int connected(int server)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "timeout", PATIENCE));
    if (rank == 0 && server) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        publish(port);
    } else if (rank == 0) {
        learn(port);
    }
    for (;;) {
        MPI_Comm between;
        if (server)
            TRY(MPI_Comm_accept(port, info, 0, MPI_COMM_WORLD, &between));
        else
            TRY(MPI_Comm_connect(port, info, 0, MPI_COMM_WORLD, &between));
        TRY(together(between, server));
    }
}

/* Spawns until that has been done of which a child is to die. */
static int spawning(char **argv)
{
    int last = 1 + (int)(draw(2) % 3);
    for (int at = 0; at <= last; at++) {
        char *arguments[] = {at == last ? argv[2] : "nobody", argv[3], argv[4], NULL};
        MPI_Comm children;
        TRY(MPI_Comm_spawn(argv[0], arguments, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                           &children, MPI_ERRCODES_IGNORE));
        TRY(together(children, 0));
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int code;
    MPI_Comm parent;
    const char *side = argc == 5 ? argv[1] : "child", *victim = argv[argc - 3];
    seed = argv[argc - 2];
    folder = argv[argc - 1];
    snprintf(death, sizeof death, "%s/death", folder);
    doom_victim(side, victim);
    if (strcmp(victim, "launcher") == 0 && strcmp(side, "child") == 0)
        doom(getppid(), CHILD_LONGEST_US);
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL)
        code = together(parent, 1);
    else if (strcmp(side, "parent") == 0)
        code = spawning(argv);
    else
        code = connected(strcmp(side, "server") == 0);
    if (code != MPI_SUCCESS)
        leave(code);
    return finish();
}
