// np: 2
/* The text of an error says which value is wrong, at which rank, and nothing twice; it quotes the
 * system in the system's words; and each error of the tool interface has a text of its own. */
#include "check.h"

static char text[MPI_MAX_ERROR_STRING];

/* Whether the text of an error has this part, and no number that only Rust adds. */
static int says(int code, const char *part)
{
    int length;
    CHECK(code != MPI_SUCCESS);
    OK(MPI_Error_string(code, text, &length));
    if (strstr(text, part) && !strstr(text, "(os error"))
        return 1;
    fprintf(stderr, "rank %d: no `%s` in: %s\n", rank, part, text);
    return 0;
}

static void alone(void)
{
    char port[MPI_MAX_PORT_NAME], *programs[2] = {"no/such", "no/such"};
    int numbers[2] = {1, 0};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm comm;
    MPI_File file;
    CHECK(says(MPI_Lookup_name("nobody", MPI_INFO_NULL, port), "`nobody`"));
    CHECK(!strstr(text, "removed"));
    CHECK(says(MPI_Comm_spawn(programs[0], MPI_ARGV_NULL, 0, MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm,
                              MPI_ERRCODES_IGNORE),
               "maxprocs of command 0 is 0"));
    CHECK(says(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, numbers, infos, 0,
                                       MPI_COMM_SELF, &comm, MPI_ERRCODES_IGNORE),
               "maxprocs of command 1 is 0"));
    CHECK(says(MPI_Send(NULL, -3, MPI_INT, 0, 0, MPI_COMM_SELF), "-3"));
    CHECK(says(MPI_Send(NULL, 0, MPI_INT, 7, 0, MPI_COMM_SELF), "7"));
    CHECK(says(MPI_File_open(MPI_COMM_SELF, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
               "`/no/such/file`: No such file or directory"));
}

static void tools(void)
{
    char before[MPI_MAX_ERROR_STRING] = "";
    for (int class = MPI_T_ERR_CANNOT_INIT; class <= MPI_T_ERR_PVAR_NO_ATOMIC; class++) {
        CHECK(says(class, "MPI_T_ERR_"));
        char *words = strchr(text, ':');
        CHECK(words && strcmp(words, before) && !strstr(words, "an error"));
        strcpy(before, words);
    }
}

static void together(void)
{
    char name[256];
    MPI_File file;
    MPI_Datatype type = rank ? MPI_INT : MPI_DOUBLE;
    unique_name(name, sizeof name, "words");
    OK(MPI_File_open(MPI_COMM_WORLD, name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    CHECK(says(MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL),
               "the size of the etype is 8 at rank 0 and 4 at rank 1"));
    CHECK(says(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, rank ? "external32" : "native",
                                 MPI_INFO_NULL),
               "datarep is another at rank 1"));
    CHECK(says(MPI_File_seek_shared(file, rank, MPI_SEEK_SET),
               "offset is 0 at rank 0 and 1 at rank 1"));
    CHECK(says(MPI_File_seek_shared(file, 0, rank ? MPI_SEEK_CUR : MPI_SEEK_SET),
               "whence is MPI_SEEK_SET at rank 0 and MPI_SEEK_CUR at rank 1"));
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    alone();
    tools();
    together();
    return finish();
}
