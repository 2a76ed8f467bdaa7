// np: 1 2 4
/* Ports within one job: wrong names and keys, limits of time, closed ports; published names; two
 * halves of the world that connect; and processes that join by a socket of their own. */
#include "check.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void quiet(MPI_Comm comm)
{
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
}

static MPI_Info limit(const char *seconds)
{
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "timeout", seconds));
    return info;
}

static int connect_to(const char *port, const char *seconds)
{
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Info info = limit(seconds);
    double began = MPI_Wtime();
    int code = MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &made);
    CHECK(MPI_Wtime() - began < 20);
    OK(MPI_Info_free(&info));
    if (code == MPI_SUCCESS)
        OK(MPI_Comm_disconnect(&made));
    return class_of(code);
}

static int accept_at(const char *port, const char *seconds)
{
    MPI_Comm made;
    MPI_Info info = limit(seconds);
    int code = MPI_Comm_accept(port, info, 0, MPI_COMM_SELF, &made);
    OK(MPI_Info_free(&info));
    if (code == MPI_SUCCESS)
        OK(MPI_Comm_disconnect(&made));
    return class_of(code);
}

static void wrong_names(void)
{
    char port[MPI_MAX_PORT_NAME];
    char key[65] = "0000000000000000000000000000000000000000000000000000000000000000";
    char refused[200];
    const char *wrong[] = {"", "garbage", "oxmpi:", "oxmpi:127.0.0.1:1", "tcp://127.0.0.1:80",
                           "oxmpi:127.0.0.1:99999#00"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EQUAL(connect_to(wrong[i], "10"), MPI_ERR_PORT);
        EQUAL(accept_at(wrong[i], "10"), MPI_ERR_PORT);
        EQUAL(class_of(MPI_Close_port(wrong[i])), MPI_ERR_PORT);
    }
    snprintf(refused, sizeof refused, "oxmpi:127.0.0.1:1#%s", key);
    EQUAL(connect_to(refused, "10"), MPI_ERR_PORT);
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    CHECK(strlen(port) < MPI_MAX_PORT_NAME);
    EQUAL(accept_at(port, "0.05"), MPI_ERR_PORT);
    EQUAL(accept_at(port, "soon"), MPI_ERR_INFO_VALUE);
    EQUAL(accept_at(port, "-1"), MPI_ERR_INFO_VALUE);
    EQUAL(connect_to(port, "0.05"), MPI_ERR_PORT);
    OK(MPI_Close_port(port));
    EQUAL(class_of(MPI_Close_port(port)), MPI_ERR_PORT);
    EQUAL(accept_at(port, "10"), MPI_ERR_PORT);
    EQUAL(connect_to(port, "10"), MPI_ERR_PORT);
    EQUAL(connect_to(port, "1e19"), MPI_ERR_PORT);
}

/* A client with a guessed key and one that gave up do not disturb one that knows the key. */
static void wrong_keys(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
    if (rank == 1) {
        EQUAL(accept_at(port, "10"), MPI_ERR_PORT);
        EQUAL(connect_to(port, "0.05"), MPI_ERR_PORT);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        EQUAL(accept_at(port, "60"), MPI_SUCCESS);
    if (rank == 1) {
        char guessed[MPI_MAX_PORT_NAME];
        strcpy(guessed, port);
        char *last = guessed + strlen(guessed) - 1;
        *last = *last == '0' ? '1' : '0';
        EQUAL(connect_to(guessed, "60"), MPI_ERR_PORT);
        EQUAL(connect_to(port, "60"), MPI_SUCCESS);
    }
    if (rank == 0)
        OK(MPI_Close_port(port));
}

/* Two halves of the world, by a port of rank 0, whose name the other half's last rank gets. */
static void halves(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int upper = rank >= ranks / 2, last = ranks - ranks / 2 - 1;
    MPI_Comm half, between, all;
    OK(MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half));
    quiet(half);
    if (rank == 0) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, ranks - 1, 0, MPI_COMM_WORLD));
    }
    if (rank == ranks - 1)
        OK(MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    /* What the root says is wrong: an error at all of its group. */
    int root = upper ? last : 0, is_root = rank == (upper ? ranks - 1 : 0);
    MPI_Info soon = is_root ? limit("soon") : MPI_INFO_NULL;
    if (upper)
        EQUAL(class_of(MPI_Comm_connect("nonsense", MPI_INFO_NULL, last, half, &between)),
              MPI_ERR_PORT);
    EQUAL(class_of(MPI_Comm_connect(port, soon, root, half, &between)), MPI_ERR_INFO_VALUE);
    EQUAL(class_of(MPI_Comm_accept(port, soon, root, half, &between)), MPI_ERR_INFO_VALUE);
    if (is_root)
        OK(MPI_Info_free(&soon));
    EQUAL(class_of(MPI_Comm_accept(is_root ? NULL : port, MPI_INFO_NULL, root, half, &between)),
          MPI_ERR_ARG);
    EQUAL(class_of(MPI_Intercomm_create(half, root, MPI_COMM_NULL, 0, 1, &between)), MPI_ERR_COMM);
    EQUAL(class_of(MPI_Intercomm_create(half, root, MPI_COMM_WORLD, ranks, 1, &between)),
          MPI_ERR_RANK);
    for (int i = 0; i < 3; i++) {
        if (upper)
            OK(MPI_Comm_connect(port, MPI_INFO_NULL, last, half, &between));
        else
            OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between));
        int size, sum = 0, flag;
        OK(MPI_Comm_test_inter(between, &flag));
        CHECK(flag);
        OK(MPI_Comm_remote_size(between, &size));
        EQUAL(size, upper ? ranks / 2 : ranks - ranks / 2);
        OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between));
        int expected = 0;
        for (int other = 0; other < ranks; other++)
            expected += (other >= ranks / 2) != upper ? other : 0;
        EQUAL(sum, expected);
        OK(MPI_Intercomm_merge(between, upper, &all));
        OK(MPI_Comm_compare(all, MPI_COMM_WORLD, &flag));
        EQUAL(flag, MPI_CONGRUENT);
        OK(MPI_Comm_free(&all));
        OK(MPI_Comm_disconnect(&between));
        EQUAL(between, MPI_COMM_NULL);
    }
    if (rank == 0)
        OK(MPI_Close_port(port));
    OK(MPI_Comm_free(&half));
}

