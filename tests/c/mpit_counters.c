// np: 2
/* Performance variables equal what the program has done: messages and bytes to each process, posted
 * receives, unexpected messages and their bytes, as two tools see them with handles of their own.
 * Categories name each variable once. */
#include "check.h"

enum { MESSAGES = 5, BYTES = 100, LONG = 1 << 20 };

static MPI_T_pvar_session mine, theirs;

static int find(const char *name, int class)
{
    int at = -1;
    OK(MPI_T_pvar_get_index(name, class, &at));
    return at;
}

static MPI_T_pvar_handle handle(MPI_T_pvar_session session, const char *name, int class)
{
    MPI_T_pvar_handle handle;
    MPI_Comm world = MPI_COMM_WORLD;
    int count, bind;
    int at = find(name, class);
    OK(MPI_T_pvar_get_info(at, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind, NULL, NULL,
                           NULL));
    OK(MPI_T_pvar_handle_alloc(session, at, bind == MPI_T_BIND_MPI_COMM ? &world : NULL, &handle,
                               &count));
    EQUAL(count, bind == MPI_T_BIND_MPI_COMM ? ranks : 1);
    return handle;
}

static unsigned long value(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int at)
{
    unsigned long values[2] = {99, 99};
    OK(MPI_T_pvar_read(session, handle, values));
    return values[at];
}

/* Rank 0 sends, rank 1 lets the messages come unexpected, then receives them. */
static void messages(void)
{
    static char out[LONG], in[LONG];
    int peer = 1 - rank, flag;
    MPI_T_pvar_handle count = handle(mine, "pml_monitoring_messages_count", MPI_T_PVAR_CLASS_SIZE);
    MPI_T_pvar_handle size = handle(mine, "pml_monitoring_messages_size", MPI_T_PVAR_CLASS_SIZE);
    MPI_T_pvar_handle later = handle(theirs, "pml_monitoring_messages_size", MPI_T_PVAR_CLASS_SIZE);
    MPI_T_pvar_handle length = handle(mine, "unexpected_recvq_length", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle bytes = handle(mine, "unexpected_recvq_buffer_size", MPI_T_PVAR_CLASS_LEVEL);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_T_pvar_start(mine, MPI_T_PVAR_ALL_HANDLES));
    if (rank == 0) {
        for (int i = 0; i < MESSAGES; i++) {
            if (i == 3)
                OK(MPI_T_pvar_start(theirs, later));
            OK(MPI_Send(out, BYTES, MPI_BYTE, peer, i, MPI_COMM_WORLD));
        }
        EQUAL(value(mine, count, peer), MESSAGES);
        EQUAL(value(mine, size, peer), MESSAGES * BYTES);
        EQUAL(value(mine, count, rank), 0);
        EQUAL(value(theirs, later, peer), (MESSAGES - 3) * BYTES);
        OK(MPI_T_pvar_reset(mine, size));
        OK(MPI_Send(out, LONG, MPI_BYTE, peer, MESSAGES, MPI_COMM_WORLD));
        EQUAL(value(mine, size, peer), LONG);
        EQUAL(value(theirs, later, peer), (MESSAGES - 3) * BYTES + LONG);
        OK(MPI_T_pvar_stop(theirs, later));
        unsigned long read[2];
        OK(MPI_T_pvar_readreset(mine, size, read));
        EQUAL(read[1], LONG);
        EQUAL(value(mine, size, peer), 0);
        EQUAL(value(theirs, later, peer), (MESSAGES - 3) * BYTES + LONG);
    } else {
        MPI_Status status;
        /* The last of the short messages is there, and so are those before it. */
        do
            OK(MPI_Iprobe(peer, MESSAGES - 1, MPI_COMM_WORLD, &flag, &status));
        while (!flag);
        CHECK(value(mine, length, 0) >= MESSAGES);
        CHECK(value(mine, bytes, 0) >= MESSAGES * BYTES);
        OK(MPI_Recv(in, LONG, MPI_BYTE, peer, MESSAGES, MPI_COMM_WORLD, &status));
        for (int left = MESSAGES; left > 0; left--) {
            EQUAL(value(mine, length, 0), left);
            EQUAL(value(mine, bytes, 0), left * BYTES);
            OK(MPI_Recv(in, BYTES, MPI_BYTE, peer, left - 1, MPI_COMM_WORLD, &status));
        }
        EQUAL(value(mine, length, 0), 0);
        EQUAL(value(mine, bytes, 0), 0);
        EQUAL(value(mine, count, peer), 0);
    }
    OK(MPI_T_pvar_handle_free(mine, &count));
    CHECK(count == MPI_T_PVAR_HANDLE_NULL);
}

