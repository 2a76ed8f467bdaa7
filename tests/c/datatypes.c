// np: 1 2
// quick
/* Derived types, sent and received: what lies in the gaps stays as it was, sizes and extents are
 * MPI's, and a type may be received as another one of the same signature. */
#include "check.h"
#include <stddef.h>

enum { ROWS = 40, COLUMNS = 30 };

static int to, from;

static void exchange(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
                     MPI_Datatype in_type)
{
    OK(MPI_Sendrecv(out, out_count, out_type, to, 1, in, in_count, in_type, from, 1, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
}

static void column(void)
{
    static double a[ROWS][COLUMNS], b[ROWS];
    MPI_Datatype type, narrow;
    MPI_Aint low, extent;
    int size;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            a[r][c] = rank * 10000 + r * 100 + c;
    OK(MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_size(type, &size));
    EQUAL(size, ROWS * 8);
    OK(MPI_Type_get_extent(type, &low, &extent));
    EQUAL(extent, ((ROWS - 1) * COLUMNS + 1) * 8);
    exchange(&a[0][3], 1, type, b, ROWS, MPI_DOUBLE);
    for (int r = 0; r < ROWS; r++)
        CHECK(b[r] == from * 10000 + r * 100 + 3);
    OK(MPI_Type_create_resized(type, 0, 8, &narrow));
    OK(MPI_Type_commit(&narrow));
    static double all[ROWS * COLUMNS];
    exchange(a, COLUMNS, narrow, all, ROWS * COLUMNS, MPI_DOUBLE);
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS; r++)
            CHECK(all[c * ROWS + r] == from * 10000 + r * 100 + c);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_free(&narrow));
}

struct mixed {
    char c;
    double d;
    short s[3];
    int i;
};

static void structure(int count)
{
    struct mixed *out = calloc((size_t)count, sizeof *out), *in = malloc((size_t)count * sizeof *in);
    int lengths[] = {1, 1, 3, 1}, size;
    MPI_Aint at[] = {offsetof(struct mixed, c), offsetof(struct mixed, d),
                     offsetof(struct mixed, s), offsetof(struct mixed, i)};
    MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_INT}, raw, type;
    OK(MPI_Type_create_struct(4, lengths, at, parts, &raw));
    OK(MPI_Type_create_resized(raw, 0, sizeof(struct mixed), &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_size(type, &size));
    EQUAL(size, 1 + 8 + 6 + 4);
    memset(in, 0x5a, (size_t)count * sizeof *in);
    for (int k = 0; k < count; k++)
        out[k] = (struct mixed){(char)k, k * 0.5 + rank, {(short)k, 2, 3}, -k};
    exchange(out, count, type, in, count, type);
    for (int k = 0; k < count; k++) {
        CHECK(in[k].c == (char)k && in[k].d == k * 0.5 + from && in[k].i == -k);
        CHECK(in[k].s[0] == (short)k && in[k].s[1] == 2 && in[k].s[2] == 3);
        /* The padding is not the message's. */
        EQUAL(((unsigned char *)&in[k])[1], 0x5a);
    }
    OK(MPI_Type_free(&raw));
    OK(MPI_Type_free(&type));
    free(out);
    free(in);
}

