// np: 3 4
// mpirun: --with-ft ulfm
// leaves handles
/* Fault tolerance of what is made of communicators: each function that makes an object of one raises
 * the error class on a revoked communicator, and on one with a failed member; what was made before
 * keeps its own fate. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>
#include <unistd.h>

static char path[64];
static int place[8];

/* Objects made of a communicator. */
struct objects {
    MPI_Win win, dynamic, locked;
    MPI_File file;
    MPI_Comm cart, graph, inter;
    MPI_Request send, receive, barrier;
};

static MPI_Comm returning(MPI_Comm comm)
{
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    return comm;
}

static struct objects make_all(MPI_Comm comm)
{
    struct objects made;
    int dim = ranks, period = 1, degree = 2, half;
    int sources[] = {(rank + ranks - 1) % ranks, (rank + 1) % ranks};
    MPI_Comm part;

    OK(MPI_Win_create(place, sizeof place, 4, MPI_INFO_NULL, comm, &made.win));
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &made.dynamic));
    OK(MPI_Win_create(place, sizeof place, 4, MPI_INFO_NULL, comm, &made.locked));
    OK(MPI_Win_set_errhandler(made.locked, MPI_ERRORS_RETURN));
    OK(MPI_Win_lock_all(0, made.locked));
    OK(MPI_Win_set_errhandler(made.win, MPI_ERRORS_RETURN));
    OK(MPI_Win_set_errhandler(made.dynamic, MPI_ERRORS_RETURN));
    OK(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &made.file));
    OK(MPI_Cart_create(comm, 1, &dim, &period, 0, &made.cart));
    OK(MPI_Dist_graph_create_adjacent(comm, degree, sources, MPI_UNWEIGHTED, degree, sources,
        MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made.graph));
    half = rank > 0;
    OK(MPI_Comm_split(comm, half, 0, &part));
    OK(MPI_Intercomm_create(part, 0, comm, half ? 0 : 1, 4, &made.inter));
    OK(MPI_Comm_free(&part));
    OK(MPI_Send_init(&place[0], 1, MPI_INT, (rank + 1) % ranks, 7, comm, &made.send));
    OK(MPI_Recv_init(&place[1], 1, MPI_INT, MPI_ANY_SOURCE, 8, comm, &made.receive));
    OK(MPI_Barrier_init(comm, MPI_INFO_NULL, &made.barrier));
    returning(made.cart);
    returning(made.graph);
    returning(made.inter);
    return made;
}

/* The class of a call that returns a request, at its end. */
static int ended(int error, MPI_Request *request)
{
    if (error == MPI_SUCCESS)
        error = MPI_Wait(request, MPI_STATUS_IGNORE);
    return class_of(error);
}

/* Each way to make a communicator of one in which calls end with an error class. */
static void refuse_comms(MPI_Comm comm, int class, const char *program)
{
    int dim = ranks, period = 0, index = 0, degree = 0, codes[1];
    char *args[] = {"--child", NULL};
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Group group, own;
    MPI_Info info;

    MPI_Info_create(&info);
    OK(MPI_Comm_group(comm, &group));
    OK(MPI_Group_incl(group, 1, &rank, &own));
    EQUAL(class_of(MPI_Comm_dup(comm, &other)), class);
    EQUAL(class_of(MPI_Comm_dup_with_info(comm, info, &other)), class);
    EQUAL(ended(MPI_Comm_idup(comm, &other, &request), &request), class);
    EQUAL(ended(MPI_Comm_idup_with_info(comm, info, &other, &request), &request), class);
    EQUAL(class_of(MPI_Comm_create(comm, group, &other)), class);
    EQUAL(class_of(MPI_Comm_create_group(comm, group, 3, &other)), class);
    EQUAL(class_of(MPI_Comm_split(comm, 0, 0, &other)), class);
    EQUAL(class_of(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, info, &other)), class);
    EQUAL(class_of(MPI_Cart_create(comm, 1, &dim, &period, 0, &other)), class);
    EQUAL(class_of(MPI_Graph_create(comm, 1, &index, NULL, 0, &other)), class);
    EQUAL(class_of(MPI_Dist_graph_create(comm, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, info, 0,
        &other)), class);
    EQUAL(class_of(MPI_Dist_graph_create_adjacent(comm, degree, NULL, MPI_UNWEIGHTED, degree, NULL,
        MPI_UNWEIGHTED, info, 0, &other)), class);
    EQUAL(class_of(MPI_Intercomm_create(comm, 0, MPI_COMM_SELF, 0, 1, &other)), class);
    EQUAL(class_of(MPI_Comm_spawn(program, args, 1, info, 0, comm, &other, codes)), class);
    EQUAL(class_of(MPI_Comm_accept("", info, 0, comm, &other)), class);
    EQUAL(class_of(MPI_Comm_connect("", info, 0, comm, &other)), class);
    if (class == MPIX_ERR_REVOKED)
        EQUAL(class_of(MPI_Comm_create_group(comm, own, 3, &other)), class);
    MPI_Group_free(&group);
    MPI_Group_free(&own);
    MPI_Info_free(&info);
}

