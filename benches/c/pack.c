/* MPI_Pack and MPI_Unpack on one rank: 10^9 packed bytes a second, by the form of the datatype.
 *
 * The forms are those that programs send: a column of a matrix, the three faces of a cube, an
 * indexed list, an array of structs, a vector of vectors. Small ones stay in the caches, large ones
 * come from memory. With the argument `message` the elements go through a message to the process
 * itself instead. A second argument is the only form to measure. */
#include "bench.h"

#include <stddef.h>
#include <stdint.h>

enum { COLUMNS = 40, LIST_MAX = 1 << 19 };

typedef struct {
    int kind;
    double place[3];
    float weight;
    char tag;
    short flags[2];
} particle;

static MPI_Datatype type;
static int count, packed_size;
static int lengths[LIST_MAX], places[LIST_MAX];
static MPI_Aint offsets[LIST_MAX];

static void pack(size_t bytes, long round)
{
    int position = 0;
    (void)bytes;
    (void)round;
    MPI_Pack(bench_in, count, type, bench_out, packed_size, &position, MPI_COMM_WORLD);
}

static void unpack(size_t bytes, long round)
{
    int position = 0;
    (void)bytes;
    (void)round;
    MPI_Unpack(bench_out, packed_size, &position, bench_in, count, type, MPI_COMM_WORLD);
}

static void message(size_t bytes, long round)
{
    (void)bytes;
    (void)round;
    MPI_Sendrecv(bench_in, count, type, 0, 1, bench_out, packed_size, MPI_BYTE, 0, 1,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static const char *want;
static int by_message;

static void speed(const char *verb, const char *form, bench_round round, size_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%s", verb, form);
    bench_report(name, bytes, 1e-9 * (double)bytes / bench_seconds(round, bytes));
}

/* Measures `elements` of a new datatype, and frees it. */
static void measure(const char *form, int elements, MPI_Datatype made)
{
    MPI_Aint low, extent;
    int size;
    if (want && strcmp(want, form)) {
        MPI_Type_free(&made);
        return;
    }
    MPI_Type_commit(&made);
    MPI_Type_size(made, &size);
    MPI_Type_get_true_extent(made, &low, &extent);
    type = made;
    count = elements;
    packed_size = size * elements;
    if (by_message) {
        speed("message", form, message, (size_t)packed_size);
    } else {
        speed("pack", form, pack, (size_t)packed_size);
        speed("unpack", form, unpack, (size_t)packed_size);
    }
    MPI_Type_free(&made);
}

static MPI_Datatype column(int rows, int width)
{
    MPI_Datatype made;
    MPI_Type_vector(rows, width, COLUMNS, MPI_DOUBLE, &made);
    return made;
}

/* The face of a cube of n x n x n doubles across dimension `across`. */
static MPI_Datatype face(int n, int across)
{
    int sizes[3] = {n, n, n}, parts[3] = {n, n, n}, starts[3] = {0, 0, 0};
    MPI_Datatype made;
    parts[across] = 1;
    starts[across] = n / 2;
    MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &made);
    return made;
}

/* A number below `limit`, the same sequence in each run. */
static int drawn(int limit)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (int)((uint64_t)state * (uint64_t)limit >> 32);
}

static MPI_Datatype list(int entries)
{
    MPI_Datatype made;
    for (int i = 0, at = 0; i < entries; i++) {
        lengths[i] = 1 + drawn(12);
        places[i] = at;
        at += lengths[i] + 1 + drawn(12);
    }
    MPI_Type_indexed(entries, lengths, places, MPI_DOUBLE, &made);
    return made;
}

/* Single elements of `size` bytes, at places that rise by 2 to 9 elements. */
static MPI_Datatype scattered(int entries, int size, MPI_Datatype of)
{
    MPI_Datatype made;
    MPI_Aint at = 0;
    for (int i = 0; i < entries; i++) {
        offsets[i] = at;
        at += (2 + drawn(8)) * size;
    }
    MPI_Type_create_hindexed_block(entries, 1, offsets, of, &made);
    return made;
}

static MPI_Datatype record(void)
{
    int blocks[] = {1, 3, 1, 1, 2};
    MPI_Aint at[] = {offsetof(particle, kind), offsetof(particle, place),
                     offsetof(particle, weight), offsetof(particle, tag),
                     offsetof(particle, flags)};
    MPI_Datatype of[] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT, MPI_CHAR, MPI_SHORT};
    MPI_Datatype fields, made;
    MPI_Type_create_struct(5, blocks, at, of, &fields);
    MPI_Type_create_resized(fields, 0, sizeof(particle), &made);
    MPI_Type_free(&fields);
    return made;
}

/* Tiles of 4 x 2 doubles. */
static MPI_Datatype tiles(int entries)
{
    MPI_Datatype inner, made;
    MPI_Type_vector(4, 2, 8, MPI_DOUBLE, &inner);
    MPI_Type_create_hvector(entries, 1, 64 * sizeof(double), inner, &made);
    MPI_Type_free(&inner);
    return made;
}

static void all(int rows, int n)
{
    measure("column-1", 1, column(rows, 1));
    measure("column-2", 1, column(rows / 2, 2));
    measure("column-8", 1, column(rows / 8, 8));
    measure("face-x", 1, face(n, 0));
    measure("face-y", 1, face(n, 1));
    measure("face-z", 1, face(n, 2));
    measure("list", 1, list(rows / 8));
    measure("single-8", 1, scattered(rows, 8, MPI_DOUBLE));
    measure("single-4", 1, scattered(rows, 4, MPI_FLOAT));
    measure("struct", rows / 8, record());
    measure("tiles", 1, tiles(rows / 8));
}

int main(int argc, char **argv)
{
    const int rows = LIST_MAX, n = 320;
    by_message = argc > 1 && !strcmp(argv[1], "message");
    want = argc > 2 ? argv[2] : NULL;
    bench_start(&argc, &argv, (size_t)rows * sizeof(double) * 2,
                (size_t)n * (size_t)n * (size_t)n * sizeof(double));
    all(1 << 12, 48);
    all(rows, n);
    MPI_Finalize();
    return 0;
}
