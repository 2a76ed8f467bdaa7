// np: 1 2 3
// quick
/* Every way to wait and to test, persistent requests, and both sendrecvs. */
#include "check.h"

enum { N = 8 };

static int to, from, out[N], in[N];
static MPI_Request request[2 * N];

static void begin(int base)
{
    for (int i = 0; i < N; i++) {
        out[i] = base + rank * N + i;
        in[i] = -1;
        OK(MPI_Irecv(&in[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &request[i]));
    }
    for (int i = 0; i < N; i++)
        OK(MPI_Isend(&out[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &request[N + i]));
}

static void check_in(int base)
{
    for (int i = 0; i < N; i++)
        EQUAL(in[i], base + from * N + i);
    for (int i = 0; i < 2 * N; i++)
        CHECK(request[i] == MPI_REQUEST_NULL);
}

static void one_at_a_time(void)
{
    int index, flag, seen = 0;
    MPI_Status status;
    begin(100);
    for (int i = 0; i < 2 * N; i++) {
        OK(MPI_Waitany(2 * N, request, &index, &status));
        CHECK(index >= 0 && index < 2 * N && !(seen & 1 << index));
        seen |= 1 << index;
        if (index < N)
            EQUAL(status.MPI_TAG, index);
    }
    check_in(100);
    OK(MPI_Waitany(2 * N, request, &index, &status));
    EQUAL(index, MPI_UNDEFINED);
    begin(200);
    for (int left = 2 * N; left > 0; left -= flag)
        OK(MPI_Testany(2 * N, request, &index, &flag, &status));
    check_in(200);
    OK(MPI_Testany(2 * N, request, &index, &flag, &status));
    EQUAL(flag, 1);
    EQUAL(index, MPI_UNDEFINED);
}

static void some_at_a_time(void)
{
    int index[2 * N], count;
    MPI_Status status[2 * N];
    begin(300);
    for (int left = 2 * N; left > 0; left -= count) {
        OK(MPI_Waitsome(2 * N, request, &count, index, status));
        CHECK(count > 0);
        for (int i = 0; i < count; i++)
            if (index[i] < N)
                EQUAL(status[i].MPI_TAG, index[i]);
    }
    check_in(300);
    OK(MPI_Waitsome(2 * N, request, &count, index, status));
    EQUAL(count, MPI_UNDEFINED);
    begin(400);
    for (int left = 2 * N; left > 0; left -= count)
        OK(MPI_Testsome(2 * N, request, &count, index, status));
    check_in(400);
}

static void all_at_once(void)
{
    int flag = 0;
    MPI_Status status[2 * N];
    begin(500);
    while (!flag)
        OK(MPI_Testall(2 * N, request, &flag, status));
    for (int i = 0; i < N; i++)
        EQUAL(status[i].MPI_SOURCE, from);
    check_in(500);
    begin(600);
    for (int i = 0; i < 2 * N; i++) {
        MPI_Status once;
        flag = 0;
        while (!flag)
            OK(MPI_Request_get_status(request[i], &flag, &once));
        CHECK(request[i] != MPI_REQUEST_NULL);
    }
    OK(MPI_Waitall(2 * N, request, status));
    check_in(600);
}

static MPI_Status dirty(void)
{
    MPI_Status status;
    memset(&status, 0x5a, sizeof status);
    return status;
}

static void check_empty(const MPI_Status *status)
{
    int count = -1, flag = -1;
    EQUAL(status->MPI_SOURCE, MPI_ANY_SOURCE);
    EQUAL(status->MPI_TAG, MPI_ANY_TAG);
    EQUAL(status->MPI_ERROR, MPI_SUCCESS);
    OK(MPI_Get_count(status, MPI_BYTE, &count));
    EQUAL(count, 0);
    OK(MPI_Test_cancelled(status, &flag));
    EQUAL(flag, 0);
}

/* Null and inactive requests are complete, with an empty status: the error field belongs to it,
 * even in calls that give one status and leave the field of any other alone (MPI 5.0, 3.7.3). */
static void nothing(int n, MPI_Request *idle)
{
    MPI_Status status, several[2];
    int flag = 0, at = 0;
    status = dirty();
    OK(MPI_Wait(idle, &status));
    check_empty(&status);
    status = dirty();
    OK(MPI_Test(idle, &flag, &status));
    CHECK(flag);
    check_empty(&status);
    status = dirty();
    OK(MPI_Waitany(n, idle, &at, &status));
    EQUAL(at, MPI_UNDEFINED);
    check_empty(&status);
    status = dirty();
    OK(MPI_Testany(n, idle, &at, &flag, &status));
    CHECK(flag);
    EQUAL(at, MPI_UNDEFINED);
    check_empty(&status);
    status = dirty();
    OK(MPI_Request_get_status(*idle, &flag, &status));
    CHECK(flag);
    check_empty(&status);
    status = dirty();
    OK(MPI_Request_get_status_any(n, idle, &at, &flag, &status));
    CHECK(flag);
    EQUAL(at, MPI_UNDEFINED);
    check_empty(&status);
    several[0] = several[1] = dirty();
    OK(MPI_Request_get_status_all(2, idle, &flag, several));
    CHECK(flag);
    check_empty(&several[0]);
    check_empty(&several[1]);
    several[0] = several[1] = dirty();
    OK(MPI_Waitall(2, idle, several));
    check_empty(&several[0]);
    check_empty(&several[1]);
}

/* The error field of the status of one operation is the caller's. */
static void error_is_left_alone(void)
{
    int out = rank, in = -1, flag = 0;
    MPI_Request pending[2];
    MPI_Status status = dirty();
    int was = status.MPI_ERROR;
    OK(MPI_Irecv(&in, 1, MPI_INT, from, 25, MPI_COMM_WORLD, &pending[0]));
    OK(MPI_Isend(&out, 1, MPI_INT, to, 25, MPI_COMM_WORLD, &pending[1]));
    OK(MPI_Wait(&pending[1], &status));
    EQUAL(status.MPI_ERROR, was);
    while (!flag)
        OK(MPI_Test(&pending[0], &flag, &status));
    EQUAL(status.MPI_ERROR, was);
    EQUAL(in, from);
}

static void persistent(void)
{
    MPI_Request lasting[4];
    int a = 0, b = 0, from_a = -1, from_b = -1;
    OK(MPI_Recv_init(&from_a, 1, MPI_INT, from, 20, MPI_COMM_WORLD, &lasting[0]));
    OK(MPI_Recv_init(&from_b, 1, MPI_INT, from, 21, MPI_COMM_WORLD, &lasting[1]));
    OK(MPI_Send_init(&a, 1, MPI_INT, to, 20, MPI_COMM_WORLD, &lasting[2]));
    OK(MPI_Ssend_init(&b, 1, MPI_INT, to, 21, MPI_COMM_WORLD, &lasting[3]));
    nothing(2, lasting);
    for (int i = 0; i < 100; i++) {
        a = rank * 1000 + i;
        b = -a;
        OK(MPI_Start(&lasting[0]));
        OK(MPI_Startall(3, &lasting[1]));
        OK(MPI_Waitall(4, lasting, MPI_STATUSES_IGNORE));
        EQUAL(from_a, from * 1000 + i);
        EQUAL(from_b, -(from * 1000 + i));
        CHECK(lasting[0] != MPI_REQUEST_NULL);
    }
    for (int i = 0; i < 4; i++) {
        OK(MPI_Request_free(&lasting[i]));
        CHECK(lasting[i] == MPI_REQUEST_NULL);
    }
}

static void exchange(int ints)
{
    int *a = malloc(sizeof(int) * (size_t)ints), *b = malloc(sizeof(int) * (size_t)ints);
    MPI_Status status;
    for (int i = 0; i < ints; i++)
        a[i] = rank * 7 + i;
    OK(MPI_Sendrecv(a, ints, MPI_INT, to, 30, b, ints, MPI_INT, from, 30, MPI_COMM_WORLD, &status));
    EQUAL(status.MPI_SOURCE, from);
    for (int i = 0; i < ints; i++)
        EQUAL(b[i], from * 7 + i);
    OK(MPI_Sendrecv_replace(a, ints, MPI_INT, to, 31, from, 31, MPI_COMM_WORLD, &status));
    for (int i = 0; i < ints; i++)
        EQUAL(a[i], from * 7 + i);
    free(a);
    free(b);
}

/* A request that is freed while active still does its work. */
static void freed(void)
{
    MPI_Request unwanted;
    int word = rank + 1, got = 0;
    OK(MPI_Isend(&word, 1, MPI_INT, to, 40, MPI_COMM_WORLD, &unwanted));
    OK(MPI_Request_free(&unwanted));
    OK(MPI_Recv(&got, 1, MPI_INT, from, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(got, from + 1);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    to = (rank + 1) % ranks;
    from = (rank + ranks - 1) % ranks;
    for (int i = 0; i < 20; i++) {
        one_at_a_time();
        some_at_a_time();
        all_at_once();
    }
    MPI_Request null[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    nothing(2, null);
    error_is_left_alone();
    persistent();
    exchange(1);
    exchange(10000);
    exchange(500000);
    freed();
    return finish();
}