/* Windows and files of such a communicator. */
static void refuse_memory(MPI_Comm comm, int class)
{
    int *memory;
    MPI_Win win;
    MPI_File file;

    EQUAL(class_of(MPI_Win_create(place, 4, 1, MPI_INFO_NULL, comm, &win)), class);
    EQUAL(class_of(MPI_Win_allocate(4, 1, MPI_INFO_NULL, comm, &memory, &win)), class);
    EQUAL(class_of(MPI_Win_allocate_shared(4, 1, MPI_INFO_NULL, comm, &memory, &win)), class);
    EQUAL(class_of(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win)), class);
    EQUAL(class_of(MPI_File_open(comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file)), class);
}

/* Neighbours, and what was made to be started often. `needs` is whether this rank cannot do without
 * the others in a call between neighbours. */
static void refuse_calls(struct objects *made, MPI_Comm cart, int class, int needs)
{
    int from[2], own = rank, seen;
    MPI_Request request;

    seen = class_of(MPI_Neighbor_allgather(&own, 1, MPI_INT, from, 1, MPI_INT, cart));
    CHECK(seen == class || (!needs && seen == MPI_SUCCESS));
    seen = ended(MPI_Ineighbor_allgather(&own, 1, MPI_INT, from, 1, MPI_INT, cart, &request),
        &request);
    CHECK(seen == class || (!needs && seen == MPI_SUCCESS));
    EQUAL(ended(MPI_Start(&made->barrier), &made->barrier), class);
}

static void on_a_revoked_one(const char *program)
{
    MPI_Comm comm, cart, inter, other;
    MPI_Message message;
    int dim = ranks, period = 1, flag, value = rank, got = -1;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    returning(comm);
    struct objects made = make_all(comm);
    OK(MPI_Cart_create(comm, 1, &dim, &period, 0, &cart));
    OK(MPI_Comm_dup(made.inter, &inter));
    returning(cart);
    returning(inter);
    /* Nobody revokes one in which others still work. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPIX_Comm_revoke(comm));
    OK(MPIX_Comm_revoke(cart));
    OK(MPIX_Comm_revoke(inter));
    refuse_comms(comm, MPIX_ERR_REVOKED, program);
    refuse_memory(comm, MPIX_ERR_REVOKED);
    refuse_calls(&made, cart, MPIX_ERR_REVOKED, 1);
    EQUAL(ended(MPI_Start(&made.send), &made.send), MPIX_ERR_REVOKED);
    EQUAL(ended(MPI_Start(&made.receive), &made.receive), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Intercomm_merge(inter, 0, &other)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Improbe(0, 0, comm, &flag, &message, MPI_STATUS_IGNORE)), MPIX_ERR_REVOKED);
    EQUAL(class_of(MPI_Sendrecv(&value, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, comm,
        MPI_STATUS_IGNORE)), MPIX_ERR_REVOKED);

    /* What has a communicator of its own is not revoked with the other. */
    OK(MPI_Win_fence(0, made.win));
    OK(MPI_Put(&value, 1, MPI_INT, (rank + 1) % ranks, 2, 1, MPI_INT, made.win));
    OK(MPI_Win_fence(0, made.win));
    EQUAL(place[2], (rank + ranks - 1) % ranks);
    OK(MPI_File_write_at_all(made.file, rank * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    int both[2];
    OK(MPI_Neighbor_allgather(&value, 1, MPI_INT, both, 1, MPI_INT, made.cart));
    EQUAL(both[0], (rank + ranks - 1) % ranks);
    OK(MPI_Win_free(&made.win));
    OK(MPI_Win_free(&made.dynamic));
    OK(MPI_Win_unlock_all(made.locked));
    OK(MPI_Win_free(&made.locked));
    OK(MPI_File_close(&made.file));
    MPI_Request_free(&made.send);
    MPI_Request_free(&made.receive);
    MPI_Request_free(&made.barrier);
    OK(MPI_Comm_free(&made.cart));
    OK(MPI_Comm_free(&made.graph));
    OK(MPI_Comm_free(&made.inter));
    OK(MPI_Comm_free(&cart));
    OK(MPI_Comm_free(&inter));
    /* All wait there for messages that nobody will send any more. */
    MPI_Comm_disconnect(&comm);
}

/* Windows that lose a member. */
static void on_windows(struct objects *made, int dead)
{
    MPI_Group group, world;
    int value = 1, error;

    EQUAL(class_of(MPI_Win_fence(0, made->win)), MPIX_ERR_PROC_FAILED);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_incl(world, 1, &dead, &group));
    error = MPI_Win_start(group, 0, made->win);
    if (error == MPI_SUCCESS) {
        MPI_Put(&value, 1, MPI_INT, dead, 0, 1, MPI_INT, made->win);
        error = MPI_Win_complete(made->win);
    }
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    error = MPI_Win_post(group, 0, made->win);
    if (error == MPI_SUCCESS)
        error = MPI_Win_wait(made->win);
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    error = MPI_Win_lock(MPI_LOCK_SHARED, dead, 0, made->dynamic);
    if (error == MPI_SUCCESS) {
        error = MPI_Win_flush(dead, made->dynamic);
        MPI_Win_unlock(dead, made->dynamic);
    }
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    MPI_Group_free(&group);
    MPI_Group_free(&world);

    /* All locks are released, those of the dead too, and the access fails. */
    error = MPI_Put(&value, 1, MPI_INT, dead, 3, 1, MPI_INT, made->locked);
    if (error == MPI_SUCCESS)
        error = MPI_Win_unlock_all(made->locked);
    else
        MPI_Win_unlock_all(made->locked);
    EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
    for (int target = 0; target < dead; target++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, made->locked));
        OK(MPI_Win_unlock(target, made->locked));
    }
    EQUAL(class_of(MPI_Win_free(&made->locked)), MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Win_free(&made->win)), MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_Win_free(&made->dynamic)), MPIX_ERR_PROC_FAILED);
}

