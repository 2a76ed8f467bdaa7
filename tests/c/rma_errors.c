// np: 1 2 3
// quick
/* What is wrong with a call on a window is an error of its class, and does no harm: the window goes
 * on to work. So it is in memory of the program's and in what MPI has allocated. */
#include "check.h"

static MPI_Win win;
static int *memory, value = 5;

enum { WORDS = 16 };

#define FAILS(call, class) EQUAL(class_of(call), class)

static void outside(void)
{
    OK(MPI_Win_fence(0, win));
    FAILS(MPI_Put(&value, 1, MPI_INT, 0, WORDS, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Put(&value, 1, MPI_INT, 0, WORDS * (MPI_Aint)1 << 40, 1, MPI_INT, win),
          MPI_ERR_RMA_RANGE);
    FAILS(MPI_Get(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
    FAILS(MPI_Put(&value, 1, MPI_INT, ranks, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    FAILS(MPI_Put(&value, 1, MPI_INT, 0, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT, 0, WORDS - 1, 2, MPI_INT, MPI_SUM, win),
          MPI_ERR_RMA_RANGE);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE);
    float real = 1;
    FAILS(MPI_Accumulate(&real, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_BAND, win), MPI_ERR_OP);
    FAILS(MPI_Compare_and_swap(&real, &real, &real, MPI_FLOAT, 0, 0, win), MPI_ERR_TYPE);
    OK(MPI_Get(&value, 1, MPI_INT, 0, 5, 1, MPI_INT, win));
    /* No fence has ended that access. */
    FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    EQUAL(value, 5);
    for (int i = 0; i < WORDS; i++)
        EQUAL(memory[i], i);
}

static void without_epoch(void)
{
    MPI_Group group;
    int flag;
    OK(MPI_Win_get_group(win, &group));
    FAILS(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush_local(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, ranks, 0, win), MPI_ERR_RANK);
    FAILS(MPI_Win_lock(0, 0, 0, win), MPI_ERR_LOCKTYPE);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOPUT, win), MPI_ERR_ASSERT);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_start(group, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    if (ranks > 1) {
        FAILS(MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
        FAILS(MPI_Win_unlock(1, win), MPI_ERR_RMA_SYNC);
    }
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Win_lock_all(0, win));
    FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Group_free(&group));
}

/* A lock that follows one like it is known to every other call all the same; also after so many that
 * its ticket is kept. */
static void locked_again(int often)
{
    enum { CALLS = 11 };
    MPI_Group group;
    MPI_Datatype apart;
    const int other = (rank + 1) % ranks;
    OK(MPI_Win_get_group(win, &group));
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &apart));
    OK(MPI_Type_commit(&apart));
    for (int call = 0; call < CALLS; call++) {
        int got[3] = {-1, -1, -1};
        for (int time = 0; time < often; time++) {
            OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
            OK(MPI_Win_unlock(rank, win));
        }
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
        switch (call) {
        case 0:
            FAILS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_SYNC);
            break;
        case 1:
            FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
            break;
        case 2:
            FAILS(MPI_Win_start(group, 0, win), MPI_ERR_RMA_SYNC);
            break;
        case 3:
            FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
            break;
        case 4:
            FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
            break;
        case 5:
            FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
            break;
        case 6:
            OK(MPI_Win_flush_all(win));
            break;
        case 7:
            OK(MPI_Win_flush(rank, win));
            break;
        case 8:
            OK(MPI_Get(got, 1, apart, rank, 0, 1, apart, win));
            OK(MPI_Win_flush_local(rank, win));
            EQUAL(got[0], 0);
            EQUAL(got[1], -1);
            EQUAL(got[2], 2);
            break;
        case 9:
            OK(MPI_Get(got, 1, MPI_INT, rank, 3, 1, MPI_INT, win));
            OK(MPI_Win_flush(rank, win));
            EQUAL(got[0], 3);
            break;
        case 10:
            if (ranks == 1)
                break;
            FAILS(MPI_Win_unlock(other, win), MPI_ERR_RMA_SYNC);
            FAILS(MPI_Win_flush(other, win), MPI_ERR_RMA_SYNC);
            FAILS(MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
            break;
        }
        OK(MPI_Win_unlock(rank, win));
        FAILS(MPI_Win_unlock(rank, win), MPI_ERR_RMA_SYNC);
        FAILS(MPI_Win_flush(rank, win), MPI_ERR_RMA_SYNC);
        FAILS(MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    }
    OK(MPI_Type_free(&apart));
    OK(MPI_Group_free(&group));
}

static void attaching(void)
{
    MPI_Win dynamic;
    int region[8];
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic));
    OK(MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN));
    FAILS(MPI_Win_detach(dynamic, region), MPI_ERR_RMA_ATTACH);
    OK(MPI_Win_attach(dynamic, region, sizeof region));
    FAILS(MPI_Win_attach(dynamic, region + 7, sizeof region), MPI_ERR_RMA_ATTACH);
    FAILS(MPI_Win_detach(dynamic, region + 1), MPI_ERR_RMA_ATTACH);
    OK(MPI_Win_detach(dynamic, region));
    FAILS(MPI_Win_attach(win, region, sizeof region), MPI_ERR_RMA_FLAVOR);
    /* Only the target knows what is attached. */
    MPI_Aint address;
    OK(MPI_Get_address(region, &address));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, dynamic));
    OK(MPI_Put(&value, 1, MPI_INT, rank, address, 1, MPI_INT, dynamic));
    FAILS(MPI_Win_flush(rank, dynamic), MPI_ERR_RMA_RANGE);
    OK(MPI_Win_flush(rank, dynamic));
    MPI_Request request;
    OK(MPI_Rget(region, 1, MPI_INT, rank, address, 1, MPI_INT, dynamic, &request));
    FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_RMA_RANGE);
    OK(MPI_Win_unlock(rank, dynamic));
    OK(MPI_Win_free(&dynamic));
}

