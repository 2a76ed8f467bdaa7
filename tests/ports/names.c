/* Names that processes of one job publish for each other, on whichever hosts they are: every other
 * process finds them, nobody else may publish or withdraw them, and they are gone once withdrawn. */
#include "../c/check.h"

static int rank, size;

static int look_up(const char *name, MPI_Info info, char *port)
{
    return MPI_Lookup_name(name, info, port);
}

static void check_scope(const char *name, const char *scope)
{
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME];
    MPI_Info info = MPI_INFO_NULL;
    if (scope) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "ompi_global_scope", scope));
    }
    int publisher = size - 1;
    EQUAL(class_of(look_up(name, info, found)), MPI_ERR_NAME);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == publisher) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Publish_name(name, info, port));
    }
    OK(MPI_Bcast(port, sizeof port, MPI_CHAR, publisher, MPI_COMM_WORLD));
    OK(look_up(name, info, found));
    CHECK(strcmp(port, found) == 0);
    OK(look_up(name, MPI_INFO_NULL, found));
    CHECK(strcmp(port, found) == 0);
    EQUAL(class_of(MPI_Publish_name(name, info, "another")), MPI_ERR_SERVICE);
    if (rank != publisher)
        EQUAL(class_of(MPI_Unpublish_name(name, info, port)), MPI_ERR_SERVICE);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == publisher) {
        EQUAL(class_of(MPI_Unpublish_name(name, info, "another")), MPI_ERR_SERVICE);
        OK(MPI_Unpublish_name(name, info, port));
        OK(MPI_Close_port(port));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    EQUAL(class_of(look_up(name, info, found)), MPI_ERR_NAME);
    if (info != MPI_INFO_NULL)
        OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(argc == 2);
    check_scope(argv[1], NULL);
    check_scope(argv[1], "false");
    check_scope(argv[1], "true");
    OK(MPI_Finalize());
    return 0;
}
