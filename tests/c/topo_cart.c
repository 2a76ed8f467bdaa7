// np: 1 2 3 4 6 8
/* Grids: making them, asking them, cutting them, and collectives among their neighbours in every
 * form. */
#include "check.h"

enum { N = 3 };

/* Who is `by` steps away in a dimension, or MPI_PROC_NULL. */
static int away(MPI_Comm grid, int dimension, int by)
{
    int dims[3], periods[3], coords[3], found;
    OK(MPI_Cart_get(grid, 3, dims, periods, coords));
    coords[dimension] += by;
    if (!periods[dimension] && (coords[dimension] < 0 || coords[dimension] >= dims[dimension]))
        return MPI_PROC_NULL;
    OK(MPI_Cart_rank(grid, coords, &found));
    return found;
}

static int given(int from, int block, int i)
{
    return from * 1009 + block * 31 + i + 1;
}

/* What block `b` of the receive buffer holds: what the neighbour sent in the opposite direction. */
static void check_blocks(MPI_Comm grid, int ndims, const int *in, int everybody)
{
    for (int b = 0; b < 2 * ndims; b++) {
        int from = away(grid, b / 2, b % 2 ? 1 : -1);
        for (int i = 0; i < N; i++) {
            int wanted = from == MPI_PROC_NULL ? -1 : given(from, everybody ? 0 : b ^ 1, i);
            EQUAL(in[b * N + i], wanted);
        }
    }
}

static void clear(int *in, int ndims)
{
    for (int i = 0; i < 2 * ndims * N; i++)
        in[i] = -1;
}

#define FORMS(everybody, name, iname, init, ...)                                                   \
    do {                                                                                           \
        MPI_Request request_;                                                                      \
        clear(in, ndims);                                                                          \
        OK(name(__VA_ARGS__, grid));                                                               \
        check_blocks(grid, ndims, in, everybody);                                                  \
        clear(in, ndims);                                                                          \
        OK(iname(__VA_ARGS__, grid, &request_));                                                   \
        OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                                \
        check_blocks(grid, ndims, in, everybody);                                                  \
        OK(init(__VA_ARGS__, grid, MPI_INFO_NULL, &request_));                                     \
        for (int twice_ = 0; twice_ < 2; twice_++) {                                               \
            clear(in, ndims);                                                                      \
            OK(MPI_Start(&request_));                                                              \
            OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                            \
            check_blocks(grid, ndims, in, everybody);                                              \
        }                                                                                          \
        OK(MPI_Request_free(&request_));                                                           \
    } while (0)

static void neighbours(MPI_Comm grid, int ndims)
{
    int out[6 * N], in[6 * N], counts[6], displs[6], me;
    MPI_Aint bytes[6];
    MPI_Datatype types[6];
    OK(MPI_Comm_rank(grid, &me));
    for (int b = 0; b < 6; b++) {
        counts[b] = N;
        displs[b] = b * N;
        bytes[b] = (MPI_Aint)(b * N) * (MPI_Aint)sizeof(int);
        types[b] = MPI_INT;
        for (int i = 0; i < N; i++)
            out[b * N + i] = given(me, b, i);
    }
    FORMS(1, MPI_Neighbor_allgather, MPI_Ineighbor_allgather, MPI_Neighbor_allgather_init, out, N,
          MPI_INT, in, N, MPI_INT);
    FORMS(1, MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init, out,
          N, MPI_INT, in, counts, displs, MPI_INT);
    FORMS(0, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init, out, N,
          MPI_INT, in, N, MPI_INT);
    FORMS(0, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init, out,
          counts, displs, MPI_INT, in, counts, displs, MPI_INT);
    FORMS(0, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init, out,
          counts, bytes, types, in, counts, bytes, types);
}

static void questions(MPI_Comm grid, int ndims, const int *dims, const int *periods)
{
    int kind, count, found_dims[3], found_periods[3], coords[3], again[3], me, size, back;
    OK(MPI_Topo_test(grid, &kind));
    EQUAL(kind, MPI_CART);
    OK(MPI_Cartdim_get(grid, &count));
    EQUAL(count, ndims);
    OK(MPI_Comm_rank(grid, &me));
    OK(MPI_Comm_size(grid, &size));
    OK(MPI_Cart_get(grid, ndims, found_dims, found_periods, coords));
    OK(MPI_Cart_coords(grid, me, ndims, again));
    for (int d = 0; d < ndims; d++) {
        EQUAL(found_dims[d], dims[d]);
        EQUAL(found_periods[d], periods[d]);
        EQUAL(coords[d], again[d]);
    }
    for (int r = 0; r < size; r++) {
        OK(MPI_Cart_coords(grid, r, ndims, coords));
        OK(MPI_Cart_rank(grid, coords, &back));
        EQUAL(back, r);
    }
    for (int d = 0; d < ndims; d++)
        for (int by = -2; by <= 2; by++) {
            int source, dest;
            OK(MPI_Cart_shift(grid, d, by, &source, &dest));
            EQUAL(source, away(grid, d, -by));
            EQUAL(dest, away(grid, d, by));
        }
}

