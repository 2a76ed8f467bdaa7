// np: 2
/* What is registered with a network: windows of a length that the program knows are pinned while they
 * are there, a window at the same place is registered already, and evictions are none. Where no network
 * carries anything all variables stay 0. */
#include "check.h"
#include <stdlib.h>

enum { BYTES = 1 << 20, ROUNDS = 5 };

static MPI_T_pvar_session session;

static MPI_T_pvar_handle handle(const char *name, int class)
{
    int at, count;
    MPI_T_pvar_handle handle;
    OK(MPI_T_pvar_get_index(name, class, &at));
    OK(MPI_T_pvar_handle_alloc(session, at, NULL, &handle, &count));
    EQUAL(count, 1);
    return handle;
}

static unsigned long value(MPI_T_pvar_handle handle)
{
    unsigned long value = 99;
    OK(MPI_T_pvar_read(session, handle, &value));
    return value;
}

int main(int argc, char **argv)
{
    int provided;
    char *memory = aligned_alloc(4096, BYTES);
    MPI_Win win;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_pvar_session_create(&session));
    start(&argc, &argv);
    MPI_T_pvar_handle pinned = handle("rcache_pinned_bytes", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle there = handle("rcache_registrations", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle hits = handle("rcache_hits", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle misses = handle("rcache_misses", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle evictions = handle("rcache_evictions", MPI_T_PVAR_CLASS_COUNTER);
    OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    unsigned long before = value(pinned);
    for (int i = 0; i < ROUNDS; i++) {
        OK(MPI_Win_create(memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        OK(MPI_Win_fence(0, win));
        OK(MPI_Put(&i, 1, MPI_INT, 1 - rank, 64, 1, MPI_INT, win));
        OK(MPI_Win_fence(0, win));
        EQUAL(*(int *)(memory + 64), i);
        if (value(misses) > 0) {
            CHECK(value(pinned) >= before + BYTES);
            CHECK(value(there) > 0);
        } else {
            EQUAL(value(pinned), 0);
            EQUAL(value(hits), 0);
        }
        OK(MPI_Win_free(&win));
    }
    /* A cache has kept the registration, or each window was registered anew. */
    if (value(misses) > 0)
        CHECK(value(hits) + value(misses) >= ROUNDS);
    EQUAL(value(evictions), 0);
    OK(MPI_T_finalize());
    free(memory);
    return finish();
}
