// np: 2 4
// alone
/* A rank that waits for a message for long leaves its core alone, and so does one whose messages
 * nobody takes. */
#include "check.h"
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SECONDS = 1 };

static double busy_seconds(void)
{
    struct rusage usage;
    EQUAL(getrusage(RUSAGE_SELF, &usage), 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void at_most(double busy, double allowed, const char *what)
{
    if (busy > allowed)
        check_failed(__FILE__, __LINE__, what, (long long)(busy * 1e6), (long long)(allowed * 1e6));
}

static void wait_for_a_message(void)
{
    int word = 0;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        sleep(SECONDS);
        for (int to = 1; to < ranks; to++)
            OK(MPI_Send(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD));
    } else {
        double before = busy_seconds();
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        /* 10 ms to fall asleep, then one per cent. */
        at_most(busy_seconds() - before, 0.01 + 0.01 * SECONDS,
                "busy while waiting (us, allowed)");
    }
}

/* Rank 1 sends more than lanes hold while rank 0 takes nothing. What it uses of its core is asked
 * in the second half, when it has long filled them and nothing has been taken yet. */
static void *watch(void *busy)
{
    usleep(SECONDS * 400 * 1000);
    double before = busy_seconds();
    usleep(SECONDS * 500 * 1000);
    *(double *)busy = busy_seconds() - before;
    return NULL;
}

static void send_to_nobody(void)
{
    enum { MESSAGES = 20000, LENGTH = 256 };
    static char data[LENGTH];
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        sleep(SECONDS);
        for (int i = 0; i < MESSAGES; i++) {
            OK(MPI_Recv(data, LENGTH, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL(data[LENGTH - 1], (char)i);
        }
    } else if (rank == 1) {
        MPI_Request *requests = malloc(MESSAGES * sizeof *requests);
        char *sent = malloc((size_t)MESSAGES * LENGTH);
        pthread_t watcher;
        double busy = 0;
        EQUAL(pthread_create(&watcher, NULL, watch, &busy), 0);
        for (int i = 0; i < MESSAGES; i++) {
            memset(sent + (size_t)i * LENGTH, i, LENGTH);
            OK(MPI_Isend(sent + (size_t)i * LENGTH, LENGTH, MPI_CHAR, 0, 1, MPI_COMM_WORLD,
                         &requests[i]));
        }
        OK(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
        EQUAL(pthread_join(watcher, NULL), 0);
        /* It looks for room each 10 ms then, and its helper thread each 8: some 110 wake-ups of 100
         * us where these are dear. Sleeps of 1 ms would cost three times as much. */
        at_most(busy, 0.02 * SECONDS, "busy while nobody takes (us, allowed)");
        free(sent);
        free(requests);
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    wait_for_a_message();
    send_to_nobody();
    return finish();
}
