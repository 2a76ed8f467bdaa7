// np: 3 4 6
/* Exchanges with the neighbours of random topologies, the blocks of which may share messages
 * between nodes: with each form of call, several at once, on grids, graphs and distributed graphs,
 * and their duplicates. */
#include "check.h"

enum { MOST = 96, EDGES = 48, ROUNDS = 30, LONGEST = 40 };

static unsigned state;

static int below(int end)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)end);
}

/* The neighbours of this process; which-th edge to the same process, counted as there. */
static int in, out, sources[MOST], destinations[MOST], in_nth[MOST], out_nth[MOST];

static int given(int from, int to, int nth, int i)
{
    return ((from * 64 + to) * 64 + nth) * LONGEST + i;
}

static void number(int count, const int *ranks, int swap, int *nth)
{
    int seen[64] = {0};
    for (int at = 0; at < count; at++) {
        int slot = swap ? at ^ 1 : at;
        if (ranks[slot] >= 0)
            nth[slot] = seen[ranks[slot]]++;
    }
}

/* One exchange under way: its memory, and what it is. */
struct call {
    int elements, same, gaps, *send, *recv;
    MPI_Datatype type;
    MPI_Request request;
};

static void prepare(struct call *call)
{
    int me = rank;
    call->elements = below(LONGEST);
    call->same = below(2);
    call->gaps = below(2);
    call->send = malloc(sizeof(int) * MOST * LONGEST);
    call->recv = malloc(sizeof(int) * MOST * 2 * LONGEST);
    CHECK(call->send != NULL && call->recv != NULL);
    if (call->gaps) {
        OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &call->type));
        OK(MPI_Type_commit(&call->type));
    } else {
        call->type = MPI_INT;
    }
    for (int b = 0; b < (call->same ? 1 : out); b++)
        for (int i = 0; i < call->elements; i++)
            call->send[b * call->elements + i] =
                call->same ? given(me, 0, 0, i) : given(me, destinations[b], out_nth[b], i);
}

static void clear(struct call *call)
{
    for (int at = 0; at < MOST * 2 * LONGEST; at++)
        call->recv[at] = -1;
}

static void expect(const struct call *call)
{
    int step = call->gaps ? 2 : 1, length = call->elements;
    for (int b = 0; b < in; b++)
        for (int i = 0; i < length; i++) {
            int from = sources[b], want = -1;
            if (from >= 0)
                want = call->same ? given(from, 0, 0, i) : given(from, rank, in_nth[b], i);
            EQUAL(call->recv[(b * length + i) * step], want);
            if (call->gaps)
                EQUAL(call->recv[(b * length + i) * step + 1], -1);
        }
    EQUAL(call->recv[in * length * step], -1);
}

static void discard(struct call *call)
{
    if (call->gaps)
        OK(MPI_Type_free(&call->type));
    free(call->send);
    free(call->recv);
}

static void begin(struct call *call, MPI_Comm comm, int persistent)
{
    int n = call->elements;
    clear(call);
    if (persistent && call->same)
        OK(MPI_Neighbor_allgather_init(call->send, n, MPI_INT, call->recv, n, call->type, comm,
                                       MPI_INFO_NULL, &call->request));
    else if (persistent)
        OK(MPI_Neighbor_alltoall_init(call->send, n, MPI_INT, call->recv, n, call->type, comm,
                                      MPI_INFO_NULL, &call->request));
    else if (call->same)
        OK(MPI_Ineighbor_allgather(call->send, n, MPI_INT, call->recv, n, call->type, comm,
                                   &call->request));
    else
        OK(MPI_Ineighbor_alltoall(call->send, n, MPI_INT, call->recv, n, call->type, comm,
                                  &call->request));
}

