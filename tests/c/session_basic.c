// np: 1 2 4
// quick
/* What a session knows and makes: process sets, groups, info, error handlers, communicators. Then
 * the same after it is gone, and bad arguments. MPI_Init is never called. */
#include "session.h"

static void process_sets(MPI_Session session)
{
    int count, world = 0, self = 0, host = 0;
    OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 3);
    for (int n = 0; n < count; n++) {
        char name[MPI_MAX_PSET_NAME_LEN], again[8], size[16];
        int need = 0, room = 5, length = sizeof size, flag;
        memset(name, 'x', sizeof name);
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &need, name));
        EQUAL(name[0], 'x');
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &room, again));
        EQUAL(room, need);
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &need, name));
        EQUAL(strlen(name) + 1, need);
        EQUAL(strncmp(name, again, 4), 0);
        EQUAL(again[4], 0);
        MPI_Info info;
        MPI_Group group;
        OK(MPI_Session_get_pset_info(session, name, &info));
        OK(MPI_Info_get_string(info, "mpi_size", &length, size, &flag));
        CHECK(flag);
        OK(MPI_Group_from_session_pset(session, name, &group));
        int members;
        OK(MPI_Group_size(group, &members));
        EQUAL(atoi(size), members);
        OK(MPI_Info_free(&info));
        OK(MPI_Group_free(&group));
        world += strcmp(name, "mpi://WORLD") == 0;
        self += strcmp(name, "mpi://SELF") == 0 && members == 1;
        host += strcmp(name, "mpix://HOST") == 0;
    }
    EQUAL(world, 1);
    EQUAL(self, 1);
    EQUAL(host, 1);
    int need = 0;
    EQUAL(class_of(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, count, &need, NULL)),
          MPI_ERR_ARG);
    EQUAL(class_of(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &need, NULL)),
          MPI_ERR_ARG);
    MPI_Group group;
    MPI_Info info;
    EQUAL(class_of(MPI_Group_from_session_pset(session, "mpi://MOON", &group)), MPI_ERR_ARG);
    EQUAL(class_of(MPI_Session_get_pset_info(session, "", &info)), MPI_ERR_ARG);
    OK(MPI_Group_from_session_pset(session, "mpix://SHARED", &group));
    OK(MPI_Group_free(&group));
}

static int seen;
static MPI_Session seen_on;

static void note(MPI_Session *session, int *code, ...)
{
    seen = *code;
    seen_on = *session;
}

static void error_handlers(MPI_Session session)
{
    MPI_Errhandler mine, got;
    MPI_Group group;
    OK(MPI_Session_get_errhandler(session, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    OK(MPI_Session_create_errhandler(note, &mine));
    OK(MPI_Session_set_errhandler(session, mine));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_TAG));
    EQUAL(seen, MPI_ERR_TAG);
    CHECK(seen_on == session);
    MPI_Group_from_session_pset(session, "mpi://MOON", &group);
    EQUAL(class_of(seen), MPI_ERR_ARG);
    /* A handler for communicators is none for a session; a session that fails to begin has its
     * error passed to the handler that it was to have. */
    MPI_Errhandler wrong;
    OK(MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)note, &wrong));
    seen = 0;
    MPI_Session_set_errhandler(session, wrong);
    EQUAL(class_of(seen), MPI_ERR_ERRHANDLER);
    OK(MPI_Errhandler_free(&wrong));
    MPI_Session other;
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MANY"));
    seen = 0;
    CHECK(MPI_Session_init(info, mine, &other) != MPI_SUCCESS);
    EQUAL(class_of(seen), MPI_ERR_INFO_VALUE);
    CHECK(seen_on == MPI_SESSION_NULL);
    OK(MPI_Info_free(&info));
    OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&mine));
}

static void levels(void)
{
    static const char *const names[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                        "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
    for (int n = 0; n < 4; n++) {
        MPI_Session session = begin(names[n]);
        MPI_Info info;
        char level[64];
        int length = sizeof level, flag;
        OK(MPI_Session_get_info(session, &info));
        OK(MPI_Info_get_string(info, "thread_level", &length, level, &flag));
        CHECK(flag && strcmp(level, names[n]) == 0);
        OK(MPI_Info_free(&info));
        use(session, "mpi://WORLD", "levels");
        OK(MPI_Session_finalize(&session));
        CHECK(session == MPI_SESSION_NULL);
    }
}

/* Between the even and the odd processes, and over it to each other. */
static void between(MPI_Session session)
{
    MPI_Group all, mine, theirs;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &all));
    OK(MPI_Group_rank(all, &rank));
    OK(MPI_Group_size(all, &ranks));
    if (ranks > 1) {
        int even[1][3] = {{0, ranks - 1, 2}}, odd[1][3] = {{1, ranks - 1, 2}};
        OK(MPI_Group_range_incl(all, 1, rank % 2 ? odd : even, &mine));
        OK(MPI_Group_range_incl(all, 1, rank % 2 ? even : odd, &theirs));
        for (int round = 0; round < 3; round++) {
            MPI_Comm inter, merged;
            int local, remote, sum = rank;
            OK(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "between", MPI_INFO_NULL,
                                                MPI_ERRORS_RETURN, &inter));
            OK(MPI_Comm_size(inter, &local));
            OK(MPI_Comm_remote_size(inter, &remote));
            EQUAL(local + remote, ranks);
            OK(MPI_Intercomm_merge(inter, rank % 2, &merged));
            OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, merged));
            EQUAL(sum, ranks * (ranks - 1) / 2);
            OK(MPI_Comm_free(&merged));
            OK(MPI_Comm_free(&inter));
        }
        OK(MPI_Group_free(&mine));
        OK(MPI_Group_free(&theirs));
    }
    OK(MPI_Group_free(&all));
}

int main(void)
{
    int flag;
    MPI_Session session = begin(NULL), gone;
    OK(MPI_Initialized(&flag));
    EQUAL(flag, 0);
    process_sets(session);
    error_handlers(session);
    EQUAL(MPI_Session_fromint(MPI_Session_toint(session)) == session, 1);
    CHECK(MPI_Session_fromint(MPI_Session_toint(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
    use(session, "mpi://WORLD", "a");
    use(session, "mpi://SELF", "a");
    use(session, "mpix://HOST", "a");
    between(session);
    gone = session;
    /* Another session keeps the process, so that errors have somewhere to go. */
    MPI_Session keeper = begin(NULL);
    OK(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL);
    CHECK(MPI_Session_toint(gone) == 0);
    use(keeper, "mpi://WORLD", "b");
    OK(MPI_Session_finalize(&keeper));
    levels();
    return 0;
}
