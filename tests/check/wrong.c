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

static void received_type(void)
{
    if (rank == 0)
        MPI_Send(ints, 10, MPI_INT, 1, 3, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(doubles, 5, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void posted_type(void)
{
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(doubles, 16, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 2)
        MPI_Ssend(ints, 10, MPI_INT, 1, 4, MPI_COMM_WORLD);
}

static void persistent_type(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(ints, 4, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Recv_init(ints, 4, MPI_FLOAT, 0, 5, MPI_COMM_WORLD, &request);
    if (rank == 2)
        return;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

/* int, double against double, int; long enough for a rendezvous. */
static void structure_order(void)
{
    static char room[1 << 20];
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype one[] = {MPI_INT, MPI_DOUBLE}, other[] = {MPI_DOUBLE, MPI_INT}, type;
    MPI_Type_create_struct(2, lengths, places, rank ? other : one, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(room, 60000, type, 1, 6, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(room, 60000, type, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

static void exchanged_type(void)
{
    int peer = 1 - rank;
    if (rank < 2)
        MPI_Sendrecv(ints, 2, rank ? MPI_UNSIGNED : MPI_INT, peer, 7, ints + 8, 2, MPI_INT, peer, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void changed_buffer(void)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(ints, 10, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
        ints[9] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        MPI_Recv(ints, 10, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void shared_receives(void)
{
    MPI_Request requests[2];
    if (rank == 1) {
        MPI_Irecv(ints, 4, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(ints + 3, 4, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    for (int turn = 0; rank == 0 && turn < 2; turn++)
        MPI_Send(ints, 4, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

static void sent_while_received(void)
{
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(ints, 8, MPI_INT, 0, 10, MPI_COMM_WORLD, &request);
        MPI_Send(ints, 2, MPI_INT, 2, 10, MPI_COMM_WORLD);
        MPI_Send(ints, 0, MPI_INT, 0, 10, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 2)
        MPI_Recv(ints, 2, MPI_INT, 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Recv(ints, 0, MPI_INT, 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(ints, 8, MPI_INT, 1, 10, MPI_COMM_WORLD);
    }
}

static void leaked_send(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(ints, 1, MPI_INT, 1, 11, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Recv(ints, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
    {"received_type", received_type},
    {"posted_type", posted_type},
    {"persistent_type", persistent_type},
    {"structure_order", structure_order},
    {"exchanged_type", exchanged_type},
    {"changed_buffer", changed_buffer},
    {"shared_receives", shared_receives},
    {"sent_while_received", sent_while_received},
    {"leaked_send", leaked_send},
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
