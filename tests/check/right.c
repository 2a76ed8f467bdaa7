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

/* Rank 0 alone has an error, which it returns; the others do not make the call. */
static void errors(void)
{
    if (rank == 0 && MPI_Bcast(&rank, -1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS)
        printf("a negative count is accepted\n");
    if (rank == 0 && MPI_Bcast(&rank, 1, MPI_INT, ranks, MPI_COMM_WORLD) == MPI_SUCCESS)
        printf("a root out of range is accepted\n");
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
    objects();
    late();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    errors();
    MPI_Finalize();
    return 0;
}
