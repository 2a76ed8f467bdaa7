/* Programs with a mistake that `mpirun --check` reports. The argument names the mistake; the reports
 * are in `expected.txt`. Errors are returned, so that the job goes on behind a report. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static int ints[16];
static double doubles[16];

static void other_function(void)
{
    if (rank == 2)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Bcast(ints, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void other_root(void)
{
    MPI_Bcast(ints, 1, MPI_INT, rank == 2 ? 1 : 0, MPI_COMM_WORLD);
}

static void other_operation(void)
{
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
}

static void other_type(void)
{
    MPI_Bcast(doubles, rank == 2 ? 4 : 2, rank == 2 ? MPI_FLOAT : MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

static void other_count(void)
{
    double sums[4];
    MPI_Reduce(doubles, sums, rank == 1 ? 3 : 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void gather_count(void)
{
    int all[16];
    MPI_Gather(ints, rank == 2 ? 3 : 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static void alltoall_type(void)
{
    float floats[16] = {0};
    MPI_Alltoall(rank == 1 ? (void *)floats : ints, 2, rank == 1 ? MPI_FLOAT : MPI_INT, ints + 8, 2,
                 MPI_INT, MPI_COMM_WORLD);
}

static void started_operation(void)
{
    int sum = 0;
    MPI_Request request;
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, rank == 0 ? MPI_PROD : MPI_SUM, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void on_a_duplicate(void)
{
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &pair);
    MPI_Comm_set_name(pair, "pair");
    if (rank > 0)
        MPI_Bcast(ints, rank, MPI_INT, 0, pair);
    MPI_Comm_free(&pair);
}

static void early_end(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (rank == 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void leaked_communicator(void)
{
    MPI_Comm all, odd;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    for (int turn = 0; turn < 2; turn++)
        MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &odd);
    MPI_Comm_free(&odd);
}

static void sum_of(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void leaked_objects(void)
{
    if (rank != 0)
        return;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Datatype row;
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Op op;
    MPI_Op_create(sum_of, 1, &op);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_error, &handler);
}

static void leaked_window(void)
{
    void *base;
    MPI_Win win;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
}

static void leaked_requests(void)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Send_init(ints, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Isend(ints, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
    }
    if (rank == 1)
        MPI_Irecv(ints, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"other_function", other_function},
    {"other_root", other_root},
    {"other_operation", other_operation},
    {"other_type", other_type},
    {"other_count", other_count},
    {"gather_count", gather_count},
    {"alltoall_type", alltoall_type},
    {"started_operation", started_operation},
    {"on_a_duplicate", on_a_duplicate},
    {"early_end", early_end},
    {"leaked_communicator", leaked_communicator},
    {"leaked_objects", leaked_objects},
    {"leaked_window", leaked_window},
    {"leaked_requests", leaked_requests},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (size_t at = 0; argc > 1 && at < sizeof cases / sizeof *cases; at++)
        if (strcmp(cases[at].name, argv[1]) == 0)
            cases[at].run();
    MPI_Finalize();
    return 0;
}
