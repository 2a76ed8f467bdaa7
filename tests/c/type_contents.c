// np: 1
/* How datatypes return what they were made of, through both forms of the calls; the types of Fortran's
 * kinds; external32; and what is refused, with which class. */
#include "check.h"
#include <stdint.h>

static void envelope(MPI_Datatype type, int integers, int addresses, int types, int combiner)
{
    int n, a, t, c;
    OK(MPI_Type_get_envelope(type, &n, &a, &t, &c));
    EQUAL(n, integers);
    EQUAL(a, addresses);
    EQUAL(t, types);
    EQUAL(c, combiner);
}

/* The same handle for the same kind; its arguments are its contents. */
static void kinds(void)
{
    MPI_Datatype a, b;
    MPI_Aint none;
    int p[2], size;
    OK(MPI_Type_create_f90_real(15, 307, &a));
    OK(MPI_Type_create_f90_real(15, 307, &b));
    CHECK(a == b);
    OK(MPI_Type_size(a, &size));
    EQUAL(size, 8);
    envelope(a, 2, 0, 0, MPI_COMBINER_F90_REAL);
    OK(MPI_Type_get_contents(a, 2, 0, 0, p, &none, &b));
    EQUAL(p[0], 15);
    EQUAL(p[1], 307);
    OK(MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &a));
    OK(MPI_Type_size(a, &size));
    EQUAL(size, 8);
    envelope(a, 2, 0, 0, MPI_COMBINER_F90_COMPLEX);
    OK(MPI_Type_create_f90_integer(18, &a));
    OK(MPI_Type_size(a, &size));
    EQUAL(size, 8);
    envelope(a, 1, 0, 0, MPI_COMBINER_F90_INTEGER);
    OK(MPI_Type_create_f90_integer(9, &b));
    CHECK(a != b);
    EQUAL(class_of(MPI_Type_free(&b)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Type_create_f90_integer(99, &b)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_Type_create_f90_real(99, 1, &b)), MPI_ERR_ARG);
}

