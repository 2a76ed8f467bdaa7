/* One of two jobs that connect, and of which one then ends at once, without MPI:
 *     killed server|client FILE stays|dies
 * The one that stays gets an error of the other's end within a second or so. */
#include "../c/check.h"
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
    if (dies) {
        /* The message is on its way: the other one waits for more. */
        raise(SIGKILL);
    }
    double began = MPI_Wtime();
    int code = MPI_Recv(&word, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
    EQUAL(class_of(code), MPI_ERR_PROC_ABORTED);
    CHECK(MPI_Wtime() - began < 10);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    OK(MPI_Error_string(code, text, &length));
    CHECK(strstr(text, "rank 0 of another MPI_COMM_WORLD (pid ") != NULL);
    CHECK(MPI_Send(&word, 1, MPI_INT, 0, 1, between) != MPI_SUCCESS);
    OK(MPI_Comm_free(&between));
    return finish();
}
