/* What the test programs share. A check that fails says where, on which rank and with which values,
 * and ends the job with exit code 1; a program that passes prints nothing. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static inline void check_failed(const char *file, int line, const char *what, long long a,
                                long long b)
{
    fprintf(stderr, "%s:%d: rank %d: %s (%lld, %lld)\n", file, line, rank, what, a, b);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            check_failed(__FILE__, __LINE__, #condition, 0, 0);                                    \
    } while (0)

#define EQUAL(a, b)                                                                                \
    do {                                                                                           \
        long long a_ = (long long)(a), b_ = (long long)(b);                                        \
        if (a_ != b_)                                                                              \
            check_failed(__FILE__, __LINE__, #a " == " #b, a_, b_);                                \
    } while (0)

#define OK(call) EQUAL(call, MPI_SUCCESS)

static inline void start(int *argc, char ***argv)
{
    OK(MPI_Init(argc, argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
}

static inline int finish(void)
{
    OK(MPI_Finalize());
    return 0;
}

/* Gives all ranks of a communicator the name of a file that no other job has: neither a process
 * number, which another namespace may have as well, nor the time, at which another job may begin,
 * identifies a job. */
static inline void unique_name_on(MPI_Comm comm, char *name, size_t room, const char *what)
{
    if (rank == 0) {
        const char *folder = getenv("TEST_FOLDER");
        snprintf(name, room, "%s/oxmpi-%s-XXXXXX", folder ? folder : "/tmp", what);
        int file = mkstemp(name);
        CHECK(file >= 0);
        close(file);
        unlink(name);
    }
    OK(MPI_Bcast(name, (int)room, MPI_CHAR, 0, comm));
}

static inline void unique_name(char *name, size_t room, const char *what)
{
    unique_name_on(MPI_COMM_WORLD, name, room, what);
}

/* The byte at `i` of the message `seed`: different seeds give different messages. */
static inline unsigned char pattern(long seed, size_t i)
{
    unsigned long x = (unsigned long)i * 2654435761u + (unsigned long)seed * 40503u;
    return (unsigned char)(x ^ (x >> 13));
}

static inline void fill(unsigned char *data, size_t bytes, long seed)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = pattern(seed, i);
}

static inline void check_bytes(const char *file, int line, const unsigned char *data, size_t bytes,
                               long seed)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != pattern(seed, i))
            check_failed(file, line, "wrong byte (at, found)", (long long)i, data[i]);
}

#define FILLED(data, bytes, seed) check_bytes(__FILE__, __LINE__, data, bytes, seed)

/* The class of an error code. */
static inline int class_of(int code)
{
    int class = -1;
    OK(MPI_Error_class(code, &class));
    return class;
}

#endif