static void cuts(MPI_Comm grid, int ndims, const int *dims)
{
    int me, coords[3];
    OK(MPI_Comm_rank(grid, &me));
    OK(MPI_Cart_coords(grid, me, ndims, coords));
    for (int mask = 0; mask < 1 << ndims; mask++) {
        int remain[3], left = 0, wanted_size = 1, wanted_rank = 0;
        for (int d = 0; d < ndims; d++) {
            remain[d] = mask >> d & 1;
            left += remain[d];
            if (remain[d]) {
                wanted_size *= dims[d];
                wanted_rank = wanted_rank * dims[d] + coords[d];
            }
        }
        MPI_Comm part;
        int size, place, count, sub[3], dropped = 0, least;
        OK(MPI_Cart_sub(grid, remain, &part));
        OK(MPI_Comm_size(part, &size));
        OK(MPI_Comm_rank(part, &place));
        OK(MPI_Cartdim_get(part, &count));
        EQUAL(size, wanted_size);
        EQUAL(place, wanted_rank);
        EQUAL(count, left);
        OK(MPI_Cart_coords(part, place, left, sub));
        for (int d = 0, at = 0; d < ndims; d++) {
            if (remain[d])
                EQUAL(sub[at++], coords[d]);
            else
                dropped = dropped * dims[d] + coords[d];
        }
        /* All of a part have the same place in the dimensions that were dropped. */
        OK(MPI_Allreduce(&dropped, &least, 1, MPI_INT, MPI_MIN, part));
        EQUAL(least, dropped);
        OK(MPI_Comm_free(&part));
    }
}

static void grid_of(int ndims, int periods_mask)
{
    int dims[3] = {0, 0, 0}, periods[3], all = 1, newrank;
    OK(MPI_Dims_create(ranks, ndims, dims));
    for (int d = 0; d < ndims; d++) {
        periods[d] = periods_mask >> d & 1;
        all *= dims[d];
        if (d > 0)
            CHECK(dims[d] <= dims[d - 1]);
    }
    EQUAL(all, ranks);
    OK(MPI_Cart_map(MPI_COMM_WORLD, ndims, dims, periods, &newrank));
    EQUAL(newrank, rank);
    MPI_Comm grid, copy;
    OK(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &grid));
    questions(grid, ndims, dims, periods);
    cuts(grid, ndims, dims);
    neighbours(grid, ndims);
    /* A duplicate has the topology too. */
    OK(MPI_Comm_dup(grid, &copy));
    OK(MPI_Comm_free(&grid));
    questions(copy, ndims, dims, periods);
    neighbours(copy, ndims);
    OK(MPI_Comm_free(&copy));
}

static void odd_grids(void)
{
    int one = 1, yes = 1, kind, count, coords[1], zero;
    MPI_Comm grid;
    /* Smaller than the group: the others get none. */
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &yes, 0, &grid));
    CHECK((grid == MPI_COMM_NULL) == (rank > 0));
    if (grid != MPI_COMM_NULL) {
        neighbours(grid, 1); /* the only process, on both its sides */
        OK(MPI_Comm_free(&grid));
    }
    OK(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &grid));
    CHECK((grid == MPI_COMM_NULL) == (rank > 0));
    if (grid != MPI_COMM_NULL) {
        OK(MPI_Cartdim_get(grid, &count));
        EQUAL(count, 0);
        OK(MPI_Cart_rank(grid, NULL, &zero));
        EQUAL(zero, 0);
        OK(MPI_Cart_coords(grid, 0, 0, coords));
        OK(MPI_Comm_free(&grid));
    }
    OK(MPI_Topo_test(MPI_COMM_WORLD, &kind));
    EQUAL(kind, MPI_UNDEFINED);
}

#define FAILS(class, call)                                                                         \
    do {                                                                                           \
        int code_ = call;                                                                          \
        EQUAL(class_of(code_), class);                                                             \
    } while (0)

static void refusals(void)
{
    int dims[2] = {ranks, 1}, none[2] = {0, 1}, large[2] = {ranks, 2}, no[2] = {0, 0}, found, other;
    int outside[2] = {ranks, 0}, free_dims[2] = {0, 0}, fixed[2] = {ranks + 1, 0};
    MPI_Comm world, grid;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    OK(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(world, 2, none, no, 0, &grid));
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(world, 2, large, no, 0, &grid));
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(world, -1, dims, no, 0, &grid));
    FAILS(MPI_ERR_ARG, MPI_Cart_create(world, 2, NULL, no, 0, &grid));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_shift(world, 0, 1, &found, &other));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(world, &found, &other));
    FAILS(MPI_ERR_DIMS, MPI_Dims_create(ranks, 2, fixed));
    FAILS(MPI_ERR_ARG, MPI_Dims_create(0, 2, free_dims));
    OK(MPI_Cart_create(world, 2, dims, no, 0, &grid));
    /* The error handler is the old communicator's. */
    FAILS(MPI_ERR_ARG, MPI_Cart_rank(grid, outside, &found));
    FAILS(MPI_ERR_RANK, MPI_Cart_coords(grid, ranks, 2, free_dims));
    FAILS(MPI_ERR_DIMS, MPI_Cart_shift(grid, 2, 1, &found, &other));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graph_neighbors_count(grid, 0, &found));
    FAILS(MPI_ERR_BUFFER,
          MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, dims, 1, MPI_INT, grid));
    OK(MPI_Comm_free(&grid));
    OK(MPI_Comm_free(&world));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int ndims = 1; ndims <= 3; ndims++)
        for (int periods = 0; periods < 1 << ndims; periods++)
            grid_of(ndims, periods);
    odd_grids();
    refusals();
    return finish();
}
