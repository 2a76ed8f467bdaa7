/* What the tests of sessions share: beginning one, using one, and counting what a process holds. */
#ifndef SESSION_H
#define SESSION_H

#include "check.h"

#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

/* A session with a level of thread support, or with whatever there is. */
static inline MPI_Session begin(const char *level)
{
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Info info = MPI_INFO_NULL;
    if (level) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "thread_level", level));
    }
    OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    CHECK(session != MPI_SESSION_NULL);
    if (level)
        OK(MPI_Info_free(&info));
    return session;
}

/* A communicator of a process set. */
static inline MPI_Comm join(MPI_Session session, const char *pset, const char *tag)
{
    MPI_Group group;
    MPI_Comm comm;
    OK(MPI_Group_from_session_pset(session, pset, &group));
    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    return comm;
}

/* Sums and sends over a communicator, with checks. */
static inline void work(MPI_Comm comm)
{
    int own, size, sum, in = -1;
    OK(MPI_Comm_rank(comm, &own));
    OK(MPI_Comm_size(comm, &size));
    sum = own + 1;
    OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(sum, size * (size + 1) / 2);
    OK(MPI_Sendrecv(&own, 1, MPI_INT, (own + 1) % size, 3, &in, 1, MPI_INT, (own + size - 1) % size,
                    3, comm, MPI_STATUS_IGNORE));
    EQUAL(in, (own + size - 1) % size);
}

/* A communicator of a process set, used and freed. */
static inline void use(MPI_Session session, const char *pset, const char *tag)
{
    MPI_Comm comm = join(session, pset, tag);
    work(comm);
    OK(MPI_Comm_free(&comm));
}

static inline int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    CHECK(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    /* ".", ".." and the descriptor of this folder. */
    return count - 3;
}

/* The threads of this process. One that was joined is listed until the kernel is done with it, which
 * the flags in its line of /proc show (PF_EXITING). */
static inline int count_threads(void)
{
    const unsigned exiting = 0x4;
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    CHECK(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[300], line[512];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        unsigned flags = exiting;
        char *named = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        if (named)
            sscanf(named, ") %*c %*d %*d %*d %*d %*d %u", &flags);
        fclose(file);
        count += !(flags & exiting);
    }
    closedir(folder);
    return count;
}

/* What a process holds at one moment. */
struct holdings {
    int descriptors, threads, mappings;
    long resident_kib, allocated_kib;
};

static inline struct holdings count_holdings(void)
{
    struct holdings now = {count_descriptors(), count_threads(), 0, 0, 0};
    malloc_trim(0);
    struct mallinfo2 heap = mallinfo2();
    now.allocated_kib = (long)((heap.uordblks + heap.hblkhd) / 1024);
    char line[512];
    FILE *file = fopen("/proc/self/maps", "r");
    CHECK(file);
    while (fgets(line, sizeof line, file))
        now.mappings++;
    fclose(file);
    file = fopen("/proc/self/statm", "r");
    long total, resident;
    CHECK(file && fscanf(file, "%ld %ld", &total, &resident) == 2);
    fclose(file);
    now.resident_kib = resident * (sysconf(_SC_PAGESIZE) / 1024);
    return now;
}

/* The same descriptors and threads as before, and the same memory. What the C library keeps of freed
 * memory is no leak: short lists of blocks for each thread, which it counts as given, and with more
 * than one thread an arena for each. Neither are `below` bytes: what libfabric alone, without MPI, was
 * seen to leave behind in as many openings of an endpoint. */
static inline void same_holdings(struct holdings before, struct holdings now, int arenas, long below)
{
    now.allocated_kib -= below / 1024;
    now.resident_kib -= below / 1024;
    EQUAL(now.descriptors, before.descriptors);
    EQUAL(now.threads, before.threads);
    if (now.mappings > before.mappings + 4 + 4 * arenas ||
        now.allocated_kib > before.allocated_kib + 256 ||
        (arenas == 0 && now.resident_kib > before.resident_kib + 2048)) {
        fprintf(stderr, "mappings %d then %d, allocated KiB %ld then %ld, resident KiB %ld then %ld\n",
                before.mappings, now.mappings, before.allocated_kib, now.allocated_kib,
                before.resident_kib, now.resident_kib);
        CHECK(!"memory is left over");
    }
}

#endif
