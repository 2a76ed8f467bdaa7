// np: 1 2 3
/* MPI_IN_PLACE where MPI has none, and one buffer where there must be two, are MPI_ERR_BUFFER and not
 * a crash, and nothing is changed. What failed to make something leaves the null handle. */
#include "check.h"

#define FAILS(class, call)                                                                         \
    do {                                                                                           \
        int code_ = call;                                                                          \
        EQUAL(class_of(code_), class);                                                             \
    } while (0)

#define REFUSED(call) FAILS(MPI_ERR_BUFFER, call)

/* The call fails, and the handle is null afterwards. */
#define NULLS(handle, null, call)                                                                  \
    do {                                                                                           \
        memset(&(handle), 0x5a, sizeof(handle));                                                   \
        CHECK((call) != MPI_SUCCESS);                                                              \
        CHECK((handle) == (null));                                                                 \
    } while (0)

static int data[64], more[64], position;
static MPI_Datatype pairs;

static void untouched(void)
{
    for (int i = 0; i < 64; i++) {
        EQUAL(data[i], i);
        EQUAL(more[i], -i);
    }
    EQUAL(position, 0);
}

static void messages(MPI_Datatype type)
{
    MPI_Comm self = MPI_COMM_SELF;
    MPI_Request request;
    char room[64];
    void *none = MPI_IN_PLACE;
    REFUSED(MPI_Send(none, 4, type, 0, 1, self));
    REFUSED(MPI_Ssend(none, 4, type, 0, 1, self));
    REFUSED(MPI_Bsend(none, 4, type, 0, 1, self));
    REFUSED(MPI_Isend(none, 4, type, 0, 1, self, &request));
    REFUSED(MPI_Send_init(none, 4, type, 0, 1, self, &request));
    REFUSED(MPI_Psend_init(none, 2, 4, type, 0, 1, self, MPI_INFO_NULL, &request));
    REFUSED(MPI_Recv(none, 4, type, 0, 1, self, MPI_STATUS_IGNORE));
    REFUSED(MPI_Irecv(none, 4, type, 0, 1, self, &request));
    REFUSED(MPI_Recv_init(none, 4, type, 0, 1, self, &request));
    REFUSED(MPI_Sendrecv(data, 4, type, 0, 1, none, 4, type, 0, 1, self, MPI_STATUS_IGNORE));
    REFUSED(MPI_Sendrecv(none, 4, type, 0, 1, data, 4, type, 0, 1, self, MPI_STATUS_IGNORE));
    REFUSED(MPI_Sendrecv_replace(none, 4, type, 0, 1, 0, 1, self, MPI_STATUS_IGNORE));
    REFUSED(MPI_Pack(none, 4, type, room, 64, &position, self));
    REFUSED(MPI_Pack(data, 4, type, none, 64, &position, self));
    REFUSED(MPI_Unpack(room, 64, &position, none, 4, type, self));
    REFUSED(MPI_Unpack(none, 64, &position, more, 4, type, self));
    REFUSED(MPI_Reduce_local(none, data, 4, type, MPI_SUM));
    REFUSED(MPI_Reduce_local(data, none, 4, type, MPI_SUM));
    REFUSED(MPI_Bcast(none, 4, type, 0, self));
    REFUSED(MPI_Buffer_attach(none, 64));
    untouched();
}