/* Whether all ranks are on one node. Elsewhere they share no memory, whatever the arguments. */
static int one_node(void)
{
    MPI_Comm node;
    int size;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &size));
    OK(MPI_Comm_free(&node));
    return size == ranks;
}

/* An argument that is wrong on one rank alone is an error of all: nobody waits for it. */
static void one_is_wrong(int wrong)
{
    MPI_Win other;
    int shared = one_node() || rank == wrong ? MPI_ERR_SIZE : MPI_ERR_RMA_SHARED;
    void *place;
    MPI_Aint size = rank == wrong ? -1 : 64;
    int unit = rank == wrong ? 0 : 4;
    void *none = rank == wrong ? NULL : memory;
    MPI_Info hints = rank == wrong ? (MPI_Info)MPI_COMM_WORLD : MPI_INFO_NULL;
    FAILS(MPI_Win_create(memory, size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other), MPI_ERR_SIZE);
    FAILS(MPI_Win_create(memory, 4, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &other), MPI_ERR_DISP);
    FAILS(MPI_Win_create(none, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other), MPI_ERR_BUFFER);
    FAILS(MPI_Win_create(memory, 4, 1, hints, MPI_COMM_WORLD, &other), MPI_ERR_INFO);
    FAILS(MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &place, &other), MPI_ERR_SIZE);
    FAILS(MPI_Win_allocate(64, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &place, &other), MPI_ERR_DISP);
    FAILS(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &place, &other),
          shared);
    FAILS(MPI_Win_create_dynamic(hints, MPI_COMM_WORLD, &other), MPI_ERR_INFO);
    int error = MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                                 rank == wrong ? NULL : (void *)&place, &other);
    FAILS(error, MPI_ERR_ARG);
}

/* Who says that nobody locks a window is taken at its word. */
static void no_locks(void)
{
    MPI_Info hints;
    MPI_Win other;
    int *words;
    OK(MPI_Info_create(&hints));
    OK(MPI_Info_set(hints, "no_locks", "true"));
    OK(MPI_Win_allocate(64, 4, hints, MPI_COMM_WORLD, &words, &other));
    OK(MPI_Info_free(&hints));
    OK(MPI_Win_set_errhandler(other, MPI_ERRORS_RETURN));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, other), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_lock_all(0, other), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_fence(0, other));
    OK(MPI_Put(&value, 1, MPI_INT, (rank + 1) % ranks, 3, 1, MPI_INT, other));
    OK(MPI_Win_fence(0, other));
    EQUAL(words[3], value);
    OK(MPI_Win_free(&other));
}

/* Calls on two windows by turns, while one thread may call and while several may: what goes on with
 * one is nothing to the other. */
