// np: 2 3 4
/* Non-blocking, persistent and blocking collectives, mixed, on several communicators, in programs
 * drawn from seeds: all ranks start the same calls in the same order, and each completes its own in
 * an order of its own. Short ones of a communicator go through shared memory after a few calls, where
 * as many may be under way as the program likes; long ones, and those of a rank that is alone with its
 * functions, go by messages. */
#include "check.h"

enum { COMMS = 3, PENDING = 40, INTS = 2000, KEPT = 4, STEPS = 400 };

static unsigned common_state, own_state;

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Equal on all ranks. */
static int common(int below)
{
    return (int)(next(&common_state) % (unsigned)below);
}

static int own(int below)
{
    return (int)(next(&own_state) % (unsigned)below);
}

enum kind { BARRIER, BCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, ALLTOALL, SCAN, KINDS };

struct call {
    MPI_Request request;
    enum kind kind;
    int count, root, in_place, tag, persistent, is_active;
    MPI_Op op;
    int send[INTS], recv[INTS];
};

static struct call calls[PENDING], kept[COMMS][KEPT];
static MPI_Comm comms[COMMS];
static MPI_Op affine;

/* Composes affine maps, a factor and an offset of 16 bits in each number: it does not commute. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    unsigned *first = in, *then = inout;
    (void)type;
    for (int i = 0; i < *count; i++) {
        unsigned a = first[i] >> 16, b = first[i] & 0xffff;
        unsigned c = then[i] >> 16, d = then[i] & 0xffff;
        then[i] = a * c << 16 | ((b * c + d) & 0xffff);
    }
}

/* The element `i` of what rank `of` sends. */
static int element(const struct call *call, int of, int i)
{
    return (int)pattern(call->tag * 31 + of, (size_t)i) * 0x10203 + i;
}

static int sends(const struct call *call)
{
    int each = call->kind == ALLTOALL || call->kind == SCATTER ? ranks : 1;
    return call->count * each;
}

static int receives(const struct call *call)
{
    int each = call->kind == ALLTOALL || call->kind == GATHER || call->kind == ALLGATHER ? ranks : 1;
    return call->count * each;
}

static void prepare(struct call *call, int tag)
{
    int in_place = call->in_place;
    call->tag = tag;
    call->is_active = 1;
    memset(call->send, -1, sizeof call->send);
    memset(call->recv, -1, sizeof call->recv);
    for (int i = 0; i < sends(call); i++)
        call->send[i] = element(call, rank, i);
    if (call->kind == BCAST || in_place) {
        int at = call->kind == GATHER || call->kind == ALLGATHER ? rank * call->count : 0;
        for (int i = 0; i < sends(call); i++)
            call->recv[at + i] = call->send[i];
    }
}

static void expect(const struct call *call)
{
    int n = call->count, root = call->root;
    const int *recv = call->recv;
    switch (call->kind) {
    case BARRIER:
    case KINDS:
        break;
    case BCAST:
        for (int i = 0; i < n; i++)
            EQUAL(recv[i], element(call, root, i));
        break;
    case REDUCE:
        if (rank != root)
            break;
        /* falls through */
    case ALLREDUCE:
    case SCAN:
        for (int i = 0; i < n; i++) {
            int last = call->kind == SCAN ? rank + 1 : ranks, one = 1;
            unsigned all = (unsigned)element(call, 0, i);
            for (int r = 1; r < last; r++) {
                unsigned own = (unsigned)element(call, r, i);
                if (call->op == affine) {
                    compose(&all, &own, &one, NULL);
                    all = own;
                } else {
                    all += own;
                }
            }
            EQUAL((unsigned)recv[i], all);
        }
        break;
    case GATHER:
        if (rank != root)
            break;
        /* falls through */
    case ALLGATHER:
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < n; i++)
                EQUAL(recv[r * n + i], element(call, r, i));
        break;
    case SCATTER:
        for (int i = 0; i < n && !(call->in_place && rank == root); i++)
            EQUAL(recv[i], element(call, root, rank * n + i));
        break;
    case ALLTOALL:
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < n; i++)
                EQUAL(recv[r * n + i], element(call, r, rank * n + i));
        break;
    }
    for (int i = receives(call); i < INTS; i++)
        if (recv[i] != -1)
            EQUAL(recv[i], call->send[i]);
}

