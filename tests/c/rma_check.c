// np: 3
// mpirun: --mca osc_check 1
/* Accesses of one epoch that conflict are reported (`osc_check`): of every pair of calls by two ranks,
 * or by one, to the same bytes. The call that ends the epoch of the one that came second fails. */
#include "check.h"

enum { WORDS = 16 };

enum call { PUT, GET, SUM, MAX, READ, SWAP, CALLS };

/* Whether a call in the row conflicts with one in the column, of another rank; and of the same. */
static const char OTHER[CALLS][CALLS] = {
    /*          PUT GET SUM MAX READ SWAP */
    [PUT] = {1, 1, 1, 1, 1, 1}, [GET] = {1, 0, 1, 1, 0, 1},  [SUM] = {1, 1, 0, 1, 0, 0},
    [MAX] = {1, 1, 1, 0, 0, 0}, [READ] = {1, 0, 0, 0, 0, 0}, [SWAP] = {1, 1, 0, 0, 0, 0},
};

static MPI_Win win;
static int *memory;
static int from = 1, other = 2, into[2];

static void use_window(enum call call, int place, int *result)
{
    if (call == PUT)
        OK(MPI_Put(&from, 1, MPI_INT, 0, place, 1, MPI_INT, win));
    if (call == GET)
        OK(MPI_Get(result, 1, MPI_INT, 0, place, 1, MPI_INT, win));
    if (call == SUM || call == MAX)
        OK(MPI_Accumulate(&from, 1, MPI_INT, 0, place, 1, MPI_INT, call == SUM ? MPI_SUM : MPI_MAX,
                          win));
    if (call == READ)
        OK(MPI_Fetch_and_op(NULL, result, MPI_INT, 0, place, MPI_NO_OP, win));
    if (call == SWAP)
        OK(MPI_Compare_and_swap(&from, &other, result, MPI_INT, 0, place, win));
}

/* Whether the error of a call is that of a conflict; it is no other. */
static int is_conflict(int error)
{
    if (error != MPI_SUCCESS)
        EQUAL(class_of(error), MPI_ERR_RMA_CONFLICT);
    return error != MPI_SUCCESS;
}

/* How many ranks receive a conflict, each rank with its error. */
static int conflicts(int error)
{
    int own = is_conflict(error), all;
    OK(MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

static void of_two_ranks(enum call one, enum call another, int distance)
{
    int place = rank == 2 ? distance : 0;
    OK(MPI_Win_fence(0, win));
    if (rank > 0)
        use_window(rank == 1 ? one : another, place, into);
    EQUAL(conflicts(MPI_Win_fence(MPI_MODE_NOSUCCEED, win)),
          distance == 0 && OTHER[one][another]);
}

static void of_one_rank(enum call one, enum call another)
{
    int expected = OTHER[one][another] && (one <= GET || another <= GET);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    if (rank == 1) {
        use_window(one, 4, into);
        use_window(another, 4, into + 1);
    }
    EQUAL(conflicts(MPI_Win_unlock(0, win)), expected);
    /* What a flush has completed is over. */
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    if (rank == 1) {
        use_window(one, 4, into);
        OK(one == PUT ? MPI_Win_flush(0, win) : MPI_Win_flush_local_all(win));
        use_window(another, 4, into + 1);
    }
    OK(MPI_Win_unlock(0, win));
}

/* Two origins in one exposure, one after the other, and then in two. */
static void posted(int exposures)
{
    MPI_Group all, group;
    int members[2] = {1, 2}, target = 0, errors = 0;
    OK(MPI_Win_get_group(win, &all));
    for (int e = 0; e < exposures; e++) {
        int first = exposures == 1 ? 0 : e, count = exposures == 1 ? 2 : 1;
        if (rank == 0) {
            OK(MPI_Group_incl(all, count, members + first, &group));
            OK(MPI_Win_post(group, 0, win));
            OK(MPI_Win_wait(win));
            OK(MPI_Group_free(&group));
        } else if (exposures == 1 || rank == e + 1) {
            OK(MPI_Group_incl(all, 1, &target, &group));
            OK(MPI_Win_start(group, 0, win));
            use_window(PUT, 5, into);
            errors += is_conflict(MPI_Win_complete(win));
            OK(MPI_Group_free(&group));
        }
    }
    OK(MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(errors, exposures == 1);
    OK(MPI_Group_free(&all));
}

/* Columns that lie between each other do not meet; a column meets a row in one element. */
static void columns(void)
{
    static int values[8];
    MPI_Datatype column;
    OK(MPI_Type_vector(4, 1, 4, MPI_INT, &column));
    OK(MPI_Type_commit(&column));
    for (int meet = 0; meet < 2; meet++) {
        OK(MPI_Win_fence(0, win));
        if (rank == 1)
            OK(MPI_Put(values, 4, MPI_INT, 0, 1, 1, column, win));
        if (rank == 2 && meet)
            OK(MPI_Put(values, 4, MPI_INT, 0, 8, 4, MPI_INT, win));
        if (rank == 2 && !meet)
            OK(MPI_Put(values, 4, MPI_INT, 0, 2, 1, column, win));
        EQUAL(conflicts(MPI_Win_fence(0, win)), meet);
    }
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    OK(MPI_Type_free(&column));
}

/* Bytes of different datatypes, and a read that its origin has waited for. */
static void datatypes_and_requests(void)
{
    short half = 1;
    MPI_Request request;
    OK(MPI_Win_fence(0, win));
    if (rank == 1)
        use_window(SUM, 0, into);
    if (rank == 2)
        OK(MPI_Accumulate(&half, 1, MPI_SHORT, 0, 0, 1, MPI_SHORT, MPI_SUM, win));
    EQUAL(conflicts(MPI_Win_fence(MPI_MODE_NOSUCCEED, win)), 1);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    if (rank == 1) {
        OK(MPI_Rget(into, 1, MPI_INT, 0, 6, 1, MPI_INT, win, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        use_window(PUT, 6, into);
    }
    OK(MPI_Win_unlock(0, win));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Win_allocate(WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                        &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    for (int one = 0; one < CALLS; one++)
        for (int another = 0; another < CALLS; another++) {
            of_two_ranks(one, another, 0);
            of_two_ranks(one, another, 1);
            of_one_rank(one, another);
        }
    posted(1);
    posted(2);
    columns();
    datatypes_and_requests();
    OK(MPI_Win_free(&win));
    return finish();
}