static void by_turns(void)
{
    enum { WINDOWS = 2 };
    MPI_Win two[WINDOWS];
    MPI_Session session;
    int *words[WINDOWS], target = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int i = 0; i < WINDOWS; i++) {
        OK(MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &words[i], &two[i]));
        OK(MPI_Win_set_errhandler(two[i], MPI_ERRORS_RETURN));
    }
    for (int several = 0; several < 2; several++) {
        OK(MPI_Win_lock_all(0, two[0]));
        for (int time = 0; time < 300; time++) {
            int put[WINDOWS] = {1000 * rank + time, -1000 * rank - time}, got = 0;
            OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, two[1]));
            for (int i = 0; i < WINDOWS; i++) {
                OK(MPI_Put(&put[i], 1, MPI_INT, target, i, 1, MPI_INT, two[i]));
                OK(MPI_Win_flush(target, two[i]));
                OK(MPI_Get(&got, 1, MPI_INT, target, i, 1, MPI_INT, two[i]));
                OK(MPI_Win_flush_local(target, two[i]));
                EQUAL(got, put[i]);
            }
            OK(MPI_Win_unlock(target, two[1]));
            FAILS(MPI_Win_flush(target, two[1]), MPI_ERR_RMA_SYNC);
        }
        OK(MPI_Win_unlock_all(two[0]));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        EQUAL(words[0][0], 1000 * from + 299);
        EQUAL(words[1][1], -1000 * from - 299);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        if (!several)
            OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session));
    }
    OK(MPI_Session_finalize(&session));
    OK(MPI_Win_free(&two[0]));
    OK(MPI_Win_free(&two[1]));
}

/* A window that was freed is none, however often it was locked in a row. */
static void freed_window(void)
{
    MPI_Win other, freed;
    int *words, target = (rank + 1) % ranks;
    OK(MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &words, &other));
    for (int time = 0; time < 3; time++) {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, other));
        OK(MPI_Win_unlock(target, other));
    }
    freed = other;
    OK(MPI_Win_free(&other));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, freed), MPI_ERR_WIN);
    FAILS(MPI_Win_flush(target, freed), MPI_ERR_WIN);
    FAILS(MPI_Win_flush_local(target, freed), MPI_ERR_WIN);
    FAILS(MPI_Win_unlock(target, freed), MPI_ERR_WIN);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

static void arguments(void)
{
    MPI_Win other;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    one_is_wrong(0);
    one_is_wrong(ranks - 1);
    FAILS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other), MPI_ERR_SIZE);
    FAILS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &other), MPI_ERR_DISP);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    other = MPI_WIN_NULL;
    FAILS(MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &other), MPI_ERR_COMM);
    FAILS(MPI_Win_free(&other), MPI_ERR_WIN);
    FAILS(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL), MPI_ERR_WIN);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* The attributes of a window. */
static void attributes(int expected)
{
    void *base;
    MPI_Aint *size;
    int *unit, *flavor, *model, flag;
    OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == memory);
    OK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == WORDS * sizeof(int));
    OK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag));
    CHECK(flag && *unit == sizeof(int));
    OK(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag));
    CHECK(flag && *flavor == expected);
    OK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag));
    CHECK(flag && *model == MPI_WIN_UNIFIED);
    FAILS(MPI_Win_set_attr(win, MPI_WIN_SIZE, &flag), MPI_ERR_KEYVAL);
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    OK(MPI_Win_set_name(win, "a window"));
    OK(MPI_Win_get_name(win, name, &length));
    CHECK(length == 8 && strcmp(name, "a window") == 0);
    CHECK(MPI_Win_fromint(MPI_Win_toint(win)) == win);
}

static void all(int allocated)
{
    MPI_Aint bytes = WORDS * sizeof(int);
    if (allocated) {
        OK(MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    } else {
        memory = malloc(bytes);
        OK(MPI_Win_create(memory, bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    }
    for (int i = 0; i < WORDS; i++)
        memory[i] = i;
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    without_epoch();
    locked_again(1);
    locked_again(1500);
    outside();
    attributes(allocated ? MPI_WIN_FLAVOR_ALLOCATE : MPI_WIN_FLAVOR_CREATE);
    OK(MPI_Win_free(&win));
    if (!allocated)
        free(memory);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    all(0);
    all(1);
    memory = malloc(WORDS * sizeof(int));
    OK(MPI_Win_create(memory, WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                      &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    arguments();
    no_locks();
    attaching();
    freed_window();
    by_turns();
    OK(MPI_Win_free(&win));
    free(memory);
    return finish();
}
