/* One of two jobs that find each other by a file with the name of a port, or by a published name:
 *     two_jobs server|client /FILE|NAME ROUNDS BYTES [memory|nodes|messages]
 * They connect and disconnect ROUNDS times; each time every pair of processes of the two jobs
 * exchanges BYTES bytes, in both directions, and all of both take part in collectives, windows, a
 * duplicate, splits and a communicator of two groups that only one of them knows. The last word says
 * what carries their collectives: memory that all share, or those of a node each, or none. From the
 * fourth time on, nothing is left of the times before. */
#include "../c/check.h"
#include <dirent.h>
#include <unistd.h>

static int count_entries(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    CHECK(folder != NULL);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Lines with a word in them. */
static int count_lines(const char *path, const char *word)
{
    char line[4096];
    int count = 0;
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file))
        count += strstr(line, word) != NULL;
    fclose(file);
    return count;
}

/* Writes the name of a port, in one step for those who read it. */
static void publish(const char *file, const char *port)
{
    char other[4096];
    snprintf(other, sizeof other, "%s.new", file);
    FILE *out = fopen(other, "w");
    CHECK(out != NULL && fputs(port, out) >= 0);
    fclose(out);
    CHECK(rename(other, file) == 0);
}

static void learn(const char *file, char *port)
{
    FILE *in;
    while ((in = fopen(file, "r")) == NULL)
        usleep(10000);
    CHECK(fgets(port, MPI_MAX_PORT_NAME, in) != NULL);
    fclose(in);
}

/* Waits until a name is published. */
static void look_up(const char *name, char *port)
{
    int code;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    while ((code = MPI_Lookup_name(name, MPI_INFO_NULL, port)) != MPI_SUCCESS) {
        EQUAL(class_of(code), MPI_ERR_NAME);
        usleep(10000);
    }
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* A word with each process of the other group, then the bytes with one. */
static void exchange(MPI_Comm between, unsigned char *out, unsigned char *in, long bytes)
{
    int others;
    OK(MPI_Comm_remote_size(between, &others));
    for (int to = 0; to < others; to++) {
        int got = -1, value = 100 * rank + to;
        OK(MPI_Sendrecv(&value, 1, MPI_INT, to, 1, &got, 1, MPI_INT, to, 1, between,
                        MPI_STATUS_IGNORE));
        EQUAL(got, 100 * to + rank);
    }
    if (rank >= others)
        return;
    fill(out, bytes, rank);
    memset(in, 0, bytes);
    MPI_Request both[2];
    OK(MPI_Irecv(in, bytes, MPI_BYTE, rank, 2, between, &both[0]));
    OK(MPI_Isend(out, bytes, MPI_BYTE, rank, 2, between, &both[1]));
    OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    FILLED(in, bytes, rank);
}

/* Each process writes a word to every other one's memory, by each kind of epoch, and all count. */
static void windows(MPI_Comm all, int r, int size)
{
    int *words, one = 1, got = -1, next = (r + 1) % size, last = (r + size - 1) % size;
    MPI_Win win;
    MPI_Group group, to, from;
    OK(MPI_Win_allocate((size + 2) * sizeof *words, sizeof *words, MPI_INFO_NULL, all, &words, &win));
    memset(words, 0, (size + 2) * sizeof *words);
    OK(MPI_Win_fence(0, win));
    for (int other = 0; other < size; other++) {
        int value = 1000 * r + other;
        OK(MPI_Put(&value, 1, MPI_INT, other, r, 1, MPI_INT, win));
        OK(MPI_Accumulate(&one, 1, MPI_INT, other, size, 1, MPI_INT, MPI_SUM, win));
        OK(MPI_Win_fence(0, win));
    }
    for (int from_rank = 0; from_rank < size; from_rank++)
        EQUAL(words[from_rank], 1000 * from_rank + r);
    EQUAL(words[size], size);
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));

    OK(MPI_Comm_group(all, &group));
    OK(MPI_Group_incl(group, 1, &next, &to));
    OK(MPI_Group_incl(group, 1, &last, &from));
    OK(MPI_Win_post(from, 0, win));
    OK(MPI_Win_start(to, 0, win));
    OK(MPI_Put(&r, 1, MPI_INT, next, size + 1, 1, MPI_INT, win));
    OK(MPI_Win_complete(win));
    OK(MPI_Win_wait(win));
    EQUAL(words[size + 1], last);
    OK(MPI_Group_free(&group));
    OK(MPI_Group_free(&to));
    OK(MPI_Group_free(&from));

    for (int i = 0; i < 10; i++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Get(&got, 1, MPI_INT, 0, size, 1, MPI_INT, win));
        OK(MPI_Win_flush(0, win));
        got++;
        OK(MPI_Put(&got, 1, MPI_INT, 0, size, 1, MPI_INT, win));
        OK(MPI_Win_unlock(0, win));
        OK(MPI_Win_lock_all(0, win));
        OK(MPI_Fetch_and_op(&one, &got, MPI_INT, size - 1, size, MPI_SUM, win));
        OK(MPI_Win_unlock_all(win));
    }
    OK(MPI_Barrier(all));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, r, 0, win));
    EQUAL(words[size], size + (r == 0 || r == size - 1 ? 10 * size : 0));
    OK(MPI_Win_unlock(r, win));
    OK(MPI_Win_free(&win));
}

