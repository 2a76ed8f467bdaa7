// np: 2 3 4
/* Beginning a session is local, and so is everything else that the last rank does not take part
 * in: it never calls MPI, sleeps a while, and the others must not wait for it. */
#include "session.h"

#include <sys/time.h>

static double now(void)
{
    struct timeval time;
    gettimeofday(&time, NULL);
    return time.tv_sec + time.tv_usec * 1e-6;
}

int main(void)
{
    const char *number = getenv("OMPI_COMM_WORLD_RANK"), *count = getenv("OMPI_COMM_WORLD_SIZE");
    CHECK(number && count);
    rank = atoi(number);
    ranks = atoi(count);
    if (rank == ranks - 1) {
        sleep(3);
        return 0;
    }
    double began = now();
    for (int n = 0; n < 10; n++) {
        MPI_Session session = begin(NULL);
        MPI_Group all, most;
        MPI_Comm comm;
        OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &all));
        OK(MPI_Group_excl(all, 1, (int[]){ranks - 1}, &most));
        OK(MPI_Comm_create_from_group(most, "most", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        work(comm);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Group_free(&all));
        OK(MPI_Group_free(&most));
        OK(MPI_Session_finalize(&session));
    }
    CHECK(now() - began < 2.5);
    return 0;
}
