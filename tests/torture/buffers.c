/* Buffers that come and go: what a registration cache and an allocator can do to each other.
 *
 *     buffers MODE SECONDS THREADS
 *
 * Each turn makes a buffer, broadcasts it from the next rank, checks every byte of it and gives it
 * back. MODE says where buffers come from:
 *
 *   malloc   the allocator, 258,048 bytes each time
 *   sizes    the allocator, many sizes, some kept for a while, through a ring of neighbours too
 *   remap    mmap at one address, unmapped and mapped anew with other content
 *   empty    one mapping, emptied by madvise between the turns, some of it moved by mremap
 *   given    MPI_Alloc_mem, from huge pages and not
 *   child    as remap, with children that unmap what they inherited, and one that outlives MPI
 *   fixed    the stack, static memory with and without values in the program's file
 *
 * With one thread MPI is initialised at MPI_THREAD_SERIALIZED, with more at MPI_THREAD_MULTIPLE;
 * every thread has a communicator of its own. A watchdog ends a job in which no rank gets anywhere:
 * a thread that hangs inside the allocator could not report. */
#define _GNU_SOURCE
#include "../c/check.h"
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 258048, THREADS_MAX = 4, KEPT = 5, PATIENCE = 20 };

static unsigned char zeroed[THREADS_MAX][BYTES];
static unsigned char valued[THREADS_MAX][BYTES] = {{1}};

static const char *mode;
static double seconds;
static atomic_long turns;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Ends the process when no thread of it has ended a turn for a while. Calls nothing that might
 * need what the others hold. */
static void *watchdog(void *unused)
{
    (void)unused;
    long before = -1;
    for (;;) {
        sleep(PATIENCE);
        long seen = atomic_load(&turns);
        if (seen == before) {
            static const char text[] = "watchdog: no turn has ended for 20 s\n";
            ssize_t written = write(2, text, sizeof text - 1);
            (void)written;
            _exit(97);
        }
        before = seen;
    }
}

struct thread {
    MPI_Comm comm;
    int number;
    unsigned char *mapping;
    unsigned char *kept[KEPT];
    unsigned char *stack;
};

static size_t size_of_turn(long turn)
{
    static const size_t sizes[] = {BYTES, 70000, 1 << 20, 4096, 300000, 131072, 17, 2500000};
    return strcmp(mode, "sizes") == 0 ? sizes[turn % 8] + (size_t)(turn % 5) : BYTES;
}

static unsigned char *map_at(void *where)
{
    int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    int fixed = where ? MAP_FIXED_NOREPLACE : 0;
    void *got = mmap(where, BYTES, access, flags | fixed, -1, 0);
    if (got == MAP_FAILED && where) /* Another thread has taken the addresses. */
        got = mmap(NULL, BYTES, access, flags, -1, 0);
    CHECK(got != MAP_FAILED);
    return got;
}

static unsigned char *from_pool(long turn)
{
    void *given = NULL;
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", turn % 2 ? "4096" : "64"));
    if (turn % 3)
        OK(MPI_Info_set(info, "mpool_hints", turn % 3 == 1 ? "mpool=hugepage"
                                                           : "mpool=hugepage,allocator=bucket"));
    OK(MPI_Alloc_mem(BYTES, info, &given));
    OK(MPI_Info_free(&info));
    EQUAL((uintptr_t)given % (turn % 2 ? 4096 : 64), 0);
    return given;
}

static unsigned char *make(struct thread *self, long turn, size_t bytes)
{
    unsigned char *data;
    if (strcmp(mode, "remap") == 0 || strcmp(mode, "child") == 0)
        data = self->mapping = map_at(self->mapping);
    else if (strcmp(mode, "empty") == 0)
        data = self->mapping = self->mapping ? self->mapping : map_at(NULL);
    else if (strcmp(mode, "given") == 0)
        data = from_pool(turn);
    else if (strcmp(mode, "fixed") == 0)
        data = turn % 3 == 0   ? self->stack
               : turn % 3 == 1 ? zeroed[self->number]
                               : valued[self->number];
    else
        data = malloc(bytes);
    CHECK(data);
    return data;
}

static void empty(struct thread *self, long turn)
{
    if (turn % 4) {
        OK(madvise(self->mapping, BYTES, turn % 2 ? MADV_DONTNEED : MADV_FREE));
        return;
    }
    /* The pages go elsewhere, others come in their place. */
    void *away = mremap(self->mapping, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, map_at(NULL));
    CHECK(away != MAP_FAILED);
    self->mapping = map_at(self->mapping);
    OK(munmap(away, BYTES));
}

