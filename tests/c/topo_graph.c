// np: 1 2 3 5
/* Graphs: those that everybody knows, and those of which each process knows its own edges; with
 * collectives among the neighbours. */
#include "check.h"

enum { MOST = 64 };

static int given(int from, int to, int i)
{
    return from * 1009 + to * 31 + i + 1;
}

/* Every process exchanges with its neighbours; a block between a and b has a + b elements. */
static void exchange(MPI_Comm comm, int in, const int *sources, int out, const int *destinations)
{
    int sendcounts[MOST], sdispls[MOST], recvcounts[MOST], rdispls[MOST], at = 0, got = 0, me;
    OK(MPI_Comm_rank(comm, &me));
    for (int b = 0; b < out; b++) {
        sendcounts[b] = me + destinations[b];
        sdispls[b] = at;
        at += sendcounts[b];
    }
    for (int b = 0; b < in; b++) {
        recvcounts[b] = me + sources[b];
        rdispls[b] = got;
        got += recvcounts[b] + 1;
    }
    int *send = malloc(sizeof(int) * (size_t)(at + 1));
    int *recv = malloc(sizeof(int) * (size_t)(got + 1));
    CHECK(send != NULL && recv != NULL);
    for (int b = 0; b < out; b++)
        for (int i = 0; i < sendcounts[b]; i++)
            send[sdispls[b] + i] = given(me, destinations[b], i);
    for (int form = 0; form < 3; form++) {
        MPI_Request request;
        for (int i = 0; i < got; i++)
            recv[i] = -1;
        if (form == 0) {
            OK(MPI_Neighbor_alltoallv(send, sendcounts, sdispls, MPI_INT, recv, recvcounts, rdispls,
                                      MPI_INT, comm));
        } else if (form == 1) {
            OK(MPI_Ineighbor_alltoallv(send, sendcounts, sdispls, MPI_INT, recv, recvcounts,
                                       rdispls, MPI_INT, comm, &request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            OK(MPI_Neighbor_alltoallv_init(send, sendcounts, sdispls, MPI_INT, recv, recvcounts,
                                           rdispls, MPI_INT, comm, MPI_INFO_NULL, &request));
            OK(MPI_Start(&request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            OK(MPI_Request_free(&request));
        }
        for (int b = 0; b < in; b++)
            for (int i = 0; i <= recvcounts[b]; i++)
                EQUAL(recv[rdispls[b] + i],
                      i < recvcounts[b] ? given(sources[b], me, i) : -1);
    }
    int mine = me + 77, theirs[MOST];
    OK(MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, comm));
    for (int b = 0; b < in; b++)
        EQUAL(theirs[b], sources[b] + 77);
    free(send);
    free(recv);
}

/* A ring: everybody's neighbours are the one before and the one after. */
static void whole_graph(int nodes)
{
    int index[MOST], edges[2 * MOST], kind, count, nedges, newrank, back[2 * MOST], around[2];
    for (int node = 0; node < nodes; node++) {
        edges[2 * node] = (node + nodes - 1) % nodes;
        edges[2 * node + 1] = (node + 1) % nodes;
        index[node] = 2 * node + 2;
    }
    MPI_Comm graph;
    OK(MPI_Graph_map(MPI_COMM_WORLD, nodes, index, edges, &newrank));
    EQUAL(newrank, rank < nodes ? rank : MPI_UNDEFINED);
    OK(MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &graph));
    CHECK((graph == MPI_COMM_NULL) == (rank >= nodes));
    if (graph == MPI_COMM_NULL)
        return;
    OK(MPI_Topo_test(graph, &kind));
    EQUAL(kind, MPI_GRAPH);
    OK(MPI_Graphdims_get(graph, &count, &nedges));
    EQUAL(count, nodes);
    EQUAL(nedges, 2 * nodes);
    OK(MPI_Graph_get(graph, nodes, nedges, back, back + nodes));
    for (int i = 0; i < nodes; i++)
        EQUAL(back[i], index[i]);
    OK(MPI_Graph_get(graph, 0, nedges, NULL, back));
    for (int i = 0; i < nedges; i++)
        EQUAL(back[i], edges[i]);
    for (int node = 0; node < nodes; node++) {
        OK(MPI_Graph_neighbors_count(graph, node, &count));
        EQUAL(count, 2);
        OK(MPI_Graph_neighbors(graph, node, 2, around));
        EQUAL(around[0], edges[2 * node]);
        EQUAL(around[1], edges[2 * node + 1]);
    }
    OK(MPI_Graph_neighbors(graph, rank, 2, around));
    /* With two nodes both edges join the same two, and with one it meets itself. */
    exchange(graph, 2, around, 2, around);
    OK(MPI_Comm_free(&graph));
}

/* There is an edge from a to b with weight 10a + b if b is a multiple of a + 1 or a is 0. */
static int has_edge(int a, int b)
{
    return a == 0 || b % (a + 1) == 0;
}

static void check_graph(MPI_Comm graph, int weighted)
{
    int kind, in, out, flag, sources[MOST], destinations[MOST], from[MOST], to[MOST];
    int wanted_in = 0, wanted_out = 0, seen[MOST] = {0};
    OK(MPI_Topo_test(graph, &kind));
    EQUAL(kind, MPI_DIST_GRAPH);
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &flag));
    EQUAL(flag, weighted);
    for (int r = 0; r < ranks; r++) {
        wanted_in += has_edge(r, rank);
        wanted_out += has_edge(rank, r);
    }
    EQUAL(in, wanted_in);
    EQUAL(out, wanted_out);
    OK(MPI_Dist_graph_neighbors(graph, in, sources, weighted ? from : MPI_UNWEIGHTED, out,
                                destinations, weighted ? to : MPI_UNWEIGHTED));
    for (int i = 0; i < in; i++) {
        CHECK(has_edge(sources[i], rank) && !(seen[sources[i]] & 1));
        seen[sources[i]] |= 1;
        if (weighted)
            EQUAL(from[i], 10 * sources[i] + rank);
    }
    for (int i = 0; i < out; i++) {
        CHECK(has_edge(rank, destinations[i]) && !(seen[destinations[i]] & 2));
        seen[destinations[i]] |= 2;
        if (weighted)
            EQUAL(to[i], 10 * rank + destinations[i]);
    }
    exchange(graph, in, sources, out, destinations);
    MPI_Comm copy;
    OK(MPI_Comm_dup(graph, &copy));
    exchange(copy, in, sources, out, destinations);
    OK(MPI_Comm_free(&copy));
}

