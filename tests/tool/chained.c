/* A tool that prints its name and the function at each call, and hands the call on. Compiled with
 * -DNAME=... it is one of several; -DSOME leaves out what it does not wrap, -DTABLE has it call
 * through pointers in its data, which the loader fills otherwise than calls, -DLOOKUP=... look
 * functions up by this handle: PMPI_X, or with -DPLAIN the MPI_X behind its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static void saw(const char *call)
{
    char line[64];
    int length = snprintf(line, sizeof line, "%s %s\n", TEXT(NAME), call);
    if (write(1, line, (size_t)length) != length)
        _exit(9);
}

#ifdef TABLE
static struct {
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*barrier)(MPI_Comm);
} next = {PMPI_Send, PMPI_Barrier};
#define SEND next.send
#define BARRIER next.barrier
#define NEXT(name) P##name
#elif defined LOOKUP
#ifdef PLAIN
#define NEXT(name) ((__typeof__(&name))dlsym(LOOKUP, #name))
#else
#define NEXT(name) ((__typeof__(&name))dlsym(LOOKUP, "P" #name))
#endif
#define SEND NEXT(MPI_Send)
#define BARRIER NEXT(MPI_Barrier)
#else
#define SEND PMPI_Send
#define BARRIER PMPI_Barrier
#define NEXT(name) P##name
#endif

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    saw("Send");
    return SEND(data, count, type, to, tag, comm);
}

int MPI_Finalize(void)
{
    saw("Finalize");
    return NEXT(MPI_Finalize)();
}

#ifndef SOME
int MPI_Init(int *argc, char ***argv)
{
    saw("Init");
    return NEXT(MPI_Init)(argc, argv);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    saw("Recv");
    return NEXT(MPI_Recv)(data, count, type, from, tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm)
{
    saw("Barrier");
    return BARRIER(comm);
}
#endif