/* A distributed array by the int form; the type it was made of comes back as a handle of its own. */
static void distributed(void)
{
    int sizes[] = {10, 7}, distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int dargs[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {2, 3}, n[12], size;
    MPI_Datatype pair, type, old;
    MPI_Aint none;
    OK(MPI_Type_contiguous(2, MPI_SHORT, &pair));
    OK(MPI_Type_create_darray(6, 4, 2, sizes, distribs, dargs, grid, MPI_ORDER_FORTRAN, pair, &type));
    /* Rank 4 is at (1, 1): rows 5 to 9, columns 2 and 3. */
    OK(MPI_Type_size(type, &size));
    EQUAL(size, 5 * 2 * 4);
    envelope(type, 12, 0, 1, MPI_COMBINER_DARRAY);
    OK(MPI_Type_get_contents(type, 12, 0, 1, n, &none, &old));
    const int expected[] = {6, 4, 2, 10, 7, distribs[0], distribs[1], dargs[0], 2, 2, 3,
                            MPI_ORDER_FORTRAN};
    for (int i = 0; i < 12; i++)
        EQUAL(n[i], expected[i]);
    OK(MPI_Type_size(old, &size));
    EQUAL(size, 4);
    envelope(old, 1, 0, 1, MPI_COMBINER_CONTIGUOUS);
    EQUAL(class_of(MPI_Type_get_contents(type, 11, 0, 1, n, &none, &old)), MPI_ERR_ARG);
    OK(MPI_Type_free(&old));
    OK(MPI_Type_free(&pair));
    OK(MPI_Type_free(&type));
    EQUAL(class_of(MPI_Type_get_contents(MPI_INT, 0, 0, 0, n, &none, &old)), MPI_ERR_TYPE);
}

/* Counts that no int holds. */
static void large(void)
{
    const MPI_Count many = (MPI_Count)5 << 31;
    MPI_Count lengths[] = {many, 3}, at[] = {0, many * 2}, counts[5], i, a, c, t, bytes;
    MPI_Aint none;
    MPI_Datatype type, old;
    int combiner, small, integers[1];
    OK(MPI_Type_indexed_c(2, lengths, at, MPI_SHORT, &type));
    OK(MPI_Type_get_envelope_c(type, &i, &a, &c, &t, &combiner));
    CHECK(i == 0 && a == 0 && c == 5 && t == 1 && combiner == MPI_COMBINER_INDEXED);
    OK(MPI_Type_get_contents_c(type, 0, 0, 5, 1, integers, &none, counts, &old));
    CHECK(counts[0] == 2 && counts[1] == many && counts[2] == 3 && counts[3] == 0);
    CHECK(counts[4] == many * 2 && old == MPI_SHORT);
    EQUAL(class_of(MPI_Type_get_envelope(type, &small, &small, &small, &small)), MPI_ERR_TYPE);
    OK(MPI_Type_size(type, &small));
    EQUAL(small, MPI_UNDEFINED);
    OK(MPI_Type_size_c(type, &bytes));
    EQUAL(bytes, 2 * (many + 3));
    OK(MPI_Type_get_extent_c(type, &a, &bytes));
    EQUAL(bytes, 2 * (2 * many + 3));
    OK(MPI_Type_free(&type));
    CHECK(MPI_Type_contiguous_c(INT64_MAX, MPI_INT, &type) != MPI_SUCCESS);
}

/* Places of packed data and statuses past what an int holds, without the memory: what does not fit is
 * MPI_UNDEFINED, and the large forms return it. */
static void past_int(void)
{
    const MPI_Count long_message = 6000000000;
    MPI_Datatype part, whole;
    MPI_Status status;
    MPI_Count large;
    int small;
    OK(MPI_Type_contiguous(INT32_MAX, MPI_DOUBLE, &part));
    OK(MPI_Type_contiguous(3, part, &whole));
    OK(MPI_Pack_size(2, whole, MPI_COMM_WORLD, &small));
    EQUAL(small, MPI_UNDEFINED);
    OK(MPI_Pack_size_c(2, whole, MPI_COMM_WORLD, &large));
    CHECK(large >= 6 * 8 * (MPI_Count)INT32_MAX);
    OK(MPI_Pack_external_size_c("external32", 2, whole, &large));
    EQUAL(large, 6 * 8 * (MPI_Count)INT32_MAX);
    OK(MPI_Type_free(&part));
    OK(MPI_Type_free(&whole));
    memset(&status, 0, sizeof status);
    OK(MPI_Status_set_elements_c(&status, MPI_BYTE, long_message));
    OK(MPI_Get_count(&status, MPI_BYTE, &small));
    EQUAL(small, MPI_UNDEFINED);
    OK(MPI_Get_count_c(&status, MPI_BYTE, &large));
    EQUAL(large, long_message);
    OK(MPI_Get_elements(&status, MPI_INT, &small));
    EQUAL(small, long_message / 4);
    OK(MPI_Get_elements_x(&status, MPI_SHORT, &large));
    EQUAL(large, long_message / 2);
}

static void bounds(void)
{
    MPI_Datatype type, again;
    MPI_Aint low, extent;
    OK(MPI_Type_vector(3, 1, -2, MPI_INT, &type));
    OK(MPI_Type_get_true_extent(type, &low, &extent));
    CHECK(low == -16 && extent == 20);
    OK(MPI_Type_create_resized(type, -40, 100, &again));
    OK(MPI_Type_get_extent(again, &low, &extent));
    CHECK(low == -40 && extent == 100);
    OK(MPI_Type_get_true_extent(again, &low, &extent));
    CHECK(low == -16 && extent == 20);
    envelope(again, 0, 2, 1, MPI_COMBINER_RESIZED);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_free(&again));
}

static void external(void)
{
    const int value[] = {0x01020304, -2};
    unsigned char packed[8], expected[] = {1, 2, 3, 4, 255, 255, 255, 254};
    int back[2];
    MPI_Aint size, at = 0;
    OK(MPI_Pack_external_size("external32", 2, MPI_INT, &size));
    EQUAL(size, 8);
    OK(MPI_Pack_external("external32", value, 2, MPI_INT, packed, 8, &at));
    CHECK(at == 8 && memcmp(packed, expected, 8) == 0);
    at = 0;
    OK(MPI_Unpack_external("external32", packed, 8, &at, back, 2, MPI_INT));
    CHECK(at == 8 && memcmp(value, back, 8) == 0);
    OK(MPI_Pack_external_size("external32", 1, MPI_LONG_DOUBLE, &size));
    EQUAL(size, 16);
    OK(MPI_Pack_external_size("external32", 1, MPI_C_BOOL, &size));
    EQUAL(size, 1);
    OK(MPI_Pack_external_size("external32", 1, MPI_AINT, &size));
    EQUAL(size, 8);
    at = 0;
    EQUAL(class_of(MPI_Pack_external("internal", value, 2, MPI_INT, packed, 8, &at)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_Pack_external("external32", value, 2, MPI_INT, packed, 7, &at)),
          MPI_ERR_TRUNCATE);
}

