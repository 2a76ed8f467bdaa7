/* Calls each function with one wrong argument at a time, on one process, and compares the class of
 * the error with the one that the function's manual page names. The calls are generated from
 * spec/ (suites/src/wrong.rs). */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds that a call may take. */
#define LIMIT 20

/* No handle has this value. */
#define NO_HANDLE ((intptr_t)0x7fffdead)

static MPI_Comm comm, graph, adjacent;
static MPI_Group group;
static MPI_Win win, dynamic;
static MPI_File file;
static MPI_Session session;
static MPI_Request parts_sent, parts_received;
static int comm_key, type_key, win_key;
static char memory[16][4096];
static char *names[] = {"/nothing", NULL};

static int comm_copy(MPI_Comm of, int key, void *state, void *from, void *to, int *flag)
{
    (void)of, (void)key, (void)state, (void)from, (void)to;
    *flag = 0;
    return MPI_SUCCESS;
}

static int win_copy(MPI_Win of, int key, void *state, void *from, void *to, int *flag)
{
    return comm_copy((MPI_Comm)of, key, state, from, to, flag);
}

static int type_copy(MPI_Datatype of, int key, void *state, void *from, void *to, int *flag)
{
    return comm_copy((MPI_Comm)of, key, state, from, to, flag);
}

struct call {
    int (*call)(void);
    const char *function, *param, *class_name;
    int class_wanted;
};

#include "wrong_calls.h"

static const struct call *now;

static void stopped(int number)
{
    char text[200];
    int length = snprintf(text, sizeof text, "%s, %s: %s\n", now->function, now->param,
                          number == SIGALRM ? "does not return" : "signal");
    if (write(1, text, length) < 0)
        _exit(2);
    _exit(1);
}

static void objects(const char *path)
{
    int one = 1, zero = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Cart_create(MPI_COMM_SELF, 1, &one, &zero, 0, &comm);
    MPI_Graph_create(MPI_COMM_SELF, 1, &zero, &zero, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, NULL, NULL, 0, NULL, NULL, MPI_INFO_NULL, 0,
                                   &adjacent);
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &dynamic);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Comm_create_keyval(comm_copy, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
    MPI_Win_create_keyval(win_copy, MPI_WIN_NULL_DELETE_FN, &win_key, NULL);
    MPI_Type_create_keyval(type_copy, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
    MPI_Psend_init(memory[0], 2, 1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_INFO_NULL, &parts_sent);
    MPI_Precv_init(memory[1], 2, 1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_INFO_NULL,
                   &parts_received);
    MPI_Start(&parts_sent);
    MPI_Start(&parts_received);
}

int main(int argc, char **argv)
{
    int right = 0, wrong = 0;
    MPI_Init(&argc, &argv);
    objects(argv[1]);
    signal(SIGALRM, stopped);
    signal(SIGSEGV, stopped);
    signal(SIGBUS, stopped);
    signal(SIGABRT, stopped);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[MPI_MAX_ERROR_STRING] = "no error";
        int class = MPI_SUCCESS, length;
        now = &calls[i];
        alarm(LIMIT);
        int code = now->call();
        alarm(0);
        if (code != MPI_SUCCESS) {
            MPI_Error_class(code, &class);
            MPI_Error_string(code, text, &length);
        }
        if (class == now->class_wanted) {
            right++;
            continue;
        }
        wrong++;
        printf("%s, %s: %s, where its page says %s\n", now->function, now->param, text,
               now->class_name);
    }
    printf("%d right\n", right);
    fflush(stdout);
    /* What the calls have left is not to be ended well. */
    _exit(wrong != 0);
}
