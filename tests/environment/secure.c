/* A program that may be setuid: says whether it has rights that its caller lacks, begins, publishes a
 * name, opens a file and ends; with `spawn` it spawns itself and prints why that is refused. What its
 * caller's variables name must not be loaded, read or written where it is setuid: they were heeded
 * there as everywhere, OXMPI_PMIX_LIBRARY among them, whose code ran as the owner of the program. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static void spawn(char *program)
{
    char text[MPI_MAX_ERROR_STRING];
    int code, length;
    MPI_Comm children;

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                          MPI_ERRCODES_IGNORE);
    MPI_Error_string(code, text, &length);
    printf("spawn: %s\n", code == MPI_SUCCESS ? "done" : text);
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME], name[64], file[4096];
    int size;
    MPI_File opened;

    printf("secure %lu\n", getauxval(AT_SECURE));
    fflush(stdout);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("size %d\n", size);
    if (argc > 1 && strcmp(argv[1], "spawn") == 0) {
        spawn(argv[0]);
    } else {
        snprintf(name, sizeof name, "of process %ld", (long)getpid());
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name(name, MPI_INFO_NULL, port);
        MPI_Unpublish_name(name, MPI_INFO_NULL, port);
        MPI_Close_port(port);
        snprintf(file, sizeof file, "%s.%ld", argv[0], (long)getpid());
        MPI_File_open(MPI_COMM_SELF, file, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &opened);
        MPI_File_close(&opened);
        MPI_Barrier(MPI_COMM_WORLD);
        printf("done\n");
    }
    MPI_Finalize();
    return 0;
}
