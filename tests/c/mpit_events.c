// np: 1
/* A callback is notified of calls that fail and of variables that are written, with the values and the
 * time; none comes after its registration is freed. */
#include "check.h"

static int called, freed, expected;
static MPI_Count before;

static void count_event(MPI_T_event_instance event, MPI_T_event_registration registration,
                        MPI_T_cb_safety safety, void *data)
{
    int value = -1, copy = -1, source = -1;
    MPI_Count time = 0;
    (void)registration;
    EQUAL(safety, MPI_T_CB_REQUIRE_NONE);
    CHECK(data == &called);
    OK(MPI_T_event_read(event, 0, &value));
    OK(MPI_T_event_copy(event, &copy));
    EQUAL(MPI_T_event_read(event, 1, &value), MPI_T_ERR_INVALID_INDEX);
    OK(MPI_T_event_get_source(event, &source));
    OK(MPI_T_event_get_timestamp(event, &time));
    EQUAL(value, expected);
    EQUAL(copy, expected);
    EQUAL(source, 0);
    CHECK(time >= before);
    called++;
}

static void gone(MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data)
{
    (void)registration;
    (void)safety;
    CHECK(data == &freed);
    freed++;
}

static MPI_T_event_registration listen(const char *name)
{
    int at, elements = 4;
    MPI_Datatype types[4];
    MPI_Aint places[4];
    MPI_Info info = MPI_INFO_NULL;
    MPI_T_event_registration registration;
    OK(MPI_T_event_get_index(name, &at));
    OK(MPI_T_event_get_info(at, NULL, NULL, NULL, types, places, &elements, NULL, &info, NULL, NULL,
                            NULL));
    OK(MPI_Info_free(&info));
    EQUAL(elements, 1);
    CHECK(types[0] == MPI_INT);
    EQUAL(places[0], 0);
    OK(MPI_T_event_handle_alloc(at, NULL, MPI_INFO_NULL, &registration));
    OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &called,
                                     count_event));
    return registration;
}

int main(int argc, char **argv)
{
    int provided, number, on = 0, count;
    MPI_T_cvar_handle leaks;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_source_get_num(&number));
    EQUAL(number, 1);
    OK(MPI_T_source_get_timestamp(0, &before));
    EQUAL(MPI_T_source_get_timestamp(1, &before), MPI_T_ERR_INVALID_INDEX);
    MPI_T_event_registration failed = listen("call_failed");
    MPI_T_event_registration written = listen("control_written");
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    expected = MPI_ERR_RANK;
    CHECK(MPI_Send(&on, 1, MPI_INT, 7, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
    EQUAL(called, 1);
    OK(MPI_T_event_handle_free(failed, &freed, gone));
    EQUAL(freed, 1);
    CHECK(MPI_Send(&on, 1, MPI_INT, 7, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
    EQUAL(called, 1);
    OK(MPI_T_cvar_get_index("mpi_show_handle_leaks", &expected));
    OK(MPI_T_cvar_handle_alloc(expected, NULL, &leaks, &count));
    OK(MPI_T_cvar_write(leaks, &on));
    EQUAL(called, 2);
    OK(MPI_T_event_register_callback(written, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, NULL));
    OK(MPI_T_cvar_write(leaks, &on));
    EQUAL(called, 2);
    OK(MPI_T_event_handle_free(written, NULL, NULL));
    EQUAL(MPI_T_event_handle_free(written, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
    OK(MPI_T_cvar_handle_free(&leaks));
    OK(MPI_T_finalize());
    return finish();
}
