// np: 1 2
// mpirun: --mca coll_tuned_use_dynamic_rules 1 --mca btl_sm_eager_limit 8k
/* Every parameter that oxmpi_info shows is a control variable of the same value, in a process that
 * has not initialised MPI; what a tool writes before MPI_Init is used by it, and refused later. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>

/* The folder of the installation: that of the library is below it. */
static void prefix(char *path, size_t room)
{
    Dl_info info;
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "MPI_Init"), &info) != 0);
    snprintf(path, room, "%s", info.dli_fname);
    for (int i = 0; i < 2; i++) {
        CHECK(strrchr(path, '/') != NULL);
        *strrchr(path, '/') = 0;
    }
}

static int find(const char *name)
{
    int at = -1;
    if (MPI_T_cvar_get_index(name, &at) != MPI_SUCCESS)
        fprintf(stderr, "%s is no control variable\n", name);
    CHECK(at >= 0);
    return at;
}

static MPI_T_cvar_handle handle_of(const char *name)
{
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    OK(MPI_T_cvar_handle_alloc(find(name), NULL, &handle, &count));
    CHECK(count >= 1);
    return handle;
}

/* The value of a variable as oxmpi_info writes it. */
static void show(const char *name, char *text, size_t room)
{
    MPI_Datatype type;
    MPI_T_enum words;
    int scope, bind, verbosity, length = 0;
    union {
        int number;
        long long count;
        unsigned long size;
        char text[4096];
    } value;
    OK(MPI_T_cvar_get_info(find(name), NULL, &length, &verbosity, &type, &words, NULL, NULL, &bind,
                           &scope));
    EQUAL(length, strlen(name) + 1);
    EQUAL(bind, MPI_T_BIND_NO_OBJECT);
    MPI_T_cvar_handle handle = handle_of(name);
    OK(MPI_T_cvar_read(handle, &value));
    OK(MPI_T_cvar_handle_free(&handle));
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
    if (words != MPI_T_ENUM_NULL) {
        int item, size = (int)room;
        OK(MPI_T_enum_get_item(words, value.number, &item, text, &size));
        EQUAL(item, value.number);
    } else if (type == MPI_INT) {
        snprintf(text, room, "%d", value.number);
    } else if (type == MPI_COUNT) {
        snprintf(text, room, "%lld", value.count);
    } else if (type == MPI_UNSIGNED_LONG) {
        snprintf(text, room, "%lu", value.size);
    } else {
        CHECK(type == MPI_CHAR);
        snprintf(text, room, "%s", value.text);
    }
}

static void compare_with_oxmpi_info(void)
{
    char path[4096], command[5000], line[8192], value[4096];
    int compared = 0;
    prefix(path, sizeof path);
    snprintf(command, sizeof command, "%s/bin/oxmpi_info --all --parsable", path);
    FILE *info = popen(command, "r");
    CHECK(info != NULL);
    while (fgets(line, sizeof line, info) != NULL) {
        char *name = strstr(line, ":param:"), *end = strstr(line, ":value:");
        if (name == NULL || end == NULL || strstr(line, ":enumerator:") || strchr(line, '<'))
            continue;
        name += strlen(":param:");
        *end = 0;
        char *expected = end + strlen(":value:");
        expected[strcspn(expected, "\n")] = 0;
        show(name, value, sizeof value);
        if (strcmp(value, expected) != 0)
            fprintf(stderr, "%s: %s, oxmpi_info: %s\n", name, value, expected);
        EQUAL(strcmp(value, expected), 0);
        compared++;
    }
    EQUAL(pclose(info), 0);
    CHECK(compared > 60);
}

int main(int argc, char **argv)
{
    int provided, number = 3, count;
    unsigned long size;
    char text[64];
    EQUAL(MPI_T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
    EQUAL(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    compare_with_oxmpi_info();

    /* Names, indices and handles that name nothing. */
    EQUAL(MPI_T_cvar_get_index("no_such_variable", &number), MPI_T_ERR_INVALID_NAME);
    OK(MPI_T_cvar_get_num(&number));
    EQUAL(MPI_T_cvar_get_info(number, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          MPI_T_ERR_INVALID_INDEX);
    EQUAL(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, &number), MPI_T_ERR_INVALID_HANDLE);

    /* What the launcher reads is nothing to write here. */
    MPI_T_cvar_handle agent = handle_of("plm_rsh_agent");
    EQUAL(MPI_T_cvar_write(agent, "rsh"), MPI_T_ERR_CVAR_SET_NEVER);
    OK(MPI_T_cvar_handle_free(&agent));

    /* A write before MPI_Init has its effect: this error handler returns the error. */
    MPI_T_cvar_handle handler = handle_of("mpi_initial_errhandler");
    MPI_T_cvar_handle eager = handle_of("btl_sm_eager_limit");
    MPI_T_enum words;
    OK(MPI_T_cvar_get_info(find("mpi_initial_errhandler"), NULL, NULL, NULL, NULL, &words, NULL,
                           NULL, NULL, NULL));
    OK(MPI_T_enum_get_info(words, &count, NULL, NULL));
    int wanted = -1;
    for (int i = 0; i < count; i++) {
        int item, room = sizeof text;
        OK(MPI_T_enum_get_item(words, i, &item, text, &room));
        if (strcmp(text, "mpi_errors_return") == 0)
            wanted = item;
    }
    EQUAL(MPI_T_cvar_write(handler, &count), MPI_T_ERR_INVALID);
    OK(MPI_T_cvar_write(handler, &wanted));
    size = 4096;
    OK(MPI_T_cvar_write(eager, &size));
    start(&argc, &argv);
    CHECK(MPI_Send(&number, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
    size = 0;
    OK(MPI_T_cvar_read(eager, &size));
    EQUAL(size, 4096);
    EQUAL(MPI_T_cvar_write(eager, &size), MPI_T_ERR_CVAR_SET_NOT_NOW);
    MPI_T_cvar_handle leaks = handle_of("mpi_show_handle_leaks");
    number = 0;
    OK(MPI_T_cvar_write(leaks, &number));
    OK(MPI_T_cvar_handle_free(&leaks));
    OK(MPI_Finalize());
    OK(MPI_T_cvar_read(eager, &size));
    EQUAL(size, 4096);
    OK(MPI_T_cvar_handle_free(&eager));
    OK(MPI_T_cvar_handle_free(&handler));
    OK(MPI_T_finalize());
    EQUAL(MPI_T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
    return 0;
}
