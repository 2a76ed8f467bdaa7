// np: 1 2 3
// quick
/* Partitioned communication: partitions made ready in any order, by one call, a list or a range;
 * counts and types that differ on the two sides; the same requests again and again. */
#include "check.h"

enum { PARTS = 8, PART_BYTES = 3000, TAG = 11, TURNS = 4 };

static unsigned char out[PARTS * PART_BYTES], in[PARTS * PART_BYTES];

static void make_ready(MPI_Request send, int turn)
{
    int some[] = {5, 0, 7};
    switch (turn % 3) {
    case 0:
        for (int part = PARTS - 1; part >= 0; part--)
            OK(MPI_Pready(part, send));
        break;
    case 1:
        OK(MPI_Pready_range(0, PARTS - 1, send));
        break;
    default:
        OK(MPI_Pready_list(3, some, send));
        OK(MPI_Pready_range(1, 4, send));
        OK(MPI_Pready(6, send));
    }
}

/* Requests of one tag belong together in the order in which they were made, whatever the order in
 * which they are started; requests of another tag between them do not count. */
static void in_order_of_initialization(void)
{
    enum { REQUESTS = 4 };
    static int sent[REQUESTS], received[REQUESTS];
    const int tags[2][REQUESTS] = {{1, 1, 200000, 1}, {200000, 1, 1, 1}};
    const int starts[REQUESTS] = {3, 1, 0, 2}, expected[REQUESTS] = {2, 0, 1, 3};
    MPI_Request send[REQUESTS], recv[REQUESTS];
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int i = 0; i < REQUESTS; i++) {
        OK(MPI_Psend_init(&sent[i], 1, 1, MPI_INT, to, tags[0][i], MPI_COMM_WORLD, MPI_INFO_NULL,
                          &send[i]));
        OK(MPI_Precv_init(&received[i], 1, 1, MPI_INT, from, tags[1][i], MPI_COMM_WORLD,
                          MPI_INFO_NULL, &recv[i]));
    }
    for (int turn = 0; turn < TURNS; turn++) {
        OK(MPI_Startall(REQUESTS, recv));
        for (int i = 0; i < REQUESTS; i++) {
            int one = starts[(i + turn) % REQUESTS];
            OK(MPI_Start(&send[one]));
            sent[one] = 1000 * rank + 10 * turn + one;
            OK(MPI_Pready(0, send[one]));
        }
        OK(MPI_Waitall(REQUESTS, recv, MPI_STATUSES_IGNORE));
        OK(MPI_Waitall(REQUESTS, send, MPI_STATUSES_IGNORE));
        for (int i = 0; i < REQUESTS; i++)
            EQUAL(received[i], 1000 * from + 10 * turn + expected[i]);
    }
    for (int i = 0; i < REQUESTS; i++) {
        OK(MPI_Request_free(&send[i]));
        OK(MPI_Request_free(&recv[i]));
    }
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    MPI_Status status;
    int flag, count;
    start(&argc, &argv);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    OK(MPI_Psend_init(out, PARTS, PART_BYTES, MPI_BYTE, to, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &request[0]));
    /* Half as many partitions, twice as long, of another type. */
    OK(MPI_Precv_init(in, PARTS / 2, PART_BYTES / 2, MPI_INT, from, TAG, MPI_COMM_WORLD,
                      MPI_INFO_NULL, &request[1]));
    for (int turn = 0; turn < TURNS; turn++) {
        fill(out, sizeof out, 100 * rank + turn);
        memset(in, 0, sizeof in);
        OK(MPI_Startall(2, request));
        make_ready(request[0], turn);
        for (int part = 0; part < PARTS / 2; part++)
            for (flag = 0; !flag;)
                OK(MPI_Parrived(request[1], part, &flag));
        FILLED(in, sizeof in, 100 * from + turn);
        OK(MPI_Wait(&request[1], &status));
        EQUAL(status.MPI_SOURCE, from);
        EQUAL(status.MPI_TAG, TAG);
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        EQUAL(count, PARTS * PART_BYTES);
        OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    }
    OK(MPI_Request_free(&request[0]));
    OK(MPI_Request_free(&request[1]));
    /* Nobody to send to, and nobody to receive from. */
    OK(MPI_Precv_init(in, 1, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &request[1]));
    OK(MPI_Start(&request[1]));
    OK(MPI_Wait(&request[1], &status));
    EQUAL(status.MPI_SOURCE, MPI_PROC_NULL);
    EQUAL(status.MPI_TAG, MPI_ANY_TAG);
    OK(MPI_Request_free(&request[1]));
    in_order_of_initialization();
    return finish();
}
