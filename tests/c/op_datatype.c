// np: 1 2 3
/* An operation of the user gets the datatype that its reduction was called with (MPI 5.0, 6.9.5):
 * the same handle, with its attributes and its name, in every form of reduction. Operations once
 * got a handle made for the occasion, which compared unequal and had no attributes. A datatype that
 * was freed meanwhile still has a handle that names it. */
#include "check.h"

enum { FORMS = 12, COUNT = 5 };

static MPI_Datatype pair, asked;
static int keyval, calls;

/* The greater of the first numbers, and the sum of the second ones. */
static void combine(const long *in, long *inout, MPI_Count count, MPI_Datatype datatype)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    void *value = NULL;
    int found = 0, length = 0;
    MPI_Aint lower, extent;
    calls++;
    OK(MPI_Type_get_name(datatype, name, &length));
    CHECK(!strcmp(name, "pair"));
    OK(MPI_Type_get_extent(datatype, &lower, &extent));
    EQUAL(extent, 2 * sizeof(long));
    OK(MPI_Type_get_attr(datatype, keyval, &value, &found));
    if (asked != MPI_DATATYPE_NULL) {
        CHECK(datatype == asked);
        CHECK(found && value == (void *)&pair);
    } else {
        CHECK(!found);
    }
    for (MPI_Count i = 0; i < count; i++) {
        if (in[2 * i] > inout[2 * i])
            inout[2 * i] = in[2 * i];
        inout[2 * i + 1] += in[2 * i + 1];
    }
}

static void short_form(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    combine(in, inout, *count, *datatype);
}

static void long_form(void *in, void *inout, MPI_Count *count, MPI_Datatype *datatype)
{
    combine(in, inout, *count, *datatype);
}

/* Frees its datatype, which must last until it returns. */
static void freeing(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    MPI_Datatype doomed = asked;
    asked = MPI_DATATYPE_NULL;
    OK(MPI_Type_free(&doomed));
    EQUAL(MPI_Type_free(datatype), MPI_ERR_TYPE);
    combine(in, inout, *count, *datatype);
}

static void reduce(int form, const long *in, long *out, MPI_Op op)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    int counts[] = {COUNT, COUNT, COUNT};
    switch (form) {
    case 0: OK(MPI_Reduce(in, out, COUNT, pair, op, 0, world)); break;
    case 1: OK(MPI_Allreduce(in, out, COUNT, pair, op, world)); break;
    case 2: OK(MPI_Reduce_scatter_block(in, out, COUNT, pair, op, world)); break;
    case 3: OK(MPI_Reduce_scatter(in, out, counts, pair, op, world)); break;
    case 4: OK(MPI_Scan(in, out, COUNT, pair, op, world)); break;
    case 5: OK(MPI_Exscan(in, out, COUNT, pair, op, world)); break;
    case 6: OK(MPI_Iallreduce(in, out, COUNT, pair, op, world, &request)); break;
    case 7: OK(MPI_Ireduce(in, out, COUNT, pair, op, 0, world, &request)); break;
    case 8: OK(MPI_Iscan(in, out, COUNT, pair, op, world, &request)); break;
    case 9:
        OK(MPI_Allreduce_init(in, out, COUNT, pair, op, world, MPI_INFO_NULL, &request));
        OK(MPI_Start(&request));
        break;
    case 10: OK(MPI_Reduce_local(in, out, COUNT, pair, op)); break;
    case 11: /* the shared memory of collectives comes in after some calls */
        for (int again = 0; again < 20; again++)
            OK(MPI_Allreduce(in, out, COUNT, pair, op, world));
        break;
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (request != MPI_REQUEST_NULL)
        OK(MPI_Request_free(&request));
}

static void make_pair(void)
{
    OK(MPI_Type_contiguous(2, MPI_LONG, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Type_set_attr(pair, keyval, &pair));
    OK(MPI_Type_set_name(pair, "pair"));
    asked = pair;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    long in[3 * 2 * COUNT], out[2 * COUNT];
    MPI_Op op[3];
    OK(MPI_Op_create(short_form, 1, &op[0]));
    OK(MPI_Op_create_c(long_form, 1, &op[1]));
    OK(MPI_Op_create(freeing, 1, &op[2]));
    OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL));
    for (int i = 0; i < 3 * 2 * COUNT; i++)
        in[i] = rank * 3 + i;
    make_pair();
    for (int form = 0; form < FORMS; form++) {
        for (int which = 0; which < 2; which++) {
            calls = 0;
            memset(out, 0, sizeof out);
            reduce(form, in, out, op[which]);
            if (form == 1 || form == 6 || form == 9 || form == 11)
                for (int i = 0; i < COUNT; i++) {
                    EQUAL(out[2 * i], (ranks - 1) * 3 + 2 * i);
                    EQUAL(out[2 * i + 1], ranks * (ranks - 1) / 2 * 3 + ranks * (2 * i + 1));
                }
            CHECK(form != 10 || calls == 1);
        }
    }

    /* Freed while it is in use: the reduction ends well, and its function has a handle. */
    MPI_Request request;
    asked = MPI_DATATYPE_NULL;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Allreduce_init(in, out, COUNT, pair, op[0], MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    OK(MPI_Type_free(&pair));
    OK(MPI_Start(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < COUNT; i++)
        EQUAL(out[2 * i + 1], ranks * (ranks - 1) / 2 * 3 + ranks * (2 * i + 1));
    OK(MPI_Request_free(&request));

    make_pair();
    memset(out, 0, sizeof out);
    OK(MPI_Reduce_local(in, out, COUNT, pair, op[2]));
    EQUAL(out[1], in[1]);
    EQUAL(MPI_Type_free(&pair), MPI_ERR_TYPE);

    for (int i = 0; i < 3; i++)
        OK(MPI_Op_free(&op[i]));
    OK(MPI_Type_free_keyval(&keyval));
    return finish();
}
