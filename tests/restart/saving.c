/* Errors of OXMPI_Restarted and OXMPI_Checkpoint: `saving logged`, or `saving plain` without a log of
 * messages, where both do nothing. Errors are returned from the beginning on
 * (--initial-errhandler mpi_errors_return). */
#include <limits.h>
#include <mpi.h>
#include <mpi-ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the job unless a call has returned an error of a class, with a text. */
static void expect(int error, int class, const char *text, const char *what)
{
    int found = MPI_SUCCESS, length;
    char said[MPI_MAX_ERROR_STRING] = "";
    if (error != MPI_SUCCESS) {
        MPI_Error_class(error, &found);
        MPI_Error_string(error, said, &length);
    }
    if (found == class && strstr(said, text))
        return;
    fprintf(stderr, "%s: class %d, not %d with `%s`: %s\n", what, found, class, text, said);
    abort();
}

int main(int argc, char **argv)
{
    int is_logged = argc > 1 && !strcmp(argv[1], "logged"), rank, flag = 7, tag = 7, word = 0;
    MPI_Request request;
    MPI_Message message;
    MPI_Comm comm;
    if (OXMPI_Restarted(&flag, &tag) == MPI_SUCCESS || OXMPI_Checkpoint(1) == MPI_SUCCESS)
        abort();
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    expect(OXMPI_Restarted(NULL, &tag), MPI_ERR_ARG, "", "no flag");
    expect(OXMPI_Restarted(&flag, NULL), MPI_ERR_ARG, "", "no tag");
    if (!is_logged) {
        for (int times = 0; times < 2; times++) {
            expect(OXMPI_Checkpoint(times), MPI_SUCCESS, "", "a checkpoint without a log");
            expect(OXMPI_Restarted(&flag, &tag), MPI_SUCCESS, "", "a question without a log");
        }
        if (flag != 0 || tag != 7)
            abort();
        return MPI_Finalize();
    }
    expect(OXMPI_Checkpoint(1), MPI_ERR_PENDING, "OXMPI_Restarted has to be called before",
           "a checkpoint before the question");
    MPI_Irecv(&word, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    expect(OXMPI_Restarted(&flag, &tag), MPI_ERR_PENDING, "is under way", "a question too early");
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(OXMPI_Restarted(&flag, &tag), MPI_SUCCESS, "", "the question");
    if (flag != 0 || tag != 7)
        abort();
    expect(OXMPI_Restarted(&flag, &tag), MPI_ERR_PENDING, "was called before", "a second question");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    expect(OXMPI_Checkpoint(1), MPI_ERR_PENDING, "communicators", "a new communicator");
    MPI_Comm_free(&comm);
    MPI_Irecv(&word, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    expect(OXMPI_Checkpoint(1), MPI_ERR_PENDING, "is under way", "a receive under way");
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    expect(OXMPI_Checkpoint(1), MPI_ERR_PENDING, "to itself", "a message to itself");
    MPI_Mprobe(0, 2, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    expect(OXMPI_Checkpoint(1), MPI_ERR_PENDING, "matched probe", "a matched probe");
    MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    /* Each tag is right, and refused checkpoints have changed nothing. */
    expect(OXMPI_Checkpoint(INT_MIN), MPI_SUCCESS, "", "a checkpoint");
    expect(OXMPI_Checkpoint(-1), MPI_SUCCESS, "", "another one");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (OXMPI_Checkpoint(1) == MPI_SUCCESS)
        abort();
    if (rank == 0)
        printf("saved\n");
    return 0;
}
