// np: 1
/* When the functions of a generalized request are called, and what becomes of their errors (MPI 5.0,
 * 13.2): the status is asked for by every call that returns it, the last function that fails gives the
 * error, and a request that is freed early frees its state when it is complete. */
#include "check.h"

static int queries, frees, cancels, query_code, free_code, was_complete;
static int source = 5, was_cancelled;

static int query(void *state, MPI_Status *status)
{
    queries++;
    OK(MPI_Status_set_elements(status, MPI_INT, *(int *)state));
    OK(MPI_Status_set_cancelled(status, was_cancelled));
    OK(MPI_Status_set_source(status, source));
    OK(MPI_Status_set_tag(status, 6));
    return query_code;
}

static int release(void *state)
{
    EQUAL(*(int *)state, 7);
    frees++;
    return free_code;
}

static int cancel(void *state, int complete)
{
    EQUAL(*(int *)state, 7);
    cancels++;
    was_complete = complete;
    return MPI_SUCCESS;
}

static MPI_Request begin(int of_query, int of_free)
{
    static int state = 7;
    MPI_Request request;
    queries = frees = cancels = 0;
    query_code = of_query;
    free_code = of_free;
    OK(MPI_Grequest_start(query, release, cancel, &state, &request));
    return request;
}

static void check_status(const MPI_Status *status)
{
    int count = 0;
    OK(MPI_Get_count(status, MPI_INT, &count));
    EQUAL(count, 7);
    EQUAL(status->MPI_SOURCE, source);
    EQUAL(status->MPI_TAG, 6);
    int flag = -1;
    OK(MPI_Test_cancelled(status, &flag));
    EQUAL(flag, was_cancelled);
}

/* Each way to learn the status asks for it; none ends the request but the last. */
static void statuses(void)
{
    MPI_Request request = begin(0, 0);
    MPI_Status status;
    int flag = 1, index = -1, count = 0;
    OK(MPI_Request_get_status(request, &flag, &status));
    CHECK(!flag && queries == 0);
    OK(MPI_Grequest_complete(request));
    for (int way = 0; way < 4; way++) {
        memset(&status, 0, sizeof status);
        if (way == 0)
            OK(MPI_Request_get_status(request, &flag, &status));
        if (way == 1)
            OK(MPI_Request_get_status_all(1, &request, &flag, &status));
        if (way == 2)
            OK(MPI_Request_get_status_any(1, &request, &index, &flag, &status));
        if (way == 3)
            OK(MPI_Request_get_status_some(1, &request, &count, &index, &status));
        CHECK(way == 3 ? count == 1 : flag);
        CHECK(queries == way + 1 && frees == 0 && request != MPI_REQUEST_NULL);
        check_status(&status);
    }
    memset(&status, 0, sizeof status);
    OK(MPI_Wait(&request, &status));
    CHECK(queries == 5 && frees == 1 && cancels == 0 && request == MPI_REQUEST_NULL);
    check_status(&status);
}

/* What the function says of source, tag and cancelling comes back, whatever the source is. */
static void any_status(void)
{
    static const int SOURCES[] = {MPI_UNDEFINED, MPI_PROC_NULL, MPI_ANY_SOURCE, -12345, 0, 99};
    for (int i = 0; i < 12; i++) {
        source = SOURCES[i / 2];
        was_cancelled = i % 2;
        MPI_Request request = begin(0, 0);
        MPI_Status status;
        OK(MPI_Grequest_complete(request));
        memset(&status, 0, sizeof status);
        OK(MPI_Wait(&request, &status));
        check_status(&status);
    }
    source = 5;
    was_cancelled = 0;
}

static void errors(int asked, int freed)
{
    static const int FAIL[3][2] = {{1, 0}, {0, 1}, {1, 1}};
    for (int i = 0; i < 3; i++) {
        int want = FAIL[i][1] ? freed : asked;
        MPI_Status status;
        MPI_Request request = begin(FAIL[i][0] ? asked : 0, FAIL[i][1] ? freed : 0);
        OK(MPI_Grequest_complete(request));
        EQUAL(MPI_Wait(&request, MPI_STATUS_IGNORE), want);
        CHECK(queries == 1 && frees == 1);
        request = begin(FAIL[i][0] ? asked : 0, FAIL[i][1] ? freed : 0);
        OK(MPI_Grequest_complete(request));
        EQUAL(class_of(MPI_Waitall(1, &request, &status)), MPI_ERR_IN_STATUS);
        EQUAL(status.MPI_ERROR, want);
        CHECK(queries == 1 && frees == 1);
    }
    int flag = 0;
    MPI_Request request = begin(asked, freed);
    OK(MPI_Grequest_complete(request));
    EQUAL(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE), asked);
    EQUAL(MPI_Request_free(&request), freed);
    CHECK(queries == 1 && frees == 1 && request == MPI_REQUEST_NULL);
    request = begin(asked, freed);
    MPI_Request same = request;
    OK(MPI_Request_free(&request));
    EQUAL(MPI_Grequest_complete(same), freed);
}

static void freed_early(void)
{
    MPI_Request request = begin(0, 0), same = request, other;
    OK(MPI_Cancel(&request));
    CHECK(cancels == 1 && !was_complete);
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL && frees == 0);
    other = same;
    EQUAL(class_of(MPI_Wait(&other, MPI_STATUS_IGNORE)), MPI_ERR_REQUEST);
    OK(MPI_Grequest_complete(same));
    CHECK(frees == 1 && queries == 0);
    EQUAL(class_of(MPI_Grequest_complete(same)), MPI_ERR_REQUEST);

    request = begin(0, 0);
    OK(MPI_Grequest_complete(request));
    OK(MPI_Cancel(&request));
    CHECK(cancels == 1 && was_complete);
    OK(MPI_Request_free(&request));
    CHECK(frees == 1 && queries == 0);
}

int main(int argc, char **argv)
{
    int class, asked, freed;
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &asked));
    OK(MPI_Add_error_code(class, &freed));
    statuses();
    any_status();
    errors(asked, freed);
    freed_early();
    return finish();
}
