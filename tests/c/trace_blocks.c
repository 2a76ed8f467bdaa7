// np: 3
/* Collectives whose blocks have counts of their own, arrays left out where they do not count; the step
 * `trace` compares the bytes that a trace has of each. */
#include "check.h"

int main(int argc, char **argv)
{
    start(&argc, &argv);
    enum { MOST = 64 };
    int own = rank + 1, all = 0, counts[MOST], displs[MOST], same[MOST], steps[MOST], bytes[MOST], out[MOST * MOST],
        in[MOST * MOST] = {0};
    MPI_Datatype types[MOST];
    EQUAL(ranks <= MOST, 1);
    for (int i = 0; i < ranks; i++) {
        counts[i] = i + 1;
        displs[i] = all;
        all += counts[i];
        same[i] = own;
        steps[i] = own * i;
        types[i] = (rank + i) % 2 ? MPI_SHORT : MPI_INT;
        bytes[i] = 4 * i;
    }
    for (int i = 0; i < MOST * MOST; i++)
        out[i] = 1;
    OK(MPI_Alltoallv(out, counts, displs, MPI_INT, in, same, steps, MPI_INT, MPI_COMM_WORLD));
    int root = rank == 0;
    OK(MPI_Gatherv(out, own, MPI_INT, in, root ? counts : NULL, root ? displs : NULL, MPI_INT, 0, MPI_COMM_WORLD));
    OK(MPI_Scatterv(out, root ? counts : NULL, root ? displs : NULL, MPI_INT, in, own, MPI_INT, 0, MPI_COMM_WORLD));
    OK(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(in[0], ranks);
    for (int i = 0; i < ranks; i++)
        same[i] = 1;
    OK(MPI_Alltoallw(out, same, bytes, types, in, same, bytes, types, MPI_COMM_WORLD));
    for (int i = 0; i < ranks; i++)
        steps[i] = i;
    OK(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, same, steps, MPI_INT, MPI_COMM_WORLD));
    MPI_Comm ring;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring));
    OK(MPI_Neighbor_alltoallv(out, (int[]){1, 2}, (int[]){0, 1}, MPI_INT, in, (int[]){2, 1}, (int[]){0, 2}, MPI_INT,
                              ring));
    OK(MPI_Comm_free(&ring));
    return finish();
}
