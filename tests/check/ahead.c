/* A rank that is far ahead of the other one: it starts more collective calls than may be announced
 * without an answer. Under `mpirun --check` it waits then: until the other one comes, or, where that
 * takes too long, once for ten seconds, and its calls are not compared from then on. Either way the
 * program ends right. The argument says how many seconds the other one comes late. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CALLS = 22000 };

int main(int argc, char **argv)
{
    static MPI_Request requests[CALLS];
    static int values[CALLS];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int late = argc > 1 ? atoi(argv[1]) : 0;
    if (rank == 1)
        sleep(late);
    double longest = 0;
    for (int i = 0; i < CALLS; i++) {
        values[i] = rank == 0 ? i : -1;
        double began = MPI_Wtime();
        MPI_Ibcast(&values[i], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[i]);
        double took = MPI_Wtime() - began;
        longest = took > longest ? took : longest;
    }
    MPI_Waitall(CALLS, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < CALLS; i++) {
        if (values[i] != i) {
            printf("call %d of rank %d: %d\n", i, rank, values[i]);
            break;
        }
    }
    if (rank == 0)
        printf("one call took %s\n", longest > 9.5 ? "ten seconds" : longest > 1 ? "long" : "no time");
    return MPI_Finalize();
}
