// np: 3
// mpirun: --with-ft ulfm
// leaves handles
/* A rank revokes a communicator while the others wait in a call of it. Those that make a window or
 * a file waited for ever: they communicate on a duplicate, which nobody revoked. It is revoked with
 * the other one as long as the object is being made, so that who has it already is not left alone
 * with it either. The root of MPI_Comm_connect waited two minutes, and processes that were spawned
 * waited for a root that had given up. */
#include "check.h"

#include <mpi-ext.h>

static MPI_Comm comm, half, inter;
static MPI_Group all;
/* A port of the root, at which nobody connects, and one at which nobody accepts. */
static char path[64], port[MPI_MAX_PORT_NAME], deaf[MPI_MAX_PORT_NAME], *program;
static int memory[4], none[1];

/* Each call of the table makes nothing. */
static MPI_Comm made;
static MPI_Win win;
static MPI_File file;
static MPI_Request request;

static int wait_for(int error)
{
    return error == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
}

static int started(int error)
{
    return wait_for(error == MPI_SUCCESS ? MPI_Start(&request) : error);
}

static int split(void) { return MPI_Comm_split(comm, 0, 0, &made); }
static int split_type(void)
{
    return MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
}
static int create(void) { return MPI_Comm_create(comm, all, &made); }
static int create_group(void)
{
    /* Rank 0 of the group notifies the others. */
    return MPI_Comm_create_group(comm, all, 5, &made);
}
static int cart(void)
{
    int dim = ranks, period = 0;
    return MPI_Cart_create(comm, 1, &dim, &period, 1, &made);
}
static int graph(void)
{
    int index[8] = {0};
    return MPI_Graph_create(comm, ranks, index, none, 1, &made);
}
static int dist_graph(void)
{
    return MPI_Dist_graph_create(comm, 0, none, none, none, MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
        &made);
}
static int adjacent(void)
{
    return MPI_Dist_graph_create_adjacent(comm, 0, none, MPI_UNWEIGHTED, 0, none, MPI_UNWEIGHTED,
        MPI_INFO_NULL, 0, &made);
}
static int bridge(void) { return MPI_Intercomm_create(half, 0, comm, 0, 6, &made); }
static int spawn(void)
{
    char *args[] = {"--child", NULL};
    MPI_Info info;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_initial_errhandler", "mpi_errors_return"));
    int error = MPI_Comm_spawn(program, args, 1, info, 1, comm, &made, MPI_ERRCODES_IGNORE);
    OK(MPI_Info_free(&info));
    return error;
}
static int accept(void) { return MPI_Comm_accept(port, MPI_INFO_NULL, 1, comm, &made); }
static int connect(void) { return MPI_Comm_connect(deaf, MPI_INFO_NULL, 1, comm, &made); }
static int disconnect(void)
{
    MPI_Comm copy = comm;
    return MPI_Comm_disconnect(&copy);
}
static int win_create(void) { return MPI_Win_create(memory, 16, 4, MPI_INFO_NULL, comm, &win); }
static int win_allocate(void)
{
    int *base;
    return MPI_Win_allocate(16, 4, MPI_INFO_NULL, comm, &base, &win);
}
static int win_shared(void)
{
    int *base;
    return MPI_Win_allocate_shared(16, 4, MPI_INFO_NULL, comm, &base, &win);
}
static int win_dynamic(void) { return MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win); }
static int file_open(void)
{
    return MPI_File_open(comm, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
        MPI_INFO_NULL, &file);
}
static int barrier(void) { return MPI_Barrier(comm); }
static int reduce(void)
{
    return MPI_Allreduce(MPI_IN_PLACE, memory, 4, MPI_INT, MPI_SUM, comm);
}
static int ibarrier(void) { return wait_for(MPI_Ibarrier(comm, &request)); }
static int ibcast(void) { return wait_for(MPI_Ibcast(memory, 4, MPI_INT, 0, comm, &request)); }
static int persistent(void) { return started(MPI_Barrier_init(comm, MPI_INFO_NULL, &request)); }
static int receive(void)
{
    return MPI_Recv(memory, 4, MPI_INT, 0, 7, comm, MPI_STATUS_IGNORE);
}
static int ssend(void) { return MPI_Ssend(memory, 4, MPI_INT, 0, 8, comm); }
static int probe(void) { return MPI_Probe(MPI_ANY_SOURCE, 7, comm, MPI_STATUS_IGNORE); }
static int mprobe(void)
{
    MPI_Message message;
    return MPI_Mprobe(0, 7, comm, &message, MPI_STATUS_IGNORE);
}
static int partitioned(void)
{
    return started(MPI_Precv_init(memory, 2, 2, MPI_INT, 0, 9, comm, MPI_INFO_NULL, &request));
}
static int inter_dup(void) { return MPI_Comm_split(inter, 0, 0, &made); }
static int inter_merge(void) { return MPI_Intercomm_merge(inter, rank > 0, &made); }
static int inter_barrier(void) { return MPI_Barrier(inter); }

