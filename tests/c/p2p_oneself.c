// np: 1 2
/* Messages to oneself, which need no lane where their receive waits: every mode, elements with and
 * without gaps on either side, receives posted ahead, late, for any source, after a probe or too
 * short, and messages that overtake none of those before them. */
#include "check.h"

enum { LONGEST = 300000, WAYS = 6 };
enum { AHEAD, LATE, ANY, PROBED, SHORT, EXCHANGED };

static const int LENGTHS[] = {0, 1, 8, 63, 4000, 20000, 70000, LONGEST};
static unsigned char out[2 * LONGEST], in[2 * LONGEST + 2], expected[2 * LONGEST];

/* Every byte is followed by a gap of one, or by none. */
static MPI_Datatype bytes_with(int gap)
{
    MPI_Datatype made;
    OK(MPI_Type_create_resized(MPI_BYTE, 0, 1 + gap, &made));
    OK(MPI_Type_commit(&made));
    return made;
}

static void same(int got, int from_gap, int to_gap)
{
    for (int i = 0; i < got; i++) {
        EQUAL(in[i * (1 + to_gap)], expected[i * (1 + from_gap)]);
        if (to_gap)
            EQUAL(in[2 * i + 1], 0xa5);
    }
    EQUAL(in[got * (1 + to_gap)], 0xa5);
}

static void receive(int way, int room, MPI_Datatype type, MPI_Request *request)
{
    int source = way == ANY ? MPI_ANY_SOURCE : rank;
    MPI_Message message;
    if (way == PROBED) {
        OK(MPI_Mprobe(rank, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
        OK(MPI_Imrecv(in, room, type, &message, request));
        return;
    }
    OK(MPI_Irecv(in, room, type, source, way == ANY ? MPI_ANY_TAG : 7, MPI_COMM_WORLD, request));
}

static void one(int way, int len, int from_gap, int to_gap, int synchronous)
{
    MPI_Datatype from = bytes_with(from_gap), to = bytes_with(to_gap);
    MPI_Request sent = MPI_REQUEST_NULL, received;
    MPI_Status status;
    int room = way == SHORT ? len / 2 : len, count, class = MPI_SUCCESS;
    memset(in, 0xa5, sizeof in);
    fill(out, sizeof out, 100L * len + way + rank);
    memcpy(expected, out, sizeof expected);
    if (way == EXCHANGED) {
        OK(MPI_Sendrecv(out, len, from, rank, 7, in, len, to, rank, 7, MPI_COMM_WORLD, &status));
    } else {
        if (way == AHEAD || way == ANY)
            receive(way, room, to, &received);
        if (synchronous)
            OK(MPI_Issend(out, len, from, rank, 7, MPI_COMM_WORLD, &sent));
        else
            OK(MPI_Isend(out, len, from, rank, 7, MPI_COMM_WORLD, &sent));
        if (way != AHEAD && way != ANY)
            receive(way, room, to, &received);
        int error = MPI_Wait(&received, &status);
        if (error)
            OK(MPI_Error_class(error, &class));
        OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
    }
    EQUAL(class, room < len ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    EQUAL(status.MPI_SOURCE, rank);
    EQUAL(status.MPI_TAG, 7);
    OK(MPI_Get_count(&status, MPI_BYTE, &count));
    EQUAL(count, room);
    same(room, from_gap, to_gap);
    OK(MPI_Type_free(&from));
    OK(MPI_Type_free(&to));
}

/* A message that waits for its receive is older than one that finds its receive at once. */
static void in_order(int len)
{
    MPI_Request request[5];
    MPI_Status status[2];
    static unsigned char first[LONGEST], second[LONGEST], other[8];
    fill(out, (size_t)len, 1);
    fill(out + LONGEST, (size_t)len, 2);
    OK(MPI_Isend(out, len, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &request[0]));
    OK(MPI_Irecv(other, 8, MPI_BYTE, rank, 3, MPI_COMM_WORLD, &request[1]));
    OK(MPI_Isend(out + LONGEST, len, MPI_BYTE, rank, 2, MPI_COMM_WORLD, &request[2]));
    OK(MPI_Irecv(first, len, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[3]));
    OK(MPI_Send("onward!", 8, MPI_BYTE, rank, 3, MPI_COMM_WORLD));
    OK(MPI_Irecv(second, len, MPI_BYTE, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &request[4]));
    OK(MPI_Waitall(2, request + 3, status));
    EQUAL(status[0].MPI_TAG, 1);
    EQUAL(status[1].MPI_TAG, 2);
    OK(MPI_Waitall(3, request, MPI_STATUSES_IGNORE));
    FILLED(first, (size_t)len, 1);
    FILLED(second, (size_t)len, 2);
    EQUAL(memcmp(other, "onward!", 8), 0);
}

/* What is not received may be taken back. */
static void withdrawn(int len)
{
    MPI_Request request;
    MPI_Status status;
    int flag;
    OK(MPI_Issend(out, len, MPI_BYTE, rank, 9, MPI_COMM_WORLD, &request));
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 1);
    OK(MPI_Iprobe(rank, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    EQUAL(flag, 0);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (size_t at = 0; at < sizeof LENGTHS / sizeof *LENGTHS; at++) {
        for (int way = 0; way < WAYS; way++)
            for (int form = 0; form < 8; form++)
                one(way, LENGTHS[at], form & 1, form >> 1 & 1, form >> 2);
        in_order(LENGTHS[at]);
        withdrawn(LENGTHS[at]);
    }
    return finish();
}