static void with_a_failed_member(struct objects *made, const char *program, int dead)
{
    int value = 0, flag, class;

    EQUAL(class_of(MPI_Recv(&value, 1, MPI_INT, dead, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)),
        MPIX_ERR_PROC_FAILED);
    refuse_comms(MPI_COMM_WORLD, MPIX_ERR_PROC_FAILED, program);
    refuse_memory(MPI_COMM_WORLD, MPIX_ERR_PROC_FAILED);
    int is_next = rank == 0 || rank == dead - 1;
    refuse_calls(made, made->cart, MPIX_ERR_PROC_FAILED, is_next);
    class = class_of(MPI_Neighbor_allgather(&value, 1, MPI_INT, place, 1, MPI_INT, made->graph));
    CHECK(class == MPIX_ERR_PROC_FAILED || (!is_next && class == MPI_SUCCESS));
    if (rank == dead - 1)
        EQUAL(ended(MPI_Start(&made->send), &made->send), MPIX_ERR_PROC_FAILED);

    /* A persistent receive from any source goes on, as others do, once the failure is acknowledged. */
    OK(MPI_Start(&made->receive));
    class = class_of(MPI_Wait(&made->receive, MPI_STATUS_IGNORE));
    EQUAL(class, MPIX_ERR_PROC_FAILED_PENDING);
    EQUAL(class_of(MPI_Test(&made->receive, &flag, MPI_STATUS_IGNORE)),
        MPIX_ERR_PROC_FAILED_PENDING);
    OK(MPIX_Comm_failure_ack(MPI_COMM_WORLD));
    OK(MPI_Test(&made->receive, &flag, MPI_STATUS_IGNORE));
    EQUAL(flag, 0);
    /* Nobody's message comes before all have seen the error. */
    OK(MPIX_Comm_agree(MPI_COMM_WORLD, &flag));
    EQUAL(MPI_Send(&rank, 1, MPI_INT, (rank + 1) % dead, 8, MPI_COMM_WORLD), MPI_SUCCESS);
    OK(MPI_Wait(&made->receive, MPI_STATUS_IGNORE));
    EQUAL(place[1], (rank + dead - 1) % dead);
    on_windows(made, dead);

    EQUAL(class_of(MPI_File_write_at_all(made->file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE)),
        MPIX_ERR_PROC_FAILED);
    EQUAL(class_of(MPI_File_set_size(made->file, 4)), MPIX_ERR_PROC_FAILED);
    OK(MPI_File_write_at(made->file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    EQUAL(class_of(MPI_File_close(&made->file)), MPIX_ERR_PROC_FAILED);
}

int main(int argc, char **argv)
{
    int id = getpid(), number = 0;
    MPI_Comm parent;

    start(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    /* No process is started: the calls that would are refused. */
    CHECK(parent == MPI_COMM_NULL);
    returning(MPI_COMM_WORLD);
    OK(MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD));
    snprintf(path, sizeof path, "/tmp/oxmpi-ulfm-objects-%d", id);
    on_a_revoked_one(argv[0]);
    struct objects made = make_all(MPI_COMM_WORLD);
    if (rank == ranks - 1) {
        for (int i = 0; i < ranks - 1; i++)
            OK(MPI_Recv(&number, 1, MPI_INT, i, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        raise(SIGKILL);
    }
    OK(MPI_Send(&number, 1, MPI_INT, ranks - 1, 3, MPI_COMM_WORLD));
    with_a_failed_member(&made, argv[0], ranks - 1);
    if (rank == 0)
        MPI_File_delete(path, MPI_INFO_NULL);
    return finish();
}
