// np: 1 2 3 4 5
// quick
/* Every collective in its three forms (blocking, started, persistent and started twice), with every
 * root, in place and not, on plain integers and on elements with gaps, of no, few and many elements. */
#include "check.h"

enum form { BLOCKING, STARTED, PERSISTENT };

static enum form form;
static MPI_Comm comm;
static MPI_Datatype gaps; /* one int, then a gap of one */

static void wait_for(MPI_Request *request)
{
    OK(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK(*request == MPI_REQUEST_NULL);
}

/* Starts a persistent request twice; `again` brings the buffers to where they were. */
static void twice(MPI_Request *request, void (*again)(void *), void *data)
{
    for (int i = 0; i < 2; i++) {
        if (i > 0 && again != NULL)
            again(data);
        OK(MPI_Start(request));
        OK(MPI_Wait(request, MPI_STATUS_IGNORE));
        CHECK(*request != MPI_REQUEST_NULL);
    }
    OK(MPI_Request_free(request));
}

#define RUN(name, iname, init, ...)                                                                \
    do {                                                                                           \
        MPI_Request request_;                                                                      \
        switch (form) {                                                                            \
        case BLOCKING: OK(name(__VA_ARGS__, comm)); break;                                         \
        case STARTED:                                                                              \
            OK(iname(__VA_ARGS__, comm, &request_));                                               \
            wait_for(&request_);                                                                   \
            break;                                                                                 \
        default:                                                                                   \
            OK(init(__VA_ARGS__, comm, MPI_INFO_NULL, &request_));                                 \
            twice(&request_, reset, &buffers);                                                     \
        }                                                                                          \
    } while (0)

struct buffers {
    int *send, *recv;
    size_t send_ints, recv_ints;
    int stride;
    int in_place; /* where in `recv` the own contribution begins, or -1 */
    int in_place_ints;
};

/* Element `i` of what rank `from` has for rank `to`. */
static int given(int from, int to, int i)
{
    return from * 1000003 + to * 10007 + i * 3 + 1;
}

static int *ints(size_t n)
{
    int *data = malloc(sizeof(int) * (n + 1));
    CHECK(data != NULL);
    memset(data, 0x55, sizeof(int) * (n + 1));
    return data;
}

#define UNTOUCHED 0x55555555

static struct buffers buffers;

static void put(int *data, int at, int value)
{
    data[at * buffers.stride] = value;
}

static int get(const int *data, int at)
{
    return data[at * buffers.stride];
}

static void reset(void *data);

static void open_buffers(int stride, int send_elements, int recv_elements)
{
    buffers.stride = stride;
    buffers.send_ints = (size_t)send_elements * (size_t)stride;
    buffers.recv_ints = (size_t)recv_elements * (size_t)stride;
    buffers.send = ints(buffers.send_ints);
    buffers.recv = ints(buffers.recv_ints);
    buffers.in_place = -1;
}

/* Gaps and the word behind the end stay as they were. */
static void close_buffers(void)
{
    int *all[2] = {buffers.send, buffers.recv};
    size_t lengths[2] = {buffers.send_ints, buffers.recv_ints};
    for (int b = 0; b < 2; b++) {
        EQUAL(all[b][lengths[b]], UNTOUCHED);
        if (buffers.stride == 2)
            for (size_t i = 1; i < lengths[b]; i += 2)
                EQUAL(all[b][i], UNTOUCHED);
        free(all[b]);
    }
}

/* What the send buffer held is checked by its owner; the receive buffer is as before the call. */
static void reset(void *data)
{
    (void)data;
    for (size_t i = 0; i < buffers.recv_ints; i += (size_t)buffers.stride) {
        int at = (int)i / buffers.stride;
        int own = at - buffers.in_place;
        if (buffers.in_place >= 0 && own >= 0 && own < buffers.in_place_ints)
            continue;
        buffers.recv[i] = UNTOUCHED;
    }
}

static int size, me;

static void bcast(MPI_Datatype type, int stride, int n, int root)
{
    open_buffers(stride, 0, n);
    if (me == root) {
        for (int i = 0; i < n; i++)
            put(buffers.recv, i, given(root, 0, i));
        buffers.in_place = 0;
        buffers.in_place_ints = n;
    }
    RUN(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, buffers.recv, n, type, root);
    for (int i = 0; i < n; i++)
        EQUAL(get(buffers.recv, i), given(root, 0, i));
    close_buffers();
}

static void gather(MPI_Datatype type, int stride, int n, int root, int in_place)
{
    open_buffers(stride, n, me == root ? n * size : 0);
    for (int i = 0; i < n; i++)
        put(buffers.send, i, given(me, root, i));
    void *send = buffers.send;
    if (in_place && me == root) {
        for (int i = 0; i < n; i++)
            put(buffers.recv, me * n + i, given(me, root, i));
        buffers.in_place = me * n;
        buffers.in_place_ints = n;
        send = MPI_IN_PLACE;
    }
    /* Elsewhere than at the root what is to be received does not count. */
    int count = me == root ? n : -7;
    MPI_Datatype recvtype = me == root ? type : MPI_DATATYPE_NULL;
    RUN(MPI_Gather, MPI_Igather, MPI_Gather_init, send, n, type, buffers.recv, count, recvtype,
        root);
    for (int r = 0; me == root && r < size; r++)
        for (int i = 0; i < n; i++)
            EQUAL(get(buffers.recv, r * n + i), given(r, root, i));
    close_buffers();
}

/* Rank r gives n + r elements, which lie in reverse order of ranks. */
static void lay_out(int n, int *counts, int *displs)
{
    int at = 0;
    for (int r = size - 1; r >= 0; r--) {
        counts[r] = n == 0 ? 0 : n + r;
        displs[r] = at;
        at += counts[r] + 1;
    }
}

static int laid_out(int n)
{
    return n == 0 ? size : n * size + size * (size - 1) / 2 + size;
}

static void gatherv(MPI_Datatype type, int stride, int n, int root, int in_place)
{
    int counts[64], displs[64];
    lay_out(n, counts, displs);
    open_buffers(stride, counts[me], me == root ? laid_out(n) : 0);
    for (int i = 0; i < counts[me]; i++)
        put(buffers.send, i, given(me, root, i));
    void *send = buffers.send;
    if (in_place && me == root) {
        for (int i = 0; i < counts[me]; i++)
            put(buffers.recv, displs[me] + i, given(me, root, i));
        buffers.in_place = displs[me];
        buffers.in_place_ints = counts[me];
        send = MPI_IN_PLACE;
    }
    int *recvcounts = me == root ? counts : NULL;
    RUN(MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, send, counts[me], type, buffers.recv,
        recvcounts, displs, type, root);
    for (int r = 0; me == root && r < size; r++) {
        for (int i = 0; i < counts[r]; i++)
            EQUAL(get(buffers.recv, displs[r] + i), given(r, root, i));
        EQUAL(get(buffers.recv, displs[r] + counts[r]), UNTOUCHED);
    }
    close_buffers();
}

static void scatter(MPI_Datatype type, int stride, int n, int root, int in_place)
{
    open_buffers(stride, me == root ? n * size : 0, n);
    for (int r = 0; me == root && r < size; r++)
        for (int i = 0; i < n; i++)
            put(buffers.send, r * n + i, given(root, r, i));
    int own = in_place && me == root;
    void *recv = own ? MPI_IN_PLACE : buffers.recv;
    RUN(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, buffers.send, me == root ? n : -1,
        me == root ? type : MPI_DATATYPE_NULL, recv, n, type, root);
    for (int i = 0; i < n; i++)
        EQUAL(get(buffers.recv, i), own ? UNTOUCHED : given(root, me, i));
    close_buffers();
}

static void scatterv(MPI_Datatype type, int stride, int n, int root, int in_place)
{
    int counts[64], displs[64];
    lay_out(n, counts, displs);
    open_buffers(stride, me == root ? laid_out(n) : 0, counts[me]);
    for (int r = 0; me == root && r < size; r++)
        for (int i = 0; i < counts[r]; i++)
            put(buffers.send, displs[r] + i, given(root, r, i));
    int own = in_place && me == root;
    void *recv = own ? MPI_IN_PLACE : buffers.recv;
    RUN(MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, buffers.send, me == root ? counts : NULL,
        me == root ? displs : NULL, type, recv, counts[me], type, root);
    for (int i = 0; i < counts[me]; i++)
        EQUAL(get(buffers.recv, i), own ? UNTOUCHED : given(root, me, i));
    close_buffers();
}

static void allgather(MPI_Datatype type, int stride, int n, int in_place)
{
    open_buffers(stride, n, n * size);
    for (int i = 0; i < n; i++)
        put(in_place ? buffers.recv + me * n * stride : buffers.send, i, given(me, 0, i));
    if (in_place) {
        buffers.in_place = me * n;
        buffers.in_place_ints = n;
    }
    void *send = in_place ? MPI_IN_PLACE : buffers.send;
    RUN(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, send, n, type, buffers.recv, n, type);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            EQUAL(get(buffers.recv, r * n + i), given(r, 0, i));
    close_buffers();
}

static void allgatherv(MPI_Datatype type, int stride, int n, int in_place)
{
    int counts[64], displs[64];
    lay_out(n, counts, displs);
    open_buffers(stride, counts[me], laid_out(n));
    for (int i = 0; i < counts[me]; i++)
        put(in_place ? buffers.recv + displs[me] * stride : buffers.send, i, given(me, 0, i));
    if (in_place) {
        buffers.in_place = displs[me];
        buffers.in_place_ints = counts[me];
    }
    void *send = in_place ? MPI_IN_PLACE : buffers.send;
    RUN(MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, send, counts[me], type, buffers.recv,
        counts, displs, type);
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < counts[r]; i++)
            EQUAL(get(buffers.recv, displs[r] + i), given(r, 0, i));
        EQUAL(get(buffers.recv, displs[r] + counts[r]), UNTOUCHED);
    }
    close_buffers();
}