/* Calls the blocking function (0), its non-blocking form (1), or makes a persistent request. */
static void make(struct call *c, MPI_Comm comm, int form)
{
    MPI_Datatype t = MPI_INT;
    int n = c->count, root = c->root, at_root = rank == root;
    void *s = c->in_place ? MPI_IN_PLACE : c->send, *r = c->recv;
    void *root_s = c->in_place && at_root ? MPI_IN_PLACE : c->send;
    void *root_r = c->in_place && at_root ? MPI_IN_PLACE : c->recv;
#define FORMS(blocking, started, persistent, ...)                                                  \
    switch (form) {                                                                                \
    case 0: OK(blocking(__VA_ARGS__ comm)); break;                                                 \
    case 1: OK(started(__VA_ARGS__ comm, &c->request)); break;                                     \
    default: OK(persistent(__VA_ARGS__ comm, MPI_INFO_NULL, &c->request)); break;                  \
    }                                                                                              \
    break
#define ARGS(...) __VA_ARGS__,
    switch (c->kind) {
    case BARRIER:
        FORMS(MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, );
    case BCAST:
        FORMS(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, ARGS(r, n, t, root));
    case REDUCE:
        FORMS(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, ARGS(root_s, r, n, t, c->op, root));
    case ALLREDUCE:
        FORMS(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, ARGS(s, r, n, t, c->op));
    case GATHER:
        FORMS(MPI_Gather, MPI_Igather, MPI_Gather_init, ARGS(root_s, n, t, r, n, t, root));
    case SCATTER:
        FORMS(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, ARGS(c->send, n, t, root_r, n, t, root));
    case ALLGATHER:
        FORMS(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, ARGS(s, n, t, r, n, t));
    case ALLTOALL:
        FORMS(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, ARGS(s, n, t, r, n, t));
    case SCAN:
        FORMS(MPI_Scan, MPI_Iscan, MPI_Scan_init, ARGS(s, r, n, t, c->op));
    case KINDS:
        break;
    }
}

static void choose(struct call *c)
{
    c->kind = (enum kind)common(KINDS);
    c->root = common(ranks);
    c->op = common(3) == 0 ? affine : MPI_SUM;
    c->in_place = common(3) == 0;
    int most = INTS / ranks;
    static const int COUNTS[] = {0, 1, 3, 12, 13, 100, 250};
    c->count = common(12) == 0 ? most : COUNTS[common(7)];
}

static void complete(struct call *c)
{
    EQUAL(c->is_active, 1);
    expect(c);
    c->is_active = 0;
}

/* Completes one call that is under way, or some, in an order of this rank's own. */
static void complete_some(void)
{
    MPI_Request requests[PENDING];
    struct call *of[PENDING];
    int n = 0, index = -1, flag = 0, done = 0, indices[PENDING];
    for (int i = 0; i < PENDING; i++)
        if (calls[i].is_active) {
            of[n] = &calls[i];
            requests[n++] = calls[i].request;
        }
    if (n == 0)
        return;
    int which = own(n);
    switch (own(5)) {
    case 0:
        OK(MPI_Wait(&requests[which], MPI_STATUS_IGNORE));
        complete(of[which]);
        break;
    case 1:
        OK(MPI_Test(&requests[which], &flag, MPI_STATUS_IGNORE));
        if (flag)
            complete(of[which]);
        break;
    case 2:
        OK(MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE));
        complete(of[index]);
        break;
    case 3:
        OK(MPI_Testsome(n, requests, &done, indices, MPI_STATUSES_IGNORE));
        for (int i = 0; i < done; i++)
            complete(of[indices[i]]);
        break;
    case 4:
        OK(MPI_Waitall(n - which, requests + which, MPI_STATUSES_IGNORE));
        for (int i = which; i < n; i++)
            complete(of[i]);
    }
}

