// np: 1 2
/* What may be asked at any time, the names and versions, the clock, memory, info objects. */
#include "check.h"

#include <unistd.h>

static void before(void)
{
    int flag = 1, version = 0, subversion = 0, length = 0, major = -1, minor = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    EQUAL(MPI_Initialized(&flag), MPI_SUCCESS);
    EQUAL(flag, 0);
    EQUAL(MPI_Finalized(&flag), MPI_SUCCESS);
    EQUAL(flag, 0);
    EQUAL(MPI_Get_version(&version, &subversion), MPI_SUCCESS);
    CHECK(version >= 5);
    EQUAL(MPI_Get_library_version(text, &length), MPI_SUCCESS);
    CHECK(length > 0 && (size_t)length == strlen(text));
    EQUAL(MPI_Abi_get_version(&major, &minor), MPI_SUCCESS);
    EQUAL(major, MPI_ABI_VERSION);
}

static void clock_and_name(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    double t = MPI_Wtime();
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 0.01);
    for (int i = 0; i < 1000; i++) {
        double u = MPI_Wtime();
        CHECK(u >= t);
        t = u;
    }
    OK(MPI_Get_processor_name(name, &length));
    CHECK(length > 0 && (size_t)length == strlen(name));
}

static int has(MPI_Info info, const char *key, char *value, int room)
{
    int flag = 0;
    OK(MPI_Info_get_string(info, key, &room, value, &flag));
    return flag;
}

static void start_of(int argc, char **argv)
{
    char value[1024], folder[1024];
    MPI_Info copy;
    OK(MPI_Info_dup(MPI_INFO_ENV, &copy));
    CHECK(has(MPI_INFO_ENV, "command", value, sizeof value));
    EQUAL(strcmp(value, argv[0]), 0);
    CHECK(has(copy, "wdir", value, sizeof value));
    CHECK(getcwd(folder, sizeof folder) && strcmp(value, folder) == 0);
    CHECK(has(copy, "host", value, sizeof value) && strlen(value) > 0);
    CHECK(has(copy, "arch", value, sizeof value) && strlen(value) > 0);
    CHECK(has(copy, "argv", value, sizeof value));
    EQUAL(strlen(value) > 0, argc > 1);
    CHECK(has(copy, "mpi_initial_errhandler", value, sizeof value));
    EQUAL(strcmp(value, "mpi_errors_are_fatal"), 0);
    OK(MPI_Info_free(&copy));
}

static void memory(void)
{
    char *memory = NULL;
    MPI_Aint here, there;
    OK(MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &memory));
    memset(memory, rank, 1 << 20);
    OK(MPI_Get_address(memory, &here));
    OK(MPI_Get_address(memory + 100, &there));
    EQUAL(MPI_Aint_diff(there, here), 100);
    EQUAL(MPI_Aint_add(here, 100), there);
    OK(MPI_Free_mem(memory));
}

static void info(void)
{
    MPI_Info info, twin;
    int count = -1, flag = 0, length = 10;
    char key[MPI_MAX_INFO_KEY + 1], value[10];
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "colour", "green"));
    OK(MPI_Info_set(info, "size", "7"));
    OK(MPI_Info_set(info, "colour", "blue"));
    OK(MPI_Info_get_nkeys(info, &count));
    EQUAL(count, 2);
    OK(MPI_Info_get_nthkey(info, 0, key));
    CHECK(strcmp(key, "colour") == 0);
    OK(MPI_Info_dup(info, &twin));
    OK(MPI_Info_delete(info, "colour"));
    OK(MPI_Info_get_string(twin, "colour", &length, value, &flag));
    CHECK(flag && strcmp(value, "blue") == 0);
    EQUAL(length, 5);
    length = sizeof value;
    OK(MPI_Info_get_string(info, "colour", &length, value, &flag));
    EQUAL(flag, 0);
    OK(MPI_Info_free(&info));
    OK(MPI_Info_free(&twin));
    CHECK(info == MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
    int flag = 0, provided = -1;
    before();
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    OK(MPI_Initialized(&flag));
    EQUAL(flag, 1);
    clock_and_name();
    memory();
    info();
    start_of(argc, argv);
    finish();
    EQUAL(MPI_Finalized(&flag), MPI_SUCCESS);
    EQUAL(flag, 1);
    EQUAL(MPI_Initialized(&flag), MPI_SUCCESS);
    EQUAL(flag, 1);
    return 0;
}