/* Names that are unknown, taken, of the job alone, and withdrawn. */
static void names(void)
{
    char name[100], found[MPI_MAX_PORT_NAME] = "";
    MPI_Info local, global;
    int pid = getpid();
    OK(MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD));
    snprintf(name, sizeof name, "ports test %d", pid);
    OK(MPI_Info_create(&local));
    OK(MPI_Info_set(local, "ompi_global_scope", "false"));
    OK(MPI_Info_create(&global));
    OK(MPI_Info_set(global, "ompi_global_scope", "true"));
    EQUAL(class_of(MPI_Lookup_name(name, MPI_INFO_NULL, found)), MPI_ERR_NAME);
    EQUAL(class_of(MPI_Unpublish_name(name, MPI_INFO_NULL, "port")), MPI_ERR_SERVICE);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        OK(MPI_Publish_name(name, MPI_INFO_NULL, "port"));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Lookup_name(name, MPI_INFO_NULL, found));
    CHECK(strcmp(found, "port") == 0);
    EQUAL(class_of(MPI_Lookup_name(name, local, found)), MPI_ERR_NAME);
    EQUAL(class_of(MPI_Publish_name(name, MPI_INFO_NULL, "other")), MPI_ERR_SERVICE);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        EQUAL(class_of(MPI_Unpublish_name(name, MPI_INFO_NULL, "other")), MPI_ERR_SERVICE);
        OK(MPI_Publish_name(name, local, "of the job"));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Lookup_name(name, MPI_INFO_NULL, found));
    CHECK(strcmp(found, "of the job") == 0);
    OK(MPI_Lookup_name(name, global, found));
    CHECK(strcmp(found, "port") == 0);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        OK(MPI_Unpublish_name(name, global, "port"));
        OK(MPI_Unpublish_name(name, MPI_INFO_NULL, "of the job"));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    EQUAL(class_of(MPI_Lookup_name(name, MPI_INFO_NULL, found)), MPI_ERR_NAME);
    OK(MPI_Info_set(local, "ompi_global_scope", "perhaps"));
    EQUAL(class_of(MPI_Lookup_name(name, local, found)), MPI_ERR_INFO_VALUE);
    OK(MPI_Info_free(&local));
    OK(MPI_Info_free(&global));
}

/* A connected pair of sockets of ranks 0 and 1. */
static int socket_between(void)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    int pid = getpid(), fd = socket(AF_UNIX, SOCK_STREAM, 0);
    OK(MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD));
    int len = snprintf(place.sun_path + 1, 60, "oxmpi ports test %d", pid);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + len;
    if (rank == 0) {
        CHECK(bind(fd, (void *)&place, size) == 0 && listen(fd, 1) == 0);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1)
        CHECK(connect(fd, (void *)&place, size) == 0);
    if (rank != 0)
        return fd;
    int other = accept(fd, NULL, NULL);
    close(fd);
    return other;
}

static void joins(void)
{
    int fd = socket_between(), fds[2], got = -1;
    MPI_Comm joined = MPI_COMM_NULL;
    CHECK(fd >= 0 && pipe(fds) == 0);
    EQUAL(class_of(MPI_Comm_join(-1, &joined)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_Comm_join(987654, &joined)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_Comm_join(fds[0], &joined)), MPI_ERR_ARG);
    close(fds[0]);
    close(fds[1]);
    if (rank < 2) {
        for (char round = 0; round < 3; round++) {
            char byte = 0;
            OK(MPI_Comm_join(fd, &joined));
            /* Nothing is left in the socket, which still blocks. */
            CHECK(send(fd, &round, 1, 0) == 1);
            CHECK(recv(fd, &byte, 1, 0) == 1);
            EQUAL(byte, round);
            OK(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 5, &got, 1, MPI_INT, 0, 5, joined,
                            MPI_STATUS_IGNORE));
            EQUAL(got, 1 - rank);
            OK(MPI_Comm_disconnect(&joined));
        }
    }
    close(fd);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    quiet(MPI_COMM_SELF);
    quiet(MPI_COMM_WORLD);
    wrong_names();
    names();
    if (ranks > 1) {
        wrong_keys();
        halves();
        joins();
    }
    return finish();
}