static void refused(void)
{
    int data[4] = {1, 2, 3, 4}, packed[4], at = 0, size;
    MPI_Datatype raw, gone, made;
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &raw));
    OK(MPI_Type_dup(raw, &gone));
    MPI_Datatype kept = gone;
    OK(MPI_Type_free(&gone));
    EQUAL(class_of(MPI_Send(data, 1, raw, 0, 0, MPI_COMM_SELF)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Pack(data, 1, raw, packed, 16, &at, MPI_COMM_SELF)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Pack(data, 1, kept, packed, 16, &at, MPI_COMM_SELF)), MPI_ERR_TYPE);
    OK(MPI_Type_commit(&raw));
    EQUAL(class_of(MPI_Pack(data, -1, raw, packed, 16, &at, MPI_COMM_SELF)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Pack(data, -1, MPI_INT, packed, 16, &at, MPI_COMM_SELF)), MPI_ERR_COUNT);
    EQUAL(class_of(MPI_Pack(NULL, 1, MPI_INT, packed, 16, &at, MPI_COMM_SELF)), MPI_ERR_BUFFER);
    EQUAL(class_of(MPI_Pack(data, 1, raw, packed, 7, &at, MPI_COMM_SELF)), MPI_ERR_TRUNCATE);
    EQUAL(class_of(MPI_Pack(data, 1, MPI_INT, packed, 3, &at, MPI_COMM_SELF)), MPI_ERR_TRUNCATE);
    EQUAL(class_of(MPI_Pack(data, 1, MPI_INT, packed, 16, &at, MPI_COMM_NULL)), MPI_ERR_COMM);
    EQUAL(at, 0);
    OK(MPI_Pack(NULL, 0, MPI_INT, packed, 16, &at, MPI_COMM_SELF));
    OK(MPI_Pack(data, 1, raw, packed, 16, &at, MPI_COMM_SELF));
    OK(MPI_Pack(data, 1, MPI_INT, packed, 16, &at, MPI_COMM_SELF));
    CHECK(at == 12 && packed[0] == 1 && packed[1] == 3 && packed[2] == 1);
    EQUAL(class_of(MPI_Type_size(kept, &size)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Type_vector(-1, 1, 1, MPI_INT, &made)), MPI_ERR_COUNT);
    CHECK(MPI_Type_vector(1, -1, 1, MPI_INT, &made) != MPI_SUCCESS);
    int sizes[] = {4}, parts[] = {3}, starts[] = {2};
    EQUAL(class_of(MPI_Type_create_subarray(1, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &made)),
          MPI_ERR_ARG);
    OK(MPI_Type_free(&raw));
}

/* What lies on itself may be sent, and not received; what interleaves may be both. */
static void on_itself(void)
{
    int in[12], out[16], n;
    MPI_Datatype narrow, column, columns;
    MPI_Request request;
    OK(MPI_Type_vector(4, 3, 2, MPI_INT, &narrow));
    OK(MPI_Type_commit(&narrow));
    for (n = 0; n < 16; n++)
        out[n] = n;
    OK(MPI_Sendrecv(out, 1, narrow, 0, 1, in, 12, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    for (n = 0; n < 12; n++)
        EQUAL(in[n], n / 3 * 2 + n % 3);
    EQUAL(class_of(MPI_Recv(out, 1, narrow, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Irecv(out, 1, narrow, 0, 1, MPI_COMM_SELF, &request)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Recv_init(out, 1, narrow, 0, 1, MPI_COMM_SELF, &request)), MPI_ERR_TYPE);
    EQUAL(class_of(MPI_Sendrecv(in, 12, MPI_INT, 0, 1, out, 1, narrow, 0, 1, MPI_COMM_SELF,
                                MPI_STATUS_IGNORE)),
          MPI_ERR_TYPE);
    OK(MPI_Type_free(&narrow));

    /* Columns of a matrix with three of them; there is no fourth. */
    OK(MPI_Type_vector(4, 1, 3, MPI_INT, &column));
    OK(MPI_Type_create_resized(column, 0, sizeof(int), &columns));
    OK(MPI_Type_commit(&columns));
    for (n = 0; n < 12; n++)
        in[n] = n;
    OK(MPI_Sendrecv(in, 12, MPI_INT, 0, 1, out, 3, columns, 0, 1, MPI_COMM_SELF,
                    MPI_STATUS_IGNORE));
    for (n = 0; n < 12; n++)
        EQUAL(out[n], n % 3 * 4 + n / 3);
    EQUAL(class_of(MPI_Recv(out, 4, columns, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE)),
          MPI_ERR_TYPE);
    OK(MPI_Type_free(&columns));
    OK(MPI_Type_free(&column));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    kinds();
    distributed();
    large();
    past_int();
    bounds();
    external();
    refused();
    on_itself();
    return finish();
}