static void fill_in_place(int elements)
{
    buffers.in_place = 0;
    buffers.in_place_ints = elements;
}

static void alltoall(MPI_Datatype type, int stride, int n, int in_place)
{
    open_buffers(stride, n * size, n * size);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            put(in_place ? buffers.recv : buffers.send, r * n + i, given(me, r, i));
    int rounds = 1;
    if (in_place) {
        fill_in_place(n * size);
        rounds = form == PERSISTENT ? 2 : 1; /* the second start sends everything back */
    }
    void *send = in_place ? MPI_IN_PLACE : buffers.send;
    RUN(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, send, n, type, buffers.recv, n, type);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            EQUAL(get(buffers.recv, r * n + i), rounds == 1 ? given(r, me, i) : given(me, r, i));
    close_buffers();
}

/* Between ranks a and b go n + a + b elements, none if n is 0 or a + b is 3. */
static int between(int n, int a, int b)
{
    return n == 0 || a + b == 3 ? 0 : n + a + b;
}

static int table(int n, int *counts, int *displs)
{
    int at = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = between(n, me, r);
        displs[r] = at;
        at += counts[r] + 1;
    }
    return at;
}

static void alltoallv(MPI_Datatype type, int stride, int n, int in_place)
{
    int counts[64], displs[64];
    int all = table(n, counts, displs);
    open_buffers(stride, all, all);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < counts[r]; i++)
            put(in_place ? buffers.recv : buffers.send, displs[r] + i, given(me, r, i));
    int back = in_place && form == PERSISTENT;
    if (in_place)
        fill_in_place(all);
    void *send = in_place ? MPI_IN_PLACE : buffers.send;
    RUN(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, send, counts, displs, type, buffers.recv,
        counts, displs, type);
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < counts[r]; i++)
            EQUAL(get(buffers.recv, displs[r] + i), back ? given(me, r, i) : given(r, me, i));
        EQUAL(get(buffers.recv, displs[r] + counts[r]), UNTOUCHED);
    }
    close_buffers();
}

