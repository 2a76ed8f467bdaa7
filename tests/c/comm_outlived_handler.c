// np: 2
/* A communicator whose handle is freed lives until its requests are complete, and so does its error
 * handler (MPI 5.0, 7.4.3): errors of the requests went to the handler of MPI_COMM_WORLD, which ended
 * the job. */
#include "check.h"

enum { SHORT = 4, LONG = 64 };

static int in[SHORT], out[LONG], calls, raised;
static MPI_Comm freed;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    /* The handle is the one that there was. */
    EQUAL(*comm == freed, 1);
    calls++;
    raised = class_of(*code);
}

/* A communicator whose errors are returned, or go to `count_error`. */
static MPI_Comm make(int has_handler)
{
    MPI_Comm comm;
    MPI_Errhandler errhandler;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (has_handler) {
        OK(MPI_Comm_create_errhandler(count_error, &errhandler));
        OK(MPI_Comm_set_errhandler(comm, errhandler));
        OK(MPI_Errhandler_free(&errhandler));
    } else {
        OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    }
    freed = comm;
    return comm;
}

/* Rank 1 sends more than rank 0 takes; the send outlives the handle, too. */
static void send_too_much(MPI_Comm comm)
{
    MPI_Request request;

    OK(MPI_Isend(out, LONG, MPI_INT, 0, 1, comm, &request));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static int wait(MPI_Request *request)
{
    return MPI_Wait(request, MPI_STATUS_IGNORE);
}

static int test(MPI_Request *request)
{
    int flag = 0, error = MPI_SUCCESS;

    while (!flag && error == MPI_SUCCESS)
        error = MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return error;
}

static int wait_any(MPI_Request *request)
{
    int index;
    return MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
}

static int wait_all(MPI_Request *request)
{
    MPI_Status status;
    int error = MPI_Waitall(1, request, &status);

    EQUAL(class_of(error), MPI_ERR_IN_STATUS);
    return status.MPI_ERROR;
}

static void messages(int (*end)(MPI_Request *))
{
    MPI_Comm comm = make(0);
    MPI_Request request;

    if (rank == 1) {
        send_too_much(comm);
        return;
    }
    OK(MPI_Irecv(in, SHORT, MPI_INT, 1, 1, comm, &request));
    OK(MPI_Comm_free(&comm));
    /* Another communicator has another handle, and does not end what is kept for this one. */
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Comm_free(&comm));
    EQUAL(class_of(end(&request)), MPI_ERR_TRUNCATE);
}

static void function(void)
{
    MPI_Comm comm = make(1);
    MPI_Request request;

    if (rank == 1) {
        send_too_much(comm);
        return;
    }
    OK(MPI_Irecv(in, SHORT, MPI_INT, 1, 1, comm, &request));
    OK(MPI_Comm_free(&comm));
    EQUAL(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
    EQUAL(calls, 1);
    EQUAL(raised, MPI_ERR_TRUNCATE);
}

static void persistent(void)
{
    MPI_Comm comm = make(0);
    MPI_Request request;

    if (rank == 1) {
        OK(MPI_Send_init(out, LONG, MPI_INT, 0, 1, comm, &request));
    } else {
        OK(MPI_Recv_init(in, SHORT, MPI_INT, 1, 1, comm, &request));
    }
    OK(MPI_Comm_free(&comm));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Start(&request));
        EQUAL(class_of(wait(&request)), rank == 1 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    }
    OK(MPI_Request_free(&request));
}

static void matched(void)
{
    MPI_Comm comm = make(0);
    MPI_Message message;

    if (rank == 1) {
        send_too_much(comm);
        return;
    }
    OK(MPI_Mprobe(1, 1, comm, &message, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&comm));
    EQUAL(class_of(MPI_Mrecv(in, SHORT, MPI_INT, &message, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
}

static void collective(void)
{
    MPI_Comm comm = make(0);
    MPI_Request request;

    OK(MPI_Ibcast(rank == 1 ? out : in, rank == 1 ? LONG : SHORT, MPI_INT, 1, comm, &request));
    OK(MPI_Comm_free(&comm));
    CHECK(rank == 1 || wait(&request) != MPI_SUCCESS);
    if (rank == 1)
        wait(&request);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    messages(wait);
    messages(test);
    messages(wait_any);
    messages(wait_all);
    function();
    persistent();
    matched();
    collective();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return finish();
}
