// np: 1 2 4
/* The world model alone in one thread, without locks, when a session of another thread begins:
 * the gates must become shared under the feet of a thread that is inside. */
#include "session.h"

#include <pthread.h>

static void *later(void *argument)
{
    (void)argument;
    usleep(3000);
    for (int n = 0; n < 20; n++) {
        MPI_Session session = begin("MPI_THREAD_SINGLE");
        use(session, "mpi://WORLD", "later");
        OK(MPI_Session_finalize(&session));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    pthread_t thread;
    EQUAL(pthread_create(&thread, NULL, later, NULL), 0);
    for (int n = 0; n < 3000; n++)
        work(MPI_COMM_WORLD);
    EQUAL(pthread_join(thread, NULL), 0);
    OK(MPI_Finalize());
    MPI_Session session = begin(NULL);
    use(session, "mpi://WORLD", "after");
    OK(MPI_Session_finalize(&session));
    return 0;
}
