// np: 1 2 3 4
/* One session stays while others come and go, on some ranks or on all: a rank whose life goes on
 * meets others in one life after the other, and keeps what belongs to earlier ones apart. Messages
 * that were sent before a session ended arrive after. An argument is the number of rounds. */
#include "session.h"

static MPI_Comm pair(MPI_Session session, int partner, const char *tag)
{
    MPI_Group all, two;
    MPI_Comm comm;
    int first = rank < partner ? rank : partner, second = rank < partner ? partner : rank;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &all));
    OK(MPI_Group_incl(all, 2, (int[]){first, second}, &two));
    OK(MPI_Comm_create_from_group(two, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&all));
    OK(MPI_Group_free(&two));
    return comm;
}

/* Rank 0 stays in one session. Each of the others comes, leaves a message, and is gone, perhaps
 * before it is received. */
static void visitors(MPI_Session keeper, int rounds, int count)
{
    enum { LARGE = 5000 };
    static int data[LARGE];
    for (int round = 0; round < rounds; round++) {
        char tag[32];
        for (int visitor = 1; visitor < ranks; visitor++) {
            snprintf(tag, sizeof tag, "visit %d", visitor);
            if (rank == 0) {
                MPI_Comm comm = pair(keeper, visitor, tag);
                for (int n = 0; n < count; n++) {
                    OK(MPI_Recv(data, LARGE, MPI_INT, MPI_ANY_SOURCE, n, comm, MPI_STATUS_IGNORE));
                    EQUAL(data[0], round * 1000 + n);
                    EQUAL(data[n % 2 ? LARGE - 1 : 9], visitor);
                }
                OK(MPI_Comm_free(&comm));
            } else if (rank == visitor) {
                MPI_Session session = begin("MPI_THREAD_SERIALIZED");
                MPI_Comm comm = pair(session, 0, tag);
                for (int n = 0; n < count; n++) {
                    data[0] = round * 1000 + n;
                    data[LARGE - 1] = data[9] = rank;
                    OK(MPI_Send(data, n % 2 ? LARGE : 10, MPI_INT, 0, n, comm));
                }
                OK(MPI_Comm_free(&comm));
                OK(MPI_Session_finalize(&session));
            }
        }
    }
}

/* Two sessions of each rank, ended in the other order every time; a communicator of the one
 * outlives the other. */
static void crossed(int rounds)
{
    MPI_Session one = begin(NULL);
    for (int round = 0; round < rounds; round++) {
        MPI_Session two = begin(NULL);
        MPI_Comm of_one = join(one, "mpi://WORLD", "one"), of_two = join(two, "mpi://WORLD", "two");
        work(of_one);
        work(of_two);
        OK(MPI_Comm_free(&of_one));
        OK(MPI_Session_finalize(&one));
        work(of_two);
        OK(MPI_Comm_free(&of_two));
        one = two;
    }
    OK(MPI_Session_finalize(&one));
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Session keeper = begin(NULL);
    MPI_Group all;
    OK(MPI_Group_from_session_pset(keeper, "mpi://WORLD", &all));
    OK(MPI_Group_rank(all, &rank));
    OK(MPI_Group_size(all, &ranks));
    OK(MPI_Group_free(&all));
    if (rank != 0)
        OK(MPI_Session_finalize(&keeper));
    visitors(keeper, rounds, 6);
    if (rank == 0)
        OK(MPI_Session_finalize(&keeper));
    crossed(rounds);
    return 0;
}
