/* An allocator that gives pages back to the system at every call, with its lock in its hands.
 *
 * Loaded first, by LD_PRELOAD. Large chunks come from a region of its own; whenever anything is
 * allocated or freed, a page of a free chunk is emptied by madvise(MADV_DONTNEED), and a freed
 * chunk is emptied whole. So the pages of buffers that were just sent go while the lock is held, on
 * every thread, also inside the MPI library: whoever answers the release by allocating, or by
 * taking a lock that somebody holds across an allocation, hangs. Small chunks are the C
 * library's. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_memalign(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

/* Large begins here, which is also the smallest chunk. */
#define UNIT ((size_t)32768)
#define REGION ((size_t)8 << 30)
#define UNITS (REGION / UNIT)
enum { CLASSES = 18, PAGE = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *region;
static size_t used;
static unsigned char class_of_unit[UNITS];
/* Free chunks of each class, by unit, and how many. */
static uint32_t next_free[UNITS];
static uint32_t first_free[CLASSES];
/* A free chunk whose first page is emptied at every call. */
static char *victim;

static int is_large(void *at)
{
    return region && (char *)at >= region && (char *)at < region + REGION;
}

static void purge(void)
{
    if (victim)
        madvise(victim, PAGE, MADV_DONTNEED);
}

static void begin(void)
{
    pthread_mutex_lock(&lock);
    if (!region) {
        void *got = mmap(NULL, REGION, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (got == MAP_FAILED)
            _exit(98);
        region = got;
        victim = region;
        used = 1; /* The first unit is never given: there is always a page to empty. */
    }
    purge();
}

static void end(void)
{
    pthread_mutex_unlock(&lock);
}

static void *large(size_t bytes)
{
    int class = 0;
    while (class < CLASSES && (UNIT << class) < bytes)
        class++;
    if (class == CLASSES) {
        errno = ENOMEM;
        return NULL;
    }
    begin();
    size_t unit = first_free[class];
    if (unit) {
        first_free[class] = next_free[unit];
    } else {
        unit = used;
        size_t units = (size_t)1 << class;
        if (unit + units > UNITS) {
            end();
            errno = ENOMEM;
            return NULL;
        }
        used += units;
        class_of_unit[unit] = (unsigned char)class;
    }
    char *at = region + unit * UNIT;
    if (at == victim)
        victim = region;
    end();
    return at;
}

void *malloc(size_t bytes)
{
    if (bytes >= UNIT)
        return large(bytes);
    begin();
    end();
    return __libc_malloc(bytes);
}

void free(void *at)
{
    if (!is_large(at)) {
        begin();
        end();
        __libc_free(at);
        return;
    }
    begin();
    size_t unit = (size_t)((char *)at - region) / UNIT;
    int class = class_of_unit[unit];
    madvise(at, UNIT << class, MADV_DONTNEED);
    next_free[unit] = first_free[class];
    first_free[class] = (uint32_t)unit;
    victim = at;
    end();
}

void *calloc(size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *at = malloc(all);
    return at ? memset(at, 0, all) : NULL;
}

void *realloc(void *old, size_t bytes)
{
    if (!old)
        return malloc(bytes);
    if (!is_large(old) && bytes < UNIT) {
        begin();
        end();
        return __libc_realloc(old, bytes);
    }
    size_t had = malloc_usable_size(old);
    void *at = malloc(bytes);
    if (at) {
        memcpy(at, old, had < bytes ? had : bytes);
        free(old);
    }
    return at;
}

size_t malloc_usable_size(void *at)
{
    if (!at)
        return 0;
    if (is_large(at))
        return UNIT << class_of_unit[(size_t)((char *)at - region) / UNIT];
    /* As the C library keeps it: the size before the chunk, with three flags, less one word, or
     * two where the second flag says that it has a mapping of its own. */
    size_t size = ((size_t *)at)[-1];
    return (size & ~(size_t)7) - (size & 2 ? 2 : 1) * sizeof(size_t);
}

void *memalign(size_t alignment, size_t bytes)
{
    if (bytes >= UNIT && alignment <= PAGE)
        return large(bytes);
    begin();
    end();
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **place, size_t alignment, size_t bytes)
{
    void *at = memalign(alignment, bytes);
    if (!at)
        return ENOMEM;
    *place = at;
    return 0;
}