static void windows(void)
{
    void *none = MPI_IN_PLACE;
    MPI_Win win;
    int four[4] = {1, 2, 3, 4};
    REFUSED(MPI_Win_create(none, 64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    CHECK(win == MPI_WIN_NULL);
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    REFUSED(MPI_Win_attach(win, none, 64));
    OK(MPI_Win_free(&win));
    OK(MPI_Win_create(four, sizeof four, sizeof *four, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    REFUSED(MPI_Put(none, 4, MPI_INT, 0, 0, 4, MPI_INT, win));
    REFUSED(MPI_Get(none, 4, MPI_INT, 0, 0, 4, MPI_INT, win));
    REFUSED(MPI_Accumulate(none, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_SUM, win));
    REFUSED(MPI_Fetch_and_op(none, more, MPI_INT, 0, 0, MPI_SUM, win));
    REFUSED(MPI_Fetch_and_op(data, none, MPI_INT, 0, 0, MPI_SUM, win));
    REFUSED(MPI_Compare_and_swap(none, data, more, MPI_INT, 0, 0, win));
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Win_free(&win));
    for (int i = 0; i < 4; i++)
        EQUAL(four[i], i + 1);
    untouched();
}

/* The block of this process among those of all, as programs pass it that mean to work in place: all
 * ranks refuse it, so that nobody waits. */
static void own_block(void)
{
    MPI_Comm w = MPI_COMM_WORLD;
    int counts[3] = {2, 2, 2}, displs[3] = {4, 0, 2}, *own = data + 2 * rank;
    REFUSED(MPI_Allgather(own, 2, MPI_INT, data, 2, MPI_INT, w));
    own = data + displs[rank];
    REFUSED(MPI_Allgatherv(own, 2, MPI_INT, data, counts, displs, MPI_INT, w));
    REFUSED(MPI_Exscan(data, data, 2, MPI_INT, MPI_SUM, w));
    if (rank == ranks - 1) {
        own = data + 2 * rank;
        REFUSED(MPI_Gather(own, 2, MPI_INT, data, 2, MPI_INT, rank, w));
        REFUSED(MPI_Scatter(data, 2, MPI_INT, own, 2, MPI_INT, rank, w));
        own = data + displs[rank];
        REFUSED(MPI_Gatherv(own, 2, MPI_INT, data, counts, displs, MPI_INT, rank, w));
        REFUSED(MPI_Scatterv(data, counts, displs, MPI_INT, own, 2, MPI_INT, rank, w));
    }
    untouched();
}

/* In a communicator of each rank alone, so that nobody waits. */
static void one_for_two(void)
{
    MPI_Comm c = MPI_COMM_SELF;
    MPI_Request request;
    int one = 1, zero = 0;
    MPI_Datatype type = MPI_INT;
    REFUSED(MPI_Reduce_local(data, data, 4, type, MPI_SUM));
    REFUSED(MPI_Reduce(data, data, 4, type, MPI_SUM, 0, c));
    REFUSED(MPI_Allreduce(data, data, 4, type, MPI_SUM, c));
    REFUSED(MPI_Iallreduce(data, data, 4, type, MPI_SUM, c, &request));
    REFUSED(MPI_Scan(data, data, 4, type, MPI_SUM, c));
    REFUSED(MPI_Reduce_scatter_block(data, data, 4, type, MPI_SUM, c));
    REFUSED(MPI_Reduce_scatter(data, data, &one, type, MPI_SUM, c));
    REFUSED(MPI_Gather(data, 4, type, data, 4, type, 0, c));
    REFUSED(MPI_Gatherv(data, 1, type, data, &one, &zero, type, 0, c));
    REFUSED(MPI_Scatter(data, 4, type, data, 4, type, 0, c));
    REFUSED(MPI_Scatterv(data, &one, &zero, type, data, 1, type, 0, c));
    REFUSED(MPI_Allgather(data, 4, type, data, 4, type, c));
    REFUSED(MPI_Allgather(data, 2, pairs, data, 2, pairs, c));
    REFUSED(MPI_Allgatherv(data, 1, type, data, &one, &zero, type, c));
    REFUSED(MPI_Alltoall(data, 4, type, data, 4, type, c));
    REFUSED(MPI_Alltoallv(data, &one, &zero, type, data, &one, &zero, type, c));
    untouched();
    /* Nothing is in both, or the first of one lies in a gap of the other. */
    OK(MPI_Allreduce(data, data, 0, type, MPI_SUM, c));
    OK(MPI_Allgather(data, 0, type, data, 0, type, c));
    MPI_Datatype second;
    OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &second));
    OK(MPI_Type_commit(&second));
    int both[4] = {1, 0, 3, 0};
    int displacement = 1, two = 2;
    OK(MPI_Alltoallv(both, &two, &zero, second, both + 1, &two, &zero, second, c));
    CHECK(both[0] == 1 && both[1] == 1 && both[2] == 3 && both[3] == 3);
    OK(MPI_Alltoallv(data, &one, &zero, type, data, &one, &displacement, type, c));
    EQUAL(data[1], 0);
    data[1] = 1;
    OK(MPI_Type_free(&second));
}

static void nulls(void)
{
    MPI_Comm comm, w = MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Datatype type;
    MPI_Group group, world;
    MPI_Op op;
    MPI_Win win;
    MPI_Info info;
    MPI_File file;
    MPI_Errhandler handler;
    MPI_Message message;
    int dims[2] = {ranks, ranks + 1}, wrong = 1000000;
    OK(MPI_Comm_group(w, &world));
    NULLS(comm, MPI_COMM_NULL, MPI_Cart_create(w, 2, dims, dims, 0, &comm));
    NULLS(comm, MPI_COMM_NULL, MPI_Comm_dup(MPI_COMM_NULL, &comm));
    NULLS(comm, MPI_COMM_NULL, MPI_Comm_split(w, -5, 0, &comm));
    NULLS(comm, MPI_COMM_NULL, MPI_Comm_create(w, MPI_GROUP_NULL, &comm));
    NULLS(request, MPI_REQUEST_NULL, MPI_Isend(data, -1, MPI_INT, 0, 0, w, &request));
    NULLS(request, MPI_REQUEST_NULL, MPI_Irecv(data, 1, MPI_INT, wrong, 0, w, &request));
    NULLS(request, MPI_REQUEST_NULL, MPI_Ibcast(data, 1, MPI_INT, wrong, w, &request));
    NULLS(request, MPI_REQUEST_NULL, MPI_Send_init(data, -1, MPI_INT, 0, 0, w, &request));
    NULLS(request, MPI_REQUEST_NULL, MPI_Recv_init_c(data, -1, MPI_INT, 0, 0, w, &request));
    NULLS(type, MPI_DATATYPE_NULL, MPI_Type_contiguous(-1, MPI_INT, &type));
    NULLS(type, MPI_DATATYPE_NULL, MPI_Type_dup(MPI_DATATYPE_NULL, &type));
    NULLS(group, MPI_GROUP_NULL, MPI_Group_incl(world, 1, &wrong, &group));
    NULLS(op, MPI_OP_NULL, MPI_Op_create(NULL, 0, &op));
    NULLS(win, MPI_WIN_NULL, MPI_Win_create(data, -1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    NULLS(info, MPI_INFO_NULL, MPI_Info_dup(MPI_INFO_NULL, &info));
    NULLS(handler, MPI_ERRHANDLER_NULL, MPI_Comm_create_errhandler(NULL, &handler));
    NULLS(message, MPI_MESSAGE_NULL, MPI_Mprobe(wrong, 0, w, &message, MPI_STATUS_IGNORE));
    NULLS(file, MPI_FILE_NULL,
          MPI_File_open(MPI_COMM_SELF, "", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    /* What exists already stays as it is. */
    group = world;
    type = MPI_INT;
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS && type == MPI_INT);
    OK(MPI_Irecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, w, &request));
    MPI_Request same = request;
    CHECK(MPI_Start(&request) != MPI_SUCCESS && request == same);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Group_free(&world));
}

/* Where there are no bytes the address does not count: an empty list begins at address 1 in Rust, which
 * is MPI_IN_PLACE, and two of them begin where each other do. */
static void nothing(void)
{
    void *empty = (void *)1;
    int position = 0, counts[64] = {0}, zeros[64] = {0};
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Win win;
    MPI_Status status;
    OK(MPI_Pack(empty, 0, MPI_BYTE, empty, 0, &position, w));
    OK(MPI_Pack(empty, 0, pairs, empty, 0, &position, w));
    OK(MPI_Unpack(empty, 0, &position, empty, 0, MPI_BYTE, w));
    EQUAL(position, 0);
    OK(MPI_Sendrecv(empty, 0, MPI_BYTE, 0, 1, empty, 0, MPI_BYTE, 0, 1, MPI_COMM_SELF, &status));
    OK(MPI_Reduce_local(empty, empty, 0, MPI_INT, MPI_SUM));
    OK(MPI_Bcast(empty, 0, MPI_BYTE, 0, w));
    OK(MPI_Gatherv(data, 0, MPI_INT, empty, counts, zeros, MPI_INT, 0, w));
    OK(MPI_Alltoallv(data, counts, zeros, MPI_INT, empty, counts, zeros, MPI_INT, w));
    OK(MPI_Win_create(empty, 0, 1, MPI_INFO_NULL, w, &win));
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int i = 0; i < 64; i++) {
        data[i] = i;
        more[i] = -i;
    }
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &pairs));
    OK(MPI_Type_commit(&pairs));
    messages(MPI_INT);
    messages(pairs);
    windows();
    one_for_two();
    own_block();
    nothing();
    nulls();
    OK(MPI_Type_free(&pairs));
    return finish();
}
