// np: 1 2 3 4 5 6 7
// quick
/* Reductions in their three forms, with MPI's operations and with one of the program that does not
 * commute, on predefined types, on a derived type and on one with gaps, with every root, in place
 * and not. What comes out is compared with a loop over the ranks in order. */
#include "check.h"

enum form { BLOCKING, STARTED, PERSISTENT };

static enum form form;
static MPI_Comm comm;
static int size, me;

/* x -> a * x + b modulo 2^32; following one map by another does not commute. */
struct map {
    unsigned a, b;
};

static struct map given(int r, int i)
{
    struct map map = {(unsigned)(2 * r + 4 * i + 3), (unsigned)(r * 17 + i + 1)};
    return map;
}

static struct map follow(struct map first, struct map second)
{
    struct map both = {second.a * first.a, second.a * first.b + second.b};
    return both;
}

static void compose(void *in, void *inout, int *length, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    OK(MPI_Type_get_extent(*type, &lb, &extent));
    for (int i = 0; i < *length; i++) {
        struct map *lower = (struct map *)((char *)in + i * extent);
        struct map *upper = (struct map *)((char *)inout + i * extent);
        *upper = follow(*lower, *upper);
    }
}

/* The maps of the ranks from `first` to `last`, one after the other. */
static struct map expected(int first, int last, int i)
{
    struct map all = given(first, i);
    for (int r = first + 1; r <= last; r++)
        all = follow(all, given(r, i));
    return all;
}

/* Maps `stride` apart; what lies between them must stay. */
struct maps {
    struct map *data;
    int n, stride;
};

static const struct map UNTOUCHED = {0xdeadbeef, 0xcafe};

static struct maps maps(int n, int stride)
{
    struct maps maps = {malloc(sizeof(struct map) * (size_t)(n * stride + 1)), n, stride};
    CHECK(maps.data != NULL);
    for (int i = 0; i <= n * stride; i++)
        maps.data[i] = UNTOUCHED;
    return maps;
}

static void give(struct maps maps, int first, int n, int element)
{
    for (int i = 0; i < n; i++)
        maps.data[(first + i) * maps.stride] = given(me, element + i);
}

static void is(struct map found, struct map wanted)
{
    EQUAL(found.a, wanted.a);
    EQUAL(found.b, wanted.b);
}

static void close_maps(struct maps maps)
{
    for (int i = 0; i <= maps.n * maps.stride; i++)
        if (i % maps.stride != 0 || i == maps.n * maps.stride)
            is(maps.data[i], UNTOUCHED);
    free(maps.data);
}

/* Not in place a second start gives the same; in place the caller says how to bring it back. */
#define RUN(name, iname, init, back, ...)                                                          \
    do {                                                                                           \
        MPI_Request request_;                                                                      \
        switch (form) {                                                                            \
        case BLOCKING: OK(name(__VA_ARGS__, comm)); break;                                         \
        case STARTED:                                                                              \
            OK(iname(__VA_ARGS__, comm, &request_));                                               \
            OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                            \
            break;                                                                                 \
        default:                                                                                   \
            OK(init(__VA_ARGS__, comm, MPI_INFO_NULL, &request_));                                 \
            for (int i_ = 0; i_ < 2; i_++) {                                                       \
                if (i_ > 0) {                                                                      \
                    back;                                                                          \
                }                                                                                  \
                OK(MPI_Start(&request_));                                                          \
                OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                        \
            }                                                                                      \
            OK(MPI_Request_free(&request_));                                                       \
        }                                                                                          \
    } while (0)

static void reduce(MPI_Op op, MPI_Datatype type, int stride, int n, int root, int in_place)
{
    struct maps out = maps(n, stride), in = maps(n, stride);
    int own = in_place && me == root;
    give(own ? in : out, 0, n, 0);
    void *send = own ? MPI_IN_PLACE : out.data;
    void *recv = me == root ? in.data : NULL;
    RUN(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, own ? give(in, 0, n, 0) : (void)0, send, recv, n,
        type, op, root);
    for (int i = 0; i < n; i++)
        is(in.data[i * stride], me == root ? expected(0, size - 1, i) : UNTOUCHED);
    close_maps(out);
    close_maps(in);
}

enum kind { ALL, SCAN, EXSCAN };

