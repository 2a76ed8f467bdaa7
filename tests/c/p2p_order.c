// np: 1 2 4
// quick
/* Messages between two ranks arrive in the order they were sent, whatever their sizes and however
 * the receives are posted: by name, with wildcards, before the send or long after it. */
#include "check.h"

enum { MESSAGES = 400, INTS_MAX = 20000, OUTSTANDING = 3000 };

/* Sizes that take different protocols, mixed: a long message must not be passed by a short one. */
static int ints_of(int i)
{
    static const int INTS[] = {1, 5000, 2, INTS_MAX, 1, 16, 700, 1};
    return INTS[i % 8];
}

static void send_all(int to, MPI_Request *request, int **data)
{
    for (int i = 0; i < MESSAGES; i++) {
        int n = ints_of(i);
        data[i] = malloc(sizeof(int) * (size_t)n);
        for (int k = 0; k < n; k++)
            data[i][k] = rank * 1000000 + i * 1000 + k % 1000;
        OK(MPI_Isend(data[i], n, MPI_INT, to, i % 3, MPI_COMM_WORLD, &request[i]));
    }
}

static void check_message(const int *in, const MPI_Status *status, int i)
{
    int n = 0;
    OK(MPI_Get_count(status, MPI_INT, &n));
    EQUAL(n, ints_of(i));
    EQUAL(status->MPI_TAG, i % 3);
    for (int k = 0; k < n; k++)
        EQUAL(in[k], status->MPI_SOURCE * 1000000 + i * 1000 + k % 1000);
}

/* Everyone sends to everyone; each takes whatever comes, and counts by source. */
static void any_source(int *in)
{
    int *next = calloc((size_t)ranks, sizeof *next);
    for (int got = 0; got < MESSAGES * ranks; got++) {
        MPI_Status status;
        OK(MPI_Recv(in, INTS_MAX, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        check_message(in, &status, next[status.MPI_SOURCE]++);
    }
    for (int r = 0; r < ranks; r++)
        EQUAL(next[r], MESSAGES);
    free(next);
}

static void to_everyone(int *in)
{
    MPI_Request *request = malloc(sizeof *request * MESSAGES * (size_t)ranks);
    int **data = malloc(sizeof *data * MESSAGES * (size_t)ranks);
    for (int r = 0; r < ranks; r++)
        send_all(r, request + r * MESSAGES, data + r * MESSAGES);
    any_source(in);
    OK(MPI_Waitall(MESSAGES * ranks, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MESSAGES * ranks; i++)
        free(data[i]);
    free(data);
    free(request);
}

/* Posted by tag in the opposite order of sending: matching goes by tag, order only within one. */
static void tags_backwards(void)
{
    enum { TAGS = 50 };
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, in[TAGS], out[TAGS];
    MPI_Request request[2 * TAGS];
    for (int t = 0; t < TAGS; t++)
        OK(MPI_Irecv(&in[t], 1, MPI_INT, from, 100 + TAGS - 1 - t, MPI_COMM_WORLD, &request[t]));
    for (int t = 0; t < TAGS; t++) {
        out[t] = rank * 100 + t;
        OK(MPI_Isend(&out[t], 1, MPI_INT, to, 100 + t, MPI_COMM_WORLD, &request[TAGS + t]));
    }
    OK(MPI_Waitall(2 * TAGS, request, MPI_STATUSES_IGNORE));
    for (int t = 0; t < TAGS; t++)
        EQUAL(in[t], from * 100 + TAGS - 1 - t);
}

/* A wildcard posted before a named receive takes the first message. */
static void wildcard_first(void)
{
    int in[2] = {0, 0}, out[2] = {11, 22}, to = (rank + 1) % ranks;
    int from = (rank + ranks - 1) % ranks;
    MPI_Request request[4];
    OK(MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]));
    OK(MPI_Irecv(&in[1], 1, MPI_INT, from, 9, MPI_COMM_WORLD, &request[1]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Isend(&out[0], 1, MPI_INT, to, 9, MPI_COMM_WORLD, &request[2]));
    OK(MPI_Isend(&out[1], 1, MPI_INT, to, 9, MPI_COMM_WORLD, &request[3]));
    OK(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
    EQUAL(in[0], 11);
    EQUAL(in[1], 22);
}

/* Thousands of messages that nobody expects yet, then received in order. */
static void unexpected(void)
{
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    static int out[OUTSTANDING][16], in[16];
    MPI_Request *request = malloc(sizeof *request * OUTSTANDING);
    for (int i = 0; i < OUTSTANDING; i++) {
        for (int k = 0; k < 16; k++)
            out[i][k] = i * 16 + k;
        OK(MPI_Isend(out[i], 16, MPI_INT, to, 77, MPI_COMM_WORLD, &request[i]));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < OUTSTANDING; i++) {
        OK(MPI_Recv(in, 16, MPI_INT, from, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int k = 0; k < 16; k++)
            EQUAL(in[k], i * 16 + k);
    }
    OK(MPI_Waitall(OUTSTANDING, request, MPI_STATUSES_IGNORE));
    free(request);
}

int main(int argc, char **argv)
{
    int *in = malloc(sizeof(int) * INTS_MAX);
    start(&argc, &argv);
    to_everyone(in);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    tags_backwards();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    wildcard_first();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    unexpected();
    free(in);
    return finish();
}
