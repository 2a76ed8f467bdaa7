/* What a log of messages cannot bring about again is refused. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(int error, const char *what)
{
    int class;
    MPI_Error_class(error, &class);
    if (class != MPI_ERR_UNSUPPORTED_OPERATION) {
        fprintf(stderr, "%s: class %d\n", what, class);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    int word = 0;
    char port[MPI_MAX_PORT_NAME];
    MPI_Win win;
    MPI_File file;
    MPI_Comm comm;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_SERIALIZED) {
        fprintf(stderr, "level %d of threads is provided\n", provided);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    expect(MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), "a window");
    expect(MPI_File_open(MPI_COMM_WORLD, "/tmp/never", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                         MPI_INFO_NULL, &file), "a file");
    expect(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm,
                          MPI_ERRCODES_IGNORE), "a spawned process");
    expect(MPI_Open_port(MPI_INFO_NULL, port), "a port");
    expect(MPI_Comm_connect("none", MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm), "a connection");
    MPI_Finalize();
    return 0;
}
