/* Who is killed, and in which lives: for the programs of this folder. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, ranks, victim = -1, victim2 = -1, deaths = 1;
static long fatal = -1, steps;

/* The number of this life, from 1. */
static int lives(void)
{
    const char *life = getenv("OXMPI_LIFE");
    return life ? atoi(life) : 1;
}

/* Whether this is a rank that kills itself in this life. */
static int dies(void)
{
    return (rank == victim || rank == victim2) && lives() <= deaths;
}

static uint64_t mixed(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001b3ull;
    return hash;
}