static void try_child(unsigned char *data)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(munmap(data, BYTES) == 0 ? 7 : 8);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    EQUAL(WEXITSTATUS(status), 7);
}

static void give_back(struct thread *self, long turn, unsigned char *data)
{
    if (strcmp(mode, "child") == 0 && turn % 16 == 0)
        try_child(data);
    if (strcmp(mode, "remap") == 0 || strcmp(mode, "child") == 0)
        OK(munmap(data, BYTES));
    else if (strcmp(mode, "empty") == 0)
        empty(self, turn);
    else if (strcmp(mode, "given") == 0)
        OK(MPI_Free_mem(data));
    else if (strcmp(mode, "sizes") == 0) {
        free(self->kept[turn % KEPT]);
        self->kept[turn % KEPT] = data;
        if (turn % 64 == 0)
            malloc_trim(0);
    } else if (strcmp(mode, "malloc") == 0)
        free(data);
}

/* To the right and from the left: both ends of every pair register at once. */
static void shift(struct thread *self, long turn, size_t bytes)
{
    unsigned char *out = make(self, turn, bytes), *in = malloc(bytes);
    CHECK(in);
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    fill(out, bytes, turn * 100 + rank);
    OK(MPI_Sendrecv(out, (int)bytes, MPI_BYTE, right, 1, in, (int)bytes, MPI_BYTE, left, 1,
                    self->comm, MPI_STATUS_IGNORE));
    FILLED(in, bytes, turn * 100 + left);
    FILLED(out, bytes, turn * 100 + rank);
    free(in);
    give_back(self, turn, out);
}

static void *work(void *argument)
{
    struct thread *self = argument;
    unsigned char stack[BYTES];
    self->stack = stack;
    double end = now() + seconds;
    for (long turn = 0;; turn++) {
        int root = (int)(turn % ranks);
        size_t bytes = size_of_turn(turn);
        unsigned char *data = make(self, turn, bytes);
        long seed = turn * 1000 + self->number;
        if (rank == root)
            fill(data, bytes, seed);
        OK(MPI_Bcast(data, (int)bytes, MPI_BYTE, root, self->comm));
        FILLED(data, bytes, seed);
        give_back(self, turn, data);
        if (strcmp(mode, "malloc") != 0)
            shift(self, turn + 1, size_of_turn(turn + 1));
        atomic_fetch_add(&turns, 1);
        int more = now() < end;
        if (turn % 8 == 0) {
            OK(MPI_Bcast(&more, 1, MPI_INT, 0, self->comm));
            if (!more)
                break;
        }
    }
    for (int at = 0; at < KEPT; at++)
        free(self->kept[at]);
    return NULL;
}

/* Leaves MPI while a child has all descriptors: nobody may wait for it afterwards. */
static int finish_beside_child(void)
{
    unsigned char *data = map_at(NULL);
    fill(data, BYTES, rank);
    OK(MPI_Bcast(data, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD));
    FILLED(data, BYTES, 0);
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    CHECK(child > 0);
    int code = finish();
    OK(munmap(data, BYTES));
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    return code;
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    mode = argv[1];
    seconds = atof(argv[2]);
    int threads = atoi(argv[3]), provided;
    CHECK(threads >= 1 && threads <= THREADS_MAX);
    int wanted = threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
    OK(MPI_Init_thread(&argc, &argv, wanted, &provided));
    CHECK(provided >= wanted);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    pthread_t dog, workers[THREADS_MAX];
    OK(pthread_create(&dog, NULL, watchdog, NULL));
    static struct thread all[THREADS_MAX];
    for (int at = 0; at < threads; at++) {
        all[at].number = at;
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &all[at].comm));
    }
    /* Where another allocator serves the program, nothing has set up the C library's yet, and several
     * threads that trim it at once would find it half made. */
    malloc_trim(0);
    for (int at = 1; at < threads; at++)
        OK(pthread_create(&workers[at], NULL, work, &all[at]));
    work(&all[0]);
    for (int at = 1; at < threads; at++)
        OK(pthread_join(workers[at], NULL));
    for (int at = 0; at < threads; at++)
        OK(MPI_Comm_free(&all[at].comm));
    if (rank == 0)
        printf("%ld turns\n", atomic_load(&turns));
    return strcmp(mode, "child") == 0 ? finish_beside_child() : finish();
}
