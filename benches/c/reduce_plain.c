/* The loops that a C programmer would write in the place of MPI_Reduce_local, compiled for this
 * machine alone: a yardstick for reduce_local.c. */
#include "reduce.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef void (*loop)(const void *in, void *inout, size_t bytes);

static void measure(const char *name, loop run, const void *in, void *inout, size_t bytes)
{
    double best = 1e9;
    long calls = 4 * (8 << 20) / (long)bytes;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (long call = 0; call < calls; call++)
            run(in, inout, bytes);
        start = (now() - start) / (double)calls;
        best = start < best ? start : best;
    }
    printf("result %s %zu %.6g\n", name, bytes, 1e-9 * (double)bytes / best);
}

#define LOOP(name, type, combined)                                                                 \
    static __attribute__((noinline)) void name(const void *in, void *inout, size_t bytes)          \
    {                                                                                              \
        const type *a = in;                                                                        \
        type *b = inout;                                                                           \
        for (size_t i = 0; i < bytes / sizeof(type); i++)                                          \
            b[i] = (type)(combined);                                                               \
    }

LOOP(sum_int8, int8_t, a[i] + b[i])
LOOP(sum_int, int, a[i] + b[i])
LOOP(sum_long, long, a[i] + b[i])
LOOP(sum_float, float, a[i] + b[i])
LOOP(sum_double, double, a[i] + b[i])
LOOP(sum_float_complex, float complex, a[i] + b[i])
LOOP(sum_double_complex, double complex, a[i] + b[i])
LOOP(sum_long_double, long double, a[i] + b[i])

#define MEASURE(text, run, type)                                                                   \
    do {                                                                                           \
        REDUCE_FILL(type, in, inout, bytes);                                                       \
        measure(text, run, in, inout, bytes);                                                      \
    } while (0)

int main(void)
{
    size_t most = reduce_sizes[REDUCE_SIZES - 1];
    void *in = NULL, *inout = NULL;
    if (posix_memalign(&in, 4096, most) != 0 || posix_memalign(&inout, 4096, most) != 0)
        return 1;
    for (int s = 0; s < REDUCE_SIZES; s++) {
        size_t bytes = reduce_sizes[s];
        MEASURE("sum-int8", sum_int8, int8_t);
        MEASURE("sum-int", sum_int, int);
        MEASURE("sum-long", sum_long, long);
        MEASURE("sum-float", sum_float, float);
        MEASURE("sum-double", sum_double, double);
        MEASURE("sum-float-complex", sum_float_complex, float complex);
        MEASURE("sum-double-complex", sum_double_complex, double complex);
        MEASURE("sum-long-double", sum_long_double, long double);
    }
    return 0;
}
