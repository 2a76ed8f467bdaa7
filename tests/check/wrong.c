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

/* The buffer is changed before a call reports that the send is complete. */
static void changed_before_status(void)
{
    MPI_Request request;
    int flag = 0;
    if (rank == 0) {
        MPI_Isend(ints, 10, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
        ints[9] = 1;
        while (!flag)
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        ints[9] = 2;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        MPI_Recv(ints, 10, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A call that returns the status of a request does not become the one that made it. */
static void leaked_after_status(void)
{
    MPI_Request request;
    int flag = 0, at;
    if (rank == 0)
        MPI_Send(ints, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Irecv(ints, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Request_get_status_all(1, &request, &flag, MPI_STATUSES_IGNORE);
        MPI_Request_get_status_any(1, &request, &at, &flag, MPI_STATUS_IGNORE);
        MPI_Request_get_status_some(1, &request, &flag, &at, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
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

/* Of an exchange that goes on, the buffer that it receives into is sent, and the types differ. */
static void started_exchange(void)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Isendrecv(ints, 2, MPI_INT, 1, 33, ints + 8, 2, MPI_INT, 1, 33, MPI_COMM_WORLD, &request);
        MPI_Send(ints + 9, 1, MPI_INT, 1, 34, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        MPI_Recv(ints, 1, MPI_INT, 0, 34, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(ints, 2, MPI_UNSIGNED, 0, 33, 0, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* A buffer that is exchanged by one call is received into by another one. */
static void exchanged_in_use(void)
{
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(ints, 4, MPI_INT, 0, 35, MPI_COMM_WORLD, &request);
        MPI_Sendrecv_replace(ints + 2, 1, MPI_INT, 0, 36, 0, 36, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        MPI_Sendrecv(ints, 1, MPI_INT, 1, 36, ints + 8, 1, MPI_INT, 1, 36, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Send(ints, 4, MPI_INT, 1, 35, MPI_COMM_WORLD);
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

/* Rank 1 sends rank 2 one element more than that one receives. */
static void listed_counts(void)
{
    int out[3] = {1, 1, rank == 1 ? 2 : 1}, in[3] = {1, 1, 1}, places[3] = {0, 2, 4};
    MPI_Alltoallv(ints, out, places, MPI_INT, ints + 8, in, places, MPI_INT, MPI_COMM_WORLD);
}

static void listed_types(void)
{
    int counts[3] = {2, 2, 2}, places[3] = {0, 8, 16};
    char bytes[64] = {0};
    MPI_Datatype types[3] = {MPI_INT, MPI_INT, rank == 0 ? MPI_FLOAT : MPI_INT};
    MPI_Datatype same[3] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Alltoallw(bytes, counts, places, types, bytes + 32, counts, places, same, MPI_COMM_WORLD);
}

static void gathered_counts(void)
{
    int counts[3] = {1, 2, 3}, places[3] = {0, 1, 3};
    MPI_Gatherv(doubles, rank == 1 ? 1 : rank + 1, MPI_DOUBLE, doubles + 8, counts, places, MPI_DOUBLE,
                0, MPI_COMM_WORLD);
}

static void scattered_counts(void)
{
    int counts[3] = {1, 2, 3}, places[3] = {0, 1, 3};
    MPI_Scatterv(doubles, counts, places, MPI_DOUBLE, doubles + 8, rank == 2 ? 2 : rank + 1,
                 MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void allgathered_counts(void)
{
    int counts[3] = {1, 1, rank == 0 ? 2 : 1}, places[3] = {0, 2, 4};
    MPI_Allgatherv(ints, 1, MPI_INT, ints + 8, counts, places, MPI_INT, MPI_COMM_WORLD);
}

static void reduced_counts(void)
{
    int counts[3] = {2, rank == 2 ? 1 : 2, rank == 2 ? 3 : 2};
    MPI_Request request;
    MPI_Reduce_scatter_init(ints, ints + 8, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &request);
    MPI_Request_free(&request);
}

/* Rank 0 on one side, ranks 1 and 2 on the other. */
static MPI_Comm two_groups(void)
{
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 12, &inter);
    MPI_Comm_set_name(inter, "both");
    MPI_Comm_free(&half);
    return inter;
}

static void groups_operation(void)
{
    MPI_Comm inter = two_groups();
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank == 2 ? MPI_MAX : MPI_SUM, inter);
    MPI_Comm_free(&inter);
}

static void groups_root(void)
{
    MPI_Comm inter = two_groups();
    MPI_Request request;
    int root[] = {1, MPI_ROOT, MPI_PROC_NULL};
    MPI_Bcast_init(ints, 1, MPI_INT, root[rank], inter, MPI_INFO_NULL, &request);
    MPI_Request_free(&request);
    MPI_Comm_free(&inter);
}

static void groups_type(void)
{
    MPI_Comm inter = two_groups();
    float floats[8] = {0};
    MPI_Allgather(rank == 2 ? (void *)floats : ints, 2, rank == 2 ? MPI_FLOAT : MPI_INT, ints + 8, 2,
                  MPI_INT, inter);
    MPI_Comm_free(&inter);
}

/* Columns of one matrix: the second receive writes half of what the first one does. */
static void shared_columns(void)
{
    static int matrix[4][4];
    MPI_Datatype column;
    MPI_Request requests[2];
    MPI_Type_vector(4, 2, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 1) {
        MPI_Irecv(&matrix[0][0], 1, column, 0, 13, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&matrix[0][1], 1, column, 0, 13, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    for (int turn = 0; rank == 0 && turn < 2; turn++)
        MPI_Send(matrix, 8, MPI_INT, 1, 13, MPI_COMM_WORLD);
    MPI_Type_free(&column);
}

static void changed_column(void)
{
    static int matrix[4][4];
    MPI_Datatype column;
    MPI_Request request;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Isend(&matrix[0][1], 1, column, 1, 14, MPI_COMM_WORLD, &request);
        matrix[2][1] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        MPI_Recv(matrix, 4, MPI_INT, 0, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
}

static void overlapping_reduction(void)
{
    MPI_Allreduce(ints, ints + 2, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void overlapping_exchange(void)
{
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    if (rank == 1)
        MPI_Sendrecv(ints, 4, MPI_INT, next, 15, ints + 3, 4, MPI_INT, last, 15, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    else
        MPI_Sendrecv(ints, 4, MPI_INT, next, 15, ints + 4, 4, MPI_INT, last, 15, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void used_in_broadcast(void)
{
    MPI_Request request;
    MPI_Ibcast(ints, 8, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Send(ints + 2, 1, MPI_INT, 2, 16, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(ints + 8, 1, MPI_INT, 1, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void changed_in_reduction(void)
{
    MPI_Request request;
    int sums[4];
    MPI_Iallreduce(ints, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 2)
        ints[1] = 5;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void conflicting_puts(void)
{
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(ints, 2, MPI_INT, 0, 8, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_Put(ints, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
        MPI_Put(ints, 2, MPI_INT, 0, 4, 2, MPI_INT, win);
    }
    if (MPI_Win_fence(0, win) != MPI_SUCCESS)
        printf("the fence fails\n");
    MPI_Win_free(&win);
}

/* A call that fails on rank 0 alone keeps nobody waiting, and hides nothing that comes later. */
static void behind_a_failure(void)
{
    if (rank == 0)
        MPI_Allreduce(ints, ints + 8, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank == 1 ? MPI_MIN : MPI_SUM, MPI_COMM_WORLD);
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
    {"changed_before_status", changed_before_status},
    {"leaked_after_status", leaked_after_status},
    {"shared_receives", shared_receives},
    {"sent_while_received", sent_while_received},
    {"started_exchange", started_exchange},
    {"exchanged_in_use", exchanged_in_use},
    {"leaked_send", leaked_send},
    {"listed_counts", listed_counts},
    {"listed_types", listed_types},
    {"gathered_counts", gathered_counts},
    {"scattered_counts", scattered_counts},
    {"allgathered_counts", allgathered_counts},
    {"reduced_counts", reduced_counts},
    {"groups_operation", groups_operation},
    {"groups_root", groups_root},
    {"groups_type", groups_type},
    {"shared_columns", shared_columns},
    {"changed_column", changed_column},
    {"overlapping_reduction", overlapping_reduction},
    {"overlapping_exchange", overlapping_exchange},
    {"used_in_broadcast", used_in_broadcast},
    {"changed_in_reduction", changed_in_reduction},
    {"conflicting_puts", conflicting_puts},
    {"behind_a_failure", behind_a_failure},
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