static struct call *room(void)
{
    for (;;) {
        for (int i = 0; i < PENDING; i++)
            if (!calls[i].is_active)
                return &calls[i];
        complete_some();
    }
}

static void start_kept(struct call *c, int tag)
{
    if (c->is_active) {
        OK(MPI_Wait(&c->request, MPI_STATUS_IGNORE));
        complete(c);
    }
    prepare(c, tag);
    OK(MPI_Start(&c->request));
}

static void program(unsigned seed)
{
    common_state = seed;
    own_state = seed * 7919u + (unsigned)rank;
    for (int i = 0; i < COMMS; i++) {
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
        for (int k = 0; k < KEPT; k++) {
            choose(&kept[i][k]);
            make(&kept[i][k], comms[i], 2);
        }
    }
    for (int step = 0; step < STEPS; step++) {
        int on = common(COMMS), what = common(8);
        if (what == 0) {
            static struct call now;
            choose(&now);
            prepare(&now, step);
            make(&now, comms[on], 0);
            expect(&now);
        } else if (what < 3) {
            /* All ranks start two, each in its own order. */
            int first = common(KEPT), second = (first + 1) % KEPT, swap = own(2);
            start_kept(&kept[on][swap ? second : first], swap ? step + 1000 : step);
            start_kept(&kept[on][swap ? first : second], swap ? step : step + 1000);
        } else {
            struct call *c = room();
            choose(c);
            prepare(c, step);
            make(c, comms[on], 1);
        }
        while (own(4) == 0)
            complete_some();
    }
    for (int i = 0; i < PENDING; i++)
        if (calls[i].is_active) {
            OK(MPI_Wait(&calls[i].request, MPI_STATUS_IGNORE));
            complete(&calls[i]);
        }
    for (int i = 0; i < COMMS; i++) {
        for (int k = 0; k < KEPT; k++) {
            struct call *c = &kept[i][k];
            if (c->is_active) {
                OK(MPI_Wait(&c->request, MPI_STATUS_IGNORE));
                complete(c);
            }
            OK(MPI_Request_free(&c->request));
        }
        OK(MPI_Comm_free(&comms[i]));
    }
}

/* A rank that receives a message, which another sends once its own call is complete, has to keep its
 * calls going: more of them than there are slots. */
static void behind_a_receive(void)
{
    enum { CALLS = 50 };
    MPI_Comm comm;
    MPI_Request requests[CALLS];
    int ones[CALLS], sums[CALLS], word = 0;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < CALLS; i++) {
            ones[i] = i + rank;
            OK(MPI_Iallreduce(&ones[i], &sums[i], 1, MPI_INT, MPI_SUM, comm, &requests[i]));
        }
        if (rank == 0)
            OK(MPI_Recv(&word, 1, MPI_INT, 1, 7, comm, MPI_STATUS_IGNORE));
        OK(MPI_Waitall(CALLS, requests, MPI_STATUSES_IGNORE));
        if (rank == 1)
            OK(MPI_Send(&word, 1, MPI_INT, 0, 7, comm));
        for (int i = 0; i < CALLS; i++)
            EQUAL(sums[i], ranks * i + ranks * (ranks - 1) / 2);
    }
    OK(MPI_Comm_free(&comm));
}

/* A communicator that is freed while calls on it are under way. */
static void freed(void)
{
    MPI_Comm comm;
    MPI_Request request;
    int one = 1, sum = 0;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int i = 0; i < 20; i++) {
        OK(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        if (i < 19)
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    OK(MPI_Comm_free(&comm));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(sum, ranks);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Op_create(compose, 0, &affine));
    behind_a_receive();
    freed();
    for (unsigned seed = 1; seed <= 12; seed++)
        program(seed);
    OK(MPI_Op_free(&affine));
    return finish();
}
