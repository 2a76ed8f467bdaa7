/* Correct uses of MPI that a checker could take for mistakes: `mpirun --check` says nothing of them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static void collectives(MPI_Comm comm)
{
    int mine[8] = {0}, all[64] = {0};
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    /* One signature in two ways. */
    MPI_Bcast(all, rank ? 4 : 2, rank ? MPI_INT : two, 0, comm);
    MPI_Bcast(all, 8, rank ? MPI_LONG : MPI_INT64_T, 0, comm);
    /* What only the root passes. */
    MPI_Gather(mine, 2, MPI_INT, all, rank ? -1 : 1, rank ? MPI_DATATYPE_NULL : two, 0, comm);
    MPI_Gather(rank ? mine : MPI_IN_PLACE, rank ? 2 : -1, rank ? MPI_INT : MPI_DATATYPE_NULL, all, 2,
               MPI_INT, 0, comm);
    MPI_Scatter(all, 2, MPI_INT, rank ? mine : MPI_IN_PLACE, 2, MPI_INT, 0, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, comm);
    /* In place at some ranks only. */
    MPI_Allreduce(rank ? (void *)mine : MPI_IN_PLACE, all, 2, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(rank ? (void *)mine : MPI_IN_PLACE, rank ? NULL : all, 2, MPI_INT, MPI_SUM, 0, comm);
    MPI_Barrier(comm);
    /* Started and finished in another order. */
    MPI_Request requests[4];
    MPI_Ibarrier(comm, &requests[0]);
    MPI_Ibcast(mine, 2, MPI_INT, 1, comm, &requests[1]);
    MPI_Iallreduce(mine + 2, all, 2, MPI_INT, MPI_MAX, comm, &requests[2]);
    MPI_Allreduce_init(mine + 4, all + 8, 2, MPI_INT, MPI_MIN, comm, MPI_INFO_NULL, &requests[3]);
    MPI_Start(&requests[3]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[3]);
    MPI_Type_free(&two);
}

