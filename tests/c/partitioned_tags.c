// np: 1 2 3
/* Partitioned requests whose tags differ never take each other's messages. Tags may have 31 bits,
 * more than a library has for them where it also has to distinguish requests and their messages.
 * Here are tags that agree in all but one bit, requests that are started in another order than the
 * one in which they were made, and more of one tag than a program usually has. */
#include "check.h"

enum { TAGS_MAX = 80, SAME = 1100, ROUNDS = 2 };

static int to, from;

static MPI_Request sender(int *data, int tag)
{
    MPI_Request made;
    OK(MPI_Psend_init(data, 2, 1, MPI_INT, to, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &made));
    return made;
}

static MPI_Request receiver(int *data, int tag)
{
    MPI_Request made;
    OK(MPI_Precv_init(data, 2, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &made));
    return made;
}

/* Both sides make `n` requests, in an order of their own where the tags differ, and start them in
 * other orders. Which one it is shows in what it sends. */
static void exchange(const int *tags, int n, int in_order)
{
    static MPI_Request send[SAME], recv[SAME];
    static int out[SAME][2], in[SAME][2];
    for (int i = 0; i < n; i++) {
        int other = in_order ? i : n - 1 - i;
        send[i] = sender(out[i], tags[i]);
        recv[other] = receiver(in[other], tags[other]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++) {
            in[i][0] = in[i][1] = -1;
            out[i][0] = 10000 * rank + i;
            out[i][1] = tags[i] - round;
        }
        for (int i = n - 1; i >= 0; i--)
            OK(MPI_Start(&recv[i]));
        for (int i = 0; i < n; i++) {
            int one = (i + n / 2 + round) % n;
            OK(MPI_Start(&send[one]));
            OK(MPI_Pready_range(0, 1, send[one]));
        }
        for (int i = 0; i < n; i++) {
            MPI_Status status;
            OK(MPI_Wait(&recv[i], &status));
            EQUAL(status.MPI_TAG, tags[i]);
            EQUAL(status.MPI_SOURCE, from);
            EQUAL(in[i][0], 10000 * from + i);
            EQUAL(in[i][1], tags[i] - round);
        }
        OK(MPI_Waitall(n, send, MPI_STATUSES_IGNORE));
    }
    for (int i = 0; i < n; i++) {
        OK(MPI_Request_free(&send[i]));
        OK(MPI_Request_free(&recv[i]));
    }
}

int main(int argc, char **argv)
{
    static int tags[SAME];
    int *limit, flag, n = 0;
    start(&argc, &argv);
    to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &flag));
    CHECK(flag);
    for (int bit = 0; bit < 31 && (1 << bit) <= *limit; bit++) {
        tags[n++] = 1 << bit;
        if ((1 << bit | 0x4321) <= *limit && (0x4321 & 1 << bit) == 0)
            tags[n++] = 1 << bit | 0x4321;
    }
    tags[n++] = 0x4321;
    if ((*limit & (*limit - 1)) != 0)
        tags[n++] = *limit;
    CHECK(n < TAGS_MAX);
    exchange(tags, n, 0);
    exchange(tags, n, 0);
    for (int i = 0; i < SAME; i++)
        tags[i] = 77;
    exchange(tags, SAME, 1);
    return finish();
}
