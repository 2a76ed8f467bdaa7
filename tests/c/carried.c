// np: 2 4
/* Long messages by whatever carries them: often enough that each mechanism is tried, with lengths
 * on both sides of the borders of size classes, contiguous or with gaps on either side, one at a
 * time or several, received late or early, synchronous or not. In the middle one rank after the
 * other is refused the reading of memory of others. */
#include "check.h"

#include "../environment/refuse_copies.h"

enum { LONGEST = (2 << 20) + 5, ROUNDS = 24, WINDOW = 4 };

static const int lengths[] = {32767, 32768, 50000, 65536, 131071, 262144, 262145, 1 << 20, LONGEST};

static unsigned char *out[WINDOW], *in[WINDOW];

/* `bytes` bytes in blocks of 1000, with as much between two of them. */
static MPI_Datatype with_gaps(int bytes)
{
    MPI_Datatype blocks, rest, type;
    int lens[2] = {1, bytes % 1000};
    MPI_Aint places[2] = {0, (MPI_Aint)(bytes / 1000) * 2000};
    OK(MPI_Type_vector(bytes / 1000, 1000, 2000, MPI_BYTE, &blocks));
    MPI_Datatype types[2] = {blocks, MPI_BYTE};
    OK(MPI_Type_create_struct(2, lens, places, types, &rest));
    type = rest;
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_free(&blocks));
    return type;
}

static void spread(unsigned char *to, const unsigned char *from, int bytes)
{
    for (int at = 0; at < bytes; at += 1000)
        memcpy(to + 2 * (size_t)at, from + at, bytes - at < 1000 ? bytes - at : 1000);
}

static void gather(unsigned char *to, const unsigned char *from, int bytes)
{
    for (int at = 0; at < bytes; at += 1000)
        memcpy(to + at, from + 2 * (size_t)at, bytes - at < 1000 ? bytes - at : 1000);
}

/* Around the ring and back. */
static void exchange(int bytes, int round)
{
    static unsigned char packed[LONGEST];
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    int count = round % 8 == 5 ? WINDOW : 1, early = round % 4 != 3;
    int gaps_out = round % 8 == 2, gaps_in = round % 8 == 4, synchronous = round % 8 == 6;
    MPI_Datatype gaps = with_gaps(bytes);
    MPI_Request request[2 * WINDOW];
    for (int one = 0; one < count; one++) {
        fill(packed, bytes, rank * 1000 + round * 10 + one);
        if (gaps_out)
            spread(out[one], packed, bytes);
        else
            memcpy(out[one], packed, bytes);
        memset(in[one], 0xee, 2 * (size_t)bytes);
    }
    for (int step = 0; step < 2; step++) {
        int sends = early == step;
        for (int one = 0; one < count; one++)
            if (!sends)
                OK(MPI_Irecv(in[one], gaps_in ? 1 : bytes, gaps_in ? gaps : MPI_BYTE, last, one,
                             MPI_COMM_WORLD, &request[one]));
            else if (synchronous)
                OK(MPI_Issend(out[one], gaps_out ? 1 : bytes, gaps_out ? gaps : MPI_BYTE, next,
                              one, MPI_COMM_WORLD, &request[count + one]));
            else
                OK(MPI_Isend(out[one], gaps_out ? 1 : bytes, gaps_out ? gaps : MPI_BYTE, next, one,
                             MPI_COMM_WORLD, &request[count + one]));
    }
    OK(MPI_Waitall(2 * count, request, MPI_STATUSES_IGNORE));
    for (int one = 0; one < count; one++) {
        if (gaps_in)
            gather(packed, in[one], bytes);
        else
            memcpy(packed, in[one], bytes);
        FILLED(packed, bytes, last * 1000 + round * 10 + one);
    }
    OK(MPI_Type_free(&gaps));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int one = 0; one < WINDOW; one++) {
        out[one] = malloc(2 * (size_t)LONGEST);
        in[one] = malloc(2 * (size_t)LONGEST);
        CHECK(out[one] && in[one]);
    }
    int lens = sizeof lengths / sizeof *lengths;
    for (int which = 0; which < lens; which++)
        for (int round = 0; round < ROUNDS; round++)
            exchange(lengths[which], round);
    for (int loser = 0; loser < 2; loser++) {
        for (int which = 0; which < lens; which++)
            for (int round = 0; round < 8; round++) {
                if (rank == loser && which == 2 && round == 1)
                    EQUAL(refuse_copies(), 0);
                exchange(lengths[which], round);
            }
    }
    for (int one = 0; one < WINDOW; one++) {
        free(out[one]);
        free(in[one]);
    }
    return finish();
}
