// np: 2
// mpirun: --mca mpi_standby_thread 0
/* What is pending moves on while both ranks compute as long as the program asks for that, and no
 * longer. */
#include <mpi-ext.h>

#include "check.h"

enum { BYTES = 4 << 20, TRIES = 5 };

/* In seconds: what is to arrive may take long on a busy machine, what is not to takes its time. */
static const double PATIENCE = 60, A_WHILE = 0.1;

/* Computes for so long at most, without a call of MPI; returns whether the message came. */
static int comes(volatile unsigned char *last, unsigned char value, double seconds)
{
    for (double end = MPI_Wtime() + seconds; *last != value;)
        if (MPI_Wtime() > end)
            return 0;
    return 1;
}

/* Returns whether the message came while both computed. */
static int transfer(unsigned char *in, unsigned char *out, unsigned char value, double seconds)
{
    MPI_Request requests[2];
    memset(in, 0, BYTES);
    memset(out, value, BYTES);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Irecv(in, BYTES, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Isend(out, BYTES, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]));
    int came = comes(in + BYTES - 1, value, seconds);
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < BYTES; i++)
        EQUAL(in[i], value);
    return came;
}

/* A message that a rank finds on its way out of the barrier comes at once: there are some tries. */
static int stays(unsigned char *in, unsigned char *out)
{
    int stayed = 0;
    for (int i = 1; i <= TRIES; i++)
        stayed += !transfer(in, out, i, A_WHILE);
    return stayed;
}

int main(int argc, char **argv)
{
    unsigned char *in = malloc(BYTES), *out = malloc(BYTES);
    int class;
    start(&argc, &argv);
    CHECK(stays(in, out));
    OK(MPIX_Start_progress_thread(MPIX_STREAM_NULL));
    CHECK(transfer(in, out, 101, PATIENCE));
    OK(MPIX_Stop_progress_thread(MPIX_STREAM_NULL));
    CHECK(stays(in, out));
    OK(MPIX_Start_progress_thread(MPIX_STREAM_NULL));
    CHECK(transfer(in, out, 102, PATIENCE));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Error_class(MPIX_Start_progress_thread((MPIX_Stream)in), &class));
    EQUAL(class, MPI_ERR_ARG);
    free(in);
    free(out);
    return finish();
}
