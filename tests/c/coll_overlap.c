// np: 1 2 3 4 6
/* Many collectives under way at once, on one communicator and on several, between messages, waited
 * for in whatever order; persistent ones started in an order of each rank's own. */
#include "check.h"

enum { KINDS = 6, MANY = 40, N = 700 };

struct call {
    int *out, *in;
    int kind, seed;
    MPI_Request request;
};

static int given(int r, int to, int i, int seed)
{
    return r * 10007 + to * 31 + i + seed * 7;
}

static int *ints(int n)
{
    int *data = malloc(sizeof(int) * (size_t)n);
    CHECK(data != NULL);
    memset(data, 0, sizeof(int) * (size_t)n);
    return data;
}

static void fill_call(struct call *call, int kind, int seed)
{
    call->kind = kind % KINDS;
    call->seed = seed;
    if (call->out == NULL) {
        call->out = ints(N * ranks);
        call->in = ints(N * ranks);
    }
    for (int to = 0; to < ranks; to++)
        for (int i = 0; i < N; i++)
            call->out[to * N + i] = given(rank, to, i, seed);
    memset(call->in, 0, sizeof(int) * (size_t)(N * ranks));
}

static int root_of(const struct call *call)
{
    return call->seed % ranks;
}

static void begin(struct call *call, MPI_Comm comm)
{
    int root = root_of(call);
    MPI_Request *request = &call->request;
    switch (call->kind) {
    case 0: OK(MPI_Ibcast(call->out, N, MPI_INT, root, comm, request)); break;
    case 1:
        OK(MPI_Iallreduce(call->out, call->in, N, MPI_INT, MPI_MAX, comm, request));
        break;
    case 2:
        OK(MPI_Ialltoall(call->out, N, MPI_INT, call->in, N, MPI_INT, comm, request));
        break;
    case 3:
        OK(MPI_Igather(call->out, N, MPI_INT, call->in, N, MPI_INT, root, comm, request));
        break;
    case 4:
        OK(MPI_Iallgather(call->out, N, MPI_INT, call->in, N, MPI_INT, comm, request));
        break;
    default: OK(MPI_Ibarrier(comm, request));
    }
}

static void prepare(struct call *call, MPI_Comm comm)
{
    int root = root_of(call);
    MPI_Request *request = &call->request;
    switch (call->kind) {
    case 0: OK(MPI_Bcast_init(call->out, N, MPI_INT, root, comm, MPI_INFO_NULL, request)); break;
    case 1:
        OK(MPI_Allreduce_init(call->out, call->in, N, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL,
                              request));
        break;
    case 2:
        OK(MPI_Alltoall_init(call->out, N, MPI_INT, call->in, N, MPI_INT, comm, MPI_INFO_NULL,
                             request));
        break;
    case 3:
        OK(MPI_Gather_init(call->out, N, MPI_INT, call->in, N, MPI_INT, root, comm, MPI_INFO_NULL,
                           request));
        break;
    case 4:
        OK(MPI_Allgather_init(call->out, N, MPI_INT, call->in, N, MPI_INT, comm, MPI_INFO_NULL,
                              request));
        break;
    default: OK(MPI_Barrier_init(comm, MPI_INFO_NULL, request));
    }
}

static void check_call(const struct call *call)
{
    int root = root_of(call), seed = call->seed;
    for (int i = 0; i < N; i++) {
        if (call->kind == 0)
            EQUAL(call->out[i], given(root, 0, i, seed));
        if (call->kind == 1)
            EQUAL(call->in[i], given(ranks - 1, 0, i, seed));
        for (int r = 0; r < ranks; r++) {
            int found = call->in[r * N + i];
            if (call->kind == 2)
                EQUAL(found, given(r, rank, i, seed));
            if (call->kind == 4 || (call->kind == 3 && root == rank))
                EQUAL(found, given(r, 0, i, seed));
        }
    }
}

static struct call calls[MANY];

/* Different ranks wait in different orders. */
static int place(int step)
{
    return rank % 2 ? MANY - 1 - step : (step * 7 + rank) % MANY;
}

