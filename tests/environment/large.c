/* Messages of 3 GiB between two ranks, of elements with gaps, by counts that do not fit an int;
 * packing of as much; a message whose bytes do not fit 32 bits, and collectives of more than an int
 * counts. Takes 9 GiB of memory. */
#include "../c/check.h"
#include <stdint.h>

#define BYTES ((size_t)3 << 30)
#define LONG (((size_t)4 << 30) + 8 * 1001)
static const MPI_Count MANY = ((MPI_Count)1 << 31) + 17;

static uint64_t word(size_t i, uint64_t seed)
{
    return (i + 1) * 0x9e3779b97f4a7c15u ^ seed;
}

static void *memory(size_t bytes)
{
    void *data = malloc(bytes);
    CHECK(data != NULL);
    return data;
}

/* What an int cannot hold is MPI_UNDEFINED, and the large forms return it. */
static void check_status(MPI_Status *status, MPI_Datatype type, MPI_Count count, MPI_Count elements)
{
    int small;
    MPI_Count large;
    OK(MPI_Get_count(status, type, &small));
    EQUAL(small, count > INT32_MAX ? MPI_UNDEFINED : count);
    OK(MPI_Get_count_c(status, type, &large));
    EQUAL(large, count);
    OK(MPI_Get_elements(status, type, &small));
    EQUAL(small, elements > INT32_MAX ? MPI_UNDEFINED : elements);
    OK(MPI_Get_elements_c(status, type, &large));
    EQUAL(large, elements);
}

