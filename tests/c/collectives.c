// np: 1 2 3 4 7
// quick
/* Every blocking collective with every root, from one element to many, against what each rank can
 * compute by itself. */
#include "check.h"

static const int COUNTS[] = {0, 1, 3, 100, 5000, 70001};

/* Element `i` of what rank `r` gives. */
static int given(int r, int i)
{
    return r * 7919 + i * 31 + 1;
}

static int sum_of(int upto, int i)
{
    unsigned sum = 0;
    for (int r = 0; r < upto; r++)
        sum += (unsigned)given(r, i);
    return (int)sum;
}

static int *ints(size_t n)
{
    int *data = malloc(sizeof(int) * (n ? n : 1));
    CHECK(data != NULL);
    memset(data, 0x7f, sizeof(int) * n);
    return data;
}

static int *mine(int n)
{
    int *data = ints((size_t)n);
    for (int i = 0; i < n; i++)
        data[i] = given(rank, i);
    return data;
}

static void bcast(int n, int root)
{
    int *data = rank == root ? mine(n) : ints((size_t)n);
    OK(MPI_Bcast(data, n, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(data[i], given(root, i));
    free(data);
}

static void reduce(int n, int root)
{
    int *out = mine(n), *in = ints((size_t)n);
    OK(MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(in[i], rank == root ? sum_of(ranks, i) : 0x7f7f7f7f);
    if (rank == root)
        OK(MPI_Reduce(MPI_IN_PLACE, out, n, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD));
    else
        OK(MPI_Reduce(out, NULL, n, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(out[i], given(rank == root ? ranks - 1 : rank, i));
    free(out);
    free(in);
}

static void gather_scatter(int n, int root)
{
    int *own = mine(n), *all = ints((size_t)n * (size_t)ranks);
    OK(MPI_Gather(own, n, MPI_INT, all, n, MPI_INT, root, MPI_COMM_WORLD));
    if (rank == root)
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < n; i++)
                EQUAL(all[r * n + i], given(r, i));
    memset(own, 0, sizeof(int) * (size_t)n);
    OK(MPI_Scatter(all, n, MPI_INT, own, n, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(own[i], given(rank, i));
    free(own);
    free(all);
}

/* Rank r gives n + r elements, laid out with a gap between the parts. */
static void gatherv_scatterv(int n, int root)
{
    int *counts = ints((size_t)ranks), *at = ints((size_t)ranks), total = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = n + r;
        at[r] = total;
        total += n + r + 2;
    }
    int *own = mine(n + rank), *all = ints((size_t)total);
    OK(MPI_Gatherv(own, n + rank, MPI_INT, all, counts, at, MPI_INT, root, MPI_COMM_WORLD));
    if (rank == root)
        for (int r = 0; r < ranks; r++) {
            for (int i = 0; i < counts[r]; i++)
                EQUAL(all[at[r] + i], given(r, i));
            EQUAL(all[at[r] + counts[r]], 0x7f7f7f7f);
        }
    memset(own, 0, sizeof(int) * (size_t)(n + rank));
    OK(MPI_Scatterv(all, counts, at, MPI_INT, own, n + rank, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < n + rank; i++)
        EQUAL(own[i], given(rank, i));
    memset(all, 0x7f, sizeof(int) * (size_t)total);
    OK(MPI_Allgatherv(own, n + rank, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < counts[r]; i++)
            EQUAL(all[at[r] + i], given(r, i));
        EQUAL(all[at[r] + counts[r]], 0x7f7f7f7f);
    }
    free(own);
    free(all);
    free(counts);
    free(at);
}

static void allgather(int n)
{
    int *own = mine(n), *all = ints((size_t)n * (size_t)ranks);
    OK(MPI_Allgather(own, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[r * n + i], given(r, i));
    for (int i = 0; i < n * ranks; i++)
        all[i] = i / (n ? n : 1) == rank ? given(rank, i % n) : -1;
    OK(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < n * ranks; i++)
        EQUAL(all[i], given(i / n, i % n));
    free(own);
    free(all);
}

static void alltoall(int n)
{
    size_t total = (size_t)n * (size_t)ranks;
    int *out = ints(total), *in = ints(total);
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++)
            out[r * n + i] = given(rank, i) + r * 3;
    OK(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++)
            EQUAL(in[r * n + i], given(r, i) + rank * 3);
    OK(MPI_Alltoall(MPI_IN_PLACE, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD));
    for (size_t i = 0; i < total; i++)
        EQUAL(out[i], in[i]);
    free(out);
    free(in);
}

/* Rank s sends s + r + n elements to rank r; by counts, and by counts and types in bytes. */
static void alltoallv(int n)
{
    int *sent = ints((size_t)ranks), *got = ints((size_t)ranks), *to = ints((size_t)ranks);
    int *from = ints((size_t)ranks), total = 0;
    MPI_Datatype *type = malloc(sizeof *type * (size_t)ranks);
    for (int r = 0; r < ranks; r++) {
        sent[r] = got[r] = n + rank + r;
        to[r] = from[r] = total;
        total += n + rank + r;
        type[r] = MPI_INT;
    }
    int *out = ints((size_t)total), *in = ints((size_t)total);
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < sent[r]; i++)
            out[to[r] + i] = given(rank, i) - r;
    for (int way = 0; way < 2; way++) {
        memset(in, 0, sizeof(int) * (size_t)total);
        if (way == 0)
            OK(MPI_Alltoallv(out, sent, to, MPI_INT, in, got, from, MPI_INT, MPI_COMM_WORLD));
        for (int r = 0; way == 1 && r < ranks; r++)
            to[r] *= 4, from[r] = to[r];
        if (way == 1)
            OK(MPI_Alltoallw(out, sent, to, type, in, got, from, type, MPI_COMM_WORLD));
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < got[r]; i++)
                EQUAL(in[from[r] / (way ? 4 : 1) + i], given(r, i) - rank);
    }
    free(sent);
    free(got);
    free(to);
    free(from);
    free(type);
    free(out);
    free(in);
}

static void allreduce_scan(int n)
{
    int *out = mine(n), *in = ints((size_t)n);
    OK(MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(in[i], sum_of(ranks, i));
    OK(MPI_Scan(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(in[i], sum_of(rank + 1, i));
    OK(MPI_Exscan(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n && rank > 0; i++)
        EQUAL(in[i], sum_of(rank, i));
    OK(MPI_Allreduce(MPI_IN_PLACE, out, n, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(out[i], given(0, i));
    free(out);
    free(in);
}

static void reduce_scatter(int n)
{
    int *counts = ints((size_t)ranks), first = 0, total = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = n + r % 3;
        first += r < rank ? counts[r] : 0;
        total += counts[r];
    }
    int *out = mine(total), *in = ints((size_t)n + 3);
    OK(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < counts[rank]; i++)
        EQUAL(in[i], sum_of(ranks, first + i));
    EQUAL(in[counts[rank]], 0x7f7f7f7f);
    free(out);
    out = mine(n * ranks);
    OK(MPI_Reduce_scatter_block(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        EQUAL(in[i], sum_of(ranks, rank * n + i));
    free(out);
    free(in);
    free(counts);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (size_t c = 0; c < sizeof COUNTS / sizeof COUNTS[0]; c++) {
        int n = COUNTS[c];
        for (int root = 0; root < ranks; root++) {
            bcast(n, root);
            reduce(n, root);
            gather_scatter(n, root);
            gatherv_scatterv(n, root);
        }
        allgather(n);
        alltoall(n);
        alltoallv(n);
        allreduce_scan(n);
        reduce_scatter(n);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    return finish();
}
