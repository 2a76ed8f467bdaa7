// np: 1 2 3 4
/* Communicators from groups alone: of all, of a part, between two parts; the error handler that is
 * given receives errors. The parts of an inter-communicator that share memory. Nobody was spawned. */
#include "check.h"

static void sum(MPI_Comm comm, int expected)
{
    int value = rank + 1;
    OK(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(value, expected);
}

static MPI_Group members(int first, int last)
{
    MPI_Group all, part;
    int range[1][3] = {{first, last, 1}};
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_range_incl(all, 1, range, &part));
    OK(MPI_Group_free(&all));
    return part;
}

/* Two communicators of one group at a time, many times over with the same text. */
static void whole(void)
{
    for (int i = 0; i < 20; i++) {
        MPI_Comm one, two;
        MPI_Group group = members(0, ranks - 1);
        int result, out = rank, in = -1, to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
        OK(MPI_Comm_create_from_group(group, "a", MPI_INFO_NULL, MPI_ERRORS_RETURN, &one));
        OK(MPI_Comm_create_from_group(group, "b", MPI_INFO_NULL, MPI_ERRORS_RETURN, &two));
        OK(MPI_Group_free(&group));
        OK(MPI_Comm_compare(one, MPI_COMM_WORLD, &result));
        EQUAL(result, MPI_CONGRUENT);
        MPI_Request request[2];
        int late = -1, other = rank + 100;
        OK(MPI_Isend(&out, 1, MPI_INT, to, 0, one, &request[0]));
        OK(MPI_Isend(&other, 1, MPI_INT, to, 0, two, &request[1]));
        OK(MPI_Recv(&late, 1, MPI_INT, from, 0, two, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&in, 1, MPI_INT, from, 0, one, MPI_STATUS_IGNORE));
        OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        EQUAL(in, from);
        EQUAL(late, from + 100);
        sum(two, ranks * (ranks + 1) / 2);
        /* The handler that was given is the communicator's. */
        EQUAL(class_of(MPI_Send(&out, 1, MPI_INT, ranks, 0, one)), MPI_ERR_RANK);
        OK(MPI_Comm_free(&one));
        OK(MPI_Comm_free(&two));
    }
}

/* Only the members call. */
static void part(void)
{
    MPI_Comm comm;
    MPI_Group group = members(0, ranks - 1 - (ranks > 1));
    if (rank < ranks - 1 || ranks == 1) {
        int n = ranks - (ranks > 1);
        OK(MPI_Comm_create_from_group(group, "part", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
        sum(comm, n * (n + 1) / 2);
        OK(MPI_Comm_free(&comm));
    } else {
        int code = MPI_Comm_create_from_group(group, "part", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
        EQUAL(class_of(code), MPI_ERR_GROUP);
    }
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK(comm == MPI_COMM_NULL);
    int code =
        MPI_Comm_create_from_group(MPI_GROUP_NULL, "", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    EQUAL(class_of(code), MPI_ERR_GROUP);
}

static int handled, handled_class;

static void note(MPI_Comm *comm, int *code, ...)
{
    CHECK(*comm == MPI_COMM_NULL);
    handled_class = class_of(*code);
    handled++;
}

static void note_of_session(MPI_Session *session, int *code, ...)
{
    CHECK(*session == MPI_SESSION_NULL);
    handled_class = class_of(*code);
    handled++;
}

/* Whichever argument is wrong, the error goes to the handler that the call is given, a null address
 * for the result among them: other handlers end the job here. */
static void by_its_handler(void)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Group self = members(rank, rank);
    OK(MPI_Comm_create_errhandler(note, &handler));
    MPI_Comm_create_from_group(MPI_GROUP_NULL, "a", MPI_INFO_NULL, handler, &comm);
    EQUAL(handled_class, MPI_ERR_GROUP);
    MPI_Comm_create_from_group(self, NULL, MPI_INFO_NULL, handler, &comm);
    EQUAL(handled_class, MPI_ERR_ARG);
    handled_class = -1;
    MPI_Comm_create_from_group(self, "a", MPI_INFO_NULL, handler, NULL);
    EQUAL(handled_class, MPI_ERR_ARG);
    handled_class = -1;
    MPI_Intercomm_create_from_groups(self, 0, self, 0, "a", MPI_INFO_NULL, handler, NULL);
    EQUAL(handled_class, MPI_ERR_ARG);
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Session_create_errhandler(note_of_session, &handler));
    handled_class = -1;
    MPI_Session_init(MPI_INFO_NULL, handler, NULL);
    EQUAL(handled_class, MPI_ERR_ARG);
    OK(MPI_Errhandler_free(&handler));
    EQUAL(handled, 5);
    OK(MPI_Group_free(&self));
}

/* The first ranks and the others, led by the first of all and the last of all. */
static void between(void)
{
    if (ranks < 2)
        return;
    MPI_Group low = members(0, ranks / 2 - 1), high = members(ranks / 2, ranks - 1);
    int upper = rank >= ranks / 2, size, result;
    int first_leader = 0, last_leader = ranks - ranks / 2 - 1;
    MPI_Comm inter, merged, node;
    /* What only the leader knows is wrong everywhere else. */
    int leads = rank == 0 || rank == ranks - 1;
    MPI_Group other = !leads ? MPI_GROUP_NULL : upper ? low : high;
    OK(MPI_Intercomm_create_from_groups(
        upper ? high : low, upper ? last_leader : first_leader, other,
        !leads ? -5 : upper ? first_leader : last_leader, "halves", MPI_INFO_NULL,
        MPI_ERRORS_ARE_FATAL, &inter));
    OK(MPI_Comm_test_inter(inter, &result));
    CHECK(result);
    OK(MPI_Comm_remote_size(inter, &size));
    EQUAL(size, upper ? ranks / 2 : ranks - ranks / 2);
    OK(MPI_Intercomm_merge(inter, upper, &merged));
    OK(MPI_Comm_compare(merged, MPI_COMM_WORLD, &result));
    EQUAL(result, MPI_CONGRUENT);
    sum(merged, ranks * (ranks + 1) / 2);
    /* All are on one machine: both groups are whole. */
    OK(MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_compare(node, inter, &result));
    EQUAL(result, MPI_CONGRUENT);
    OK(MPI_Comm_free(&node));
    OK(MPI_Comm_split_type(inter, MPI_UNDEFINED, 0, MPI_INFO_NULL, &node));
    CHECK(node == MPI_COMM_NULL);
    OK(MPI_Comm_free(&merged));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Group_free(&low));
    OK(MPI_Group_free(&high));
}

int main(int argc, char **argv)
{
    MPI_Comm parent = MPI_COMM_SELF;
    start(&argc, &argv);
    OK(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL);
    whole();
    part();
    by_its_handler();
    between();
    return finish();
}
