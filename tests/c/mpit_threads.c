// np: 2
/* Threads with sessions of their own read and reset variables while others send, and more threads
 * initialise and finalise the interface, list all that there is, and make and free handles. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300 };

static void *tool(void *number)
{
    int provided, count, at, elements;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle bytes, waits;
    unsigned long values[2], seen = 0;
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    OK(MPI_T_pvar_session_create(&session));
    OK(MPI_T_pvar_get_index("pml_monitoring_messages_size", MPI_T_PVAR_CLASS_SIZE, &at));
    OK(MPI_T_pvar_handle_alloc(session, at, &world, &bytes, &elements));
    OK(MPI_T_pvar_get_index("engine_waits", MPI_T_PVAR_CLASS_COUNTER, &at));
    OK(MPI_T_pvar_handle_alloc(session, at, NULL, &waits, &elements));
    OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    OK(MPI_T_cvar_get_num(&count));
    for (int i = 0; i < ROUNDS; i++) {
        char text[4096], name[200];
        int length = sizeof name;
        MPI_T_cvar_handle cvar;
        OK(MPI_T_cvar_get_info(i % count, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        OK(MPI_T_cvar_get_index(name, &at));
        EQUAL(at, i % count);
        OK(MPI_T_cvar_handle_alloc(at, NULL, &cvar, &elements));
        OK(MPI_T_cvar_read(cvar, text));
        OK(MPI_T_cvar_handle_free(&cvar));
        OK(MPI_T_pvar_read(session, bytes, values));
        CHECK(values[1 - rank] >= seen);
        seen = values[1 - rank];
        if (i % 10 == 9) {
            OK(MPI_T_pvar_readreset(session, bytes, values));
            CHECK(values[1 - rank] >= seen);
            seen = 0;
        }
    }
    (void)number;
    OK(MPI_T_pvar_session_free(&session));
    OK(MPI_T_finalize());
    return NULL;
}

static void *sender(void *number)
{
    int out = 1, in, tag = *(int *)number;
    for (int i = 0; i < ROUNDS; i++)
        OK(MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, tag, &in, 1, MPI_INT, 1 - rank, tag,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS], at, elements;
    pthread_t tools[THREADS], senders[THREADS];
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle count;
    unsigned long values[2];
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    OK(MPI_T_pvar_session_create(&session));
    OK(MPI_T_pvar_get_index("pml_monitoring_messages_count", MPI_T_PVAR_CLASS_SIZE, &at));
    OK(MPI_T_pvar_handle_alloc(session, at, &world, &count, &elements));
    EQUAL(elements, 2);
    OK(MPI_T_pvar_start(session, count));
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        EQUAL(pthread_create(&tools[i], NULL, tool, &numbers[i]), 0);
        EQUAL(pthread_create(&senders[i], NULL, sender, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        EQUAL(pthread_join(tools[i], NULL), 0);
        EQUAL(pthread_join(senders[i], NULL), 0);
    }
    OK(MPI_T_pvar_read(session, count, values));
    EQUAL(values[1 - rank], THREADS * ROUNDS);
    OK(MPI_T_finalize());
    return finish();
}
