// np: 2 3
// quick
/* Every send mode, blocking and not, around the sizes where transports change their protocol; the
 * data is compared, and the status says source, tag and count. */
#include "check.h"

enum { BYTES_MAX = 8 << 20, TAG = 5 };

static const size_t BYTES[] = {0,     1,     7,     8,     63,    64,     65,      255,     256,
                               1000,  2047,  2048,  2049,  4095,  4096,   4097,    8191,    8192,
                               8193,  32767, 32768, 32769, 65535, 65536,  65537,   131072,  262143,
                               262145, 1048575, 1048576, 1048577, 4194304, BYTES_MAX - 1, BYTES_MAX};

enum mode { STANDARD, SYNCHRONOUS, BUFFERED, READY, MODES };

static void send(enum mode mode, const void *data, int bytes, int to, int tag)
{
    switch (mode) {
    case STANDARD: OK(MPI_Send(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD)); break;
    case SYNCHRONOUS: OK(MPI_Ssend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD)); break;
    case BUFFERED: OK(MPI_Bsend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD)); break;
    default: OK(MPI_Rsend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD)); break;
    }
}

static MPI_Request begin(enum mode mode, const void *data, int bytes, int to, int tag)
{
    MPI_Request r = MPI_REQUEST_NULL;
    switch (mode) {
    case STANDARD: OK(MPI_Isend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &r)); break;
    case SYNCHRONOUS: OK(MPI_Issend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &r)); break;
    case BUFFERED: OK(MPI_Ibsend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &r)); break;
    default: OK(MPI_Irsend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &r)); break;
    }
    return r;
}

static void check_status(const MPI_Status *status, int from, int tag, size_t bytes)
{
    int count = -1;
    MPI_Count count_large = -1;
    EQUAL(status->MPI_SOURCE, from);
    EQUAL(status->MPI_TAG, tag);
    OK(MPI_Get_count(status, MPI_BYTE, &count));
    EQUAL(count, bytes);
    OK(MPI_Get_count_c(status, MPI_BYTE, &count_large));
    EQUAL(count_large, bytes);
}

/* A message around the ring: the receive is posted first, as the ready mode demands. */
static void around(enum mode mode, int blocking, size_t bytes, unsigned char *out, unsigned char *in)
{
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    long seed = (long)bytes * 8 + (long)mode * 2 + blocking;
    MPI_Request receive, sent;
    MPI_Status status;
    memset(in, 0, bytes);
    fill(out, bytes, seed + rank);
    OK(MPI_Irecv(in, BYTES_MAX, MPI_BYTE, from, TAG + (int)mode, MPI_COMM_WORLD, &receive));
    if (mode == READY)
        OK(MPI_Barrier(MPI_COMM_WORLD));
    if (blocking) {
        send(mode, out, (int)bytes, to, TAG + (int)mode);
        OK(MPI_Wait(&receive, &status));
    } else {
        sent = begin(mode, out, (int)bytes, to, TAG + (int)mode);
        OK(MPI_Wait(&receive, &status));
        OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
        CHECK(sent == MPI_REQUEST_NULL);
    }
    CHECK(receive == MPI_REQUEST_NULL);
    check_status(&status, from, TAG + (int)mode, bytes);
    FILLED(in, bytes, seed + from);
}

/* A synchronous send does not end before its receive began. */
static void synchronous_waits(void)
{
    int done = 0, word = 42;
    MPI_Request request;
    if (rank == 0) {
        OK(MPI_Issend(&word, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, &request));
        for (int i = 0; i < 200; i++) {
            OK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
            CHECK(!done);
        }
        OK(MPI_Send(NULL, 0, MPI_INT, 1, 98, MPI_COMM_WORLD));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else if (rank == 1) {
        word = 0;
        OK(MPI_Recv(NULL, 0, MPI_INT, 0, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(word, 42);
    }
}

int main(int argc, char **argv)
{
    unsigned char *out = malloc(BYTES_MAX), *in = malloc(BYTES_MAX);
    int attached = 2 * (BYTES_MAX + MPI_BSEND_OVERHEAD), detached = 0;
    void *buffer = malloc((size_t)attached), *back = NULL;
    start(&argc, &argv);
    OK(MPI_Buffer_attach(buffer, attached));
    for (size_t i = 0; i < sizeof BYTES / sizeof BYTES[0]; i++)
        for (int mode = 0; mode < MODES; mode++)
            for (int blocking = mode == SYNCHRONOUS ? 0 : 1; blocking >= 0; blocking--)
                around((enum mode)mode, blocking, BYTES[i], out, in);
    synchronous_waits();
    OK(MPI_Buffer_detach(&back, &detached));
    CHECK(back == buffer);
    EQUAL(detached, attached);
    return finish();
}