static void exchange(MPI_Comm comm)
{
    struct call calls[3];
    for (int c = 0; c < 3; c++)
        prepare(&calls[c]);
    int n = calls[0].elements;
    clear(&calls[0]);
    if (calls[0].same)
        OK(MPI_Neighbor_allgather(calls[0].send, n, MPI_INT, calls[0].recv, n, calls[0].type,
                                  comm));
    else
        OK(MPI_Neighbor_alltoall(calls[0].send, n, MPI_INT, calls[0].recv, n, calls[0].type, comm));
    expect(&calls[0]);
    /* All under way at once, and completed in another order. */
    for (int c = 0; c < 3; c++)
        begin(&calls[c], comm, 0);
    for (int c = 2; c >= 0; c--) {
        OK(MPI_Wait(&calls[c].request, MPI_STATUS_IGNORE));
        expect(&calls[c]);
    }
    for (int c = 0; c < 3; c++)
        begin(&calls[c], comm, 1);
    for (int start = 0; start < 2; start++) {
        for (int c = 0; c < 3; c++) {
            clear(&calls[c]);
            OK(MPI_Start(&calls[c].request));
        }
        for (int c = 0; c < 3; c++) {
            OK(MPI_Wait(&calls[c].request, MPI_STATUS_IGNORE));
            expect(&calls[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        OK(MPI_Request_free(&calls[c].request));
        discard(&calls[c]);
    }
}

/* A graph with loops and double edges. */
static MPI_Comm random_graph(void)
{
    int from[EDGES], to[EDGES], count = 1 + below(EDGES);
    in = out = 0;
    for (int edge = 0; edge < count; edge++) {
        from[edge] = below(ranks);
        to[edge] = below(ranks);
        if (from[edge] == rank)
            destinations[out++] = to[edge];
        if (to[edge] == rank)
            sources[in++] = from[edge];
    }
    MPI_Comm comm;
    if (below(2)) {
        OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out,
                                          destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    } else {
        /* Each edge is given by some process. */
        int some_from[EDGES], degrees[EDGES], some_to[EDGES], some = 0, weighted;
        for (int edge = 0; edge < count; edge++)
            if (edge % ranks == rank) {
                some_from[some] = from[edge];
                degrees[some] = 1;
                some_to[some++] = to[edge];
            }
        OK(MPI_Dist_graph_create(MPI_COMM_WORLD, some, some_from, degrees, some_to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm));
        OK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
        OK(MPI_Dist_graph_neighbors(comm, in, sources, MPI_UNWEIGHTED, out, destinations,
                                    MPI_UNWEIGHTED));
    }
    number(in, sources, 0, in_nth);
    number(out, destinations, 0, out_nth);
    return comm;
}

static MPI_Comm known_graph(void)
{
    int index[64], edges[64 * 64], end = 0;
    for (int node = 0; node < ranks; node++) {
        for (int other = 0; other < ranks; other++)
            if ((node * other + node + other) % 3 != 0)
                edges[end++] = other;
        index[node] = end;
    }
    MPI_Comm comm;
    OK(MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &comm));
    OK(MPI_Graph_neighbors_count(comm, rank, &in));
    OK(MPI_Graph_neighbors(comm, rank, MOST, sources));
    out = in;
    memcpy(destinations, sources, sizeof(sources));
    number(in, sources, 0, in_nth);
    number(out, destinations, 0, out_nth);
    return comm;
}

static MPI_Comm grid(int keeps)
{
    int dims[3] = {0, 0, 0}, periods[3], remain[3] = {1, 0, 1}, count = 3;
    MPI_Comm comm, part;
    OK(MPI_Dims_create(ranks, 3, dims));
    for (int d = 0; d < 3; d++)
        periods[d] = below(2);
    OK(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm));
    if (!keeps) {
        OK(MPI_Cart_sub(comm, remain, &part));
        OK(MPI_Comm_free(&comm));
        comm = part;
        count = 2;
    }
    for (int d = 0; d < count; d++) {
        OK(MPI_Cart_shift(comm, d, 1, &sources[2 * d], &sources[2 * d + 1]));
        for (int side = 2 * d; side < 2 * d + 2; side++) {
            if (sources[side] == MPI_PROC_NULL)
                sources[side] = -1;
            destinations[side] = sources[side];
        }
    }
    in = out = 2 * count;
    number(in, sources, 1, in_nth);
    number(out, destinations, 0, out_nth);
    return comm;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm comm, twin;
        state = 77u + (unsigned)round;
        switch (round % 4) {
        case 0:
            comm = random_graph();
            break;
        case 1:
            comm = known_graph();
            break;
        default:
            comm = grid(round % 4 == 2);
            break;
        }
        int world = rank;
        OK(MPI_Comm_rank(comm, &rank));
        exchange(comm);
        OK(MPI_Comm_dup(comm, &twin));
        OK(MPI_Comm_free(&comm));
        exchange(twin);
        OK(MPI_Comm_free(&twin));
        rank = world;
    }
    return finish();
}
