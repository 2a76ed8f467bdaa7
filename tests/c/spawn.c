// np: 1 2
// quick
// mpirun: --host localhost:8
/* Processes that are spawned: their world is their own, the inter-communicator carries messages both
 * ways, a merged communicator computes, and a disconnect lets both sides end apart. What cannot be
 * started is MPI_ERR_SPAWN at every process, with a code for each, and leaves nothing. */
#include "check.h"

#include <unistd.h>

enum { CHILDREN = 2, SECOND = 3 };

static void meet(MPI_Comm inter, int high, int others)
{
    MPI_Comm all;
    int size, one = 1, sum = 0, far;
    OK(MPI_Comm_remote_size(inter, &far));
    EQUAL(far, others);
    OK(MPI_Intercomm_merge(inter, high, &all));
    OK(MPI_Comm_size(all, &size));
    EQUAL(size, ranks + others);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    EQUAL(sum, size);
    OK(MPI_Comm_free(&all));
}

/* Arguments: how many parents there are, and what the program number is to be. */
static int child(MPI_Comm parent, char **argv)
{
    MPI_Comm again;
    char name[MPI_MAX_OBJECT_NAME];
    int length, *number, flag, word = 7;
    int parents = atoi(argv[1]);

    OK(MPI_Comm_get_name(parent, name, &length));
    CHECK(strcmp(name, "MPI_COMM_PARENT") == 0);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag));
    CHECK(flag);
    EQUAL(*number, atoi(argv[2]));
    OK(MPI_Comm_get_parent(&again));
    CHECK(again == parent);
    meet(parent, 1, parents);
    OK(MPI_Sendrecv_replace(&word, 1, MPI_INT, 0, rank, 0, 9, parent, MPI_STATUS_IGNORE));
    EQUAL(word, 100 + rank);
    OK(MPI_Comm_disconnect(&parent));
    OK(MPI_Comm_get_parent(&again));
    CHECK(again == MPI_COMM_NULL);
    return finish();
}

static void talk(MPI_Comm inter, int children)
{
    meet(inter, 0, children);
    for (int at = 0; at < children && rank == 0; at++) {
        int word = 100 + at, got;
        OK(MPI_Recv(&got, 1, MPI_INT, at, at, inter, MPI_STATUS_IGNORE));
        EQUAL(got, 7);
        OK(MPI_Send(&word, 1, MPI_INT, at, 9, inter));
    }
    OK(MPI_Comm_disconnect(&inter));
}

static void refused(const char *program, char **arguments, int count, int class, MPI_Info info)
{
    MPI_Comm inter = MPI_COMM_WORLD;
    int codes[2] = {-1, -1};
    int wrong = MPI_Comm_spawn(program, arguments, count, info, 0, MPI_COMM_WORLD, &inter, codes);
    EQUAL(class_of(wrong), class);
    CHECK(inter == MPI_COMM_NULL);
    for (int at = 0; at < count; at++)
        EQUAL(codes[at], class == MPI_ERR_SPAWN ? MPI_ERR_SPAWN : -1);
}

int main(int argc, char **argv)
{
    char parents[16];
    char *first[] = {parents, "0", NULL}, *second[] = {parents, "1", NULL};
    char *fails[] = {"-c", "exit 3", NULL}, *dies[] = {"-c", "kill -9 $$", NULL};
    char *commands[] = {argv[0], argv[0]}, **arguments[] = {first, second};
    int counts[] = {CHILDREN, SECOND}, codes[CHILDREN + SECOND], *universe, flag;
    MPI_Info none[] = {MPI_INFO_NULL, MPI_INFO_NULL}, info;
    MPI_Comm inter;

    start(&argc, &argv);
    OK(MPI_Comm_get_parent(&inter));
    if (inter != MPI_COMM_NULL)
        return child(inter, argv);
    snprintf(parents, sizeof parents, "%d", ranks);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag));
    CHECK(flag);
    EQUAL(*universe, 8);

    OK(MPI_Comm_spawn(argv[0], first, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, codes));
    for (int at = 0; at < CHILDREN; at++)
        OK(codes[at]);
    talk(inter, CHILDREN);
    OK(MPI_Comm_spawn_multiple(2, commands, arguments, counts, none, ranks - 1, MPI_COMM_WORLD,
                               &inter, codes));
    for (int at = 0; at < CHILDREN + SECOND; at++)
        OK(codes[at]);
    talk(inter, CHILDREN + SECOND);

    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    refused("/no/such/program", MPI_ARGV_NULL, 2, MPI_ERR_SPAWN, MPI_INFO_NULL);
    refused("/bin/true", MPI_ARGV_NULL, 2, MPI_ERR_SPAWN, MPI_INFO_NULL);
    refused("/bin/sh", fails, 2, MPI_ERR_SPAWN, MPI_INFO_NULL);
    refused("/bin/sh", dies, 2, MPI_ERR_SPAWN, MPI_INFO_NULL);
    refused(argv[0], first, 0, MPI_ERR_ARG, MPI_INFO_NULL);
    refused(argv[0], first, -1, MPI_ERR_ARG, MPI_INFO_NULL);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "wdir", "/no/such/folder"));
    refused(argv[0], first, 2, MPI_ERR_SPAWN, info);
    OK(MPI_Info_free(&info));
    return finish();
}
