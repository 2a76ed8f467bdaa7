// np: 3 4
// mpirun: --with-ft ulfm --oversubscribe
/* Processes die in the middle of collectives that go by node: all ranks of the last node, its first
 * rank, or its last one. Every survivor learns of it in the call or by the revocation of one that did,
 * and those that are left go on. An argument is who dies: "node" (the default), "leader", "member".
 * On one node its last rank dies. */
#include "check.h"

#include <mpi-ext.h>
#include <signal.h>

enum { WORDS = 3000, CALLS = 400, DEATH_AT = 150 };

static double in[WORDS], out[WORDS];

/* One call after the other, short and long ones, from several roots. */
static int call(MPI_Comm comm, int number)
{
    int size, length = number % 3 ? 1 : WORDS;
    MPI_Comm_size(comm, &size);
    switch (number % 7) {
    case 0:
        return MPI_Barrier(comm);
    case 1:
        return MPI_Bcast(in, length, MPI_DOUBLE, number % size, comm);
    case 2:
        return MPI_Reduce(in, out, length, MPI_DOUBLE, MPI_SUM, number % size, comm);
    case 3:
        return MPI_Allreduce(in, out, length, MPI_DOUBLE, MPI_SUM, comm);
    case 4:
        return MPI_Neighbor_alltoall(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, comm);
    case 5:
        return MPI_Neighbor_allgather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, comm);
    default:
        return MPI_Allgather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, comm);
    }
}

/* A communicator of the same ranks, in which all are neighbours of all. */
static MPI_Comm connected(MPI_Comm comm)
{
    int size, *all;
    MPI_Comm graph;
    OK(MPI_Comm_size(comm, &size));
    all = malloc(sizeof(int) * (size_t)size);
    CHECK(all != NULL);
    for (int other = 0; other < size; other++)
        all[other] = other;
    OK(MPI_Dist_graph_create_adjacent(comm, size, all, MPI_UNWEIGHTED, size, all, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &graph));
    free(all);
    return graph;
}

/* Whether this rank is to die. */
static int is_victim(const char *who)
{
    MPI_Comm node;
    int place, here, last_node, first = rank;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node));
    OK(MPI_Comm_rank(node, &place));
    OK(MPI_Comm_size(node, &here));
    OK(MPI_Bcast(&first, 1, MPI_INT, 0, node));
    OK(MPI_Allreduce(&first, &last_node, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    OK(MPI_Comm_free(&node));
    if (first != last_node)
        return 0;
    if (here == ranks || strcmp(who, "member") == 0)
        return place == here - 1;
    return strcmp(who, "node") == 0 || place == 0;
}

int main(int argc, char **argv)
{
    MPI_Comm comm, left, rest;
    start(&argc, &argv);
    int dies = is_victim(argc > 1 ? argv[1] : "node"), dying, code = MPI_SUCCESS, size, number;
    OK(MPI_Allreduce(&dies, &dying, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    comm = connected(MPI_COMM_WORLD);
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (number = 0; number < CALLS && code == MPI_SUCCESS; number++) {
        if (dies && number == DEATH_AT)
            raise(SIGKILL);
        code = call(comm, number);
    }
    CHECK(code != MPI_SUCCESS);
    int class = class_of(code);
    CHECK(class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_REVOKED);
    OK(MPIX_Comm_revoke(comm));
    OK(MPIX_Comm_shrink(comm, &left));
    rest = connected(left);
    OK(MPI_Comm_free(&left));
    OK(MPI_Comm_size(rest, &size));
    /* A rank that learns of the others before its turn stays. */
    CHECK(size < ranks && size >= ranks - dying);
    for (number = 0; number < 40; number++) {
        for (int i = 0; i < WORDS; i++)
            in[i] = number + i;
        OK(MPI_Allreduce(in, out, WORDS, MPI_DOUBLE, MPI_SUM, rest));
        EQUAL(out[WORDS - 1], (double)size * (number + WORDS - 1));
        OK(MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, rest));
        EQUAL(out[0], (double)size * number);
        OK(call(rest, number));
    }
    OK(MPI_Comm_free(&rest));
    OK(MPI_Comm_free(&comm));
    return finish();
}
