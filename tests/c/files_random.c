// np: 1 2 3 5
/* Random accesses of all ranks against an array that holds what the file has to: random tiles that
 * ranks share, elements of a byte or of pages, representations, memory with gaps, hints, and all forms
 * of access. Every rank draws the same numbers, so each knows what all write. `files_random ROUNDS
 * SEED` for more. */
#include <stdint.h>
#include <unistd.h>

#include "check.h"

enum {
    PERIOD_MAX = 100,
    SIZE_MAX_ = 4 << 20,
    RANKS_MAX = 16,
    /* Bytes of a long element, and of a file of them, at most. */
    LONG_MAX_ = 6000,
    LONG_ALL = 3 << 20
};

static char path[256];
static unsigned char model[SIZE_MAX_];
static long long size;
static uint64_t state;

static int draw(int below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 11) % (uint64_t)below);
}

/* Elements of a tile belong to ranks, or where the owner is `ranks`, to nobody. An element has `unit`
 * bytes, in words of `word`. */
struct access {
    int unit, word, external, period, owner[PERIOD_MAX], of[RANKS_MAX];
    int displacement;
    long long from[RANKS_MAX], count[RANKS_MAX];
    int gaps, form, first;
};

enum form { AT_ALL, IAT_ALL, SPLIT, ALL, AT, IAT, INDIVIDUAL, SHARED, ORDERED, FORMS };

/* Whether all ranks have one view without gaps, and parts of it by the shared file pointer. */
#define BY_POINTER(a) ((a)->form == ORDERED || (a)->form == SHARED)

static void draw_access(struct access *a, int is_long)
{
    memset(a, 0, sizeof *a);
    a->form = draw(FORMS);
    a->external = draw(3) == 0;
    a->word = a->external || draw(2) ? 4 : 1;
    a->unit = is_long ? a->word * (1 + draw(LONG_MAX_ / 4)) : a->word;
    a->period = 1 + draw(PERIOD_MAX);
    a->displacement = draw(100);
    a->gaps = draw(2);
    for (int at = 0, left = 0, owner = 0; at < a->period; at++) {
        if (left-- == 0) {
            owner = draw(ranks + (draw(2) == 0));
            left = draw(20);
        }
        a->owner[at] = BY_POINTER(a) ? 0 : owner;
    }
    for (int at = 0; at < a->period; at++)
        a->of[a->owner[at] % RANKS_MAX]++;
    int tiles = draw(4) == 0 ? 1 + draw(2000) : 1 + draw(30);
    int most = LONG_ALL / (a->period * a->unit * (BY_POINTER(a) ? ranks : 1));
    if (is_long && tiles > most)
        tiles = most > 0 ? most : 1;
    for (int rank = 0; rank < ranks; rank++) {
        int own = BY_POINTER(a) ? a->period : a->of[rank];
        long long all = (long long)own * tiles;
        a->from[rank] = own ? draw(own) : 0;
        a->count[rank] = own && draw(8) ? draw((int)(all - a->from[rank]) + 1) : 0;
    }
    if (BY_POINTER(a)) {
        int from = draw(50);
        /* The shared pointer serves ranks in the order in which they call. */
        if (a->form == SHARED)
            a->first = draw(ranks);
        for (int i = 0; i < ranks; i++) {
            int rank = (a->first + i) % ranks;
            a->from[rank] = from;
            from += a->count[rank];
        }
    }
}

/* The position in the file of element `k` of a rank's access. */
static long long position(const struct access *a, int rank, long long k)
{
    k += a->from[rank];
    if (BY_POINTER(a))
        return a->displacement + k * a->unit;
    long long tile = k / a->of[rank];
    int inside = k % a->of[rank], at = 0;
    while (a->owner[at] != rank || inside-- > 0)
        at++;
    return a->displacement + (tile * a->period + at) * a->unit;
}

static unsigned char byte_of(int round, int rank, long long at)
{
    return pattern(round * 31 + rank + 1, (size_t)at);
}

static MPI_Datatype element(const struct access *a)
{
    MPI_Datatype type;
    OK(MPI_Type_contiguous(a->unit / a->word, a->word == 4 ? MPI_INT : MPI_BYTE, &type));
    OK(MPI_Type_commit(&type));
    return type;
}