/* Every other block is of elements with gaps on one side and plain on the other. */
static void alltoallw(int n, int in_place)
{
    int counts[64], displs[64], at = 0;
    MPI_Datatype types[64];
    for (int r = 0; r < size; r++) {
        counts[r] = between(n, me, r);
        types[r] = (r + me) % 2 ? gaps : MPI_INT;
        if (counts[r] == 0)
            types[r] = MPI_DATATYPE_NULL;
        displs[r] = at * (int)sizeof(int);
        at += 2 * counts[r];
    }
    open_buffers(1, at, at);
    int *from = in_place ? buffers.recv : buffers.send;
    for (int r = 0; r < size; r++) {
        int stride = (r + me) % 2 ? 2 : 1;
        for (int i = 0; i < counts[r]; i++)
            from[displs[r] / (int)sizeof(int) + i * stride] = given(me, r, i);
    }
    int back = in_place && form == PERSISTENT;
    if (in_place)
        fill_in_place(at);
    void *send = in_place ? MPI_IN_PLACE : buffers.send;
    RUN(MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, send, counts, displs, types,
        buffers.recv, counts, displs, types);
    for (int r = 0; r < size; r++) {
        int stride = (r + me) % 2 ? 2 : 1;
        for (int i = 0; i < counts[r]; i++)
            EQUAL(buffers.recv[displs[r] / (int)sizeof(int) + i * stride],
                  back ? given(me, r, i) : given(r, me, i));
    }
    close_buffers();
}

static void barrier(void)
{
    MPI_Request request;
    switch (form) {
    case BLOCKING: OK(MPI_Barrier(comm)); break;
    case STARTED:
        OK(MPI_Ibarrier(comm, &request));
        wait_for(&request);
        break;
    default:
        OK(MPI_Barrier_init(comm, MPI_INFO_NULL, &request));
        twice(&request, NULL, NULL);
    }
}

static void each(MPI_Datatype type, int stride, int n)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root < size; root++) {
            if (!in_place)
                bcast(type, stride, n, root);
            gather(type, stride, n, root, in_place);
            gatherv(type, stride, n, root, in_place);
            scatter(type, stride, n, root, in_place);
            scatterv(type, stride, n, root, in_place);
        }
        allgather(type, stride, n, in_place);
        allgatherv(type, stride, n, in_place);
        alltoall(type, stride, n, in_place);
        alltoallv(type, stride, n, in_place);
        alltoallw(n, in_place);
        barrier();
    }
}

int main(int argc, char **argv)
{
    static const int COUNTS[] = {0, 1, 2, 130, 5000};
    start(&argc, &argv);
    OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gaps));
    OK(MPI_Type_commit(&gaps));
    MPI_Comm half;
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half));
    MPI_Comm comms[3] = {MPI_COMM_WORLD, half, MPI_COMM_SELF};
    for (int c = 0; c < 3; c++) {
        comm = comms[c];
        OK(MPI_Comm_rank(comm, &me));
        OK(MPI_Comm_size(comm, &size));
        for (form = BLOCKING; form <= PERSISTENT; form++)
            for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
                each(MPI_INT, 1, COUNTS[i]);
                each(gaps, 2, COUNTS[i]);
            }
    }
    OK(MPI_Comm_free(&half));
    OK(MPI_Type_free(&gaps));
    return finish();
}
