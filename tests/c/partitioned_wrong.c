// np: 2
/* A partitioned operation can neither be cancelled nor, while it is active, freed: its counterpart
 * would wait for ever. Both calls return an error, and the operation goes on as if they had not
 * been made. The same for what else MPI does not let a program cancel: collectives and accesses to
 * windows. */
#include "check.h"

enum { PARTS = 8, EACH = 500 };

static void refuses(MPI_Request *request, int may_be_freed)
{
    MPI_Request same = *request;
    EQUAL(class_of(MPI_Cancel(request)), MPI_ERR_REQUEST);
    CHECK(*request == same);
    if (!may_be_freed) {
        EQUAL(class_of(MPI_Request_free(request)), MPI_ERR_REQUEST);
        CHECK(*request == same);
    }
}

static void partitioned(void)
{
    int data[PARTS * EACH];
    MPI_Request request;
    MPI_Status status;
    if (rank == 0)
        OK(MPI_Psend_init(data, PARTS, EACH, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                          &request));
    else
        OK(MPI_Precv_init(data, PARTS, EACH, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                          &request));
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < PARTS * EACH; i++)
            data[i] = rank ? -1 : i + turn;
        refuses(&request, 1);
        OK(MPI_Start(&request));
        refuses(&request, 0);
        if (rank == 0) {
            OK(MPI_Pready(3, request));
            refuses(&request, 0);
            OK(MPI_Pready_range(0, 2, request));
            OK(MPI_Pready_range(4, PARTS - 1, request));
        }
        OK(MPI_Wait(&request, &status));
        int cancelled = 1;
        OK(MPI_Test_cancelled(&status, &cancelled));
        EQUAL(cancelled, 0);
        for (int i = 0; i < PARTS * EACH; i++)
            EQUAL(data[i], i + turn);
    }
    OK(MPI_Request_free(&request));
}

static void others(void)
{
    int sum = 0, one = 1, *memory, got = -1;
    MPI_Request request;
    MPI_Win win;
    OK(MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                          &request));
    refuses(&request, 1);
    OK(MPI_Start(&request));
    refuses(&request, 1);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(sum, 2);
    OK(MPI_Request_free(&request));
    if (rank == 0) { /* The other rank is not there yet, so the call is not over. */
        OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
        refuses(&request, 1);
        OK(MPI_Send(&one, 1, MPI_INT, 1, 5, MPI_COMM_WORLD));
    } else {
        OK(MPI_Recv(&one, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    *memory = rank;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Rget(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win, &request));
    MPI_Cancel(&request); /* An error, unless it is complete already. */
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(got, 1 - rank);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    partitioned();
    others();
    return finish();
}
