// np: 1 2 3
// quick
// check: reports
/* Wrong arguments of collectives, each refused with its class before any message is sent, so that
 * the right call after it still works. */
#include "check.h"

static int data[64], more[64];
static int counts[8], displs[8];
static MPI_Datatype types[8];

#define FAILS(class, call)                                                                         \
    do {                                                                                           \
        int code_ = call;                                                                          \
        EQUAL(class_of(code_), class);                                                             \
    } while (0)

static void roots(MPI_Comm comm)
{
    static const int BAD[] = {-1, -2, MPI_PROC_NULL, MPI_ROOT, 1000000};
    MPI_Request request;
    for (size_t i = 0; i <= sizeof BAD / sizeof *BAD; i++) {
        int root = i < sizeof BAD / sizeof *BAD ? BAD[i] : ranks;
        FAILS(MPI_ERR_ROOT, MPI_Bcast(data, 1, MPI_INT, root, comm));
        FAILS(MPI_ERR_ROOT, MPI_Gather(data, 1, MPI_INT, more, 1, MPI_INT, root, comm));
        FAILS(MPI_ERR_ROOT, MPI_Scatter(data, 1, MPI_INT, more, 1, MPI_INT, root, comm));
        FAILS(MPI_ERR_ROOT,
              MPI_Gatherv(data, 1, MPI_INT, more, counts, displs, MPI_INT, root, comm));
        FAILS(MPI_ERR_ROOT,
              MPI_Scatterv(data, counts, displs, MPI_INT, more, 1, MPI_INT, root, comm));
        FAILS(MPI_ERR_ROOT, MPI_Reduce(data, more, 1, MPI_INT, MPI_SUM, root, comm));
        FAILS(MPI_ERR_ROOT, MPI_Ibcast(data, 1, MPI_INT, root, comm, &request));
        FAILS(MPI_ERR_ROOT, MPI_Bcast_init(data, 1, MPI_INT, root, comm, MPI_INFO_NULL, &request));
    }
}

static void types_and_counts(MPI_Comm comm)
{
    MPI_Datatype raw;
    OK(MPI_Type_contiguous(2, MPI_INT, &raw));
    FAILS(MPI_ERR_COUNT, MPI_Bcast(data, -1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(data, 1, MPI_DATATYPE_NULL, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(data, 1, raw, 0, comm));
    FAILS(MPI_ERR_COUNT, MPI_Allgather(data, 1, MPI_INT, more, -1, MPI_INT, comm));
    FAILS(MPI_ERR_COUNT, MPI_Allreduce(data, more, -5, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_TYPE, MPI_Alltoall(data, 1, MPI_INT, more, 1, raw, comm));
    counts[0] = -1;
    FAILS(MPI_ERR_COUNT,
          MPI_Allgatherv(data, 1, MPI_INT, more, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_scatter(data, more, counts, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_COUNT,
          MPI_Alltoallw(data, counts, displs, types, more, counts, displs, types, comm));
    counts[0] = 1;
    types[0] = raw;
    FAILS(MPI_ERR_TYPE,
          MPI_Alltoallw(data, counts, displs, types, more, counts, displs, types, comm));
    types[0] = MPI_INT;
    FAILS(MPI_ERR_ARG, MPI_Allgatherv(data, 1, MPI_INT, more, NULL, displs, MPI_INT, comm));
    OK(MPI_Type_free(&raw));
}

static void operations(MPI_Comm comm)
{
    FAILS(MPI_ERR_OP, MPI_Allreduce(data, more, 1, MPI_INT, MPI_OP_NULL, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(data, more, 1, MPI_DOUBLE, MPI_BAND, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(data, more, 1, MPI_INT, MPI_REPLACE, comm));
    FAILS(MPI_ERR_OP, MPI_Reduce(data, more, 1, MPI_BYTE, MPI_SUM, 0, comm));
    FAILS(MPI_ERR_OP, MPI_Scan(data, more, 1, MPI_INT, MPI_MAXLOC, comm));
    FAILS(MPI_ERR_OP, MPI_Exscan(data, more, 1, MPI_INT, (MPI_Op)0x12345678, comm));
    FAILS(MPI_ERR_OP, MPI_Reduce_scatter_block(data, more, 1, MPI_C_DOUBLE_COMPLEX, MPI_MIN, comm));
}

static void buffers(MPI_Comm comm)
{
    MPI_Request request;
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(data, 1, MPI_INT, NULL, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(data, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(NULL, more, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoall(NULL, 1, MPI_INT, more, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER,
          MPI_Alltoallv(NULL, counts, displs, MPI_INT, more, counts, displs, MPI_INT, comm));
    if (rank != 0)
        FAILS(MPI_ERR_BUFFER,
              MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, NULL, 0, MPI_INT, 0, comm));
    FAILS(MPI_ERR_ARG, MPI_Ibarrier(comm, NULL));
    FAILS(MPI_ERR_INFO, MPI_Barrier_init(comm, (MPI_Info)0x7654321, &request));
    /* Nothing to move needs no memory. */
    OK(MPI_Bcast(NULL, 0, MPI_INT, 0, comm));
    OK(MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm));
    OK(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm));
}

static void communicators(void)
{
    MPI_Comm gone, freed;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &gone));
    freed = gone;
    OK(MPI_Comm_free(&gone));
    MPI_Request request;
    MPI_Comm bad[3] = {MPI_COMM_NULL, freed, (MPI_Comm)0x99999999};
    for (int i = 0; i < 3; i++) {
        FAILS(MPI_ERR_COMM, MPI_Barrier(bad[i]));
        FAILS(MPI_ERR_COMM, MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, bad[i]));
        FAILS(MPI_ERR_COMM, MPI_Ibarrier(bad[i], &request));
        FAILS(MPI_ERR_COMM, MPI_Neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, bad[i]));
    }
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* Blocks that are longer than the others expect. */
static void lengths(MPI_Comm comm)
{
    if (ranks == 1) {
        FAILS(MPI_ERR_ARG, MPI_Allgather(data, 2, MPI_INT, more, 1, MPI_INT, comm));
        return;
    }
    if (ranks == 2) {
        int code = MPI_Bcast(data, rank == 0 ? 5 : 3, MPI_INT, 0, comm);
        EQUAL(class_of(code), rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int r = 0; r < 8; r++) {
        counts[r] = 1;
        displs[r] = r;
        types[r] = MPI_INT;
    }
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    roots(comm);
    types_and_counts(comm);
    operations(comm);
    buffers(comm);
    communicators();
    lengths(comm);
    FAILS(MPI_ERR_TOPOLOGY, MPI_Neighbor_alltoall(data, 1, MPI_INT, more, 1, MPI_INT, comm));
    int one = 1, sum = 0;
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(sum, ranks);
    OK(MPI_Comm_free(&comm));
    return finish();
}
