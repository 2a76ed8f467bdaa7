/* MPI_Reduce_local on one rank: 10^9 bytes of one operand a second, by type and operation. */
#include "bench.h"
#include "reduce.h"

typedef struct { double value; int index; } double_int;
typedef struct { int value, index; } two_int;

static MPI_Datatype type;
static MPI_Op op;
static int elements;

static void combine(size_t bytes, long round)
{
    (void)bytes;
    (void)round;
    MPI_Reduce_local(bench_out, bench_in, elements, type, op);
}

static void measure(const char *name, MPI_Datatype of, MPI_Op with, size_t size, size_t bytes)
{
    type = of;
    op = with;
    elements = (int)(bytes / size);
    bench_report(name, bytes, 1e-9 * (double)bytes / bench_seconds(combine, bytes));
}

#define NUMBERS(type, ...)                                                                         \
    do {                                                                                           \
        REDUCE_FILL(type, bench_out, bench_in, bytes);                                             \
        __VA_ARGS__;                                                                               \
    } while (0)
#define CASE(name, handle, op, type) measure(name, handle, op, sizeof(type), bytes)

static void pairs(size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(two_int); i++) {
        ((two_int *)bench_out)[i] = (two_int){(int)(i * 7 % 11), (int)i};
        ((two_int *)bench_in)[i] = (two_int){(int)(i * 5 % 11), (int)i + 1};
    }
    CASE("minloc-2int", MPI_2INT, MPI_MINLOC, two_int);
    for (size_t i = 0; i < bytes / sizeof(double_int); i++) {
        ((double_int *)bench_out)[i] = (double_int){(double)(i * 7 % 11), (int)i};
        ((double_int *)bench_in)[i] = (double_int){(double)(i * 5 % 11), (int)i + 1};
    }
    CASE("minloc-double-int", MPI_DOUBLE_INT, MPI_MINLOC, double_int);
}

int main(int argc, char **argv)
{
    size_t most = reduce_sizes[REDUCE_SIZES - 1];
    bench_start(&argc, &argv, most, most);
    for (int s = 0; s < REDUCE_SIZES; s++) {
        size_t bytes = reduce_sizes[s];
        NUMBERS(int8_t, CASE("sum-int8", MPI_INT8_T, MPI_SUM, int8_t));
        NUMBERS(int, CASE("sum-int", MPI_INT, MPI_SUM, int); CASE("max-int", MPI_INT, MPI_MAX, int);
                CASE("bxor-int", MPI_INT, MPI_BXOR, int); CASE("land-int", MPI_INT, MPI_LAND, int));
        NUMBERS(long, CASE("sum-long", MPI_LONG, MPI_SUM, long);
                CASE("prod-long", MPI_LONG, MPI_PROD, long);
                CASE("min-long", MPI_LONG, MPI_MIN, long));
        NUMBERS(float, CASE("sum-float", MPI_FLOAT, MPI_SUM, float);
                CASE("max-float", MPI_FLOAT, MPI_MAX, float));
        NUMBERS(double, CASE("prod-double", MPI_DOUBLE, MPI_PROD, double);
                CASE("sum-double", MPI_DOUBLE, MPI_SUM, double);
                CASE("min-double", MPI_DOUBLE, MPI_MIN, double));
        NUMBERS(float complex,
                CASE("prod-float-complex", MPI_C_FLOAT_COMPLEX, MPI_PROD, float complex);
                CASE("sum-float-complex", MPI_C_FLOAT_COMPLEX, MPI_SUM, float complex));
        NUMBERS(double complex,
                CASE("prod-double-complex", MPI_C_DOUBLE_COMPLEX, MPI_PROD, double complex);
                CASE("sum-double-complex", MPI_C_DOUBLE_COMPLEX, MPI_SUM, double complex));
        NUMBERS(long double,
                CASE("sum-long-double", MPI_LONG_DOUBLE, MPI_SUM, long double));
        pairs(bytes);
    }
    MPI_Finalize();
    return 0;
}
