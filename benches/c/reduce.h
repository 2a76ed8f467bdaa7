/* What reduce_local.c and reduce_plain.c both measure, and how: the same names, sizes and
 * operands, so that their figures stand beside each other. */
#ifndef REDUCE_H
#define REDUCE_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

/* In the nearest cache, and in memory. */
static const size_t reduce_sizes[] = {1 << 10, 8 << 20};

enum { REDUCE_SIZES = sizeof reduce_sizes / sizeof reduce_sizes[0] };

/* Fills both operands with numbers whose sums and products stay ordinary: 0, 1 and -1. */
#define REDUCE_FILL(type, a, b, bytes)                                                             \
    do {                                                                                           \
        for (size_t i = 0; i < (bytes) / sizeof(type); i++) {                                      \
            ((type *)(a))[i] = (type)(i % 3 == 1);                                                 \
            ((type *)(b))[i] = (type)(i % 2 ? -1 : 1);                                             \
        }                                                                                          \
    } while (0)

#endif