static void started(MPI_Comm one, MPI_Comm other)
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    MPI_Request messages[2 * MANY];
    int sent[MANY], received[MANY];
    for (int c = 0; c < MANY; c++) {
        fill_call(&calls[c], c, c * 3 + 1);
        begin(&calls[c], c % 3 ? one : other);
        sent[c] = rank * 100 + c;
        OK(MPI_Irecv(&received[c], 1, MPI_INT, left, c, one, &messages[2 * c]));
        OK(MPI_Isend(&sent[c], 1, MPI_INT, right, c, one, &messages[2 * c + 1]));
    }
    /* A blocking one runs while the others are under way. */
    int sum = 0;
    OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, one));
    EQUAL(sum, ranks * (ranks - 1) / 2);
    for (int step = 0; step < MANY; step++) {
        struct call *call = &calls[place(step)];
        if (step % 2) {
            OK(MPI_Wait(&call->request, MPI_STATUS_IGNORE));
        } else {
            int done = 0;
            while (!done)
                OK(MPI_Test(&call->request, &done, MPI_STATUS_IGNORE));
        }
        CHECK(call->request == MPI_REQUEST_NULL);
        check_call(call);
    }
    OK(MPI_Waitall(2 * MANY, messages, MPI_STATUSES_IGNORE));
    for (int c = 0; c < MANY; c++)
        EQUAL(received[c], left * 100 + c);
}

static void all_at_once(MPI_Comm one, MPI_Comm other)
{
    MPI_Request requests[MANY];
    for (int c = 0; c < MANY; c++) {
        fill_call(&calls[c], c + 1, c * 5 + 2);
        begin(&calls[c], c % 2 ? one : other);
        requests[c] = calls[c].request;
    }
    OK(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
    for (int c = 0; c < MANY; c++) {
        CHECK(requests[c] == MPI_REQUEST_NULL);
        check_call(&calls[c]);
    }
}

static void persistent(MPI_Comm one, MPI_Comm other)
{
    for (int c = 0; c < MANY; c++) {
        fill_call(&calls[c], c, c);
        prepare(&calls[c], c % 2 ? one : other);
    }
    for (int round = 0; round < 3; round++) {
        for (int c = 0; c < MANY; c++)
            fill_call(&calls[c], c, c);
        for (int step = 0; step < MANY; step++)
            OK(MPI_Start(&calls[place(step)].request));
        for (int c = 0; c < MANY; c++) {
            OK(MPI_Wait(&calls[c].request, MPI_STATUS_IGNORE));
            CHECK(calls[c].request != MPI_REQUEST_NULL);
            check_call(&calls[c]);
        }
    }
    MPI_Request requests[MANY];
    for (int c = 0; c < MANY; c++) {
        fill_call(&calls[c], c, c);
        requests[c] = calls[c].request;
    }
    OK(MPI_Startall(MANY, requests));
    OK(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
    for (int c = 0; c < MANY; c++) {
        check_call(&calls[c]);
        OK(MPI_Request_free(&requests[c]));
    }
}

/* A request outlives the handle of its communicator and of its type. */
static void outlives(void)
{
    MPI_Comm copy;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    MPI_Datatype pairs;
    OK(MPI_Type_vector(N, 1, 2, MPI_INT, &pairs));
    OK(MPI_Type_commit(&pairs));
    int *data = ints(2 * N);
    for (int i = 0; i < 2 * N; i++)
        data[i] = rank == 0 ? i : -1;
    MPI_Request request;
    OK(MPI_Ibcast(data, 1, pairs, 0, copy, &request));
    OK(MPI_Type_free(&pairs));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * N; i++)
        EQUAL(data[i], i % 2 == 0 || rank == 0 ? i : -1);
    free(data);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm other;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    started(MPI_COMM_WORLD, other);
    all_at_once(MPI_COMM_WORLD, other);
    persistent(MPI_COMM_WORLD, other);
    outlives();
    OK(MPI_Comm_free(&other));
    for (int c = 0; c < MANY; c++) {
        free(calls[c].out);
        free(calls[c].in);
    }
    return finish();
}
