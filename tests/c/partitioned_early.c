// np: 1 2 3
/* Partitions travel as they become ready: the receiver sees each before the next one is ready, in
 * any order, whatever its own number of partitions is. Then elements with gaps, messages shorter
 * than the room for them, and those of a few bytes or none. */
#include "check.h"

enum { PARTS = 8, PART_BYTES = 6000, BYTES = PARTS * PART_BYTES, TAG = 5 };

static unsigned char out[BYTES], in[BYTES];
static int to, from;

static int arrived(MPI_Request request, int part)
{
    int flag;
    OK(MPI_Parrived(request, part, &flag));
    return flag;
}

/* Each partition is written, made ready and awaited by itself. */
static void early(int parts)
{
    static unsigned char mine[BYTES], theirs[BYTES];
    const int order[PARTS] = {5, 0, 7, 2, 1, 6, 3, 4}, len = BYTES / parts;
    MPI_Request send, recv;
    OK(MPI_Psend_init(out, PARTS, PART_BYTES, MPI_BYTE, to, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &send));
    OK(MPI_Precv_init(in, parts, len, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
    for (int round = 0; round < 3; round++) {
        fill(mine, BYTES, 10 * round + rank);
        fill(theirs, BYTES, 10 * round + from);
        memset(in, 0, sizeof in);
        memset(out, 0, sizeof out);
        OK(MPI_Start(&recv));
        OK(MPI_Start(&send));
        for (int turn = 0; turn < PARTS; turn++) {
            int at = order[turn] * PART_BYTES;
            EQUAL(arrived(recv, at / len), 0);
            OK(MPI_Barrier(MPI_COMM_WORLD));
            memcpy(out + at, mine + at, PART_BYTES);
            OK(MPI_Pready(order[turn], send));
            for (int part = at / len; part * len < at + PART_BYTES; part++) {
                while (!arrived(recv, part))
                    continue;
                EQUAL(memcmp(in + part * len, theirs + part * len, (size_t)len), 0);
            }
            OK(MPI_Barrier(MPI_COMM_WORLD));
        }
        OK(MPI_Wait(&recv, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    }
    OK(MPI_Request_free(&send));
    OK(MPI_Request_free(&recv));
}

/* Sends `bytes` bytes in `parts` partitions, in descending order, to a receiver of `room` bytes in
 * one or three. With `gaps` the elements of one side are every second byte. */
static void whole(int parts, int bytes, int room, int gaps)
{
    MPI_Datatype every_second, types[2] = {MPI_BYTE, MPI_BYTE};
    MPI_Request send, recv;
    MPI_Status status;
    int count, mine = room % 3 ? 1 : 3;
    OK(MPI_Type_create_resized(MPI_BYTE, 0, 2, &every_second));
    OK(MPI_Type_commit(&every_second));
    if (gaps)
        types[gaps - 1] = every_second;
    OK(MPI_Psend_init(out, parts, parts ? bytes / parts : 0, types[0], to, TAG, MPI_COMM_WORLD,
                      MPI_INFO_NULL, &send));
    OK(MPI_Precv_init(in, mine, room / mine, types[1], from, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &recv));
    for (int round = 0; round < 2; round++) {
        unsigned char expected[BYTES];
        memset(in, 0xa5, sizeof in);
        fill(out, sizeof out, round + rank);
        OK(MPI_Start(&send));
        OK(MPI_Start(&recv));
        for (int part = parts - 1; part >= 0; part--)
            OK(MPI_Pready(part, send));
        OK(MPI_Wait(&recv, &status));
        OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        EQUAL(count, bytes);
        EQUAL(status.MPI_SOURCE, from);
        EQUAL(status.MPI_TAG, TAG);
        fill(expected, sizeof expected, round + from);
        for (int i = 0; i < bytes; i++) {
            int sent = gaps == 1 ? 2 * i : i, received = gaps == 2 ? 2 * i : i;
            EQUAL(in[received], expected[sent]);
            if (gaps == 2)
                EQUAL(in[received + 1], 0xa5);
        }
        if (mine * (room / mine) == bytes && gaps != 2)
            EQUAL(in[bytes], 0xa5);
    }
    OK(MPI_Request_free(&send));
    OK(MPI_Request_free(&recv));
    OK(MPI_Type_free(&every_second));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    early(PARTS);
    early(2 * PARTS);
    for (int gaps = 0; gaps <= 2; gaps++) {
        whole(8, 21000, 21000, gaps);
        whole(5, 20000, 20001, gaps);
        whole(7, 7000, 18000, gaps);
        whole(1, 3, 3, gaps);
        whole(3, 3, 10, gaps);
        whole(2, 0, 6, gaps);
        whole(2, 0, 0, gaps);
        whole(0, 0, 6, gaps);
    }
    return finish();
}