static void posted(void)
{
    MPI_T_pvar_handle length = handle(mine, "posted_recvq_length", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle tries = handle(mine, "posted_recvq_match_attempts", MPI_T_PVAR_CLASS_COUNTER);
    MPI_Request requests[3];
    int in[3], out = 1, peer = 1 - rank;
    unsigned long before = value(mine, length, 0);
    for (int i = 0; i < 3; i++)
        OK(MPI_Irecv(&in[i], 1, MPI_INT, peer, 40 + i, MPI_COMM_WORLD, &requests[i]));
    EQUAL(value(mine, length, 0), before + 3);
    OK(MPI_Cancel(&requests[2]));
    OK(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
    EQUAL(value(mine, length, 0), before + 2);
    before = value(mine, length, 0);
    OK(MPI_T_pvar_start(mine, tries));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Send(&out, 1, MPI_INT, peer, 40, MPI_COMM_WORLD));
    OK(MPI_Send(&out, 1, MPI_INT, peer, 41, MPI_COMM_WORLD));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(value(mine, tries, 0) >= 2);
    EQUAL(value(mine, length, 0), before - 2);
    EQUAL(MPI_T_pvar_start(mine, length), MPI_T_ERR_PVAR_NO_STARTSTOP);
    EQUAL(MPI_T_pvar_reset(mine, length), MPI_T_ERR_PVAR_NO_WRITE);
    EQUAL(MPI_T_pvar_stop(theirs, length), MPI_T_ERR_INVALID_HANDLE);
    unsigned long set = 1000;
    OK(MPI_T_pvar_stop(mine, tries));
    OK(MPI_T_pvar_write(mine, tries, &set));
    EQUAL(value(mine, tries, 0), 1000);
    EQUAL(MPI_T_pvar_handle_alloc(mine, find("pml_monitoring_messages_size", MPI_T_PVAR_CLASS_SIZE),
                                  NULL, &length, &in[0]),
          MPI_T_ERR_INVALID);
}

/* Each variable is in one category. */
static void categories(void)
{
    int count, cvars, pvars, found = 0, number;
    static int at[1000];
    static char seen[1000];
    OK(MPI_T_cvar_get_num(&cvars));
    OK(MPI_T_pvar_get_num(&pvars));
    OK(MPI_T_category_get_num(&count));
    for (int i = 0; i < count; i++) {
        char name[100];
        int length = sizeof name, of_cvars, of_pvars, below, self;
        OK(MPI_T_category_get_info(i, name, &length, NULL, NULL, &of_cvars, &of_pvars, &below));
        OK(MPI_T_category_get_index(name, &self));
        EQUAL(self, i);
        CHECK(of_cvars < 1000 && of_pvars < 1000);
        OK(MPI_T_category_get_cvars(i, of_cvars, at));
        for (int j = 0; j < of_cvars; j++) {
            EQUAL(seen[at[j]], 0);
            seen[at[j]] = 1;
            found++;
        }
        OK(MPI_T_category_get_pvars(i, of_pvars, at));
        found += of_pvars;
        OK(MPI_T_category_get_categories(i, 0, at));
    }
    EQUAL(found, cvars + pvars);
    OK(MPI_T_category_changed(&number));
    EQUAL(MPI_T_category_get_index("no such category", &number), MPI_T_ERR_INVALID_NAME);
}

int main(int argc, char **argv)
{
    int provided;
    start(&argc, &argv);
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_pvar_session_create(&mine));
    OK(MPI_T_pvar_session_create(&theirs));
    messages();
    posted();
    categories();
    OK(MPI_T_pvar_session_free(&theirs));
    CHECK(theirs == MPI_T_PVAR_SESSION_NULL);
    OK(MPI_T_finalize());
    /* The other tool goes on, also after MPI. */
    MPI_T_pvar_handle waits = handle(mine, "engine_waits", MPI_T_PVAR_CLASS_COUNTER);
    OK(MPI_T_pvar_start(mine, waits));
    OK(MPI_Finalize());
    value(mine, waits, 0);
    OK(MPI_T_pvar_session_free(&mine));
    OK(MPI_T_finalize());
    return 0;
}