static const struct call {
    const char *name;
    int (*run)(void);
    MPI_Comm *revoked;
} calls[] = {
    {"MPI_Comm_split", split, &comm},
    {"MPI_Comm_split_type", split_type, &comm},
    {"MPI_Comm_create", create, &comm},
    {"MPI_Comm_create_group", create_group, &comm},
    {"MPI_Cart_create", cart, &comm},
    {"MPI_Graph_create", graph, &comm},
    {"MPI_Dist_graph_create", dist_graph, &comm},
    {"MPI_Dist_graph_create_adjacent", adjacent, &comm},
    {"MPI_Intercomm_create", bridge, &comm},
    {"MPI_Comm_spawn", spawn, &comm},
    {"MPI_Comm_accept", accept, &comm},
    {"MPI_Comm_connect", connect, &comm},
    {"MPI_Comm_disconnect", disconnect, &comm},
    {"MPI_Win_create", win_create, &comm},
    {"MPI_Win_allocate", win_allocate, &comm},
    {"MPI_Win_allocate_shared", win_shared, &comm},
    {"MPI_Win_create_dynamic", win_dynamic, &comm},
    {"MPI_File_open", file_open, &comm},
    {"MPI_Barrier", barrier, &comm},
    {"MPI_Allreduce", reduce, &comm},
    {"MPI_Ibarrier", ibarrier, &comm},
    {"MPI_Ibcast", ibcast, &comm},
    {"MPI_Barrier_init", persistent, &comm},
    {"MPI_Recv", receive, &comm},
    {"MPI_Ssend", ssend, &comm},
    {"MPI_Probe", probe, &comm},
    {"MPI_Mprobe", mprobe, &comm},
    {"MPI_Precv_init", partitioned, &comm},
    {"MPI_Comm_split of two groups", inter_dup, &inter},
    {"MPI_Intercomm_merge", inter_merge, &inter},
    {"MPI_Barrier of two groups", inter_barrier, &inter},
};

static void make_comms(void)
{
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 4, &inter));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
}

static void free_comms(void)
{
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&half));
    OK(MPI_Comm_free(&inter));
}

static void revoked_in(const struct call *call)
{
    make_comms();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        usleep(10000);
        OK(MPIX_Comm_revoke(*call->revoked));
    } else {
        int class = class_of(call->run());
        if (class != MPIX_ERR_REVOKED)
            fprintf(stderr, "%s\n", call->name);
        EQUAL(class, MPIX_ERR_REVOKED);
    }
    free_comms();
}

/* One rank has made its part and revokes the communicator, maybe before the others have theirs: who
 * has the object does not wait for those that gave it up. */
static void revoked_at_the_end(int seed)
{
    int got, is_file = seed % 3 == 2, *base;

    make_comms();
    if (is_file)
        got = file_open();
    else if (seed % 3 == 1)
        got = MPI_Win_allocate(16, 4, MPI_INFO_NULL, comm, &base, &win);
    else
        got = win_create();
    if (rank == seed % ranks)
        OK(MPIX_Comm_revoke(comm));
    CHECK(got == MPI_SUCCESS || class_of(got) == MPIX_ERR_REVOKED);
    if (got == MPI_SUCCESS && is_file) {
        MPI_File_write_at_all(file, 0, memory, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    } else if (got == MPI_SUCCESS) {
        OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
        if (MPI_Win_fence(0, win) == MPI_SUCCESS)
            MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Win_free(&win);
    }
    free_comms();
}

int main(int argc, char **argv)
{
    /* A wait for ever ends the program by a signal. */
    alarm(30);
    /* A process that was spawned learns of it, and has no world. */
    if (argc > 1)
        return MPI_Init(&argc, &argv) != MPIX_ERR_REVOKED;
    start(&argc, &argv);
    program = argv[0];
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    unique_name(path, sizeof path, "ulfm-revoke");
    if (rank == 1)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    if (rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, deaf));
    OK(MPI_Bcast(deaf, sizeof deaf, MPI_CHAR, 0, MPI_COMM_WORLD));
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        revoked_in(&calls[i]);
    for (int seed = 0; seed < 60; seed++)
        revoked_at_the_end(seed);
    if (rank < 2)
        OK(MPI_Close_port(rank == 1 ? port : deaf));
    OK(MPI_Group_free(&all));
    return finish();
}
