/* A part of a program whose parts were compiled for different MPIs, as extensions of Python are: each
 * sees the values of its own header, of the same processes and objects. parts.c calls it. */

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

/* The library that has the names of Fortran for this header. */
#if defined(OPEN_MPI)
#define FORTRAN "libmpi.so.40"
#elif defined(MPICH)
#define FORTRAN "libmpi.so.12"
#else
#define FORTRAN "libmpifort_abi.so.1"
#endif

static int failed, calls, ended, faults;

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            printf("%s, line %d: %s\n", PART, __LINE__, #condition);                         \
            failed = 1;                                                                      \
        }                                                                                    \
    } while (0)

static void on_error(MPI_Comm *comm, int *code, ...)
{
    int class = -1;
    MPI_Error_class(*code, &class);
    CHECK(*comm == MPI_COMM_WORLD && class == MPI_ERR_RANK);
    calls++;
}

static int on_end(MPI_Comm comm, int key, void *value, void *state)
{
    CHECK(comm == MPI_COMM_SELF && value == (void *)&calls);
    ended++;
    return MPI_SUCCESS;
}

/* Begins MPI, and leaves functions of this part with objects of all. */
void begin(void)
{
    int key, is_there = 1;
    MPI_Errhandler handler;
    MPI_Initialized(&is_there);
    CHECK(!is_there);
    MPI_Init(NULL, NULL);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &calls);
}

/* Sends to the next process what a part of the one before it receives. */
void sends(int value)
{
    int rank, size;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(&value, 1, MPI_INT, (rank + 1) % size, value, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

void receives(int value)
{
    int rank, size, got = -1, class = -1;
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(got == value && status.MPI_TAG == value);
    CHECK(status.MPI_SOURCE == (rank + size - 1) % size);
    MPI_Error_class(MPI_Send(&got, 1, MPI_INT, size, 0, MPI_COMM_WORLD), &class);
    CHECK(class == MPI_ERR_RANK);
}

static void on_fault(MPI_Comm *comm, int *code, ...)
{
    int class = -1;
    MPI_Error_class(*code, &class);
    CHECK(class == MPI_ERR_INTERN);
    faults++;
}

/* Has a conversion panic, by a CHARACTER whose length no memory has: the process does not end, and
 * the error handler of the communicator gets the error. */
void provoke(void)
{
    void (*set_name)(MPI_Fint *, const char *, MPI_Fint *, size_t);
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Fint number, code = 0;
    int class = -1;
    void *library = dlopen(FORTRAN, RTLD_NOW);
    CHECK(library);
    *(void **)&set_name = dlsym(library, "mpi_comm_set_name_");
    CHECK(set_name);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_errhandler(on_fault, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    number = MPI_Comm_c2f(comm);
    set_name(&number, "name", &code, (size_t)-1);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_INTERN && faults == 1);
    set_name(&number, "name", &code, 4);
    CHECK(code == MPI_SUCCESS && faults == 1);
    MPI_Comm_free(&comm);
}

void end(void)
{
    int is_there = 0;
    MPI_Finalized(&is_there);
    CHECK(!is_there);
    MPI_Finalize();
}

/* What the functions of this part were called for; -1 where a check has failed. */
int counted_calls(void)
{
    int is_over = 0;
    MPI_Finalized(&is_over);
    CHECK(is_over);
    return failed ? -1 : 10 * calls + ended;
}
