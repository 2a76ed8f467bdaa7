// np: 2 5
// quick
/* Messages of the lengths at which a transport changes its way: whole, in parts, announced. Each is
 * received as posted ahead, late, from any source, after a matched probe, in a buffer that is too
 * short, in synchronous mode, with gaps, and as one of several in a row. */
#include "check.h"

#include <unistd.h>

enum { AHEAD, LATE, PROBED, SHORT, SYNCHRONOUS, GAPS, ROW, WAYS };
enum { IN_A_ROW = 6, LONGEST = 1000000, BEYOND = 64 };

static const int LENGTHS[] = {4096,  8191,  8192,  8193,   12000,  16383,  16384,  16385,  24576,
                              32768, 33000, 65535, 65536,  65537,  100000, 131072, 200000, 262143,
                              262144, 262145, 300000, LONGEST};
enum { COUNT = sizeof LENGTHS / sizeof LENGTHS[0] };

static unsigned char out[LONGEST], in[LONGEST + BEYOND];

static void send_one(int way, int bytes, int tag)
{
    fill(out, (size_t)bytes, tag);
    if (way == GAPS) {
        MPI_Datatype every_second;
        OK(MPI_Type_vector(bytes / 2, 1, 2, MPI_UNSIGNED_CHAR, &every_second));
        OK(MPI_Type_commit(&every_second));
        OK(MPI_Send(out, 1, every_second, 1, tag, MPI_COMM_WORLD));
        OK(MPI_Type_free(&every_second));
    } else if (way == ROW) {
        MPI_Request row[IN_A_ROW];
        for (int i = 0; i < IN_A_ROW; i++)
            OK(MPI_Isend(out, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &row[i]));
        OK(MPI_Waitall(IN_A_ROW, row, MPI_STATUSES_IGNORE));
    } else if (way == SYNCHRONOUS) {
        OK(MPI_Ssend(out, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD));
    } else {
        OK(MPI_Send(out, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD));
    }
}

static void expect_count(const MPI_Status *status, int bytes)
{
    int count = -1;
    OK(MPI_Get_count(status, MPI_BYTE, &count));
    EQUAL(count, bytes);
}

static void expect(const MPI_Status *status, int bytes, int step, int tag)
{
    expect_count(status, bytes);
    EQUAL(status->MPI_SOURCE, 0);
    EQUAL(status->MPI_TAG, tag);
    for (int i = 0; i < bytes; i++)
        EQUAL(in[i], pattern(tag, (size_t)i * (size_t)step));
    for (int i = 0; i < BEYOND; i++)
        EQUAL(in[bytes + i], 0);
}

static void receive_short(int bytes, int tag)
{
    int class = 0;
    int code = MPI_Recv(in, bytes / 2, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OK(MPI_Error_class(code, &class));
    EQUAL(class, MPI_ERR_TRUNCATE);
    for (int i = 0; i < bytes; i++)
        EQUAL(in[i], i < bytes / 2 ? pattern(tag, (size_t)i) : 0);
}

static void receive_late(int bytes, int tag, MPI_Status *status)
{
    int there = 0;
    OK(MPI_Iprobe(0, WAYS * COUNT, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
    CHECK(!there);
    OK(MPI_Recv(in, bytes + 1, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status));
    EQUAL(status->MPI_TAG, tag);
}

static void receive_one(int way, int bytes, int tag)
{
    MPI_Status status;
    MPI_Message message;
    memset(in, 0, sizeof in);
    switch (way) {
    case SHORT:
        receive_short(bytes, tag);
        return;
    case LATE:
        receive_late(bytes, tag, &status);
        break;
    case PROBED:
        OK(MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, &status));
        expect_count(&status, bytes);
        OK(MPI_Mrecv(in, bytes, MPI_BYTE, &message, &status));
        break;
    case ROW:
        for (int i = 1; i < IN_A_ROW; i++) {
            OK(MPI_Recv(in, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status));
            expect(&status, bytes, 1, tag);
            memset(in, 0, sizeof in);
        }
        /* fall through */
    default:
        OK(MPI_Recv(in, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status));
    }
    expect(&status, way == GAPS ? bytes / 2 : bytes, way == GAPS ? 2 : 1, tag);
}

/* Every rank to every other, received as they come. */
static void all_to_all(int bytes, int tag)
{
    MPI_Request sent[8];
    int peers = 0;
    memset(out, rank + 1, (size_t)bytes);
    for (int to = 0; to < ranks; to++)
        if (to != rank)
            OK(MPI_Isend(out, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &sent[peers++]));
    for (int i = 0; i < peers; i++) {
        MPI_Status status;
        OK(MPI_Recv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status));
        EQUAL(in[0], status.MPI_SOURCE + 1);
        EQUAL(in[bytes - 1], status.MPI_SOURCE + 1);
    }
    OK(MPI_Waitall(peers, sent, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < COUNT; i++) {
            int tag = way * COUNT + i;
            if (rank == 0)
                send_one(way, LENGTHS[i], tag);
            if (rank == 1)
                receive_one(way, LENGTHS[i], tag);
            OK(MPI_Barrier(MPI_COMM_WORLD));
        }
    for (int i = 0; i < COUNT; i++)
        all_to_all(LENGTHS[i], i);
    return finish();
}