/* Messages whose types agree, though they are written in different ways. */
static void messages(void)
{
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    double out[64] = {0}, in[64];
    MPI_Request requests[8];
    MPI_Datatype strided, bytes, pair;
    MPI_Type_vector(8, 1, 2, MPI_DOUBLE, &strided);
    MPI_Type_commit(&strided);
    MPI_Type_contiguous(16, MPI_BYTE, &bytes);
    MPI_Type_commit(&bytes);
    int lengths[] = {1, 2};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, places, parts, &pair);
    MPI_Type_commit(&pair);
    for (int turn = 0; turn < 3; turn++) {
        /* A vector into a row, bytes into numbers, less than there is room for. */
        MPI_Irecv(in, 8, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + 8, 2, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(in + 16, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[2]);
        MPI_Irecv(in + 32, 4, pair, last, 4, MPI_COMM_WORLD, &requests[3]);
        /* Two sends of one buffer. */
        MPI_Isend(out, 1, strided, next, 1, MPI_COMM_WORLD, &requests[4]);
        MPI_Isend(out, 1, bytes, next, 2, MPI_COMM_WORLD, &requests[5]);
        MPI_Isend(out, 3, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &requests[6]);
        MPI_Isend(out, 2, pair, next, 4, MPI_COMM_WORLD, &requests[7]);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        /* Used again as soon as it may be. */
        memset(out, turn, sizeof out);
        memset(in, 0, sizeof in);
    }
    /* Packed and unpacked. */
    char packed[64];
    int at = 0;
    MPI_Pack(out, 2, MPI_DOUBLE, packed, sizeof packed, &at, MPI_COMM_WORLD);
    MPI_Sendrecv(packed, at, MPI_PACKED, next, 5, in, 2, MPI_DOUBLE, last, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    /* Persistent ones of several types, started together, with another buffer in between. */
    MPI_Send_init(out, 4, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out + 8, 4, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(in, 4, MPI_DOUBLE, last, 6, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(in + 8, 4, MPI_INT, last, 7, MPI_COMM_WORLD, &requests[3]);
    for (int turn = 0; turn < 3; turn++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        out[0] = turn;
        MPI_Sendrecv_replace(in, 4, MPI_DOUBLE, next, 8, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int at = 0; at < 4; at++)
        MPI_Request_free(&requests[at]);
    /* An exchange that goes on, with one buffer and with two. */
    MPI_Isendrecv_replace(in, 4, MPI_DOUBLE, next, 11, last, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Isendrecv(out, 4, MPI_INT, next, 12, in + 8, 4, MPI_INT, last, 12, MPI_COMM_WORLD,
                  &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    /* Freed at once; nobody; cancelled. */
    MPI_Isend(out, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Recv(in, 1, MPI_INT, last, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, last, 99, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    /* Matched by a probe. */
    MPI_Message message;
    MPI_Isend(out, 2, MPI_FLOAT, next, 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Mprobe(last, 10, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in, 2, MPI_FLOAT, &message, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&strided);
    MPI_Type_free(&bytes);
    MPI_Type_free(&pair);
}

/* Waits until a call says that operations are complete, without ending their requests. */
static void look(int how, int count, MPI_Request requests[])
{
    int flag = 0, at, many, indices[2];
    for (int complete = 0; complete < count;) {
        switch (how) {
        case 0:
            MPI_Request_get_status(requests[complete], &flag, MPI_STATUS_IGNORE);
            complete += flag;
            break;
        case 1:
            MPI_Request_get_status_all(count, requests, &flag, MPI_STATUSES_IGNORE);
            complete = flag ? count : 0;
            break;
        case 2:
            MPI_Request_get_status_any(1, &requests[complete], &at, &flag, MPI_STATUS_IGNORE);
            complete += flag;
            break;
        default:
            MPI_Request_get_status_some(count, requests, &many, indices, MPI_STATUSES_IGNORE);
            complete = many;
        }
    }
}

/* Once an operation is said to be complete, its buffers are the program's, though its request is
 * not ended yet (MPI 5.0, 3.7.6). */
static void reported_complete(void)
{
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    static int out[20000], in[20000], sum[2];
    MPI_Request requests[2];
    for (int how = 0; how < 4; how++)
        for (int count = 4; count <= 20000; count *= 5000) {
            MPI_Irecv(in, count, MPI_INT, last, how, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(out, count, MPI_INT, next, how, MPI_COMM_WORLD, &requests[1]);
            look(how, 2, requests);
            out[0]++;
            MPI_Sendrecv(in, 4, MPI_INT, next, 8, in + 4, 4, MPI_INT, last, 8, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            MPI_Allreduce(out, in, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
    /* Persistent ones, started again after they are ended; and a collective. */
    MPI_Send_init(out, 4, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 4, MPI_INT, last, 9, MPI_COMM_WORLD, &requests[1]);
    for (int how = 0; how < 8; how++) {
        MPI_Startall(2, requests);
        look(how % 4, 2, requests);
        out[1]++;
        in[0] = 0;
        MPI_Bcast(in, 4, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    for (int at = 0; at < 2; at++)
        MPI_Request_free(&requests[at]);
    MPI_Iallreduce(out, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    look(0, 1, requests);
    out[0] = sum[0] = 0;
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    /* A partition is written while its request is active, until it is ready; one that has arrived
     * is used before the request is ended. */
    MPI_Psend_init(out, 2, 4, MPI_INT, next, 10, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 2, 4, MPI_INT, last, 10, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    for (int at = 0; at < 2; at++) {
        out[4 * at] = at;
        MPI_Pready(at, requests[0]);
    }
    for (int at = 0; at < 2; at++) {
        for (int flag = 0; !flag;)
            MPI_Parrived(requests[1], at, &flag);
        MPI_Bcast(in + 4 * at, 4, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int at = 0; at < 2; at++)
        MPI_Request_free(&requests[at]);
}

/* Counts of each rank, in place at some; buffers that lie in each other's gaps. */
static void listed(MPI_Comm comm)
{
    int out[64] = {0}, in[64], counts[8], places[8];
    MPI_Datatype types[8], column;
    for (int at = 0; at < ranks; at++) {
        counts[at] = at + rank;
        places[at] = 6 * at;
        types[at] = (at + rank) % 2 ? MPI_INT : MPI_INT32_T;
    }
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, comm);
    for (int at = 0; at < ranks; at++)
        places[at] *= sizeof(int);
    MPI_Alltoallw(out, counts, places, types, in, counts, places, types, comm);
    for (int at = 0; at < ranks; at++) {
        places[at] = 6 * at;
        counts[at] = at + 1;
    }
    MPI_Gatherv(rank == 1 ? MPI_IN_PLACE : out, rank + 1, MPI_INT, rank == 1 ? in : NULL,
                rank == 1 ? counts : NULL, rank == 1 ? places : NULL, MPI_INT, 1, comm);
    MPI_Scatterv(rank ? NULL : out, rank ? NULL : counts, rank ? NULL : places, MPI_INT,
                 rank ? in : MPI_IN_PLACE, rank + 1, MPI_INT, 0, comm);
    MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, comm);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, comm);
    MPI_Request request;
    MPI_Iallgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm);
    /* Columns of one matrix, side by side. */
    int matrix[8][4] = {{0}}, next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    MPI_Request requests[4];
    MPI_Type_vector(8, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int at = 0; at < 2; at++) {
        MPI_Irecv(&matrix[0][at], 1, column, last, at, comm, &requests[at]);
        MPI_Isend(&matrix[0][2 + at], 1, column, next, at, comm, &requests[2 + at]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&matrix[0][0], 1, column, next, 3, &matrix[0][1], 1, column, last, 3, comm,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    /* Started ones that read one buffer, and a broadcast whose root sends it, too. */
    MPI_Iallreduce(out, in, 4, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Iallreduce(out, in + 4, 4, MPI_INT, MPI_SUM, comm, &requests[1]);
    MPI_Ibcast(rank ? in + 8 : out, 4, MPI_INT, 0, comm, &requests[2]);
    MPI_Igather(out, 2, MPI_INT, rank ? in : in + 16, 2, MPI_INT, 0, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* The two groups of an inter-communicator pass what each of them has to. */
static void between(MPI_Comm inter, int side)
{
    int mine[8] = {0}, all[64] = {0}, counts[8], places[8];
    int root = side ? 0 : (rank == 0 ? MPI_ROOT : MPI_PROC_NULL);
    for (int at = 0; at < 8; at++) {
        counts[at] = 2;
        places[at] = 4 * at;
    }
    MPI_Barrier(inter);
    MPI_Bcast(mine, 2, MPI_INT, root, inter);
    MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, root, inter);
    MPI_Gatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, root, inter);
    MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, root, inter);
    MPI_Scatterv(all, counts, places, MPI_INT, mine, 2, MPI_INT, root, inter);
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, root, inter);
    /* As many from one group to the other as they like. */
    MPI_Allgather(mine, side ? 1 : 2, MPI_INT, all, side ? 2 : 1, MPI_INT, inter);
    MPI_Allgatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, inter);
    MPI_Alltoall(all, 2, MPI_INT, all + 32, 2, MPI_INT, inter);
    MPI_Alltoallv(all, counts, places, MPI_INT, all + 32, counts, places, MPI_INT, inter);
    MPI_Comm dup;
    MPI_Comm_dup(inter, &dup);
    MPI_Comm_free(&dup);
}

/* Accesses that do not conflict. */
static void windows(void)
{
    int *memory, one = 1, got = 0;
    MPI_Win win;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&one, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 8, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(&got, 1, MPI_INT, 0, 8, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Rank 0 alone has an error, which it returns; the others do not make the call. */
static void errors(void)
{
    if (rank == 0 && MPI_Bcast(&rank, -1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS)
        printf("a negative count is accepted\n");
    if (rank == 0 && MPI_Bcast(&rank, 1, MPI_INT, ranks, MPI_COMM_WORLD) == MPI_SUCCESS)
        printf("a root out of range is accepted\n");
    /* Of these it would know nothing before the call begins. */
    if (rank == 0 && MPI_Allreduce(&rank, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS)
        printf("no room is accepted\n");
    if (rank == 0 && MPI_Barrier(MPI_COMM_NULL) == MPI_SUCCESS)
        printf("no communicator is accepted\n");
}

static void objects(void)
{
    MPI_Comm dup, inter, merged;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    collectives(dup);
    MPI_Comm half;
    MPI_Comm_split(dup, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, dup, 1 - rank % 2, 7, &inter);
    int value = rank, sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
    between(inter, rank % 2);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Group group, none;
    MPI_Comm_group(merged, &group);
    MPI_Group_excl(group, 0, NULL, &none);
    MPI_Group_free(&none);
    MPI_Group_free(&group);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    /* Freed while a call uses it. */
    MPI_Request request;
    MPI_Ibarrier(dup, &request);
    MPI_Comm_free(&dup);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Datatype kind;
    MPI_Type_create_f90_integer(5, &kind);
}

/* Freed by a callback in MPI_Finalize. */
static int free_at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    MPI_Info_free(value);
    free(value);
    return MPI_SUCCESS;
}

static void late(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_at_end, &key, NULL);
    MPI_Info *info = malloc(sizeof *info);
    MPI_Info_create(info);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, info);
    MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    collectives(MPI_COMM_WORLD);
    messages();
    reported_complete();
    listed(MPI_COMM_WORLD);
    windows();
    objects();
    late();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    errors();
    collectives(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