static MPI_Datatype memory_type(const struct access *a, long long count)
{
    MPI_Datatype one = element(a), type;
    OK(MPI_Type_create_hvector((int)count, 1, a->gaps ? 2 * a->unit : a->unit, one, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_free(&one));
    return type;
}

static void set_view(MPI_File file, const struct access *a, MPI_Info info)
{
    MPI_Datatype one = element(a), blocks, tile;
    int lengths[PERIOD_MAX], n = 0;
    MPI_Aint places[PERIOD_MAX];
    if (BY_POINTER(a) || a->of[rank] == 0) {
        OK(MPI_Type_dup(one, &tile));
    } else {
        for (int at = 0; at < a->period; at++)
            if (a->owner[at] == rank) {
                lengths[n] = 1;
                places[n++] = at * a->unit;
            }
        OK(MPI_Type_create_hindexed(n, lengths, places, one, &blocks));
        OK(MPI_Type_create_resized(blocks, 0, a->period * a->unit, &tile));
        OK(MPI_Type_free(&blocks));
    }
    OK(MPI_Type_commit(&tile));
    const char *representation = a->external ? "external32" : "native";
    OK(MPI_File_set_view(file, a->displacement, one, tile, representation, info));
    OK(MPI_Type_free(&tile));
    OK(MPI_Type_free(&one));
}

#define CALL(name, ...) OK(writes ? MPI_File_write##name(__VA_ARGS__) : MPI_File_read##name(__VA_ARGS__))
#define START(name, ...) OK(writes ? MPI_File_iwrite##name(__VA_ARGS__) : MPI_File_iread##name(__VA_ARGS__))

static void carry_out(MPI_File file, const struct access *a, int writes, void *data, MPI_Datatype type,
                      MPI_Status *status)
{
    MPI_Offset at = a->from[rank];
    MPI_Request request;
    int n = a->count[rank] > 0;
    switch (a->form) {
    case AT_ALL:
        CALL(_at_all, file, at, data, n, type, status);
        return;
    case IAT_ALL:
        START(_at_all, file, at, data, n, type, &request);
        break;
    case SPLIT:
        CALL(_at_all_begin, file, at, data, n, type);
        CALL(_at_all_end, file, data, status);
        return;
    case ALL:
        OK(MPI_File_seek(file, at, MPI_SEEK_SET));
        CALL(_all, file, data, n, type, status);
        return;
    case AT:
        CALL(_at, file, at, data, n, type, status);
        return;
    case IAT:
        START(_at, file, at, data, n, type, &request);
        break;
    case INDIVIDUAL:
        OK(MPI_File_seek(file, at, MPI_SEEK_SET));
        START(, file, data, n, type, &request);
        break;
    case SHARED:
        OK(MPI_File_seek_shared(file, a->from[a->first], MPI_SEEK_SET));
        for (int i = 0; i < ranks; i++) {
            if ((a->first + i) % ranks == rank && a->gaps) {
                START(_shared, file, data, n, type, &request);
                OK(MPI_Wait(&request, status));
            } else if ((a->first + i) % ranks == rank) {
                CALL(_shared, file, data, n, type, status);
            }
            OK(MPI_Barrier(MPI_COMM_WORLD));
        }
        return;
    default:
        OK(MPI_File_seek_shared(file, a->from[0], MPI_SEEK_SET));
        CALL(_ordered, file, data, n, type, status);
        return;
    }
    OK(MPI_Wait(&request, status));
}

/* Where byte `b` of an element lies in memory, which is little-endian, for its place in the file. */
static long long in_memory(const struct access *a, long long k, int b)
{
    int stride = a->gaps ? 2 * a->unit : a->unit, last = a->word - 1;
    return k * stride + (a->external ? b - b % a->word + last - b % a->word : b);
}

static void round_of(MPI_File file, int number, int is_long, int writes, MPI_Info info)
{
    struct access a;
    MPI_Status status;
    draw_access(&a, is_long);
    long long count = a.count[rank];
    size_t bytes = (size_t)(count * a.unit * (a.gaps ? 2 : 1) + 8);
    unsigned char *data = malloc(bytes);
    MPI_Datatype type = memory_type(&a, count);
    int moved;
    memset(data, 0xa5, bytes);
    for (long long k = 0; writes && k < count; k++)
        for (int b = 0; b < a.unit; b++)
            data[in_memory(&a, k, b)] = byte_of(number, rank, position(&a, rank, k) + b);
    set_view(file, &a, info);
    carry_out(file, &a, writes, data, type, &status);
    OK(MPI_Get_count(&status, MPI_BYTE, &moved));
    long long there = 0;
    for (int of = 0; of < ranks; of++)
        for (long long k = 0; k < a.count[of]; k++) {
            long long at = position(&a, of, k);
            CHECK(at + a.unit <= SIZE_MAX_);
            if (!writes && of == rank && at + a.unit <= size && there == k)
                there++;
            for (int b = 0; writes && b < a.unit; b++)
                model[at + b] = byte_of(number, of, at + b);
            if (writes && at + a.unit > size)
                size = at + a.unit;
        }
    if (writes) {
        EQUAL(moved, count * a.unit);
    } else {
        /* Of the element in which the file ends some bytes are read. */
        CHECK(moved / a.unit == there);
        for (long long k = 0; k < count; k++)
            for (int b = 0; b < a.unit && k < there; b++)
                EQUAL(data[in_memory(&a, k, b)], model[position(&a, rank, k) + b]);
    }
    for (long long k = 0; a.gaps && k < count; k++)
        for (int b = 0; b < a.unit; b++)
            EQUAL(data[(2 * k + 1) * a.unit + b], 0xa5);
    OK(MPI_Type_free(&type));
    free(data);
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_sync(file));
}

