/* outlast exchange|compute SECONDS: ranks exchange what each of them checks for so many seconds,
 * or compute for that long first. It ends with 0 where all data is right, whatever happens to the
 * network meanwhile. */
#include "../c/check.h"

enum { BYTES = 100000 };

static unsigned char out[BYTES], in[BYTES];

int main(int argc, char **argv)
{
    int goes_on = 1;
    long round = 0;
    if (argc != 3)
        return 2;
    start(&argc, &argv);
    double until = MPI_Wtime() + atof(argv[2]);
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    while (!strcmp(argv[1], "compute") && MPI_Wtime() < until)
        ;
    for (; goes_on; round++) {
        int own, bytes = round % 2 ? BYTES : 8;
        fill(out, (size_t)bytes, round * ranks + rank);
        OK(MPI_Sendrecv(out, bytes, MPI_BYTE, next, 7, in, bytes, MPI_BYTE, before, 7,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        FILLED(in, (size_t)bytes, round * ranks + before);
        own = rank == 0 && MPI_Wtime() < until;
        OK(MPI_Allreduce(&own, &goes_on, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    }
    return finish();
}
