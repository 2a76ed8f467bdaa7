/* One of two jobs that find each other by a file with the name of a port, or by a published name:
 *     two_jobs server|client /FILE|NAME ROUNDS BYTES
 * They connect and disconnect ROUNDS times; each time every pair of processes of the two jobs
 * exchanges BYTES bytes, in both directions, and all of both take part in collectives, a duplicate,
 * a split and a communicator of two groups that only one of them knows. From the fourth time on,
 * nothing is left of the times before. */
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

static int count_lines(const char *path)
{
    int count = 0, c;
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while ((c = getc(file)) != EOF)
        count += c == '\n';
    fclose(file);
    return count;
}

/* Writes the name of a port, in one step for those who read it. */
static void tell(const char *file, const char *port)
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

/* Each process writes a word to every other one's memory. */
static void windows(MPI_Comm all, int r, int size)
{
    int *words;
    MPI_Win win;
    OK(MPI_Win_allocate(size * sizeof *words, sizeof *words, MPI_INFO_NULL, all, &words, &win));
    OK(MPI_Win_fence(0, win));
    for (int to = 0; to < size; to++) {
        int value = 1000 * r + to;
        OK(MPI_Put(&value, 1, MPI_INT, to, r, 1, MPI_INT, win));
        OK(MPI_Win_fence(0, win));
    }
    for (int from = 0; from < size; from++)
        EQUAL(words[from], 1000 * from + r);
    OK(MPI_Win_free(&win));
}

/* All of both jobs in one communicator, and what is made of it. */
static void together(MPI_Comm between, int server)
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
    /* Memory is shared with those of the own job on this host. */
    OK(MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part));
    OK(MPI_Comm_size(part, &got));
    EQUAL(got, ranks);
    OK(MPI_Comm_free(&part));
    windows(twin, r, size);
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
    EQUAL(argc, 5);
    int server = strcmp(argv[1], "server") == 0, rounds = atoi(argv[3]);
    long bytes = atol(argv[4]);
    unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
    int by_file = argv[2][0] == '/';
    if (rank == 0 && server) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        if (by_file)
            tell(argv[2], port);
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
        together(between, server);
        OK(MPI_Comm_disconnect(&between));
        if (round == 3) {
            descriptors = count_entries("/proc/self/fd");
            mappings = count_lines("/proc/self/maps");
        }
    }
    if (rounds > 4) {
        /* Sockets linger for a moment; a heap may have grown by a mapping or two. */
        int left = count_entries("/proc/self/fd") - descriptors;
        CHECK(left < 30);
        CHECK(count_lines("/proc/self/maps") < mappings + 10);
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
