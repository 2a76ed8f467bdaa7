// np: 1 2 3 5
/* Reductions: predefined operations on types of each kind, and operations of the user's, which for
 * one that does not commute are applied in the order of the ranks. */
#include "check.h"

/* A 2x2 matrix modulo a prime: its product does not commute. */
struct matrix {
    unsigned m[4];
};

enum { PRIME = 65521, N = 257 };

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct matrix *a = in, *b = inout;
    (void)type;
    for (int k = 0; k < *count; k++) {
        const unsigned *x = a[k].m, *y = b[k].m;
        struct matrix c = {{(x[0] * y[0] + x[1] * y[2]) % PRIME, (x[0] * y[1] + x[1] * y[3]) % PRIME,
                            (x[2] * y[0] + x[3] * y[2]) % PRIME,
                            (x[2] * y[1] + x[3] * y[3]) % PRIME}};
        b[k] = c;
    }
}

static struct matrix matrix_of(int r, int k)
{
    return (struct matrix){{(unsigned)r + 2, (unsigned)k % 13 + 1, 3, (unsigned)r * 5 + 1}};
}

static struct matrix product(int upto, int k)
{
    struct matrix all = matrix_of(upto - 1, k);
    int one = 1;
    for (int r = upto - 2; r >= 0; r--) {
        struct matrix left = matrix_of(r, k);
        multiply(&left, &all, &one, NULL);
    }
    return all;
}

static void in_order(void)
{
    struct matrix out[N], in[N];
    MPI_Datatype type;
    MPI_Op op;
    int commutes = 1;
    OK(MPI_Type_contiguous(4, MPI_UNSIGNED, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Op_create(multiply, 0, &op));
    OK(MPI_Op_commutative(op, &commutes));
    EQUAL(commutes, 0);
    for (int k = 0; k < N; k++)
        out[k] = matrix_of(rank, k);
    for (int root = 0; root < ranks; root++) {
        OK(MPI_Reduce(out, in, N, type, op, root, MPI_COMM_WORLD));
        for (int k = 0; k < N && rank == root; k++) {
            struct matrix expected = product(ranks, k);
            CHECK(memcmp(&in[k], &expected, sizeof expected) == 0);
        }
    }
    for (int way = 0; way < 2; way++) {
        OK(way ? MPI_Scan(out, in, N, type, op, MPI_COMM_WORLD)
               : MPI_Allreduce(out, in, N, type, op, MPI_COMM_WORLD));
        for (int k = 0; k < N; k++) {
            struct matrix expected = product(way ? rank + 1 : ranks, k);
            CHECK(memcmp(&in[k], &expected, sizeof expected) == 0);
        }
    }
    OK(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    OK(MPI_Type_free(&type));
}

#define ALL(type, mpi_type, op, mine, expected)                                                    \
    do {                                                                                           \
        type give_ = (type)(mine), got_ = 0;                                                            \
        OK(MPI_Allreduce(&give_, &got_, 1, mpi_type, op, MPI_COMM_WORLD));                              \
        CHECK(got_ == (type)(expected));                                                             \
    } while (0)

static void predefined(void)
{
    int n = ranks, sum = n * (n + 1) / 2, fact = 1, one = rank + 1;
    for (int r = 1; r <= n; r++)
        fact *= r;
    ALL(signed char, MPI_SIGNED_CHAR, MPI_SUM, one, sum);
    ALL(unsigned char, MPI_UNSIGNED_CHAR, MPI_MAX, one, n);
    ALL(short, MPI_SHORT, MPI_PROD, one, fact);
    ALL(unsigned short, MPI_UNSIGNED_SHORT, MPI_SUM, one, sum);
    ALL(int, MPI_INT, MPI_MIN, -one, -n);
    ALL(unsigned, MPI_UNSIGNED, MPI_BOR, 1u << rank, (1u << n) - 1);
    ALL(long, MPI_LONG, MPI_SUM, one * 1000000000L, sum * 1000000000L);
    ALL(unsigned long, MPI_UNSIGNED_LONG, MPI_BXOR, 3, n % 2 ? 3 : 0);
    ALL(long long, MPI_LONG_LONG, MPI_BAND, 6 | one << 8, n > 1 ? 6 : 6 | 1 << 8);
    ALL(float, MPI_FLOAT, MPI_SUM, one * 0.5f, sum * 0.5f);
    ALL(double, MPI_DOUBLE, MPI_PROD, one, fact);
    ALL(long double, MPI_LONG_DOUBLE, MPI_MAX, one, n);
    ALL(int, MPI_INT, MPI_LAND, rank != 0, n > 1 ? 0 : 0);
    ALL(int, MPI_INT, MPI_LOR, rank == 0, 1);
    ALL(int, MPI_INT, MPI_LXOR, 1, n % 2);
    ALL(int64_t, MPI_INT64_T, MPI_SUM, one, sum);
    ALL(uint8_t, MPI_UINT8_T, MPI_SUM, one, sum);
    ALL(MPI_Aint, MPI_AINT, MPI_SUM, one, sum);
    ALL(_Bool, MPI_C_BOOL, MPI_LOR, rank == 0, 1);
}

static void locations(void)
{
    struct { double value; int at; } d = {rank % 2 ? 5.0 : 1.0, rank}, d_max, d_min;
    struct { int value, at; } i = {-rank, rank}, i_min;
    OK(MPI_Allreduce(&d, &d_max, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD));
    CHECK(d_max.value == (ranks > 1 ? 5.0 : 1.0));
    EQUAL(d_max.at, ranks > 1 ? 1 : 0);
    OK(MPI_Allreduce(&d, &d_min, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD));
    CHECK(d_min.value == 1.0);
    EQUAL(d_min.at, 0);
    OK(MPI_Allreduce(&i, &i_min, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD));
    EQUAL(i_min.value, 1 - ranks);
    EQUAL(i_min.at, ranks - 1);
}

static void local(void)
{
    int a[3] = {1, 2, 3}, b[3] = {10, 20, 30};
    OK(MPI_Reduce_local(a, b, 3, MPI_INT, MPI_SUM));
    CHECK(b[0] == 11 && b[1] == 22 && b[2] == 33);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    in_order();
    predefined();
    locations();
    local();
    return finish();
}
