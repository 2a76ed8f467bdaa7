// np: 2 3 4
// mpirun: --mca coll_sm_threshold 2 --mca coll_sm_slot_size 1024 --mca coll_sm_single_copy always
/* Collectives inside a node, with slots so small that little data takes every way: in a line, in a
 * slot, in several, and read where it lies. Communicators that had shared memory leave nothing
 * behind, and ranks that sleep in one communicator go on with others. */
#include "check.h"

#include <dirent.h>
#include <unistd.h>

enum { MOST = 40000, WIDE = 30 };

static const int BYTES[] = {0, 8, 48, 56, 500, 1024, 1032, 3000, 4096, 16384, MOST};

static unsigned char *out, *in;

static void everybody(MPI_Comm comm, int bytes, long seed)
{
    for (int r = 0; r < ranks; r++)
        fill(out + r * bytes, bytes, seed + rank * ranks + r);
    memset(in, 0, (size_t)ranks * bytes);
    OK(MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm));
    for (int r = 0; r < ranks; r++)
        FILLED(in + r * bytes, bytes, seed + r * ranks + rank);
    OK(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, in, bytes, MPI_BYTE, comm));
    for (int r = 0; r < ranks; r++)
        FILLED(in + r * bytes, bytes, seed + rank * ranks + r);
    memset(in, 0, (size_t)ranks * bytes);
    OK(MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, comm));
    for (int r = 0; r < ranks; r++)
        FILLED(in + r * bytes, bytes, seed + r * ranks);
}

static void rooted(MPI_Comm comm, int bytes, long seed, int root)
{
    fill(out, bytes, seed + rank);
    memset(in, 0, (size_t)ranks * bytes);
    OK(MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, comm));
    for (int r = 0; r < ranks && rank == root; r++)
        FILLED(in + r * bytes, bytes, seed + r);
    memset(out, 0, bytes);
    OK(MPI_Scatter(in, bytes, MPI_BYTE, rank == root ? MPI_IN_PLACE : out, bytes, MPI_BYTE, root,
                   comm));
    if (rank != root)
        FILLED(out, bytes, seed + rank);
    fill(out, bytes, rank == root ? seed : 0);
    OK(MPI_Bcast(out, bytes, MPI_BYTE, root, comm));
    FILLED(out, bytes, seed);
}

static void reductions(MPI_Comm comm, int bytes, int root)
{
    int count = bytes / 4, *sent = (int *)out, *sum = (int *)in;
    for (int i = 0; i < count; i++) {
        sent[i] = i + 1000 * rank;
        sum[i] = -1;
    }
    OK(MPI_Allreduce(sent, sum, count, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < count; i++)
        EQUAL(sum[i], i * ranks + 500 * ranks * (ranks - 1));
    memcpy(sum, sent, bytes);
    OK(MPI_Reduce(rank == root ? MPI_IN_PLACE : sent, sum, count, MPI_INT, MPI_MAX, root, comm));
    for (int i = 0; i < count && rank == root; i++)
        EQUAL(sum[i], i + 1000 * (ranks - 1));
}

static int descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static int shared_mappings(void)
{
    char line[512];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        count += strstr(line, "oxmpi-coll") != NULL;
    fclose(maps);
    return count;
}

static void many(void)
{
    int before = descriptors(), mapped = shared_mappings();
    MPI_Comm comm[WIDE];
    for (int i = 0; i < WIDE; i++) {
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]));
        for (int round = 0; round < 8; round++) {
            int sum = 0, one = i;
            OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm[i]));
            EQUAL(sum, i * ranks);
        }
    }
    /* None for a communicator; who has woken a sleeper keeps one for each peer. */
    CHECK(descriptors() <= before + ranks - 1);
    CHECK(shared_mappings() == mapped + WIDE || shared_mappings() == mapped);
    for (int i = 0; i < WIDE; i++)
        OK(MPI_Comm_free(&comm[i]));
    EQUAL(shared_mappings(), mapped);
}

/* The last rank comes late: the others sleep in the collective, and are woken by it, or by a message
 * of a non-blocking collective that they have to move meanwhile. */
static void late(MPI_Comm comm)
{
    int sum[2] = {0, 0}, one = 1;
    MPI_Request request;
    OK(MPI_Iallreduce(&one, &sum[0], 1, MPI_INT, MPI_SUM, comm, &request));
    if (rank == ranks - 1)
        usleep(300000);
    OK(MPI_Allreduce(&one, &sum[1], 1, MPI_INT, MPI_SUM, comm));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(sum[0], ranks);
    EQUAL(sum[1], ranks);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    out = malloc((size_t)ranks * MOST);
    in = malloc((size_t)ranks * MOST);
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (size_t i = 0; i < sizeof BYTES / sizeof *BYTES; i++) {
        int bytes = BYTES[i];
        everybody(comm, bytes, 100 * (long)i);
        for (int root = 0; root < ranks; root++) {
            rooted(comm, bytes, 7000 + 100 * (long)i + root, root);
            reductions(comm, bytes, root);
        }
        OK(MPI_Barrier(comm));
    }
    late(comm);
    OK(MPI_Comm_free(&comm));
    many();
    free(out);
    free(in);
    return finish();
}
