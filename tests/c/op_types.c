// np: 1 2
/* Which predefined operations take which predefined datatypes (MPI 5.0, 6.9.2): the others are
 * MPI_ERR_OP, of MPI_Reduce_local and of a collective alike. An operation of the user takes all. */
#include "check.h"

enum {
    C_INTEGER = 1,
    FORTRAN_INTEGER = 2,
    FLOATING = 4,
    LOGICAL = 8,
    COMPLEX = 16,
    BYTE = 32,
    LANGUAGES = 64,
    PAIR = 128,
    NONE = 256
};

static const struct {
    MPI_Datatype type;
    int group;
} TYPES[] = {
    {MPI_INT, C_INTEGER}, {MPI_LONG, C_INTEGER}, {MPI_SHORT, C_INTEGER},
    {MPI_UNSIGNED_SHORT, C_INTEGER}, {MPI_UNSIGNED, C_INTEGER}, {MPI_UNSIGNED_LONG, C_INTEGER},
    {MPI_LONG_LONG_INT, C_INTEGER}, {MPI_LONG_LONG, C_INTEGER},
    {MPI_UNSIGNED_LONG_LONG, C_INTEGER}, {MPI_SIGNED_CHAR, C_INTEGER},
    {MPI_UNSIGNED_CHAR, C_INTEGER}, {MPI_INT8_T, C_INTEGER}, {MPI_INT16_T, C_INTEGER},
    {MPI_INT32_T, C_INTEGER}, {MPI_INT64_T, C_INTEGER}, {MPI_UINT8_T, C_INTEGER},
    {MPI_UINT16_T, C_INTEGER}, {MPI_UINT32_T, C_INTEGER}, {MPI_UINT64_T, C_INTEGER},
    /* For MPI it is text; all libraries take it for a C integer. */
    {MPI_CHAR, C_INTEGER},
    {MPI_INTEGER, FORTRAN_INTEGER}, {MPI_INTEGER1, FORTRAN_INTEGER},
    {MPI_INTEGER2, FORTRAN_INTEGER}, {MPI_INTEGER4, FORTRAN_INTEGER},
    {MPI_INTEGER8, FORTRAN_INTEGER}, {MPI_INTEGER16, FORTRAN_INTEGER},
    {MPI_FLOAT, FLOATING}, {MPI_DOUBLE, FLOATING}, {MPI_REAL, FLOATING},
    {MPI_DOUBLE_PRECISION, FLOATING}, {MPI_LONG_DOUBLE, FLOATING}, {MPI_REAL2, FLOATING},
    {MPI_REAL4, FLOATING}, {MPI_REAL8, FLOATING}, {MPI_REAL16, FLOATING},
    {MPI_LOGICAL, LOGICAL}, {MPI_C_BOOL, LOGICAL}, {MPI_CXX_BOOL, LOGICAL},
    {MPI_LOGICAL1, LOGICAL}, {MPI_LOGICAL2, LOGICAL}, {MPI_LOGICAL4, LOGICAL},
    {MPI_LOGICAL8, LOGICAL}, {MPI_LOGICAL16, LOGICAL},
    {MPI_COMPLEX, COMPLEX}, {MPI_C_COMPLEX, COMPLEX}, {MPI_C_FLOAT_COMPLEX, COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX}, {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_CXX_FLOAT_COMPLEX, COMPLEX}, {MPI_CXX_DOUBLE_COMPLEX, COMPLEX},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX}, {MPI_DOUBLE_COMPLEX, COMPLEX},
    {MPI_COMPLEX4, COMPLEX}, {MPI_COMPLEX8, COMPLEX}, {MPI_COMPLEX16, COMPLEX},
    {MPI_COMPLEX32, COMPLEX},
    {MPI_BYTE, BYTE}, {MPI_AINT, LANGUAGES}, {MPI_OFFSET, LANGUAGES}, {MPI_COUNT, LANGUAGES},
    {MPI_FLOAT_INT, PAIR}, {MPI_DOUBLE_INT, PAIR}, {MPI_LONG_INT, PAIR}, {MPI_2INT, PAIR},
    {MPI_SHORT_INT, PAIR}, {MPI_LONG_DOUBLE_INT, PAIR}, {MPI_2REAL, PAIR},
    {MPI_2DOUBLE_PRECISION, PAIR}, {MPI_2INTEGER, PAIR},
    {MPI_CHARACTER, NONE}, {MPI_WCHAR, NONE}, {MPI_PACKED, NONE},
};

