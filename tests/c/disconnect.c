// np: 2 4
// quick
/* MPI_Comm_disconnect waits for what is pending on the communicator: messages of every form, a
 * freed one, a persistent one and a collective. Their requests stay with the program. */
#include "check.h"

enum { LONG = 16 << 20, SHORT = 100 };

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Request requests[6], freed;
    int flag, one = 1, sum = 0, word = -1;
    start(&argc, &argv);
    int partner = rank ^ 1;
    unsigned char *out = malloc(LONG), *in = calloc(1, LONG);
    unsigned char small_out[SHORT], small_in[SHORT] = {0}, kept_out[SHORT], kept_in[SHORT] = {0};
    fill(out, LONG, rank);
    fill(small_out, SHORT, rank + 100);
    fill(kept_out, SHORT, rank + 200);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Irecv(in, LONG, MPI_BYTE, partner, 1, comm, &requests[0]));
    OK(MPI_Isend(out, LONG, MPI_BYTE, partner, 1, comm, &requests[1]));
    OK(MPI_Irecv(small_in, SHORT, MPI_BYTE, partner, 2, comm, &requests[2]));
    OK(MPI_Issend(small_out, SHORT, MPI_BYTE, partner, 2, comm, &requests[3]));
    OK(MPI_Recv_init(kept_in, SHORT, MPI_BYTE, partner, 3, comm, &requests[4]));
    OK(MPI_Start(&requests[4]));
    OK(MPI_Isend(kept_out, SHORT, MPI_BYTE, partner, 3, comm, &freed));
    OK(MPI_Request_free(&freed));
    OK(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[5]));
    OK(MPI_Irecv(&word, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &freed));

    OK(MPI_Comm_disconnect(&comm));
    CHECK(comm == MPI_COMM_NULL);
    FILLED(in, LONG, partner);
    FILLED(small_in, SHORT, partner + 100);
    FILLED(kept_in, SHORT, partner + 200);
    EQUAL(sum, ranks);
    for (int i = 0; i < 6; i++) {
        OK(MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE));
        CHECK(flag);
    }
    OK(MPI_Waitall(6, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Request_free(&requests[4]));

    /* That of another communicator did not matter. */
    OK(MPI_Test(&freed, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Send(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD));
    OK(MPI_Wait(&freed, MPI_STATUS_IGNORE));
    EQUAL(word, partner);
    free(out);
    free(in);
    return finish();
}
