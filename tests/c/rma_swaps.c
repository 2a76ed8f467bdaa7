// np: 1 2 4
/* MPI_Compare_and_swap of elements of every size, in memory from MPI and in the program's own: what
 * was there comes back, it changes where it equals what it is compared with, to the last byte, and
 * nothing beside it does. What an element is compared with travels in other places than longer ones
 * have. */
#include "check.h"

#include <stdint.h>

enum { SIZE_MAX_BYTES = 16, SLOT = 32, ROUNDS = 20 };

static const MPI_Datatype TYPES[] = {MPI_INT8_T, MPI_BYTE,    MPI_INT16_T,  MPI_UINT32_T,
                                     MPI_C_BOOL, MPI_INT64_T, MPI_UINT64_T, MPI_AINT,
                                     MPI_LOGICAL, MPI_INTEGER16};
enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

/* Each rank swaps at a place of its own in the memory of the next. */
static void swap_all(MPI_Win win)
{
    int target = (rank + 1) % ranks;
    for (int t = 0; t < TYPE_COUNT; t++) {
        unsigned char there[SIZE_MAX_BYTES], new[SIZE_MAX_BYTES], wrong[SIZE_MAX_BYTES];
        unsigned char before[SIZE_MAX_BYTES], slot[SLOT], expected[SLOT];
        MPI_Aint at = (MPI_Aint)t * SLOT + 8;
        int size;
        OK(MPI_Type_size(TYPES[t], &size));
        CHECK(size > 0 && size <= SIZE_MAX_BYTES);
        memset(expected, 0xee, sizeof expected);
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
        fill(there, (size_t)size, 0);
        OK(MPI_Put(there, size, MPI_BYTE, target, at, size, MPI_BYTE, win));
        OK(MPI_Win_flush(target, win));
        for (int round = 1; round <= ROUNDS; round++) {
            /* All but one bit is alike: of another byte in each round. */
            memcpy(wrong, there, (size_t)size);
            wrong[round % size] ^= 0x80;
            fill(new, (size_t)size, round);
            OK(MPI_Compare_and_swap(new, wrong, before, TYPES[t], target, at, win));
            OK(MPI_Win_flush(target, win));
            CHECK(memcmp(before, there, (size_t)size) == 0);
            OK(MPI_Compare_and_swap(new, there, before, TYPES[t], target, at, win));
            OK(MPI_Win_flush(target, win));
            CHECK(memcmp(before, there, (size_t)size) == 0);
            memcpy(there, new, (size_t)size);
        }
        OK(MPI_Get(slot, SLOT, MPI_BYTE, target, at - 8, SLOT, MPI_BYTE, win));
        OK(MPI_Win_unlock(target, win));
        memcpy(expected + 8, there, (size_t)size);
        CHECK(memcmp(slot, expected, sizeof slot) == 0);
    }
}

static void swap_in(MPI_Win win, unsigned char *memory)
{
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    memset(memory, 0xee, TYPE_COUNT * SLOT);
    OK(MPI_Win_unlock(rank, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    swap_all(win);
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    static _Alignas(16) unsigned char own[TYPE_COUNT * SLOT];
    unsigned char *memory;
    MPI_Win win;
    start(&argc, &argv);
    OK(MPI_Win_allocate(sizeof own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    swap_in(win, memory);
    OK(MPI_Win_create(own, sizeof own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    swap_in(win, own);
    return finish();
}
