// np: 1 2
/* Attributes: predefined ones, copies at dup, deletions at free and at the end. */
#include "check.h"

static int copies, deletions, at_end;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    copies++;
    *(void **)out = (char *)in + (*(int *)extra);
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static int last(MPI_Comm comm, int key, void *value, void *extra)
{
    int done = 1;
    (void)key;
    (void)extra;
    /* MPI still works while the attributes of MPI_COMM_SELF are deleted. */
    if (MPI_Finalized(&done) != MPI_SUCCESS || done || comm != MPI_COMM_SELF || value != &at_end)
        abort();
    at_end++;
    return MPI_SUCCESS;
}

static void predefined(void)
{
    void *value = NULL;
    int flag = 0;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *(int *)value >= 32767);
    int word = rank, in = -1, tag = *(int *)value;
    OK(MPI_Sendrecv(&word, 1, MPI_INT, rank, tag, &in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    EQUAL(in, rank);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    CHECK(flag);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    CHECK(!flag || *(int *)value >= 1);
}

static void own(void)
{
    static int step = 8;
    static char place[64];
    int key, flag = 0;
    void *value = NULL;
    MPI_Comm one, two;
    OK(MPI_Comm_create_keyval(copy, delete, &key, &step));
    CHECK(key != MPI_KEYVAL_INVALID);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &one));
    OK(MPI_Comm_get_attr(one, key, &value, &flag));
    CHECK(!flag);
    OK(MPI_Comm_set_attr(one, key, place));
    OK(MPI_Comm_get_attr(one, key, &value, &flag));
    CHECK(flag && value == place);
    OK(MPI_Comm_dup(one, &two));
    EQUAL(copies, 1);
    OK(MPI_Comm_get_attr(two, key, &value, &flag));
    CHECK(flag && value == place + 8);
    OK(MPI_Comm_set_attr(two, key, place + 1));
    EQUAL(deletions, 1);
    OK(MPI_Comm_delete_attr(two, key));
    EQUAL(deletions, 2);
    OK(MPI_Comm_get_attr(two, key, &value, &flag));
    CHECK(!flag);
    OK(MPI_Comm_free(&two));
    EQUAL(deletions, 2);
    OK(MPI_Comm_free_keyval(&key));
    EQUAL(key, MPI_KEYVAL_INVALID);
    OK(MPI_Comm_free(&one));
    EQUAL(deletions, 3);
}

static void of_types(void)
{
    int key, flag = 0, word = 0;
    void *value = NULL;
    MPI_Datatype type, twin;
    OK(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Type_contiguous(3, MPI_INT, &type));
    OK(MPI_Type_set_attr(type, key, &word));
    OK(MPI_Type_dup(type, &twin));
    OK(MPI_Type_get_attr(twin, key, &value, &flag));
    CHECK(flag && value == &word);
    OK(MPI_Type_free(&twin));
    OK(MPI_Type_free(&type));
    OK(MPI_Type_free_keyval(&key));
}

int main(int argc, char **argv)
{
    int key;
    start(&argc, &argv);
    predefined();
    own();
    of_types();
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last, &key, NULL));
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, &at_end));
    finish();
    return at_end == 1 ? 0 : 1;
}
