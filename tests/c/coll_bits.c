// np: 2 3 4 9
/* The same reduction of the same numbers gives the same bits each time, on a new communicator as on
 * one that has memory which its ranks share, and in place as well: nothing but the call decides in
 * which order operands are combined. */
#include "check.h"

enum { LONGEST = 20000, CALLS = 14 };

static double in[LONGEST], out[LONGEST], first[LONGEST], kept[LONGEST];
static const int LENGTHS[] = {1, 7, 300, 3000, LONGEST};

typedef int reduction(int length, MPI_Comm comm);

static int allreduce(int length, MPI_Comm comm)
{
    return MPI_Allreduce(in, out, length, MPI_DOUBLE, MPI_SUM, comm);
}

static int allreduce_in_place(int length, MPI_Comm comm)
{
    memcpy(out, in, length * sizeof *in);
    return MPI_Allreduce(MPI_IN_PLACE, out, length, MPI_DOUBLE, MPI_SUM, comm);
}

static int reduce(int length, MPI_Comm comm)
{
    return MPI_Reduce(in, out, length, MPI_DOUBLE, MPI_SUM, ranks / 2, comm);
}

static int reduce_scatter(int length, MPI_Comm comm)
{
    return MPI_Reduce_scatter_block(in, out, length / ranks, MPI_DOUBLE, MPI_SUM, comm);
}

static int scan(int length, MPI_Comm comm)
{
    return MPI_Scan(in, out, length, MPI_DOUBLE, MPI_SUM, comm);
}

static int started(int length, MPI_Comm comm)
{
    MPI_Request request;
    OK(MPI_Iallreduce(in, out, length, MPI_DOUBLE, MPI_SUM, comm, &request));
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* All calls on a communicator, and the first one on another, give the bits of `first`. */
static void same(reduction *reduce, int length, int is_known)
{
    size_t bytes = length * sizeof *out;
    for (int new = 0; new < 2; new++) {
        MPI_Comm comm;
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        for (int call = 0; call < (new ? 1 : CALLS); call++) {
            memset(out, 0, bytes);
            OK(reduce(length, comm));
            if (!is_known)
                memcpy(first, out, bytes);
            is_known = 1;
            CHECK(memcmp(first, out, bytes) == 0);
        }
        OK(MPI_Comm_free(&comm));
    }
}

int main(int argc, char **argv)
{
    static const double values[] = {0.1, 1e3 / 7, -3e8 / 11, 77777.7 / 3};
    start(&argc, &argv);
    for (int i = 0; i < LONGEST; i++)
        in[i] = values[(rank + i) % 4] * (1 + rank / 4 + i);
    for (unsigned l = 0; l < sizeof LENGTHS / sizeof *LENGTHS; l++) {
        same(allreduce, LENGTHS[l], 0);
        memcpy(kept, first, sizeof kept);
        same(allreduce_in_place, LENGTHS[l], 1);
        same(reduce, LENGTHS[l], 0);
        same(reduce_scatter, LENGTHS[l], 0);
        same(scan, LENGTHS[l], 0);
        same(started, LENGTHS[l], 0);
        /* The sums are sums. */
        for (int i = 0; i < LENGTHS[l]; i++) {
            double sum = 0, size = 0;
            for (int r = 0; r < ranks; r++) {
                double value = values[(r + i) % 4] * (1 + r / 4 + i);
                sum += value, size += value < 0 ? -value : value;
            }
            double off = kept[i] - sum;
            CHECK((off < 0 ? -off : off) <= 1e-14 * size * ranks);
        }
    }
    return finish();
}
