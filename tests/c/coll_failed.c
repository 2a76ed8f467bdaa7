// np: 2 3
// check: reports
/* A collective that fails at one rank, since the ranks pass different lengths, leaves messages behind
 * that nobody asks for. They are no sign that the ranks have called different functions: with errors
 * returned then and fatal again afterwards, MPI_Finalize and MPI_Comm_free have nothing to report. */
#include "check.h"

int main(int argc, char **argv)
{
    int in[10] = {0}, out[100];
    MPI_Comm comm, comms[2];
    start(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    comms[0] = comm;
    comms[1] = MPI_COMM_WORLD;
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN));
        int error = MPI_Gather(in, rank == 0 ? 1 : 10, MPI_INT, out, 1, MPI_INT, 0, comms[i]);
        EQUAL(class_of(error), rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        MPI_Request request;
        OK(MPI_Ireduce(in, out, rank == 0 ? 1 : 10, MPI_INT, MPI_SUM, 0, comms[i], &request));
        error = MPI_Wait(&request, MPI_STATUS_IGNORE);
        EQUAL(class_of(error), rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        OK(MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_ARE_FATAL));
    }
    OK(MPI_Comm_free(&comm));
    return finish();
}
