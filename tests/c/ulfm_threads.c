// np: 3
// mpirun: --with-ft ulfm --oversubscribe
/* Threads ask for failures, free communicators, agree and poll partitions at once, while a rank
 * dies. MPI_Parrived polled with the tables of handles locked: the poll took in failures, whose lock
 * another thread had that waited for the tables, and both waited for ever. */
#include "check.h"

#include <mpi-ext.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { DEAD = 2, AGREEMENTS = 150 };

static MPI_Comm asked;
static MPI_Request receiving;
static atomic_int is_over;

static void *asks(void *none)
{
    while (!is_over) {
        int flag = 1;
        MPI_Group failed;
        OK(MPIX_Comm_is_revoked(asked, &flag));
        EQUAL(flag, 0);
        OK(MPIX_Comm_get_failed(asked, &failed));
        if (failed != MPI_GROUP_EMPTY)
            OK(MPI_Group_free(&failed));
    }
    return none;
}

static void *frees(void *none)
{
    while (!is_over) {
        MPI_Comm made;
        OK(MPI_Comm_dup(MPI_COMM_SELF, &made));
        OK(MPI_Comm_free(&made));
    }
    return none;
}

static void *polls(void *none)
{
    int here = 0;
    while (!here)
        OK(MPI_Parrived(receiving, 0, &here));
    return none;
}

static void *tests(void *none)
{
    int word, done = 0;
    MPI_Request request;
    OK(MPI_Irecv(&word, 1, MPI_INT, 1 - rank, 1, asked, &request));
    while (!done)
        OK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return none;
}

int main(int argc, char **argv)
{
    int level, in = 0, out = 0;
    MPI_Request sending;
    MPI_Comm agreed;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    EQUAL(level, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &asked));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &agreed));
    if (rank == DEAD) {
        usleep(50000);
        raise(SIGKILL);
    }
    int other = 1 - rank;
    OK(MPI_Psend_init(&out, 1, 1, MPI_INT, other, 2, asked, MPI_INFO_NULL, &sending));
    OK(MPI_Precv_init(&in, 1, 1, MPI_INT, other, 2, asked, MPI_INFO_NULL, &receiving));
    OK(MPI_Start(&sending));
    OK(MPI_Start(&receiving));

    void *(*const work[])(void *) = {asks, frees, polls, tests};
    enum { THREADS = sizeof work / sizeof *work };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    int seen = MPI_SUCCESS;
    for (int i = 0; i < AGREEMENTS || seen == MPI_SUCCESS; i++) {
        int flag = 1;
        int error = MPIX_Comm_agree(agreed, &flag);
        EQUAL(flag, 1);
        if (error != MPI_SUCCESS)
            EQUAL(class_of(error), MPIX_ERR_PROC_FAILED);
        seen = error != MPI_SUCCESS ? error : seen;
    }
    OK(MPI_Pready(0, sending));
    OK(MPI_Send(&rank, 1, MPI_INT, other, 1, asked));
    pthread_join(threads[2], NULL);
    pthread_join(threads[3], NULL);
    is_over = 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&receiving, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));
    OK(MPI_Comm_free(&asked));
    OK(MPI_Comm_free(&agreed));
    return finish();
}
