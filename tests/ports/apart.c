/* Spawns under a launcher that starts jobs and not parts of one: with few slots and many, of a
 * program that is missing and of one that ends at once; names that both jobs see.
 *     apart */
#include "../c/check.h"
#include <unistd.h>

enum { CHILDREN = 2, MORE = 5 };

static const char *service = "the service of apart";

static int child(MPI_Comm parent)
{
    char port[MPI_MAX_PORT_NAME];
    int sum = 0, one = 1;
    MPI_Comm all;
    /* What this process starts by a launcher of its own is nobody's child. */
    CHECK(getenv("OXMPI_PARENT_PORT") == NULL);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Lookup_name(service, MPI_INFO_NULL, port));
    CHECK(strncmp(port, "oxmpi:", 6) == 0);
    EQUAL(class_of(MPI_Unpublish_name(service, MPI_INFO_NULL, port)), MPI_ERR_SERVICE);
    OK(MPI_Intercomm_merge(parent, 1, &all));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK(sum > ranks);
    OK(MPI_Comm_free(&all));
    OK(MPI_Comm_disconnect(&parent));
    return finish();
}

static void spawn(const char *program, int count)
{
    int codes[MORE], sum = 0, one = 1;
    MPI_Comm inter, all;
    int wrong = MPI_Comm_spawn(program, MPI_ARGV_NULL, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                               &inter, codes);
    if (wrong && rank == 0) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        OK(MPI_Error_string(wrong, text, &length));
        fprintf(stderr, "%s\n", text);
    }
    OK(wrong);
    OK(MPI_Intercomm_merge(inter, 0, &all));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    EQUAL(sum, ranks + count);
    OK(MPI_Comm_free(&all));
    OK(MPI_Comm_disconnect(&inter));
}

/* It is refused within a few seconds, with a reason that has the word. */
static void refused(const char *program, const char *word)
{
    MPI_Comm inter = MPI_COMM_WORLD;
    char text[MPI_MAX_ERROR_STRING];
    int codes[CHILDREN], length;
    double begun = MPI_Wtime();
    int wrong = MPI_Comm_spawn(program, MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                               &inter, codes);
    EQUAL(class_of(wrong), MPI_ERR_SPAWN);
    EQUAL(codes[0], MPI_ERR_SPAWN);
    CHECK(inter == MPI_COMM_NULL);
    CHECK(MPI_Wtime() - begun < 10);
    OK(MPI_Error_string(wrong, text, &length));
    if (rank == 0 && !strstr(text, word))
        fprintf(stderr, "%s\n", text);
    CHECK(rank > 0 || strstr(text, word));
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm parent;
    start(&argc, &argv);
    OK(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL)
        return child(parent);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    if (rank == 0) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Publish_name(service, MPI_INFO_NULL, port));
        EQUAL(class_of(MPI_Publish_name(service, MPI_INFO_NULL, "another")), MPI_ERR_SERVICE);
    }
    spawn(argv[0], CHILDREN);
    spawn(argv[0], MORE);
    refused("/no/such/program", "/no/such/program");
    refused("/bin/true", "ended before MPI_Init");
    if (rank == 0) {
        OK(MPI_Unpublish_name(service, MPI_INFO_NULL, port));
        EQUAL(class_of(MPI_Lookup_name(service, MPI_INFO_NULL, port)), MPI_ERR_NAME);
        OK(MPI_Close_port(port));
    }
    return finish();
}