/* Each process reads what its neighbour has stored in memory of both. */
static void loads(MPI_Comm node)
{
    int r, size, unit, *own, *theirs;
    MPI_Aint bytes;
    MPI_Win win;
    OK(MPI_Comm_rank(node, &r));
    OK(MPI_Comm_size(node, &size));
    OK(MPI_Win_allocate_shared(sizeof *own, sizeof *own, MPI_INFO_NULL, node, &own, &win));
    OK(MPI_Win_fence(0, win));
    *own = 77 + r;
    OK(MPI_Win_fence(0, win));
    OK(MPI_Win_shared_query(win, (r + 1) % size, &bytes, &unit, &theirs));
    EQUAL(*theirs, 77 + (r + 1) % size);
    OK(MPI_Win_fence(0, win));
    OK(MPI_Win_free(&win));
}

/* Collectives, more often than it takes until memory carries them. */
static void collectives(MPI_Comm all, int r, int size, const char *carrier)
{
    enum { MOST = 30000 };
    static const int BYTES[] = {4, 500, MOST};
    unsigned char *out = malloc((size_t)size * MOST), *in = malloc((size_t)size * MOST);
    int before = count_lines("/proc/self/maps", "oxmpi-coll");
    for (int i = 0; i < 9; i++) {
        int bytes = BYTES[i % 3], root = i % size, sum = 0;
        MPI_Request request;
        OK(MPI_Iallreduce(&r, &sum, 1, MPI_INT, MPI_SUM, all, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL(sum, size * (size - 1) / 2);
        for (int to = 0; to < size; to++)
            fill(out + to * bytes, bytes, i + r * size + to);
        OK(MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, all));
        for (int from = 0; from < size; from++)
            FILLED(in + from * bytes, bytes, i + from * size + r);
        OK(MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, all));
        for (int from = 0; from < size; from++)
            FILLED(in + from * bytes, bytes, i + from * size);
        OK(MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, all));
        OK(MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, root, all));
        FILLED(out, bytes, i + r * size);
        OK(MPI_Bcast(out, bytes, MPI_BYTE, root, all));
        FILLED(out, bytes, i + root * size);
        for (int at = 0; at < bytes / 4; at++)
            ((int *)out)[at] = at + r;
        OK(MPI_Allreduce(out, in, bytes / 4, MPI_INT, MPI_MAX, all));
        EQUAL(((int *)in)[bytes / 4 - 1], bytes / 4 + size - 2);
        OK(MPI_Reduce(out, in, bytes / 4, MPI_INT, MPI_SUM, root, all));
        if (r == root)
            EQUAL(((int *)in)[0], size * (size - 1) / 2);
        OK(MPI_Barrier(all));
    }
    if (carrier) {
        int has_grown = count_lines("/proc/self/maps", "oxmpi-coll") > before;
        MPI_Comm node;
        int here;
        EQUAL(has_grown, strcmp(carrier, "messages") != 0);
        OK(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
        OK(MPI_Comm_size(node, &here));
        OK(MPI_Comm_free(&node));
        if (has_grown)
            EQUAL(here == size, strcmp(carrier, "memory") == 0);
    }
    free(out);
    free(in);
}

