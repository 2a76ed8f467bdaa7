/* limited WHAT STEP [EXTRA]: beginning MPI where this process may open no more descriptors (WHAT is
 * `files`), or have no more memory (`memory`), than so many steps above what it has. The step is one
 * descriptor, or as many KiB as STEP says.
 *
 * With EXTRA: MPI_Init once, that many steps above, then work. Without: one session after the other,
 * the limit a step higher each time, until enough beginnings in a row have gone well. One that does
 * not leaves a null handle and nothing else: the next one, without the limit, goes well, and the
 * process holds no more than before. At the end the sessions talk.
 *
 * libfabric's provider `sockets` ended the process with SIGSEGV where it had too few descriptors, and
 * several ended it with SIGABRT where memory was short. */
#include "../c/session.h"

#include <sys/resource.h>

/* How many beginnings go well in a row at the end of a sweep; after how many lasting things have been
 * made, and how many there are at least. */
enum { ENOUGH = 3, LASTING = 5, ENOUGH_IN_ALL = 15, LAST = 100000 };

static int is_memory;
static long step_kib;
static struct rlimit usual;

static long mapped_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void set_limit(rlim_t limit)
{
    struct rlimit now = usual;
    now.rlim_cur = limit;
    CHECK(setrlimit(is_memory ? RLIMIT_AS : RLIMIT_NOFILE, &now) == 0);
}

/* Descriptors below the lowest free one are in use, others above it may be, too. */
static void limit_to(long steps)
{
    malloc_trim(0);
    if (is_memory)
        set_limit((rlim_t)(mapped_kib() + steps * step_kib) * 1024);
    else
        set_limit((rlim_t)(3 + steps));
}

/* One beginning under the limit, and after a failed one another without. */
static int begins(long steps)
{
    MPI_Session session = MPI_SESSION_NULL;
    limit_to(steps);
    int code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    set_limit(usual.rlim_cur);
    if (code == MPI_SUCCESS) {
        OK(MPI_Session_finalize(&session));
        return 1;
    }
    CHECK(session == MPI_SESSION_NULL);
    session = begin(NULL);
    OK(MPI_Session_finalize(&session));
    return 0;
}

int main(int argc, char **argv)
{
    CHECK(argc > 2);
    is_memory = strcmp(argv[1], "memory") == 0;
    step_kib = atol(argv[2]);
    CHECK(getrlimit(is_memory ? RLIMIT_AS : RLIMIT_NOFILE, &usual) == 0);
    if (argc > 3) {
        limit_to(atol(argv[3]));
        start(&argc, &argv);
        set_limit(usual.rlim_cur);
        work(MPI_COMM_WORLD);
        return finish();
    }
    struct holdings before = {0};
    long failed = 0, all = 0;
    while (all < ENOUGH_IN_ALL)
        for (long steps = 0, row = 0; row < ENOUGH; steps++) {
            CHECK(steps < LAST);
            int began = begins(steps);
            row = began ? row + 1 : 0;
            failed += !began;
            if (++all == LASTING)
                before = count_holdings();
        }
    MPI_Session session = begin(NULL);
    use(session, "mpi://WORLD", "limited");
    OK(MPI_Session_finalize(&session));
    same_holdings(before, count_holdings(), 2, 0);
    CHECK(failed > 0);
    printf("%ld of %ld beginnings failed\n", failed, all);
    return 0;
}
