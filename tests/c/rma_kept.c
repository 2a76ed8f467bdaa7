// np: 2 3 4
/* Who locks again and again keeps its ticket, which is in nobody's way: neither while it goes on, nor
 * while it computes and calls nothing. Nothing that was counted under the lock is lost. */
#include "check.h"

#include <unistd.h>

enum { OFTEN = 4000, SELDOM = 20 };

static MPI_Win win;

/* Adds 1 to the target's counter, under its lock; how much it was. */
static long add(int target, int kind)
{
    long seen = -1, next;
    OK(MPI_Win_lock(kind, target, 0, win));
    OK(MPI_Get(&seen, 1, MPI_LONG, target, 0, 1, MPI_LONG, win));
    OK(MPI_Win_flush(target, win));
    next = seen + 1;
    if (kind == MPI_LOCK_EXCLUSIVE)
        OK(MPI_Put(&next, 1, MPI_LONG, target, 0, 1, MPI_LONG, win));
    OK(MPI_Win_unlock(target, win));
    return seen;
}

/* One after the other goes on while all others come between. */
static void come_between(int kind)
{
    int target = ranks - 1;
    long expected = 0, before = add(target, MPI_LOCK_SHARED);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int often = 0; often < ranks; often++) {
        for (int time = 0; time < (rank == often ? OFTEN : SELDOM); time++) {
            add(target, rank == often ? kind : MPI_LOCK_EXCLUSIVE);
            if (rank != often)
                usleep(50);
        }
        expected += (ranks - 1) * SELDOM + (kind == MPI_LOCK_EXCLUSIVE ? OFTEN : 0);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    EQUAL(add(target, MPI_LOCK_SHARED), before + expected);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* The one who keeps its ticket calls nothing any more until the others had the lock. */
static void come_afterwards(int kind, int allocated)
{
    int target = ranks - 1, token = 0;
    if (rank == 0) {
        for (int time = 0; time < OFTEN; time++)
            add(target, kind);
        for (int other = 1; other < ranks; other++)
            OK(MPI_Send(&token, 1, MPI_INT, other, 1, MPI_COMM_WORLD));
        usleep(300000);
    } else {
        OK(MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        double began = MPI_Wtime();
        add(target, MPI_LOCK_EXCLUSIVE);
        add(target, MPI_LOCK_SHARED);
        /* Elsewhere the target has to answer. */
        if (allocated)
            CHECK(MPI_Wtime() - began < 0.25);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int allocated = 0; allocated < 2; allocated++) {
        long *counter, own = 0;
        if (allocated) {
            OK(MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD,
                                &counter, &win));
        } else {
            counter = &own;
            OK(MPI_Win_create(counter, sizeof *counter, sizeof *counter, MPI_INFO_NULL,
                              MPI_COMM_WORLD, &win));
        }
        *counter = 0;
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int shared = 0; shared < 2; shared++) {
            int kind = shared ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
            come_between(kind);
            come_afterwards(kind, allocated);
        }
        OK(MPI_Win_free(&win));
    }
    return finish();
}
