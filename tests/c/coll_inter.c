// np: 2 3 4 5 6
/* Collectives between two groups: the lower ranks and the others, of different sizes, in the three
 * forms, with roots in either group. */
#include "check.h"

enum form { BLOCKING, STARTED, PERSISTENT };

static enum form form;
static MPI_Comm comm;
static int me, mine, theirs; /* own rank, sizes of the groups */
static int upper;            /* whether this process is in the second group */

#define RUN(name, iname, init, ...)                                                                \
    do {                                                                                           \
        MPI_Request request_;                                                                      \
        switch (form) {                                                                            \
        case BLOCKING: OK(name(__VA_ARGS__)); break;                                               \
        case STARTED:                                                                              \
            OK(iname(__VA_ARGS__, &request_));                                                     \
            OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                            \
            break;                                                                                 \
        default:                                                                                   \
            OK(init(__VA_ARGS__, MPI_INFO_NULL, &request_));                                       \
            for (int i_ = 0; i_ < 2; i_++) {                                                       \
                OK(MPI_Start(&request_));                                                          \
                OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                        \
            }                                                                                      \
            OK(MPI_Request_free(&request_));                                                       \
        }                                                                                          \
    } while (0)

/* Element `i` of what rank `from` of a group (1: the upper one) has for rank `to` of the other. */
static int given(int group, int from, int to, int i)
{
    return group * 500000 + from * 10007 + to * 101 + i + 1;
}

static int *ints(int n)
{
    int *data = malloc(sizeof(int) * (size_t)(n + 1));
    CHECK(data != NULL);
    for (int i = 0; i <= n; i++)
        data[i] = -1;
    return data;
}

/* The root argument here when the root is rank `root` of the group `group`. */
static int root_argument(int group, int root)
{
    if (group != upper)
        return root;
    return me == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(int n, int group, int root)
{
    int argument = root_argument(group, root);
    int is_root = argument == MPI_ROOT, far = group != upper;
    int *own = ints(n), *all = ints(n * theirs);

    for (int i = 0; is_root && i < n; i++)
        own[i] = given(group, root, 0, i);
    RUN(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, own, n, MPI_INT, argument, comm);
    for (int i = 0; i < n; i++)
        EQUAL(own[i], is_root || far ? given(group, root, 0, i) : -1);

    for (int i = 0; i < n; i++)
        own[i] = given(upper, me, root, i);
    RUN(MPI_Gather, MPI_Igather, MPI_Gather_init, own, n, MPI_INT, all, n, MPI_INT, argument, comm);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[r * n + i], is_root ? given(!upper, r, root, i) : -1);

    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < n; i++)
            all[r * n + i] = given(upper, me, r, i);
    for (int i = 0; i < n; i++)
        own[i] = -1;
    RUN(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, all, n, MPI_INT, own, n, MPI_INT, argument,
        comm);
    for (int i = 0; i < n; i++)
        EQUAL(own[i], far ? given(group, root, me, i) : -1);

    for (int i = 0; i < n; i++)
        own[i] = given(upper, me, 0, i);
    int *sum = ints(n);
    RUN(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, own, sum, n, MPI_INT, MPI_SUM, argument, comm);
    for (int i = 0; i < n; i++) {
        int wanted = 0;
        for (int r = 0; r < theirs; r++)
            wanted += given(!upper, r, 0, i);
        EQUAL(sum[i], is_root ? wanted : -1);
    }
    free(own);
    free(all);
    free(sum);
}

/* Who says MPI_PROC_NULL takes no part: nothing else that it passes counts, not even whether the
 * operation suits the type. Bindings pass what they have for "nothing" (MPI 5.0, 6.2.3). */
static void bystanders(int group, int root)
{
    int argument = root_argument(group, root);
    int aside = argument == MPI_PROC_NULL;
    int n = aside ? -3 : 1;
    MPI_Datatype type = aside ? MPI_DATATYPE_NULL : MPI_INT;
    int *own = aside ? NULL : ints(1), *all = aside ? NULL : ints(theirs);
    RUN(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, own, n, type, argument, comm);
    RUN(MPI_Gather, MPI_Igather, MPI_Gather_init, own, n, type, all, n, type, argument, comm);
    RUN(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, all, n, type, own, n, type, argument, comm);
    if (!aside)
        *own = me + 1;
    RUN(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, own, all, n, type, MPI_SUM, argument, comm);
    if (argument == MPI_ROOT)
        EQUAL(*all, theirs * (theirs + 1) / 2);
    if (aside)
        type = MPI_BYTE;
    RUN(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, own, all, n, type, MPI_SUM, argument, comm);
    RUN(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, own, all, n, type, aside ? MPI_OP_NULL : MPI_SUM,
        argument, comm);
    free(own);
    free(all);
}

/* Rank r of a group sends or gets n + r elements. */
static void rooted_uneven(int n, int group, int root)
{
    int argument = root_argument(group, root);
    int is_root = argument == MPI_ROOT, far = group != upper;
    int counts[64], displs[64], at = 0;
    for (int r = 0; r < theirs; r++) {
        counts[r] = n + r;
        displs[r] = at;
        at += n + r + 1;
    }
    int *own = ints(n + me), *all = ints(at);
    for (int i = 0; i < n + me; i++)
        own[i] = given(upper, me, root, i);
    RUN(MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, own, n + me, MPI_INT, all, counts, displs,
        MPI_INT, argument, comm);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i <= counts[r]; i++)
            EQUAL(all[displs[r] + i],
                  is_root && i < counts[r] ? given(!upper, r, root, i) : -1);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < counts[r]; i++)
            all[displs[r] + i] = given(upper, me, r, i);
    for (int i = 0; i < n + me; i++)
        own[i] = -1;
    RUN(MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, all, counts, displs, MPI_INT, own, n + me,
        MPI_INT, argument, comm);
    for (int i = 0; i < n + me; i++)
        EQUAL(own[i], far ? given(group, root, me, i) : -1);
    free(own);
    free(all);
}

