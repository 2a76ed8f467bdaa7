// np: 1 2 4
/* Sessions before, around, beside and after the world model, at lower levels of thread support
 * than MPI_THREAD_MULTIPLE, and in another thread than the world's. */
#include "session.h"

#include <pthread.h>

static void *beside(void *argument)
{
    (void)argument;
    for (int n = 0; n < 20; n++) {
        MPI_Session session = begin("MPI_THREAD_SERIALIZED");
        use(session, "mpi://WORLD", "beside");
        OK(MPI_Session_finalize(&session));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    MPI_Session session = begin("MPI_THREAD_FUNNELED");
    use(session, "mpi://WORLD", "before");
    OK(MPI_Session_finalize(&session));

    MPI_Session around = begin("MPI_THREAD_FUNNELED");
    MPI_Comm outlives = join(around, "mpi://WORLD", "around");
    work(outlives);
    int provided, flag;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    OK(MPI_Query_thread(&provided));
    EQUAL(provided, MPI_THREAD_FUNNELED);
    work(MPI_COMM_WORLD);
    work(outlives);

    /* Sessions of another thread come and go while this one is in and out of MPI all the time. */
    pthread_t thread;
    EQUAL(pthread_create(&thread, NULL, beside, NULL), 0);
    for (int n = 0; n < 2000; n++)
        work(n % 2 ? MPI_COMM_WORLD : outlives);
    EQUAL(pthread_join(thread, NULL), 0);

    OK(MPI_Finalize());
    OK(MPI_Finalized(&flag));
    CHECK(flag);
    work(outlives);
    use(around, "mpi://WORLD", "after");
    OK(MPI_Comm_free(&outlives));
    OK(MPI_Session_finalize(&around));

    for (int n = 0; n < 3; n++) {
        session = begin(NULL);
        use(session, "mpi://WORLD", "after all");
        OK(MPI_Session_finalize(&session));
    }
    return 0;
}