static void indexed(void)
{
    int lengths[] = {2, 0, 3}, at[] = {5, 9, 0}, a[12], b[5], c[12];
    MPI_Datatype type, block, wide;
    for (int i = 0; i < 12; i++)
        a[i] = rank * 100 + i;
    OK(MPI_Type_indexed(3, lengths, at, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    exchange(a, 1, type, b, 5, MPI_INT);
    int expected[] = {5, 6, 0, 1, 2};
    for (int i = 0; i < 5; i++)
        EQUAL(b[i], from * 100 + expected[i]);
    OK(MPI_Type_create_indexed_block(2, 2, (int[]){8, 2}, MPI_INT, &block));
    OK(MPI_Type_commit(&block));
    memset(c, 0, sizeof c);
    exchange(a, 4, MPI_INT, c, 1, block);
    for (int i = 0; i < 12; i++)
        EQUAL(c[i], i == 8 || i == 9 ? from * 100 + i - 8 : i == 2 || i == 3 ? from * 100 + i : 0);
    OK(MPI_Type_create_hvector(3, 1, 12, MPI_INT, &wide));
    OK(MPI_Type_commit(&wide));
    memset(c, 0, sizeof c);
    exchange(a, 3, MPI_INT, c, 1, wide);
    for (int i = 0; i < 12; i++)
        EQUAL(c[i], i % 3 == 0 && i < 9 ? from * 100 + i / 3 : 0);
    OK(MPI_Type_free(&wide));
    OK(MPI_Type_free(&block));
    OK(MPI_Type_free(&type));
}

static void subarray(int order)
{
    enum { A = 20, B = 30, C = 10 };
    static int out[A][B][C], in[A][B][C];
    int whole[] = {A, B, C}, part[] = {5, 7, 3}, at[] = {2, 20, 6};
    MPI_Datatype type;
    if (order == MPI_ORDER_FORTRAN) {
        memcpy(whole, (int[]){C, B, A}, sizeof whole);
        memcpy(part, (int[]){3, 7, 5}, sizeof part);
        memcpy(at, (int[]){6, 20, 2}, sizeof at);
    }
    OK(MPI_Type_create_subarray(3, whole, part, at, order, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    memset(in, 0, sizeof in);
    for (int i = 0; i < A * B * C; i++)
        ((int *)out)[i] = rank + 1 + i;
    exchange(out, 1, type, in, 1, type);
    for (int i = 0; i < A * B * C; i++) {
        int a = i / (B * C), b = i / C % B, c = i % C;
        int inside = a >= 2 && a < 7 && b >= 20 && b < 27 && c >= 6 && c < 9;
        EQUAL(((int *)in)[i], inside ? from + 1 + i : 0);
    }
    OK(MPI_Type_free(&type));
}

/* A large message of small pieces, received in other pieces. */
static void pieces(void)
{
    enum { N = 300000 };
    int *out = malloc(sizeof(int) * 2 * N), *in = calloc(3 * N, sizeof(int));
    MPI_Datatype second, third;
    for (int i = 0; i < 2 * N; i++)
        out[i] = i ^ rank;
    OK(MPI_Type_vector(N, 1, 2, MPI_INT, &second));
    OK(MPI_Type_vector(N, 1, 3, MPI_INT, &third));
    OK(MPI_Type_commit(&second));
    OK(MPI_Type_commit(&third));
    exchange(out, 1, second, in, 1, third);
    for (int i = 0; i < N; i++) {
        EQUAL(in[3 * i], (2 * i) ^ from);
        if (i + 1 < N)
            CHECK(in[3 * i + 1] == 0 && in[3 * i + 2] == 0);
    }
    OK(MPI_Type_free(&second));
    OK(MPI_Type_free(&third));
    free(out);
    free(in);
}

static void packed(void)
{
    char buffer[200];
    int position = 0, need = 0, number = 17 + rank, back = 0;
    double pair[2] = {1.5, rank}, pair_back[2] = {0};
    OK(MPI_Pack_size(2, MPI_DOUBLE, MPI_COMM_WORLD, &need));
    CHECK(need >= 16);
    OK(MPI_Pack(&number, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    OK(MPI_Pack(pair, 2, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    OK(MPI_Sendrecv_replace(buffer, position, MPI_PACKED, to, 2, from, 2, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE));
    position = 0;
    OK(MPI_Unpack(buffer, sizeof buffer, &position, &back, 1, MPI_INT, MPI_COMM_WORLD));
    OK(MPI_Unpack(buffer, sizeof buffer, &position, pair_back, 2, MPI_DOUBLE, MPI_COMM_WORLD));
    EQUAL(back, 17 + from);
    CHECK(pair_back[0] == 1.5 && pair_back[1] == from);
}

/* Part of a type arrives: MPI counts the elements, and whole types only where they are whole. */
static void partly(void)
{
    int out[5] = {1, 2, 3, 4, 5}, in[8], count, elements;
    MPI_Datatype pair;
    MPI_Status status;
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Sendrecv(out, 5, MPI_INT, to, 3, in, 4, pair, from, 3, MPI_COMM_WORLD, &status));
    OK(MPI_Get_count(&status, pair, &count));
    EQUAL(count, MPI_UNDEFINED);
    OK(MPI_Get_elements(&status, pair, &elements));
    EQUAL(elements, 5);
    OK(MPI_Type_free(&pair));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    to = (rank + 1) % ranks;
    from = (rank + ranks - 1) % ranks;
    column();
    structure(1);
    structure(1000);
    structure(50000);
    indexed();
    subarray(MPI_ORDER_C);
    subarray(MPI_ORDER_FORTRAN);
    pieces();
    packed();
    partly();
    return finish();
}