static void everybody(int n)
{
    RUN(MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, comm);

    int *own = ints(n), *all = ints(n * theirs);
    for (int i = 0; i < n; i++)
        own[i] = given(upper, me, 0, i);
    RUN(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, own, n, MPI_INT, all, n, MPI_INT, comm);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[r * n + i], given(!upper, r, 0, i));

    int *sum = ints(n);
    RUN(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, own, sum, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++) {
        int wanted = 0;
        for (int r = 0; r < theirs; r++)
            wanted += given(!upper, r, 0, i);
        EQUAL(sum[i], wanted);
    }

    int *out = ints(n * theirs);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < n; i++)
            out[r * n + i] = given(upper, me, r, i);
    RUN(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, n, MPI_INT, all, n, MPI_INT, comm);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < n; i++)
            EQUAL(all[r * n + i], given(!upper, r, me, i));
    free(own);
    free(all);
    free(sum);
    free(out);
}

static void everybody_uneven(int n)
{
    int counts[64], displs[64], bytes[64], at = 0;
    MPI_Datatype types[64];
    for (int r = 0; r < theirs; r++) {
        counts[r] = n + r + me;
        displs[r] = at;
        bytes[r] = at * (int)sizeof(int);
        types[r] = MPI_INT;
        at += counts[r] + 1;
    }
    int *out = ints(at), *in = ints(at);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < counts[r]; i++)
            out[displs[r] + i] = given(upper, me, r, i);
    for (int form_w = 0; form_w < 2; form_w++) {
        if (form_w)
            RUN(MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out, counts, bytes, types, in,
                counts, bytes, types, comm);
        else
            RUN(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out, counts, displs, MPI_INT, in,
                counts, displs, MPI_INT, comm);
        for (int r = 0; r < theirs; r++)
            for (int i = 0; i <= counts[r]; i++) {
                EQUAL(in[displs[r] + i], i < counts[r] ? given(!upper, r, me, i) : -1);
                in[displs[r] + i] = -1;
            }
    }
    for (int r = 0; r < theirs; r++) {
        counts[r] = n + r;
        displs[r] = r == 0 ? 0 : displs[r - 1] + counts[r - 1];
    }
    RUN(MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, out, n + me, MPI_INT, in, counts,
        displs, MPI_INT, comm);
    for (int r = 0; r < theirs; r++)
        for (int i = 0; i < n + r; i++)
            EQUAL(in[displs[r] + i], given(!upper, r, 0, i));
    free(out);
    free(in);
}

/* Both groups contribute as many elements, and share out the other group's sums among themselves. */
static void shared_out(int n)
{
    int all = n * mine * theirs, block = n * theirs, counts[64];
    int *out = ints(all), *in = ints(all);
    for (int i = 0; i < all; i++)
        out[i] = given(upper, me, 0, i);
    RUN(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init, out, in,
        block, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < block; i++) {
        int wanted = 0;
        for (int r = 0; r < theirs; r++)
            wanted += given(!upper, r, 0, me * block + i);
        EQUAL(in[i], wanted);
    }
    /* The first of the group gets all but one element of each of the others. */
    for (int r = 0; r < mine; r++)
        counts[r] = n == 0 ? 0 : r == 0 ? all - (mine - 1) : 1;
    RUN(MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init, out, in, counts, MPI_INT,
        MPI_MAX, comm);
    int first = me == 0 ? 0 : all - mine + me;
    for (int i = 0; i < counts[me]; i++)
        EQUAL(in[i], given(!upper, theirs - 1, 0, first + i));
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    static const int COUNTS[] = {0, 1, 40, 3000};
    start(&argc, &argv);
    int cut = (ranks + 2) / 3;
    upper = rank >= cut;
    MPI_Comm half;
    OK(MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : cut, 5, &comm));
    OK(MPI_Comm_rank(comm, &me));
    OK(MPI_Comm_size(comm, &mine));
    OK(MPI_Comm_remote_size(comm, &theirs));
    for (form = BLOCKING; form <= PERSISTENT; form++)
        for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
            int n = COUNTS[i];
            for (int group = 0; group < 2; group++)
                for (int root = 0; root < (group == upper ? mine : theirs); root++) {
                    rooted(n, group, root);
                    rooted_uneven(n, group, root);
                    bystanders(group, root);
                }
            everybody(n);
            everybody_uneven(n);
            shared_out(n);
        }
    int code;
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    int one = 1, two = 0;
    code = MPI_Scan(&one, &two, 1, MPI_INT, MPI_SUM, comm);
    EQUAL(class_of(code), MPI_ERR_COMM);
    code = MPI_Allreduce(MPI_IN_PLACE, &two, 1, MPI_INT, MPI_SUM, comm);
    EQUAL(class_of(code), MPI_ERR_BUFFER);
    code = MPI_Bcast(&one, 1, MPI_INT, theirs, comm);
    EQUAL(class_of(code), MPI_ERR_ROOT);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&half));
    return finish();
}
