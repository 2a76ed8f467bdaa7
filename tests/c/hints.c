// np: 1 2
/* Hints of communicators and windows: MPI_Comm_set_info and MPI_Win_set_info leave alone what the
 * info does not name, what is not understood is not returned, and each communicator, window and
 * session reports which kinds of memory there are. */
#include "check.h"

static const char KINDS[] = "mpi_memory_alloc_kinds";

/* Frees the info; whether it has the key, with the value if there is one to compare with. */
static int has(MPI_Info info, const char *key, const char *value)
{
    char found[MPI_MAX_INFO_VAL + 1] = "";
    int length = sizeof found, flag;
    OK(MPI_Info_get_string(info, key, &length, found, &flag));
    OK(MPI_Info_free(&info));
    return flag && (!value || strcmp(found, value) == 0);
}

static int comm_has(MPI_Comm comm, const char *key, const char *value)
{
    MPI_Info info;
    OK(MPI_Comm_get_info(comm, &info));
    return has(info, key, value);
}

static int win_has(MPI_Win win, const char *key, const char *value)
{
    MPI_Info info;
    OK(MPI_Win_get_info(win, &info));
    return has(info, key, value);
}

static MPI_Info with(const char *key, const char *value)
{
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, key, value));
    OK(MPI_Info_set(info, "nobody_knows_this", "x"));
    OK(MPI_Info_set(info, KINDS, "nonsense"));
    return info;
}

static void set_comm(MPI_Comm comm, const char *key, const char *value)
{
    MPI_Info info = with(key, value);
    OK(MPI_Comm_set_info(comm, info));
    OK(MPI_Info_free(&info));
}

static void set_win(MPI_Win win, const char *key, const char *value)
{
    MPI_Info info = with(key, value);
    OK(MPI_Win_set_info(win, info));
    OK(MPI_Info_free(&info));
}

static void of_comms(void)
{
    MPI_Comm comm, copy, part;
    MPI_Request request;
    MPI_Info info;
    CHECK(comm_has(MPI_COMM_WORLD, KINDS, "mpi,system"));
    CHECK(comm_has(MPI_COMM_SELF, KINDS, "mpi,system"));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK(comm_has(comm, "mpi_assert_no_any_tag", "false"));
    set_comm(comm, "mpi_assert_no_any_tag", "true");
    set_comm(comm, "mpi_assert_exact_length", "true");
    set_comm(comm, "mpi_assert_no_any_tag", "perhaps");
    OK(MPI_Comm_set_info(comm, MPI_INFO_NULL));
    CHECK(comm_has(comm, "mpi_assert_no_any_tag", "true"));
    CHECK(comm_has(comm, "mpi_assert_exact_length", "true"));
    CHECK(comm_has(comm, "mpi_assert_allow_overtaking", "false"));
    CHECK(comm_has(comm, KINDS, "mpi,system"));
    CHECK(!comm_has(comm, "nobody_knows_this", NULL));

    /* A copy has the hints that it is made with, and no others. */
    OK(MPI_Comm_dup(comm, &copy));
    CHECK(comm_has(copy, "mpi_assert_no_any_tag", "false"));
    OK(MPI_Comm_free(&copy));
    info = with("mpi_assert_no_any_source", "true");
    OK(MPI_Comm_dup_with_info(comm, info, &copy));
    CHECK(comm_has(copy, "mpi_assert_no_any_source", "true"));
    CHECK(comm_has(copy, "mpi_assert_no_any_tag", "false"));
    CHECK(comm_has(copy, KINDS, "mpi,system"));
    CHECK(!comm_has(copy, "nobody_knows_this", NULL));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_idup_with_info(comm, info, &copy, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(comm_has(copy, "mpi_assert_no_any_source", "true"));
    CHECK(!comm_has(copy, "nobody_knows_this", NULL));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_split(comm, rank, 0, &part));
    CHECK(comm_has(part, KINDS, "mpi,system"));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&comm));
}

static void of_windows(void)
{
    MPI_Info info = with("accumulate_ordering", "rar,waw");
    MPI_Win win;
    int *memory;
    OK(MPI_Win_allocate(64, 4, info, MPI_COMM_WORLD, &memory, &win));
    OK(MPI_Info_free(&info));
    CHECK(win_has(win, KINDS, "mpi,system"));
    CHECK(win_has(win, "accumulate_ordering", "rar,waw"));
    CHECK(!win_has(win, "nobody_knows_this", NULL));
    set_win(win, "accumulate_ops", "same_op");
    set_win(win, "accumulate_ops", "any");
    set_win(win, "accumulate_ordering", "none");
    set_win(win, "mpi_accumulate_granularity", "-8");
    CHECK(win_has(win, "accumulate_ops", "same_op"));
    CHECK(win_has(win, "accumulate_ordering", "none"));
    CHECK(win_has(win, "mpi_accumulate_granularity", "0"));
    OK(MPI_Win_free(&win));

    /* Where the parts lie is decided when they are made; the hint is returned as it was given last, which
     * MPICH's tests want, too. */
    info = with("alloc_shared_noncontig", "true");
    OK(MPI_Win_allocate_shared(64, 4, info, MPI_COMM_SELF, &memory, &win));
    OK(MPI_Info_free(&info));
    set_win(win, "alloc_shared_noncontig", "false");
    CHECK(win_has(win, "alloc_shared_noncontig", "false"));
    OK(MPI_Win_free(&win));
}

static void of_sessions(void)
{
    MPI_Info info = with("thread_level", "MPI_THREAD_SINGLE");
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    OK(MPI_Info_free(&info));
    OK(MPI_Session_get_info(session, &info));
    CHECK(has(info, KINDS, "mpi,system"));
    OK(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    info = with("mpi_assert_exact_length", "true");
    OK(MPI_Comm_create_from_group(group, "kinds", info, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Info_free(&info));
    CHECK(comm_has(comm, KINDS, "mpi,system"));
    CHECK(comm_has(comm, "mpi_assert_exact_length", "true"));
    CHECK(!comm_has(comm, "nobody_knows_this", NULL));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Session_finalize(&session));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    of_sessions();
    of_comms();
    of_windows();
    return finish();
}