/* Long elements have long windows, since many thousand rounds would take long, and go through
 * aggregators more often than such accesses do on one node. */
static MPI_Info draw_hints(int is_long)
{
    static const char *const switches[] = {"enable", "disable", "automatic"};
    static const char *const keys[] = {"romio_cb_write", "romio_cb_read", "romio_ds_write",
                                       "romio_ds_read"};
    static const char *const numbers[] = {"cb_buffer_size", "ind_rd_buffer_size",
                                          "ind_wr_buffer_size", "cb_nodes", "cb_block_size"};
    MPI_Info info;
    char value[32];
    OK(MPI_Info_create(&info));
    for (int i = 0; i < 4; i++)
        OK(MPI_Info_set(info, keys[i], switches[is_long && i < 2 && draw(3) ? 0 : draw(3)]));
    for (int i = 0; i < 5; i++)
        if (is_long || draw(2)) {
            int power = draw(12) + (is_long ? 12 : 6);
            snprintf(value, sizeof value, "%d", 1 + draw(i == 3 ? ranks : 1 << power));
            OK(MPI_Info_set(info, numbers[i], value));
        }
    return info;
}

int main(int argc, char **argv)
{
    MPI_File file = MPI_FILE_NULL;
    start(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 60;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15 + 1 : 0x1234567u + (unsigned)ranks;
    unique_name(path, sizeof path, "files-random");
    for (int number = 0; number < rounds; number++) {
        int is_long = draw(4) == 0;
        MPI_Info info = draw_hints(is_long);
        if (number % 8 == 0) {
            if (file != MPI_FILE_NULL)
                OK(MPI_File_close(&file));
            OK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
        }
        OK(MPI_File_set_atomicity(file, draw(8) == 0));
        round_of(file, number, is_long, number == 0 || draw(2), info);
        OK(MPI_Info_free(&info));
    }
    OK(MPI_File_close(&file));
    if (rank == 0) {
        FILE *plain = fopen(path, "rb");
        unsigned char *all = malloc(SIZE_MAX_);
        CHECK(plain);
        EQUAL(fread(all, 1, SIZE_MAX_, plain), size);
        for (long long at = 0; at < size; at++)
            if (all[at] != model[at])
                check_failed(__FILE__, __LINE__, "byte of the file (at, found)", at, all[at]);
        fclose(plain);
        free(all);
        unlink(path);
    }
    return finish();
}
