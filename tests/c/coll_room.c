// np: 1 2 3
/* What a collective receives into types whose bytes lie on each other is refused, as a receive is;
 * what it sends may lie so. */
#include "check.h"

enum { N = 4 };

static int data[64], more[64];

/* Two blocks of two ints, the second on the end of the first. */
static MPI_Datatype overlapping(void)
{
    MPI_Datatype type;
    OK(MPI_Type_vector(2, 2, 1, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    return type;
}

/* An int in every second place, of the extent of one: two fit into each other, three do not. */
static MPI_Datatype interleaved(void)
{
    MPI_Datatype column, type;
    OK(MPI_Type_vector(N, 1, 2, MPI_INT, &column));
    OK(MPI_Type_create_resized(column, 0, sizeof(int), &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_free(&column));
    return type;
}

#define REFUSED(call) EQUAL(class_of(call), MPI_ERR_TYPE)

/* Nobody sends anything: all ranks refuse. */
static void refused(MPI_Comm comm, MPI_Datatype type)
{
    int counts[8], displs[8];
    MPI_Aint far[8];
    MPI_Datatype types[8];
    MPI_Request request;
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        displs[i] = i;
        far[i] = i * 16;
        types[i] = type;
    }
    REFUSED(MPI_Allgather(data, N, MPI_INT, more, 1, type, comm));
    REFUSED(MPI_Iallgather(data, N, MPI_INT, more, 1, type, comm, &request));
    REFUSED(MPI_Allgather_init(data, N, MPI_INT, more, 1, type, comm, MPI_INFO_NULL, &request));
    REFUSED(MPI_Allgatherv(data, N, MPI_INT, more, counts, displs, type, comm));
    REFUSED(MPI_Alltoall(data, N, MPI_INT, more, 1, type, comm));
    REFUSED(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, more, 1, type, comm));
    REFUSED(MPI_Alltoallv(data, counts, displs, type, more, counts, displs, type, comm));
    REFUSED(MPI_Alltoallw(data, counts, displs, types, more, counts, displs, types, comm));
    int around[1] = {ranks}, periodic[1] = {1};
    MPI_Comm ring;
    OK(MPI_Cart_create(comm, 1, around, periodic, 0, &ring));
    OK(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
    REFUSED(MPI_Neighbor_allgather(data, N, MPI_INT, more, 1, type, ring));
    REFUSED(MPI_Neighbor_alltoallw(data, counts, far, types, more, counts, far, types, ring));
    OK(MPI_Comm_free(&ring));
}

/* Who is the root alone. */
static void rooted(MPI_Datatype type)
{
    int count = 1, displ = 0;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    REFUSED(MPI_Gather(data, N, MPI_INT, more, 1, type, 0, MPI_COMM_SELF));
    REFUSED(MPI_Gatherv(data, N, MPI_INT, more, &count, &displ, type, 0, MPI_COMM_SELF));
    REFUSED(MPI_Scatter(data, N, MPI_INT, more, 1, type, 0, MPI_COMM_SELF));
    REFUSED(MPI_Scatterv(data, &count, &displ, type, more, 1, type, 0, MPI_COMM_SELF));
    /* What is sent may lie on itself, also at the root of a broadcast. */
    OK(MPI_Bcast(data, 1, type, 0, MPI_COMM_SELF));
    OK(MPI_Gather(data, 1, type, more, N, MPI_INT, 0, MPI_COMM_SELF));
    for (int i = 0; i < N; i++)
        EQUAL(more[i], data[i < 2 ? i : i - 1]);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int i = 0; i < 64; i++)
        data[i] = 100 * rank + i;
    MPI_Datatype type = overlapping(), column = interleaved();
    refused(comm, type);
    rooted(type);
    /* One element has no byte twice; so many as there are ranks may. */
    if (ranks > 2)
        REFUSED(MPI_Allgather(data, N, MPI_INT, more, 1, column, comm));
    else
        OK(MPI_Allgather(data, N, MPI_INT, more, 1, column, comm));
    for (int i = 0; i < N && ranks == 2; i++) {
        EQUAL(more[2 * i], i);
        EQUAL(more[2 * i + 1], 100 + i);
    }
    /* At the others a broadcast receives. */
    if (ranks > 1) {
        int code = MPI_Bcast(data, rank == 0 ? N : 1, rank == 0 ? MPI_INT : type, 0, comm);
        EQUAL(class_of(code), rank == 0 ? MPI_SUCCESS : MPI_ERR_TYPE);
    }
    OK(MPI_Type_free(&type));
    OK(MPI_Type_free(&column));
    OK(MPI_Comm_free(&comm));
    return finish();
}