enum {
    ORDERED = C_INTEGER | FORTRAN_INTEGER | FLOATING | LANGUAGES,
    BITS = C_INTEGER | FORTRAN_INTEGER | BYTE | LANGUAGES,
    TRUTH = C_INTEGER | LOGICAL
};

/* `more`: MPI does not list them, and no library refuses them. */
static const struct {
    MPI_Op op;
    int groups, more;
} OPS[] = {
    {MPI_MAX, ORDERED, 0}, {MPI_MIN, ORDERED, 0},
    {MPI_SUM, ORDERED | COMPLEX, 0}, {MPI_PROD, ORDERED | COMPLEX, 0},
    {MPI_LAND, TRUTH, LANGUAGES}, {MPI_LOR, TRUTH, LANGUAGES}, {MPI_LXOR, TRUTH, LANGUAGES},
    {MPI_BAND, BITS, 0}, {MPI_BOR, BITS, 0}, {MPI_BXOR, BITS, 0},
    {MPI_MAXLOC, PAIR, 0}, {MPI_MINLOC, PAIR, 0},
    {MPI_REPLACE, 0, 0}, {MPI_NO_OP, 0, 0},
};

#define EACH(table) (sizeof(table) / sizeof((table)[0]))

static _Alignas(64) unsigned char in[256], out[256];

static void tried(size_t o, MPI_Datatype type, int group)
{
    int local, all;
    if (group & OPS[o].more)
        return;
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    local = class_of(MPI_Reduce_local(in, out, 3, type, OPS[o].op));
    all = class_of(MPI_Allreduce(in, out, 3, type, OPS[o].op, MPI_COMM_WORLD));
    EQUAL(local, group & OPS[o].groups ? MPI_SUCCESS : MPI_ERR_OP);
    EQUAL(all, local);
}

static void kinds_of_fortran(size_t o)
{
    MPI_Datatype type;
    OK(MPI_Type_create_f90_real(15, 307, &type));
    tried(o, type, FLOATING);
    OK(MPI_Type_create_f90_complex(6, 30, &type));
    tried(o, type, COMPLEX);
    OK(MPI_Type_create_f90_integer(9, &type));
    tried(o, type, FORTRAN_INTEGER);
}

static void last(void *a, void *b, int *count, MPI_Datatype *type)
{
    int size;
    OK(MPI_Type_size(*type, &size));
    memcpy(b, a, (size_t)size * (size_t)*count);
}

static void of_the_user(MPI_Datatype derived)
{
    MPI_Op op;
    int commutes = -1;
    OK(MPI_Op_create(last, 0, &op));
    OK(MPI_Op_commutative(op, &commutes));
    EQUAL(commutes, 0);
    for (size_t t = 0; t < EACH(TYPES); t++)
        OK(MPI_Reduce_local(in, out, 1, TYPES[t].type, op));
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i + 1);
    memset(out, 0, sizeof out);
    OK(MPI_Reduce_local(in, out, 2, derived, op));
    CHECK(memcmp(in, out, 24) == 0 && out[24] == 0);
    OK(MPI_Op_free(&op));
}

int main(int argc, char **argv)
{
    MPI_Datatype derived;
    int commutes;
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Type_contiguous(3, MPI_INT, &derived));
    OK(MPI_Type_commit(&derived));
    for (size_t o = 0; o < EACH(OPS); o++) {
        for (size_t t = 0; t < EACH(TYPES); t++)
            tried(o, TYPES[t].type, TYPES[t].group);
        kinds_of_fortran(o);
        tried(o, derived, NONE);
        OK(MPI_Op_commutative(OPS[o].op, &commutes));
        EQUAL(commutes, OPS[o].groups != 0);
    }
    of_the_user(derived);
    OK(MPI_Type_free(&derived));
    return finish();
}
