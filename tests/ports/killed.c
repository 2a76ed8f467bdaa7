/* One of two jobs that connect, and of which one then ends at once, without MPI:
 *     killed server|client FILE stays|dies
 * The one that stays gets an error of the other's end within a second or so, wherever it waits: in a
 * collective of both, in a window, or for a message. */
#include "../c/check.h"

#include <mpi-ext.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm between;
    start(&argc, &argv);
    EQUAL(argc, 4);
    int server = strcmp(argv[1], "server") == 0, dies = strcmp(argv[3], "dies") == 0;
    if (server) {
        char other[4096];
        snprintf(other, sizeof other, "%s.new", argv[2]);
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        FILE *out = fopen(other, "w");
        CHECK(out != NULL && fputs(port, out) >= 0);
        fclose(out);
        CHECK(rename(other, argv[2]) == 0);
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between));
    } else {
        FILE *in;
        while ((in = fopen(argv[2], "r")) == NULL)
            usleep(10000);
        CHECK(fgets(port, sizeof port, in) != NULL);
        fclose(in);
        OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between));
    }
    OK(MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN));
    int word = rank;
    OK(MPI_Sendrecv_replace(&word, 1, MPI_INT, 0, 0, 0, 0, between, MPI_STATUS_IGNORE));
    MPI_Comm all, started;
    MPI_Win win;
    MPI_Request request;
    int *memory, sum;
    OK(MPI_Intercomm_merge(between, server, &all));
    OK(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
    OK(MPI_Comm_dup(all, &started));
    OK(MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, all, &memory, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    /* Often enough for collectives through shared memory. */
    for (int i = 0; i < 20; i++) {
        OK(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, all));
        OK(MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_SUM, started, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    OK(MPI_Win_fence(0, win));
    if (dies) {
        /* What it sent is on its way: the other one waits for more. */
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, !server, 0, win));
        OK(MPI_Win_flush(!server, win));
        raise(SIGKILL);
    }
    double began = MPI_Wtime();
    int code = MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, all);
    EQUAL(class_of(code), MPIX_ERR_PROC_FAILED);
    CHECK(MPI_Wtime() - began < 10);
    code = MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_SUM, started, &request);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(class_of(code), MPIX_ERR_PROC_FAILED);
    /* The dead one had this lock. */
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, server, 0, win));
    OK(MPI_Win_unlock(server, win));
    code = MPI_Recv(&word, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
    EQUAL(class_of(code), MPIX_ERR_PROC_FAILED);
    CHECK(MPI_Wtime() - began < 10);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    OK(MPI_Error_string(code, text, &length));
    CHECK(strstr(text, "rank 0 of another MPI_COMM_WORLD (pid ") != NULL);
    CHECK(MPI_Send(&word, 1, MPI_INT, 0, 1, between) != MPI_SUCCESS);
    OK(MPI_Comm_free(&between));
    return finish();
}
