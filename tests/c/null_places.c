// np: 1 2
/* A call that has no place for the handle that it would make fails before it does anything, by the
 * error handler of the object that it is called on: no message is sent that could not be waited for,
 * and no communicator or window is made that others would have. A window's own handler is called for an
 * attribute key that is another kind's. */
#include "check.h"

static int called, win_called;

static void note(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    called++;
    EQUAL(class_of(*code), MPI_ERR_ARG);
}

static void note_win(MPI_Win *win, int *code, ...)
{
    (void)win;
    win_called++;
    EQUAL(class_of(*code), MPI_ERR_KEYVAL);
}

/* Each call fails once, by the communicator's handler. */
#define FAILS(call)                                                                                \
    do {                                                                                           \
        int before = called;                                                                       \
        EQUAL(class_of(call), MPI_ERR_ARG);                                                        \
        EQUAL(called, before + 1);                                                                 \
    } while (0)

static void communicators(MPI_Comm comm)
{
    int dims[1] = {ranks}, periods[1] = {1}, color = rank % 2;
    MPI_Comm made = MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Group group;
    OK(MPI_Comm_group(comm, &group));
    FAILS(MPI_Comm_dup(comm, NULL));
    FAILS(MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, NULL));
    FAILS(MPI_Comm_idup(comm, NULL, &request));
    CHECK(request == MPI_REQUEST_NULL);
    FAILS(MPI_Comm_idup(comm, &made, NULL));
    CHECK(made == MPI_COMM_NULL);
    FAILS(MPI_Comm_create(comm, group, NULL));
    FAILS(MPI_Comm_create_group(comm, group, 10, NULL));
    FAILS(MPI_Comm_split(comm, color, rank, NULL));
    FAILS(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL));
    /* Also where another argument is wrong that only one process looks at. */
    FAILS(MPI_Intercomm_create(comm, 0, comm, ranks, 52, NULL));
    FAILS(MPI_Cart_create(comm, 1, dims, periods, 0, NULL));
    FAILS(MPI_Comm_group(comm, NULL));
    OK(MPI_Group_free(&group));
}

static void windows(MPI_Comm comm)
{
    static int memory[4];
    void *base;
    int key, value = 1;
    MPI_Errhandler handler;
    MPI_Win win;
    FAILS(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, comm, NULL));
    FAILS(MPI_Win_allocate(64, 4, MPI_INFO_NULL, comm, &base, NULL));
    FAILS(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, NULL));
    OK(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, comm, &win));
    OK(MPI_Win_create_errhandler(note_win, &handler));
    OK(MPI_Win_set_errhandler(win, handler));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    EQUAL(class_of(MPI_Win_set_attr(win, key, &value)), MPI_ERR_KEYVAL);
    EQUAL(win_called, 1);
    OK(MPI_Comm_free_keyval(&key));
    OK(MPI_Win_free(&win));
}

static void requests(MPI_Comm comm)
{
    int word = 7, to = (rank + 1) % ranks, sum = 0, flag = 0;
    FAILS(MPI_Isend(&word, 1, MPI_INT, to, 3, comm, NULL));
    FAILS(MPI_Issend(&word, 1, MPI_INT, to, 3, comm, NULL));
    FAILS(MPI_Irecv(&word, 1, MPI_INT, to, 3, comm, NULL));
    FAILS(MPI_Send_init(&word, 1, MPI_INT, to, 3, comm, NULL));
    FAILS(MPI_Ibarrier(comm, NULL));
    FAILS(MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm, NULL));
    /* Nothing is under way, and all goes on. */
    OK(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(sum, 7 * ranks);
    for (int i = 0; i < 100; i++) {
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag);
    }
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Comm comm, part;
    start(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_create_errhandler(note, &handler));
    OK(MPI_Comm_set_errhandler(comm, handler));
    OK(MPI_Errhandler_free(&handler));
    communicators(comm);
    windows(comm);
    requests(comm);
    OK(MPI_Comm_split(comm, 0, rank, &part));
    OK(MPI_Barrier(part));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&comm));
    return finish();
}
