// np: 2 3 5
/* Collectives of megabytes, and of as many elements as no part size divides: where long messages are
 * cut, piped and dealt out. */
#include "check.h"

static const int COUNTS[] = {65537, 150001, 600011};

static MPI_Datatype gaps; /* one int, then a gap of one */

static int given(int r, int i)
{
    return (int)((unsigned)r * 2654435761u + (unsigned)i * 40503u) >> 4;
}

static int *ints(size_t n)
{
    int *data = malloc(sizeof(int) * n);
    CHECK(data != NULL);
    memset(data, 0x55, sizeof(int) * n);
    return data;
}

static int sum(int upto, int i)
{
    unsigned all = 0;
    for (int r = 0; r < upto; r++)
        all += (unsigned)given(r, i);
    return (int)all;
}

static void give(int *data, int n, int stride, int r)
{
    for (int i = 0; i < n; i++)
        data[i * stride] = given(r, i);
}

static void bcast(int n, MPI_Datatype type, int stride)
{
    int root = n % ranks;
    int *data = ints((size_t)n * (size_t)stride);
    if (rank == root)
        give(data, n, stride, root);
    OK(MPI_Bcast(data, n, type, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(data[i * stride], given(root, i));
    free(data);
}

static void reductions(int n)
{
    int root = (n + 1) % ranks;
    int *own = ints((size_t)n), *all = ints((size_t)n);
    give(own, n, 1, rank);
    OK(MPI_Allreduce(own, all, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(all[i], sum(ranks, i));
    memset(all, 0, sizeof(int) * (size_t)n);
    OK(MPI_Reduce(own, all, n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(all[i], rank == root ? sum(ranks, i) : 0);
    OK(MPI_Scan(own, all, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(all[i], sum(rank + 1, i));
    int counts[64], first = 0;
    for (int r = 0; r < ranks; r++)
        counts[r] = r == ranks - 1 ? n - r * (n / ranks) : n / ranks;
    for (int r = 0; r < rank; r++)
        first += counts[r];
    OK(MPI_Reduce_scatter(own, all, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < counts[rank]; i++)
        EQUAL(all[i], sum(ranks, first + i));
    OK(MPI_Allreduce(MPI_IN_PLACE, own, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(own[i], sum(ranks, i));
    free(own);
    free(all);
}

static void exchanges(int n, MPI_Datatype type, int stride)
{
    int root = (n + 2) % ranks;
    size_t whole = (size_t)n * (size_t)stride * (size_t)ranks;
    int *own = ints((size_t)n * (size_t)stride), *all = ints(whole), *out = ints(whole);
    give(own, n, stride, rank);
    OK(MPI_Allgather(own, n, type, all, n, type, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[((size_t)r * (size_t)n + (size_t)i) * (size_t)stride], given(r, i));
    memset(all, 0, sizeof(int) * whole);
    OK(MPI_Gather(own, n, type, all, n, type, root, MPI_COMM_WORLD));
    for (int r = 0; rank == root && r < ranks; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[((size_t)r * (size_t)n + (size_t)i) * (size_t)stride], given(r, i));
    memset(own, 0, sizeof(int) * (size_t)n * (size_t)stride);
    OK(MPI_Scatter(all, n, type, own, n, type, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(own[i * stride], given(rank, i));
    for (int r = 0; r < ranks; r++)
        give(out + (size_t)r * (size_t)n * (size_t)stride, n, stride, rank * ranks + r);
    OK(MPI_Alltoall(out, n, type, all, n, type, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[((size_t)r * (size_t)n + (size_t)i) * (size_t)stride],
                  given(r * ranks + rank, i));
    free(own);
    free(all);
    free(out);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gaps));
    OK(MPI_Type_commit(&gaps));
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        bcast(COUNTS[c], MPI_INT, 1);
        bcast(COUNTS[c], gaps, 2);
        reductions(COUNTS[c]);
        exchanges(COUNTS[c], MPI_INT, 1);
        exchanges(COUNTS[c], gaps, 2);
    }
    OK(MPI_Type_free(&gaps));
    return finish();
}