/* What processes can share memory with others that say the same. */
static int count_near(MPI_Comm all, int r, int size)
{
    enum { WORD = 200 };
    char *words = calloc(size, WORD), *own = words + r * WORD;
    FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
    CHECK(boot != NULL && fgets(own, WORD / 2, boot) != NULL);
    fclose(boot);
    CHECK(readlink("/proc/self/ns/pid", own + strlen(own), WORD / 2 - 1) > 0);
    OK(MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, words, WORD, MPI_CHAR, all));
    int count = 0;
    for (int other = 0; other < size; other++)
        count += strcmp(words + other * WORD, words + r * WORD) == 0;
    free(words);
    return count;
}

/* All of both jobs in one communicator, and what is made of it. */
static void together(MPI_Comm between, int server, const char *carrier)
{
    MPI_Comm all, twin, part, again;
    int size, r, others, sum = 0, one = 1, got = -1;
    OK(MPI_Comm_remote_size(between, &others));
    OK(MPI_Intercomm_merge(between, server, &all));
    OK(MPI_Comm_dup(all, &twin));
    OK(MPI_Comm_size(twin, &size));
    OK(MPI_Comm_rank(twin, &r));
    EQUAL(size, ranks + others);
    EQUAL(r, server ? others + rank : rank);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, twin));
    EQUAL(sum, size);
    OK(MPI_Sendrecv(&r, 1, MPI_INT, (r + 1) % size, 3, &got, 1, MPI_INT, (r + size - 1) % size, 3,
                    twin, MPI_STATUS_IGNORE));
    EQUAL(got, (r + size - 1) % size);
    OK(MPI_Comm_split(twin, r % 2, 0, &part));
    OK(MPI_Allreduce(&r, &sum, 1, MPI_INT, MPI_MAX, part));
    EQUAL(sum, size - 1 - (size - 1 - r) % 2);
    OK(MPI_Comm_free(&part));
    collectives(twin, r, size, carrier);
    windows(twin, r, size);
    /* Memory is shared with all on this host, in whatever communicator. */
    int near = count_near(twin, r, size), far, own;
    OK(MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part));
    OK(MPI_Comm_size(part, &got));
    EQUAL(got, near);
    loads(part);
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_split_type(between, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part));
    if (part != MPI_COMM_NULL) {
        OK(MPI_Comm_size(part, &own));
        OK(MPI_Comm_remote_size(part, &far));
        EQUAL(own + far, near);
        OK(MPI_Comm_free(&part));
    }
    /* The leaders speak of processes by a communicator of both jobs. */
    OK(MPI_Intercomm_create(MPI_COMM_WORLD, 0, all, server ? 0 : others > 0 ? ranks : 0, 4, &again));
    OK(MPI_Barrier(again));
    OK(MPI_Comm_free(&again));
    OK(MPI_Comm_free(&twin));
    OK(MPI_Comm_free(&all));
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int descriptors = 0, mappings = 0;
    start(&argc, &argv);
    CHECK(argc == 5 || argc == 6);
    int server = strcmp(argv[1], "server") == 0, rounds = atoi(argv[3]);
    long bytes = atol(argv[4]);
    unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
    int by_file = argv[2][0] == '/';
    if (rank == 0 && server) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        if (by_file)
            publish(argv[2], port);
        else
            OK(MPI_Publish_name(argv[2], MPI_INFO_NULL, port));
    } else if (rank == 0) {
        if (by_file)
            learn(argv[2], port);
        else
            look_up(argv[2], port);
    }
    for (int round = 0; round < rounds; round++) {
        MPI_Comm between;
        if (server)
            OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between));
        else
            OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between));
        exchange(between, out, in, bytes);
        together(between, server, argc > 5 ? argv[5] : NULL);
        OK(MPI_Comm_disconnect(&between));
        if (round == 3) {
            descriptors = count_entries("/proc/self/fd");
            mappings = count_lines("/proc/self/maps", "");
        }
    }
    if (rounds > 4) {
        /* Sockets linger for a moment; a heap may have grown by a mapping or two. */
        int left = count_entries("/proc/self/fd") - descriptors;
        CHECK(left < 30);
        CHECK(count_lines("/proc/self/maps", "") < mappings + 10);
    }
    if (rank == 0 && server) {
        if (!by_file)
            OK(MPI_Unpublish_name(argv[2], MPI_INFO_NULL, port));
        OK(MPI_Close_port(port));
    }
    free(out);
    free(in);
    return finish();
}
