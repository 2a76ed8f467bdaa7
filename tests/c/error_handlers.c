// np: 1 2
// quick
/* Error handlers of communicators and sessions, those that fail themselves, codes that a program adds
 * and takes away, and objects that are freed while they are in use. */
#include "check.h"

static int called, depth, depth_max;
static char text[MPI_MAX_ERROR_STRING];

/* Makes the same mistake again, twice. */
static void again(MPI_Comm *comm, int *code, ...)
{
    int word = 0;
    called++;
    depth++;
    depth_max = depth > depth_max ? depth : depth_max;
    EQUAL(class_of(*code), MPI_ERR_RANK);
    if (depth < 3)
        EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, ranks + 9, 0, *comm)), MPI_ERR_RANK);
    depth--;
}

/* An error in an error handler is passed to the error handler, and the call goes on after it. */
static void recursive(void)
{
    MPI_Errhandler handler;
    MPI_Comm mine;
    int word = 0;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &mine));
    OK(MPI_Comm_create_errhandler(again, &handler));
    OK(MPI_Comm_set_errhandler(mine, handler));
    OK(MPI_Errhandler_free(&handler));
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, ranks + 9, 0, mine)), MPI_ERR_RANK);
    EQUAL(called, 3);
    EQUAL(depth_max, 3);
    OK(MPI_Comm_free(&mine));
}

static int world_called;

static void of_world(MPI_Comm *comm, int *code, ...)
{
    world_called++;
    CHECK(*comm == MPI_COMM_WORLD);
    EQUAL(class_of(*code), MPI_ERR_TYPE);
}

/* Errors of what has no communicator go to MPI_COMM_SELF; until the program sets a handler there, to
 * that of MPI_COMM_WORLD, as they did before MPI 4.0. */
static void of_no_object(void)
{
    MPI_Errhandler handler;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    OK(MPI_Comm_create_errhandler(of_world, &handler));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    OK(MPI_Errhandler_free(&handler));
    EQUAL(class_of(MPI_Type_commit(&none)), MPI_ERR_TYPE);
    EQUAL(world_called, 1);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    EQUAL(class_of(MPI_Type_commit(&none)), MPI_ERR_TYPE);
    EQUAL(world_called, 1);
}

static int session_called;
static MPI_Session session_seen;

static void of_session(MPI_Session *session, int *code, ...)
{
    session_called++;
    session_seen = *session;
    EQUAL(class_of(*code), MPI_ERR_ARG);
}

/* A session has a handler of its own; one that is made of a group has the one that it was given. */
static void sessions(void)
{
    MPI_Errhandler handler, back;
    MPI_Session session;
    MPI_Group group;
    OK(MPI_Session_create_errhandler(of_session, &handler));
    OK(MPI_Session_init(MPI_INFO_NULL, handler, &session));
    OK(MPI_Session_get_errhandler(session, &back));
    CHECK(back == handler);
    OK(MPI_Errhandler_free(&back));
    EQUAL(class_of(MPI_Group_from_session_pset(session, "no such set", &group)), MPI_ERR_ARG);
    EQUAL(session_called, 1);
    CHECK(session_seen == session);
    OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    EQUAL(class_of(MPI_Group_from_session_pset(session, "no such set", &group)), MPI_ERR_ARG);
    EQUAL(session_called, 1);
    OK(MPI_Session_set_errhandler(session, handler));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_ARG));
    EQUAL(session_called, 2);
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Session_finalize(&session));
}

/* What is added can be taken away again, in the reverse order only. */
static void codes(void)
{
    int class, code, length, flag = 0, *last = NULL;
    OK(MPI_Add_error_class(&class));
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= class);
    OK(MPI_Add_error_code(class, &code));
    CHECK(*last >= code);
    OK(MPI_Add_error_string(class, "a class"));
    OK(MPI_Add_error_string(code, "a code"));
    EQUAL(class_of(code), class);
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
    OK(MPI_Remove_error_string(code));
    OK(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "a code") != 0);
    OK(MPI_Remove_error_code(code));
    OK(MPI_Remove_error_string(class));
    OK(MPI_Remove_error_class(class));
    /* What MPI has defined stays as it is. */
    CHECK(MPI_Add_error_string(MPI_ERR_TAG, "mine") != MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(MPI_ERR_TAG) != MPI_SUCCESS);
}

/* A communicator that is freed goes on to exist until its messages have arrived. */
static void freed_while_in_use(void)
{
    enum { INTS = 300000 };
    size_t bytes = INTS * sizeof(int);
    unsigned char *out = calloc(1, bytes), *in = calloc(1, bytes);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Request request[2];
    MPI_Datatype type;
    MPI_Comm mine;
    fill(out, bytes, rank);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &mine));
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Irecv(in, INTS / 2, type, from, 4, mine, &request[0]));
    OK(MPI_Isend(out, INTS / 2, type, to, 4, mine, &request[1]));
    OK(MPI_Type_free(&type));
    OK(MPI_Comm_free(&mine));
    CHECK(mine == MPI_COMM_NULL && type == MPI_DATATYPE_NULL);
    OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    FILLED(in, bytes, from);
    free(out);
    free(in);
}

static int refuse(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)in, (void)out, (void)flag;
    return *(int *)state;
}

static int refuse_deletion(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value;
    return *(int *)state;
}

/* A callback that fails fails the call; the attribute stays, and so does the communicator. */
static void callbacks_that_fail(void)
{
    int key, again, flag, state = MPI_ERR_OTHER;
    void *value;
    MPI_Comm one, two = MPI_COMM_SELF;
    OK(MPI_Comm_create_keyval(refuse, refuse_deletion, &key, &state));
    again = key;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &one));
    OK(MPI_Comm_set_attr(one, key, &flag));
    EQUAL(class_of(MPI_Comm_dup(one, &two)), MPI_ERR_OTHER);
    EQUAL(class_of(MPI_Comm_delete_attr(one, key)), MPI_ERR_OTHER);
    EQUAL(class_of(MPI_Comm_set_attr(one, key, &state)), MPI_ERR_OTHER);
    OK(MPI_Comm_get_attr(one, key, &value, &flag));
    CHECK(flag && value == &flag);
    /* A key that is in use may be freed, also once more. */
    OK(MPI_Comm_free_keyval(&key));
    OK(MPI_Comm_free_keyval(&again));
    state = MPI_SUCCESS;
    OK(MPI_Comm_free(&one));
}

static void negative(void)
{
    int word[4] = {0}, minus[2] = {-1, -1}, zero[2] = {0, 0};
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Datatype type;
    MPI_Request request;
    EQUAL(class_of(MPI_Recv(word, -1, MPI_INT, 0, 0, w, MPI_STATUS_IGNORE)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Isend(word, -1, MPI_INT, 0, 0, w, &request)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Irecv(word, -1, MPI_INT, 0, 0, w, &request)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Send_init(word, -1, MPI_INT, 0, 0, w, &request)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Bcast(word, -1, MPI_INT, 0, w)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Allreduce(word, word + 1, -1, MPI_INT, MPI_SUM, w)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Alltoallv(word, minus, zero, MPI_INT, word + 2, zero, zero, MPI_INT, w)),
          MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Type_contiguous(-1, MPI_INT, &type)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Type_vector(-1, 1, 1, MPI_INT, &type)), MPI_ERR_COUNT);
    CHECK(MPI_Type_indexed(2, minus, zero, MPI_INT, &type) != MPI_SUCCESS);
    CHECK(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    of_no_object();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    recursive();
    sessions();
    codes();
    freed_while_in_use();
    callbacks_that_fail();
    negative();
    return finish();
}