static void everywhere(enum kind kind, MPI_Op op, MPI_Datatype type, int stride, int n,
                       int in_place)
{
    struct maps out = maps(n, stride), in = maps(n, stride);
    struct maps own = in_place ? in : out;
    give(own, 0, n, 0);
    void *send = in_place ? MPI_IN_PLACE : out.data;
    if (kind == ALL)
        RUN(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, give(own, 0, n, 0), send, in.data, n,
            type, op);
    else if (kind == SCAN)
        RUN(MPI_Scan, MPI_Iscan, MPI_Scan_init, give(own, 0, n, 0), send, in.data, n, type, op);
    else
        RUN(MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, give(own, 0, n, 0), send,
            me == 0 && !in_place ? NULL : in.data, n, type, op);
    for (int i = 0; i < n; i++) {
        struct map found = in.data[i * stride];
        if (kind == ALL)
            is(found, expected(0, size - 1, i));
        else if (kind == SCAN)
            is(found, expected(0, me, i));
        else if (me > 0)
            is(found, expected(0, me - 1, i));
        else
            is(found, in_place ? given(0, i) : UNTOUCHED);
    }
    close_maps(out);
    close_maps(in);
}

static void scatter_block(MPI_Op op, MPI_Datatype type, int stride, int n, int in_place)
{
    struct maps out = maps(n * size, stride), in = maps(in_place ? n * size : n, stride);
    struct maps own = in_place ? in : out;
    give(own, 0, n * size, 0);
    void *send = in_place ? MPI_IN_PLACE : out.data;
    RUN(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init,
        give(own, 0, n * size, 0), send, in.data, n, type, op);
    for (int i = 0; i < n; i++)
        is(in.data[i * stride], expected(0, size - 1, me * n + i));
    close_maps(out);
    close_maps(in);
}

/* Rank r gets n + r elements, and none if r is 1. */
static void scatter_counts(MPI_Op op, MPI_Datatype type, int stride, int n, int in_place)
{
    int counts[64], first = 0, all = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = r == 1 ? 0 : n + r;
        if (r < me)
            first += counts[r];
        all += counts[r];
    }
    struct maps out = maps(all, stride), in = maps(in_place ? all : counts[me], stride);
    struct maps own = in_place ? in : out;
    give(own, 0, all, 0);
    void *send = in_place ? MPI_IN_PLACE : out.data;
    RUN(MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init, give(own, 0, all, 0),
        send, in.data, counts, type, op);
    for (int i = 0; i < counts[me]; i++)
        is(in.data[i * stride], expected(0, size - 1, first + i));
    close_maps(out);
    close_maps(in);
}

static void each(MPI_Op op, MPI_Datatype type, int stride, int n)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root < size; root++)
            reduce(op, type, stride, n, root, in_place);
        for (enum kind kind = ALL; kind <= EXSCAN; kind++)
            everywhere(kind, op, type, stride, n, in_place);
        scatter_block(op, type, stride, n, in_place);
        scatter_counts(op, type, stride, n, in_place);
    }
}

/* Pairs of the least value and the rank that has it, by MPI's own operation. */
static void least(int n)
{
    struct pair {
        double value;
        int at;
    } *out = malloc(sizeof *out * (size_t)(n + 1)), *in = malloc(sizeof *in * (size_t)(n + 1));
    CHECK(out != NULL && in != NULL);
    for (int i = 0; i < n; i++) {
        out[i].value = (me + i) % size * 0.5;
        out[i].at = me;
    }
    RUN(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, (void)0, out, in, n, MPI_DOUBLE_INT,
        MPI_MINLOC);
    for (int i = 0; i < n; i++) {
        CHECK(in[i].value == 0.0);
        EQUAL((in[i].at + i) % size, 0);
    }
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    static const int COUNTS[] = {0, 1, 7, 900, 9001};
    start(&argc, &argv);
    MPI_Datatype pair, gaps;
    OK(MPI_Type_contiguous(2, MPI_UNSIGNED, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Type_create_resized(pair, 0, 3 * sizeof(struct map), &gaps));
    OK(MPI_Type_commit(&gaps));
    MPI_Op op;
    OK(MPI_Op_create(compose, 0, &op));
    MPI_Comm reversed;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed));
    MPI_Comm comms[2] = {MPI_COMM_WORLD, reversed};
    for (int c = 0; c < 2; c++) {
        comm = comms[c];
        OK(MPI_Comm_rank(comm, &me));
        OK(MPI_Comm_size(comm, &size));
        for (form = BLOCKING; form <= PERSISTENT; form++)
            for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
                each(op, pair, 1, COUNTS[i]);
                each(op, gaps, 3, COUNTS[i]);
                least(COUNTS[i]);
            }
    }
    OK(MPI_Comm_free(&reversed));
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&gaps));
    OK(MPI_Type_free(&pair));
    return finish();
}
