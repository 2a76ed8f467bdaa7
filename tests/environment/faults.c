/* faults STEP SKIPPED...: one session after the other, in each of which one system call fails: the
 * first, second and so on of each kind, until there are no more (of more than STEP only every STEPth).
 * Kinds named SKIPPED are left out.
 *
 * A session begins, or there is an error and a null handle. What began has a communicator of this
 * process that works or errs, and ends. Nothing is left over: descriptors, threads, mappings, files;
 * and the last session has no fault. */
#define _GNU_SOURCE
#include "../c/session.h"
#include "faults.h"

#include <dlfcn.h>

/* Sessions before the first fault: what lasts is made then. */
enum { LASTING = 5 };

/* The files of shared memory that bear this process's number. */
static int count_files(void)
{
    char number[16];
    int count = 0;
    DIR *folder = opendir("/dev/shm");
    snprintf(number, sizeof number, "%d", (int)getpid());
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strstr(entry->d_name, number) != NULL;
    if (folder)
        closedir(folder);
    return count;
}

/* Sends to itself; 0, or what went wrong. */
static int use_alone(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm;
    int sum = 5, in = 0;
    int code = MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Comm_create_from_group(group, "faults", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    OK(MPI_Group_free(&group));
    if (code != MPI_SUCCESS) {
        CHECK(comm == MPI_COMM_NULL);
        return code;
    }
    code = MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (code == MPI_SUCCESS)
        EQUAL(sum, 5);
    int other = MPI_Sendrecv(&sum, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
    if (other == MPI_SUCCESS)
        EQUAL(in, 5);
    int freed = MPI_Comm_free(&comm);
    return code ? code : other ? other : freed;
}

/* A life with MPI; 0, or what went wrong. */
static int live(void)
{
    MPI_Session session = MPI_SESSION_NULL;
    int code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    if (code != MPI_SUCCESS) {
        CHECK(session == MPI_SESSION_NULL);
        return code;
    }
    code = use_alone(session);
    int ended = MPI_Session_finalize(&session);
    return code ? code : ended;
}

/* What the process held when all lasting things had been made; how many sessions followed. */
static struct holdings before;
static int sessions, errors;

/* A life in which the nth call of this name fails, after which nothing may be left. Whether a system
 * call has failed. */
static int faulty_life(const char *name, int nth)
{
    char text[MPI_MAX_ERROR_STRING];
    int length, code = live(), failed = allow();
    sessions++;
    errors += code != MPI_SUCCESS;
    if (getenv("FAULTS_PRINT")) {
        OK(MPI_Error_string(code, text, &length));
        printf("%s %d: %s\n", name, nth, text);
        fflush(stdout);
    }
    int descriptors = count_descriptors(), threads = count_threads();
    if (descriptors != before.descriptors || threads != before.threads) {
        fprintf(stderr, "after %s %d: descriptors %d then %d, threads %d then %d\n", name, nth,
                before.descriptors, descriptors, before.threads, threads);
        exit(1);
    }
    return failed;
}

/* Each system call of each kind in turn. */
static void deny_system_calls(int step, char **skipped)
{
    for (int kind = 0; kind < KINDS; kind++) {
        int is_skipped = 0;
        for (char **one = skipped; *one; one++)
            is_skipped |= strcmp(*one, DENIED[kind].name) == 0;
        for (int nth = 1, failed = !is_skipped; failed; nth += nth > step ? step : 1) {
            deny(kind, nth);
            failed = faulty_life(DENIED[kind].name, nth);
        }
    }
}

/* Each call of libfabric in turn, where FAULTY names the tests/libfabric/faulty.c before it. */
static void deny_library_calls(int step)
{
    const char *path = getenv("FAULTY");
    if (!path)
        return;
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    CHECK(library);
    void (*deny_call)(int) = (void (*)(int))dlsym(library, "faulty_deny");
    const char *(*failed)(void) = (const char *(*)(void))dlsym(library, "faulty_failed");
    CHECK(deny_call && failed);
    for (int nth = 1; nth == 1 || failed(); nth += nth > step ? step : 1) {
        deny_call(nth);
        faulty_life("call of libfabric", nth);
    }
    deny_call(0);
    dlclose(library);
}

int main(int argc, char **argv)
{
    const char *number = getenv("OXMPI_RANK");
    if (number && atoi(number) > 0)
        return 0;
    CHECK(argc > 1);
    int step = atoi(argv[1]);
    CHECK(begin_faults() == 0);
    for (int round = 0; round < LASTING; round++)
        OK(live());
    before = count_holdings();
    int files = count_files();
    deny_system_calls(step, argv + 2);
    deny_library_calls(step);
    OK(live());
    same_holdings(before, count_holdings(), 2, 0);
    EQUAL(count_files(), files);
    printf("%d sessions, %d errors\n", sessions, errors);
    orders->over = 1;
    return 0;
}
