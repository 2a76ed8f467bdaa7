// np: 2
// mpirun: --mca btl sm,self --mca btl_sm_single_copy_mechanism cma
/* The system refuses copies between processes from some moment on, as a container or a security policy
 * may: messages arrive as before, and a callback is notified once that they go another way. The element of the
 * event has a name. */
#include "check.h"
#include "../environment/refuse_copies.h"

enum { WORDS = 1 << 18, CMA = 1 };

static int events, mechanism = -1;
static int out[WORDS], in[WORDS];

static void count_event(MPI_T_event_instance event, MPI_T_event_registration registration,
                        MPI_T_cb_safety safety, void *data)
{
    (void)registration, (void)safety, (void)data;
    OK(MPI_T_event_read(event, 0, &mechanism));
    events++;
}

/* Each sends the other a message that one copy brings. */
static void exchange(int turn)
{
    for (int i = 0; i < WORDS; i++)
        out[i] = rank + turn + i;
    OK(MPI_Sendrecv(out, WORDS, MPI_INT, 1 - rank, turn, in, WORDS, MPI_INT, 1 - rank, turn,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < WORDS; i++)
        EQUAL(in[i], 1 - rank + turn + i);
}

/* The first element of the event is called so. */
static void named(int event, const char *expected)
{
    char name[100];
    int verbosity, elements = 0, bind, count, value, length = sizeof name;
    MPI_T_enum names;
    OK(MPI_T_event_get_info(event, NULL, NULL, &verbosity, NULL, NULL, &elements, &names, NULL, NULL,
                            NULL, &bind));
    EQUAL(elements, 1);
    OK(MPI_T_enum_get_info(names, &count, NULL, NULL));
    EQUAL(count, elements);
    OK(MPI_T_enum_get_item(names, 0, &value, name, &length));
    EQUAL(value, 0);
    CHECK(strcmp(name, expected) == 0);
    EQUAL(MPI_T_enum_get_item(names, 1, &value, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
}

int main(int argc, char **argv)
{
    int provided, event, all;
    MPI_T_event_registration registration;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_event_get_index("mechanism_given_up", &event));
    named(event, "mechanism");
    OK(MPI_T_event_handle_alloc(event, NULL, MPI_INFO_NULL, &registration));
    OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, count_event));
    start(&argc, &argv);
    exchange(1);
    EQUAL(events, 0);
    EQUAL(refuse_copies(), 0);
    for (int turn = 2; turn < 5; turn++)
        exchange(turn);
    /* Once one of them has failed, it may not let the other one try. */
    OK(MPI_Allreduce(&events, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all == 1 || all == 2);
    CHECK(events <= 1);
    EQUAL(mechanism, events ? CMA : -1);
    OK(MPI_T_event_handle_free(registration, NULL, NULL));
    OK(MPI_T_finalize());
    return finish();
}
