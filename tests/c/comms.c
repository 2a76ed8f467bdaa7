// np: 1 2 3 4
// quick
/* Communicators: dup, split, split_type, create, create_group, compare, names, info; and messages of
 * one never reach another. */
#include "check.h"

static void ring(MPI_Comm comm, int word)
{
    int r, n, in = -1;
    OK(MPI_Comm_rank(comm, &r));
    OK(MPI_Comm_size(comm, &n));
    int out = word + r;
    OK(MPI_Sendrecv(&out, 1, MPI_INT, (r + 1) % n, 0, &in, 1, MPI_INT, (r + n - 1) % n, 0, comm,
                    MPI_STATUS_IGNORE));
    EQUAL(in, word + (r + n - 1) % n);
    OK(MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(out, word * n + n * (n - 1) / 2);
}

/* The same tag and peer on three communicators, received in the opposite order. */
static void apart(void)
{
    MPI_Comm comm[3] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
    int out[3], in[3] = {0}, to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, result;
    MPI_Request request[3];
    OK(MPI_Comm_dup(comm[0], &comm[1]));
    OK(MPI_Comm_dup(comm[1], &comm[2]));
    for (int i = 0; i < 3; i++) {
        out[i] = rank * 10 + i;
        OK(MPI_Isend(&out[i], 1, MPI_INT, to, 0, comm[i], &request[i]));
    }
    for (int i = 2; i >= 0; i--)
        OK(MPI_Recv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm[i], MPI_STATUS_IGNORE));
    OK(MPI_Waitall(3, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 3; i++)
        EQUAL(in[i], from * 10 + i);
    OK(MPI_Comm_compare(comm[1], comm[2], &result));
    EQUAL(result, MPI_CONGRUENT);
    OK(MPI_Comm_compare(comm[1], comm[1], &result));
    EQUAL(result, MPI_IDENT);
    OK(MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result));
    EQUAL(result, ranks == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    OK(MPI_Comm_free(&comm[1]));
    OK(MPI_Comm_free(&comm[2]));
}

static void split(void)
{
    MPI_Comm half, backwards, none, node;
    int r, n, result;
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
    OK(MPI_Comm_rank(half, &r));
    OK(MPI_Comm_size(half, &n));
    EQUAL(r, rank / 2);
    EQUAL(n, (ranks + (rank % 2 == 0)) / 2);
    ring(half, 1000 * (rank % 2 + 1));
    OK(MPI_Comm_free(&half));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards));
    OK(MPI_Comm_rank(backwards, &r));
    EQUAL(r, ranks - 1 - rank);
    ring(backwards, 50);
    OK(MPI_Comm_compare(MPI_COMM_WORLD, backwards, &result));
    EQUAL(result, ranks == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
    OK(MPI_Comm_free(&backwards));
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 3 : MPI_UNDEFINED, 0, &none));
    CHECK((none == MPI_COMM_NULL) == (rank != 0));
    if (rank == 0)
        OK(MPI_Comm_free(&none));
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &n));
    EQUAL(n, ranks);
    ring(node, 9);
    OK(MPI_Comm_free(&node));
}

static void create(void)
{
    MPI_Group all, upper;
    MPI_Comm comm, made;
    int first = ranks / 2, list[16], n = 0;
    for (int r = first; r < ranks; r++)
        list[n++] = r;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_incl(all, n, list, &upper));
    OK(MPI_Comm_create(MPI_COMM_WORLD, upper, &comm));
    CHECK((comm != MPI_COMM_NULL) == (rank >= first));
    if (rank >= first) {
        ring(comm, 70);
        /* Only the members take part. */
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, upper, 17, &made));
        ring(made, 80);
        OK(MPI_Comm_free(&made));
        OK(MPI_Comm_free(&comm));
    }
    OK(MPI_Group_free(&upper));
    OK(MPI_Group_free(&all));
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length, inter = 1;
    MPI_Comm comm;
    OK(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
    EQUAL(length, 14);
    OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
    CHECK(strcmp(name, "MPI_COMM_SELF") == 0);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_get_name(comm, name, &length));
    EQUAL(length, 0);
    OK(MPI_Comm_set_name(comm, "the north wall"));
    OK(MPI_Comm_get_name(comm, name, &length));
    CHECK(strcmp(name, "the north wall") == 0);
    OK(MPI_Comm_test_inter(comm, &inter));
    EQUAL(inter, 0);
    OK(MPI_Comm_free(&comm));
}

static void idup(void)
{
    MPI_Comm comm;
    MPI_Request request;
    OK(MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    ring(comm, 5);
    OK(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int i = 0; i < 30; i++) {
        apart();
        split();
        create();
    }
    names();
    idup();
    return finish();
}
