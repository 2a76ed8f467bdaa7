// np: 1 2
// quick
// mpirun: --initial-errhandler mpi_errors_return
/* The initial error handler that mpirun names: MPI_COMM_WORLD and MPI_COMM_SELF begin with it, what is
 * made of them inherits it, and errors of no object go to it before MPI_Init and after MPI_Finalize. */
#include "check.h"

static void begins_with(MPI_Comm comm, MPI_Errhandler expected)
{
    MPI_Errhandler handler;
    OK(MPI_Comm_get_errhandler(comm, &handler));
    CHECK(handler == expected);
}

int main(int argc, char **argv)
{
    MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Errhandler handler;
    MPI_Comm twin;
    MPI_Win window;
    char value[64];
    int word = 0, flag = 0, room = sizeof value;

    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &word) != MPI_SUCCESS);
    start(&argc, &argv);
    begins_with(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    begins_with(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD)), MPI_ERR_RANK);
    EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, 5, 0, MPI_COMM_SELF)), MPI_ERR_RANK);
    EQUAL(class_of(MPI_Type_commit(&none)), MPI_ERR_TYPE);

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    begins_with(twin, MPI_ERRORS_RETURN);
    OK(MPI_Comm_free(&twin));

    /* The handlers of windows are not inherited. */
    OK(MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    OK(MPI_Win_get_errhandler(window, &handler));
    CHECK(handler == MPI_ERRORS_ARE_FATAL);
    OK(MPI_Win_free(&window));

    OK(MPI_Info_get_string(MPI_INFO_ENV, "mpi_initial_errhandler", &room, value, &flag));
    CHECK(flag && strcmp(value, "mpi_errors_return") == 0);
    OK(MPI_Finalize());
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &word) != MPI_SUCCESS);
    return 0;
}