/* Process p gives the edges whose source and destination add up to p modulo the ranks. */
static void scattered(int weighted)
{
    int sources[MOST], degrees[MOST], destinations[MOST], weights[MOST], n = 0;
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++)
            if (has_edge(a, b) && (a + b) % ranks == rank) {
                sources[n] = a;
                degrees[n] = 1;
                destinations[n] = b;
                weights[n] = 10 * a + b;
                n++;
            }
    MPI_Comm graph;
    int *given_weights = !weighted ? MPI_UNWEIGHTED : n == 0 ? MPI_WEIGHTS_EMPTY : weights;
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations, given_weights,
                             MPI_INFO_NULL, 1, &graph));
    check_graph(graph, weighted);
    OK(MPI_Comm_free(&graph));
}

/* One process gives all edges, several per source. */
static void from_one(int giver)
{
    int sources[MOST], degrees[MOST], destinations[MOST], weights[MOST], n = 0, m = 0;
    for (int a = 0; rank == giver && a < ranks; a++) {
        sources[n] = a;
        degrees[n] = 0;
        for (int b = 0; b < ranks; b++)
            if (has_edge(a, b)) {
                destinations[m] = b;
                weights[m++] = 10 * a + b;
                degrees[n]++;
            }
        n++;
    }
    MPI_Comm graph;
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations,
                             n == 0 ? MPI_WEIGHTS_EMPTY : weights, MPI_INFO_NULL, 0, &graph));
    check_graph(graph, 1);
    OK(MPI_Comm_free(&graph));
}

static void adjacent(int weighted)
{
    int sources[MOST], destinations[MOST], from[MOST], to[MOST], in = 0, out = 0;
    for (int r = 0; r < ranks; r++) {
        if (has_edge(r, rank)) {
            sources[in] = r;
            from[in++] = 10 * r + rank;
        }
        if (has_edge(rank, r)) {
            destinations[out] = r;
            to[out++] = 10 * rank + r;
        }
    }
    MPI_Comm graph;
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, weighted ? from : MPI_UNWEIGHTED,
                                      out, destinations, weighted ? to : MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &graph));
    check_graph(graph, weighted);
    OK(MPI_Comm_free(&graph));
}

static void without_edges(void)
{
    MPI_Comm graph;
    int in, out, weighted, word = 5;
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL,
                                      MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    EQUAL(in, 0);
    EQUAL(out, 0);
    EQUAL(weighted, 1);
    OK(MPI_Neighbor_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, graph));
    OK(MPI_Neighbor_allgather(&word, 1, MPI_INT, NULL, 1, MPI_INT, graph));
    OK(MPI_Comm_free(&graph));
    OK(MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &graph));
    CHECK(graph == MPI_COMM_NULL);
}

#define FAILS(class, call)                                                                         \
    do {                                                                                           \
        int code_ = call;                                                                          \
        EQUAL(class_of(code_), class);                                                             \
    } while (0)

static void refusals(void)
{
    int index[MOST + 1], edge = ranks, minus = -1, one = 1, zero = 0;
    MPI_Comm world, graph;
    for (int i = 0; i <= MOST; i++)
        index[i] = 0;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    OK(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graph_create(world, ranks + 1, index, NULL, 0, &graph));
    FAILS(MPI_ERR_ARG, MPI_Graph_create(world, -1, index, NULL, 0, &graph));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graph_create(world, 1, &one, &edge, 0, &graph));
    FAILS(MPI_ERR_ARG, MPI_Dist_graph_create(world, -1, &zero, &one, &zero, MPI_UNWEIGHTED,
                                             MPI_INFO_NULL, 0, &graph));
    FAILS(MPI_ERR_RANK, MPI_Dist_graph_create(world, 1, &edge, &one, &zero, MPI_UNWEIGHTED,
                                              MPI_INFO_NULL, 0, &graph));
    FAILS(MPI_ERR_RANK, MPI_Dist_graph_create(world, 1, &zero, &one, &minus, MPI_UNWEIGHTED,
                                              MPI_INFO_NULL, 0, &graph));
    FAILS(MPI_ERR_ARG, MPI_Dist_graph_create(world, 1, &zero, &minus, &zero, MPI_UNWEIGHTED,
                                             MPI_INFO_NULL, 0, &graph));
    FAILS(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(world, 1, &zero, &minus, 0, NULL,
                                                      MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    OK(MPI_Comm_free(&world));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    whole_graph(ranks);
    if (ranks > 1)
        whole_graph(ranks - 1);
    for (int weighted = 0; weighted < 2; weighted++) {
        scattered(weighted);
        adjacent(weighted);
    }
    from_one(0);
    from_one(ranks - 1);
    without_edges();
    refusals();
    return finish();
}
