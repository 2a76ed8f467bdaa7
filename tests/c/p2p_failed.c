// np: 2 3
/* A call that waits for several operations of which one has failed leaves the others pending (MPI
 * 5.0, 3.7.5): it once waited for ever where one of them could not end before it had returned. What
 * is complete ends, what is not stays valid and ends later, and all data is right. */
#include "check.h"
#include <unistd.h>

enum { LONG = 1 << 20 };

static MPI_Request request[4];
static MPI_Status status[4];
static int value[4], word = 1;
static char *out, *in;

/* Rank 0 waits for what the others send once they have its message. */
static void release(void)
{
    OK(MPI_Send(&word, 1, MPI_INT, 1, 9, MPI_COMM_WORLD));
}

static void sender(void)
{
    int eight[8] = {1, 2, 3, 4, 5, 6, 7, 8}, answer = 42;
    OK(MPI_Send(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
    OK(MPI_Send(eight, 8, MPI_INT, 0, 1, MPI_COMM_WORLD));
    OK(MPI_Recv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Send(&answer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD));
}

static void post(int first)
{
    for (int i = 0; i < 4; i++) {
        value[i] = -1;
        status[i].MPI_ERROR = -1;
    }
    /* Truncated; late; well, and persistent; none. */
    OK(MPI_Irecv(&value[first], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[first]));
    OK(MPI_Irecv(&value[1 - first], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request[1 - first]));
    OK(MPI_Recv_init(&value[2], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request[2]));
    OK(MPI_Start(&request[2]));
    request[3] = MPI_REQUEST_NULL;
}

static void found(int first, int code)
{
    EQUAL(class_of(code), MPI_ERR_IN_STATUS);
    EQUAL(class_of(status[first].MPI_ERROR), MPI_ERR_TRUNCATE);
    EQUAL(status[1 - first].MPI_ERROR, MPI_ERR_PENDING);
    EQUAL(status[2].MPI_ERROR, MPI_SUCCESS);
    EQUAL(status[2].MPI_TAG, 3);
    EQUAL(status[3].MPI_ERROR, MPI_SUCCESS);
    CHECK(request[first] == MPI_REQUEST_NULL && request[1 - first] != MPI_REQUEST_NULL);
    EQUAL(value[2], 1);
    release();
    OK(MPI_Waitall(4, request, status));
    EQUAL(value[1 - first], 42);
    EQUAL(status[1 - first].MPI_ERROR, MPI_SUCCESS);
    EQUAL(status[1 - first].MPI_TAG, 2);
    OK(MPI_Request_free(&request[2]));
}

/* The failed operation before or behind the one that is waited for. */
static void waits(int first)
{
    if (rank == 1)
        sender();
    if (rank != 0)
        return;
    post(first);
    found(first, MPI_Waitall(4, request, status));
}

static void tests(int first)
{
    if (rank == 1)
        sender();
    if (rank != 0)
        return;
    int flag = 0, code;
    post(first);
    do
        code = MPI_Testall(4, request, &flag, status);
    while (code == MPI_SUCCESS && !flag);
    EQUAL(flag, 0);
    found(first, code);
}

/* Some are returned as they end: the failed one is among them, the pending one is not. */
static void some(void)
{
    int count = 0, which[4], failed = 0, code = MPI_SUCCESS;
    if (rank == 1)
        sender();
    if (rank != 0)
        return;
    post(0);
    for (int ended = 0; ended < 2; ended += count) {
        code = MPI_Waitsome(4, request, &count, which, status);
        CHECK(code == MPI_SUCCESS || class_of(code) == MPI_ERR_IN_STATUS);
        for (int i = 0; i < count; i++) {
            CHECK(which[i] != 1);
            if (which[i] == 0 && code != MPI_SUCCESS)
                failed = class_of(status[i].MPI_ERROR);
        }
    }
    EQUAL(failed, MPI_ERR_TRUNCATE);
    release();
    OK(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
    OK(MPI_Request_free(&request[2]));
    EQUAL(value[1], 42);
}

/* Without statuses, and beside a collective. */
static void kinds(void)
{
    int sum = 0, one = rank + 1;
    if (rank == 1)
        sender();
    if (rank == 0) {
        post(0);
        OK(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[3]));
        int code = MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        EQUAL(class_of(code), MPI_ERR_IN_STATUS);
        CHECK(request[0] == MPI_REQUEST_NULL && request[1] != MPI_REQUEST_NULL);
        release();
        OK(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
        OK(MPI_Request_free(&request[2]));
        EQUAL(value[1], 42);
    } else {
        OK(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[3]));
        OK(MPI_Wait(&request[3], MPI_STATUS_IGNORE));
    }
    EQUAL(sum, ranks * (ranks + 1) / 2);
}

/* Both halves of an exchange whose receive is too short: the send ends all the same. */
static void exchange(int blocking)
{
    int peer = 1 - rank, code;
    if (rank > 1)
        return;
    fill((unsigned char *)out, LONG, rank);
    if (blocking) {
        code = MPI_Sendrecv(out, LONG, MPI_CHAR, peer, 5, in, rank ? LONG : 8, MPI_CHAR, peer, 5,
                            MPI_COMM_WORLD, &status[0]);
    } else {
        OK(MPI_Isendrecv(out, LONG, MPI_CHAR, peer, 5, in, rank ? LONG : 8, MPI_CHAR, peer, 5,
                         MPI_COMM_WORLD, &request[0]));
        code = MPI_Wait(&request[0], &status[0]);
    }
    EQUAL(class_of(code), rank ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    FILLED((unsigned char *)in, rank ? LONG : 8, peer);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    out = malloc(LONG);
    in = malloc(LONG);
    alarm(20);
    for (int first = 0; first < 2; first++) {
        OK(MPI_Barrier(MPI_COMM_WORLD));
        waits(first);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        tests(first);
        exchange(first);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    some();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    kinds();
    free(out);
    free(in);
    return finish();
}