static void bytes(void)
{
    uint64_t *data = memory(LONG);
    MPI_Status status;
    if (rank == 0) {
        for (size_t i = 0; i < LONG / 8; i++)
            data[i] = word(i, 1);
        OK(MPI_Send_c(data, (MPI_Count)LONG, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
    } else {
        memset(data, 0, LONG);
        OK(MPI_Probe(0, 1, MPI_COMM_WORLD, &status));
        check_status(&status, MPI_BYTE, (MPI_Count)LONG, (MPI_Count)LONG);
        OK(MPI_Recv_c(data, (MPI_Count)LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status));
        check_status(&status, MPI_BYTE, (MPI_Count)LONG, (MPI_Count)LONG);
        for (size_t i = 0; i < LONG / 8; i++)
            CHECK(data[i] == word(i, 1));
    }
    free(data);
}

/* Every other double of 6 GiB. */
static MPI_Datatype gaps(void)
{
    MPI_Datatype type;
    int small;
    MPI_Count large;
    OK(MPI_Type_vector_c((MPI_Count)BYTES / 8, 1, 2, MPI_UINT64_T, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_size(type, &small));
    EQUAL(small, MPI_UNDEFINED);
    OK(MPI_Type_size_c(type, &large));
    EQUAL(large, BYTES);
    return type;
}

static uint64_t *with_gaps(uint64_t seed)
{
    uint64_t *data = memory(BYTES * 2);
    for (size_t i = 0; i < BYTES / 8; i++) {
        data[2 * i] = seed ? word(i, seed) : 0;
        data[2 * i + 1] = ~(uint64_t)i;
    }
    return data;
}

static void check_gaps(const uint64_t *data, uint64_t seed)
{
    for (size_t i = 0; i < BYTES / 8; i++)
        CHECK(data[2 * i] == word(i, seed) && data[2 * i + 1] == ~(uint64_t)i);
}

/* From gaps to none, and back. */
static void elements(void)
{
    MPI_Datatype type = gaps();
    MPI_Count count = (MPI_Count)BYTES / 8;
    MPI_Status status;
    uint64_t *wide = rank == 0 ? with_gaps(2) : NULL, *dense = rank == 1 ? memory(BYTES) : NULL;
    if (rank == 0) {
        OK(MPI_Send(wide, 1, type, 1, 2, MPI_COMM_WORLD));
        memset(wide, 0, 16);
        wide[1] = ~(uint64_t)0;
        OK(MPI_Recv(wide, 1, type, 1, 3, MPI_COMM_WORLD, &status));
        check_status(&status, type, 1, count);
        check_gaps(wide, 3);
    } else {
        OK(MPI_Recv_c(dense, count, MPI_UINT64_T, 0, 2, MPI_COMM_WORLD, &status));
        check_status(&status, MPI_UINT64_T, count, count);
        check_status(&status, MPI_BYTE, (MPI_Count)BYTES, (MPI_Count)BYTES);
        for (size_t i = 0; i < BYTES / 8; i++) {
            CHECK(dense[i] == word(i, 2));
            dense[i] = word(i, 3);
        }
        OK(MPI_Send_c(dense, count, MPI_UINT64_T, 0, 3, MPI_COMM_WORLD));
    }
    free(wide);
    free(dense);
    OK(MPI_Type_free(&type));
}

/* More elements with gaps than an int counts. */
static void many(void)
{
    MPI_Datatype type;
    MPI_Status status;
    unsigned char *data = memory((size_t)MANY * (rank == 0 ? 2 : 1));
    OK(MPI_Type_create_resized(MPI_UNSIGNED_CHAR, 0, 2, &type));
    OK(MPI_Type_commit(&type));
    if (rank == 0) {
        for (size_t i = 0; i < (size_t)MANY; i++)
            data[2 * i] = (unsigned char)(i * 7 + (i >> 8));
        OK(MPI_Send_c(data, MANY, type, 1, 4, MPI_COMM_WORLD));
    } else {
        OK(MPI_Recv_c(data, MANY, MPI_UNSIGNED_CHAR, 0, 4, MPI_COMM_WORLD, &status));
        check_status(&status, type, MANY, MANY);
        for (size_t i = 0; i < (size_t)MANY; i++)
            CHECK(data[i] == (unsigned char)(i * 7 + (i >> 8)));
    }
    free(data);
    OK(MPI_Type_free(&type));
}

static void packed(void)
{
    MPI_Datatype type = gaps();
    MPI_Count size, at = 0;
    if (rank == 0) {
        uint64_t *wide = with_gaps(5), *dense;
        OK(MPI_Pack_size_c(1, type, MPI_COMM_WORLD, &size));
        CHECK(size >= (MPI_Count)BYTES);
        dense = memory((size_t)size);
        OK(MPI_Pack_c(wide, 1, type, dense, size, &at, MPI_COMM_WORLD));
        EQUAL(at, BYTES);
        for (size_t i = 0; i < BYTES / 8; i++) {
            CHECK(dense[i] == word(i, 5));
            dense[i] = word(i, 6);
        }
        at = 0;
        OK(MPI_Unpack_c(dense, size, &at, wide, 1, type, MPI_COMM_WORLD));
        EQUAL(at, BYTES);
        check_gaps(wide, 6);
        free(wide);
        free(dense);
    }
    OK(MPI_Type_free(&type));
}

/* More elements than an int counts, of a number that no part size divides. */
static void collective(void)
{
    size_t count = ((size_t)1 << 31) + 4099;
    unsigned char *data = memory(count);
    memset(data, 0, count);
    for (size_t i = 0; rank == 0 && i < count; i++)
        data[i] = (unsigned char)word(i, 7);
    OK(MPI_Bcast_c(data, (MPI_Count)count, MPI_BYTE, 0, MPI_COMM_WORLD));
    for (size_t i = 0; i < count; i++)
        CHECK(data[i] == (unsigned char)word(i, 7));
    OK(MPI_Allreduce_c(MPI_IN_PLACE, data, (MPI_Count)count, MPI_UINT8_T, MPI_SUM,
                       MPI_COMM_WORLD));
    for (size_t i = 0; i < count; i++)
        CHECK(data[i] == (unsigned char)(word(i, 7) * (uint64_t)ranks));
    free(data);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    bytes();
    elements();
    many();
    packed();
    collective();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return finish();
}
