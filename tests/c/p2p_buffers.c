// np: 2
/* The buffers of buffered sends: of the process, of a session and of a communicator; which one a
 * message takes, and a flush that does not wait. */
#include "session.h"

enum { LONG = 4 << 20, ROOM = LONG + MPI_BSEND_OVERHEAD };

/* Sends `bytes` from rank 0 to rank 1 in buffered mode; the class of the error. */
static int pass(MPI_Comm comm, size_t bytes, long seed)
{
    unsigned char *data = malloc(bytes);
    int class = MPI_SUCCESS;
    CHECK(data);
    if (rank == 0) {
        fill(data, bytes, seed);
        class = class_of(MPI_Bsend(data, (int)bytes, MPI_BYTE, 1, 5, comm));
        memset(data, 0, bytes);
    } else {
        OK(MPI_Recv(data, (int)bytes, MPI_BYTE, 0, 5, comm, MPI_STATUS_IGNORE));
        FILLED(data, bytes, seed);
    }
    free(data);
    return class;
}

/* A message that finds no room. */
static void fails(MPI_Comm comm, size_t bytes)
{
    if (rank == 0)
        EQUAL(pass(comm, bytes, 0), MPI_ERR_BUFFER);
}

static void chosen(MPI_Session session, MPI_Session other)
{
    static char of_session[100 + MPI_BSEND_OVERHEAD], of_comm[1000 + MPI_BSEND_OVERHEAD];
    MPI_Comm comm = join(session, "mpi://WORLD", "chosen"), copy, half;
    MPI_Comm strange = join(other, "mpi://WORLD", "strange");
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_split(comm, 0, rank, &half));
    fails(comm, 8);
    OK(MPI_Session_attach_buffer(session, of_session, sizeof of_session));
    EQUAL(class_of(MPI_Session_attach_buffer(session, of_session, 8)), MPI_ERR_BUFFER);
    EQUAL(pass(comm, 100, 1), MPI_SUCCESS);
    OK(MPI_Session_flush_buffer(session));
    EQUAL(pass(copy, 100, 2), MPI_SUCCESS);
    OK(MPI_Session_flush_buffer(session));
    EQUAL(pass(half, 100, 3), MPI_SUCCESS);
    fails(comm, 900);
    fails(strange, 8);
    fails(MPI_COMM_WORLD, 8);
    OK(MPI_Comm_attach_buffer(comm, of_comm, sizeof of_comm));
    EQUAL(pass(comm, 900, 4), MPI_SUCCESS);
    fails(copy, 900);
    void *was;
    int size;
    OK(MPI_Comm_detach_buffer(comm, &was, &size));
    CHECK(was == of_comm);
    MPI_Count wide;
    OK(MPI_Session_detach_buffer_c(session, &was, &wide));
    CHECK(was == of_session);
    EQUAL(wide, sizeof of_session);
    EQUAL(class_of(MPI_Session_detach_buffer(session, &was, &size)), MPI_ERR_BUFFER);
    fails(comm, 8);
    OK(MPI_Comm_free(&half));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_free(&strange));
    OK(MPI_Comm_free(&comm));
}

/* A long message that the receiver takes only after a word that follows the flush. */
static void flushed(MPI_Comm comm, int (*start)(MPI_Request *), int long_seed)
{
    static unsigned char data[LONG];
    MPI_Request request;
    int word = 17;
    if (rank == 0) {
        fill(data, LONG, long_seed);
        OK(MPI_Bsend(data, LONG, MPI_BYTE, 1, 6, comm));
        memset(data, 0, LONG);
        OK(start(&request));
        OK(MPI_Send(&word, 1, MPI_INT, 1, 7, comm));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 7, comm, MPI_STATUS_IGNORE));
        OK(MPI_Recv(data, LONG, MPI_BYTE, 0, 6, comm, MPI_STATUS_IGNORE));
        FILLED(data, LONG, long_seed);
    }
}

static MPI_Session session;
static MPI_Comm own;

static int start_session(MPI_Request *request)
{
    return MPI_Session_iflush_buffer(session, request);
}

static int start_comm(MPI_Request *request)
{
    return MPI_Comm_iflush_buffer(own, request);
}

int main(int argc, char **argv)
{
    static char room[ROOM], more[ROOM], most[ROOM];
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    session = begin(NULL);
    MPI_Session other = begin(NULL);
    chosen(session, other);

    OK(MPI_Buffer_attach(room, ROOM));
    flushed(MPI_COMM_WORLD, MPI_Buffer_iflush, 8);
    own = join(session, "mpi://WORLD", "own");
    OK(MPI_Session_attach_buffer_c(session, more, ROOM));
    flushed(own, start_session, 9);
    OK(MPI_Comm_attach_buffer(own, most, ROOM));
    flushed(own, start_comm, 10);

    /* What is attached goes with its owner, after what is in it. */
    EQUAL(pass(own, LONG, 11), MPI_SUCCESS);
    OK(MPI_Comm_free(&own));
    OK(MPI_Session_finalize(&session));
    OK(MPI_Session_finalize(&other));
    EQUAL(pass(MPI_COMM_WORLD, LONG, 12), MPI_SUCCESS);
    return finish();
}
