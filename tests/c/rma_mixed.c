// np: 2 4
// alone
// check: not, an access to a checked window waits for its target
/* A window over several nodes, or one: a target that computes for a second delays no put or get
 * of another process of its node, for they share its memory; and exclusive locks keep origins of
 * all nodes apart, whether they load and store or send messages. */
#include "check.h"

enum { WORDS = 1000, ROUNDS = 50 };

/* In seconds. */
static const double COMPUTES = 1.0, PATIENCE = 0.5;

static long *memory;
static MPI_Win win;

/* Of the first two processes of each node the second one computes. */
static void near(void)
{
    int place, many, target = -1, second;
    long put[3] = {rank, 2, 3}, got[2] = {0, 0};
    MPI_Comm node;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_rank(node, &place));
    OK(MPI_Comm_size(node, &many));
    if (many > 1) {
        second = rank;
        OK(MPI_Bcast(&second, 1, MPI_INT, 1, node));
        target = place == 0 ? second : -1;
    }
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    double began = MPI_Wtime();
    if (place == 1) {
        volatile double sum = 0;
        while (MPI_Wtime() - began < COMPUTES)
            sum += 1;
    } else if (target >= 0) {
        MPI_Datatype apart;
        OK(MPI_Type_vector(3, 1, 2, MPI_LONG, &apart));
        OK(MPI_Type_commit(&apart));
        OK(MPI_Put(put, 3, MPI_LONG, target, 10, 1, apart, win));
        OK(MPI_Win_flush(target, win));
        OK(MPI_Get(got, 2, MPI_LONG, target, 11, 2, MPI_LONG, win));
        OK(MPI_Win_flush(target, win));
        EQUAL(got[0], 1011);
        EQUAL(got[1], 2);
        CHECK(MPI_Wtime() - began < PATIENCE);
        OK(MPI_Type_free(&apart));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_unlock_all(win));
    if (place == 1) {
        EQUAL(memory[11], 1011);
        EQUAL(memory[12], 2);
        EQUAL(memory[14], 3);
    }
    OK(MPI_Comm_free(&node));
}

/* All change a word of rank 0, which no operation of MPI does at once, and count with one that
 * does. */
static void locks(void)
{
    const long one = 1;
    long before;
    for (int i = 0; i < ROUNDS; i++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Get(&before, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
        OK(MPI_Win_flush(0, win));
        before++;
        OK(MPI_Put(&before, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
        OK(MPI_Win_unlock(0, win));
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 1, MPI_SUM, win));
        OK(MPI_Win_unlock(0, win));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    long seen[2];
    OK(MPI_Get(seen, 2, MPI_LONG, 0, 0, 2, MPI_LONG, win));
    OK(MPI_Win_unlock(0, win));
    EQUAL(seen[0], (long)ranks * ROUNDS);
    EQUAL(seen[1], (long)ranks * ROUNDS);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Win_allocate(WORDS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                        &memory, &win));
    for (int i = 0; i < WORDS; i++)
        memory[i] = i < 2 ? 0 : 1000 + i;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    near();
    locks();
    OK(MPI_Win_free(&win));
    return finish();
}
