// np: 1 2
// quick
/* Wrong arguments raise the right error class through the communicator's error handler, and the
 * library goes on working afterwards. */
#include "check.h"

static int called, code_seen;
static MPI_Comm comm_seen;

static void note(MPI_Comm *comm, int *code, ...)
{
    called++;
    comm_seen = *comm;
    code_seen = *code;
}

static void arguments(void)
{
    int word = 0;
    MPI_Datatype raw;
    MPI_Comm w = MPI_COMM_WORLD;
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, ranks, 0, w)), MPI_ERR_RANK);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, -77, 0, w)), MPI_ERR_RANK);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, w)), MPI_ERR_RANK);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, 0, -5, w)), MPI_ERR_TAG);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, 0, MPI_ANY_TAG, w)), MPI_ERR_TAG);
    EQUAL(class_of(MPI_Send(&word, -1, MPI_INT, 0, 0, w)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_DATATYPE_NULL, 0, 0, w)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Send(NULL, 1, MPI_INT, 0, 0, w)), MPI_ERR_BUFFER);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_NULL)), MPI_ERR_COMM);
    EQUAL(class_of(MPI_Recv(&word, 1, MPI_INT, ranks, 0, w, MPI_STATUS_IGNORE)), MPI_ERR_RANK);
    EQUAL(class_of(MPI_Bcast(&word, 1, MPI_INT, ranks, w)), MPI_ERR_ROOT);
    EQUAL(class_of(MPI_Allreduce(&word, &word, 1, MPI_INT, MPI_OP_NULL, w)), MPI_ERR_OP);
    OK(MPI_Type_contiguous(2, MPI_INT, &raw));
    EQUAL(class_of(MPI_Send(&word, 1, raw, 0, 0, w)), MPI_ERR_TYPE);
    OK(MPI_Type_free(&raw));
    CHECK(raw == MPI_DATATYPE_NULL);
}

/* No element has no type: a message that is only a signal may name none. */
static void of_no_type(void)
{
    int to = (rank + 1) % ranks, count;
    MPI_Datatype none = MPI_DATATYPE_NULL, gone;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Isend(NULL, 0, none, to, 7, MPI_COMM_WORLD, &request));
    OK(MPI_Recv(NULL, 0, none, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Get_count(&status, MPI_INT, &count));
    EQUAL(count, 0);
    OK(MPI_Bcast(NULL, 0, none, 0, MPI_COMM_WORLD));
    OK(MPI_Type_contiguous(2, MPI_INT, &gone));
    EQUAL(class_of(MPI_Send(NULL, 0, gone, to, 7, MPI_COMM_WORLD)), MPI_ERR_TYPE);
    none = gone;
    OK(MPI_Type_free(&gone));
    EQUAL(class_of(MPI_Send(NULL, 0, none, to, 7, MPI_COMM_WORLD)), MPI_ERR_TYPE);
}

static void truncated(int ints)
{
    int *big = calloc((size_t)ints, sizeof *big), small[2] = {5, 5}, code;
    MPI_Request request;
    MPI_Status status;
    int to = (rank + 1) % ranks;
    OK(MPI_Isend(big, ints, MPI_INT, to, 1, MPI_COMM_WORLD, &request));
    code = MPI_Recv(small, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    EQUAL(class_of(code), MPI_ERR_TRUNCATE);
    EQUAL(small[1], 5);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(big);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Of many, one fails: the call says so, and the statuses say which. */
static void in_status(void)
{
    int out[2] = {1, 2}, one = 0, two[2] = {0, 0}, to = (rank + 1) % ranks;
    MPI_Request request[4];
    MPI_Status status[4];
    OK(MPI_Irecv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request[0]));
    OK(MPI_Irecv(two, 2, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request[1]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Isend(out, 2, MPI_INT, to, 2, MPI_COMM_WORLD, &request[2]));
    OK(MPI_Isend(out, 2, MPI_INT, to, 3, MPI_COMM_WORLD, &request[3]));
    EQUAL(class_of(MPI_Waitall(4, request, status)), MPI_ERR_IN_STATUS);
    EQUAL(class_of(status[0].MPI_ERROR), MPI_ERR_TRUNCATE);
    for (int i = 1; i < 4; i++)
        CHECK(status[i].MPI_ERROR == MPI_SUCCESS || status[i].MPI_ERROR == MPI_ERR_PENDING);
    OK(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
    EQUAL(two[1], 2);
}

static void handlers(void)
{
    MPI_Comm mine;
    MPI_Errhandler handler, back;
    int word = 0;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &mine));
    OK(MPI_Comm_get_errhandler(mine, &back));
    CHECK(back == MPI_ERRORS_RETURN);
    OK(MPI_Comm_create_errhandler(note, &handler));
    OK(MPI_Comm_set_errhandler(mine, handler));
    OK(MPI_Comm_get_errhandler(mine, &back));
    CHECK(back == handler);
    OK(MPI_Errhandler_free(&back));
    OK(MPI_Errhandler_free(&handler));
    CHECK(handler == MPI_ERRHANDLER_NULL);
    MPI_Send(&word, 1, MPI_INT, ranks + 3, 0, mine);
    EQUAL(called, 1);
    EQUAL(class_of(code_seen), MPI_ERR_RANK);
    CHECK(comm_seen == mine);
    OK(MPI_Comm_call_errhandler(mine, MPI_ERR_OTHER));
    EQUAL(called, 2);
    OK(MPI_Comm_free(&mine));
    CHECK(mine == MPI_COMM_NULL);
}

static void texts(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int length, class, code;
    for (int c = MPI_SUCCESS; c <= MPI_ERR_ARG; c++) {
        OK(MPI_Error_string(c, text, &length));
        CHECK(length > 0 && (size_t)length == strlen(text));
    }
    OK(MPI_Add_error_class(&class));
    CHECK(class > MPI_ERR_LASTCODE);
    OK(MPI_Add_error_code(class, &code));
    OK(MPI_Add_error_string(code, "the valve is shut"));
    EQUAL(class_of(code), class);
    OK(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "the valve is shut") == 0);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    arguments();
    of_no_type();
    truncated(4);
    truncated(100000);
    truncated(1000000);
    in_status();
    handlers();
    texts();
    return finish();
}
