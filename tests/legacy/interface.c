/* What a program of another interface gets back: compiled with the header of MPICH or of Open MPI,
 * each constant is compared with that header's value. Where a conversion is missing or taken from
 * another kind of argument, the value is the standard's, which differs. */

#define _GNU_SOURCE
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int failed;

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            printf("line %d: %s\n", __LINE__, #condition);                                   \
            failed = 1;                                                                      \
        }                                                                                    \
    } while (0)

static MPI_Datatype reduced;
static int handled;
static MPI_Comm handled_on;

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    reduced = *type;
    for (int i = 0; i < *count; i++) ((int *)inout)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    handled_on = *comm;
    MPI_Error_class(*code, &handled);
}

static int copies(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    CHECK(comm == MPI_COMM_WORLD);
    *(void **)out = (char *)in + *(int *)state;
    *flag = 1;
    return MPI_SUCCESS;
}

static int query(void *state, MPI_Status *status)
{
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = 41;
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 1);
    return MPI_SUCCESS;
}

static int nothing(void *state) { return MPI_SUCCESS; }
static int no_cancel(void *state, int complete) { return MPI_SUCCESS; }

static void messages(int rank, int size)
{
    int sent = rank, received = -1, count, index, flag;
    MPI_Request requests[2];
    MPI_Status statuses[2], status;
    memset(statuses, 0x55, sizeof statuses);
    memset(&status, 0x55, sizeof status);
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
    CHECK(requests[0] != MPI_REQUEST_NULL);
    MPI_Waitall(2, requests, statuses);
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    CHECK(received == (rank + size - 1) % size && statuses[0].MPI_SOURCE == received);
    CHECK(statuses[0].MPI_TAG == 7);
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    CHECK(count == 1);
    MPI_Get_count(&statuses[0], MPI_DOUBLE, &count);
    CHECK(count == MPI_UNDEFINED);
    MPI_Count large = 0;
    MPI_Status_set_elements_x(&status, MPI_BYTE, 0x7654321ff1234567);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Get_elements_x(&status, MPI_BYTE, &large);
    CHECK(large == 0x7654321ff1234567);
    status.MPI_ERROR = 12345;
    MPI_Recv(&received, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    CHECK(status.MPI_ERROR == 12345);
    MPI_Waitany(2, requests, &index, &status);
    CHECK(index == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE);
    MPI_Recv_init(&received, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_SELF, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Request_free(&requests[0]);
    CHECK(requests[0] == MPI_REQUEST_NULL);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
}

static void callbacks(MPI_Comm dup)
{
    int sum = 1, size, key, state = 4, flag, class, wanted = 3;
    MPI_Op op;
    MPI_Errhandler handler, found;
    MPI_Request request;
    MPI_Status status;
    void *value;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    reduced = MPI_DATATYPE_NULL; /* a process that only sends adds nothing */
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(sum == size && (reduced == MPI_INT || reduced == MPI_DATATYPE_NULL));
    MPI_Op_free(&op);
    CHECK(op == MPI_OP_NULL);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(dup, handler);
    CHECK(MPI_Send(&sum, 1, MPI_INT, 99, 0, dup) != MPI_SUCCESS);
    CHECK(handled == MPI_ERR_RANK && handled_on == dup);
    MPI_Comm_get_errhandler(dup, &found);
    CHECK(found == handler);
    MPI_Errhandler_free(&handler);
    CHECK(handler == MPI_ERRHANDLER_NULL);
    MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(&sum, 1, MPI_DATATYPE_NULL, 0, 0, dup), &class);
    CHECK(class == MPI_ERR_TYPE);
#ifdef MPIX_ERR_PROC_FAILED
    /* Classes of failures, of a header that has them. */
    MPI_Error_class(MPIX_ERR_PROC_FAILED, &class);
    CHECK(class == MPIX_ERR_PROC_FAILED);
    MPI_Error_class(MPIX_ERR_REVOKED, &class);
    CHECK(class == MPIX_ERR_REVOKED);
#endif
    MPI_Comm_create_keyval(copies, MPI_COMM_NULL_DELETE_FN, &key, &state);
    CHECK(key != MPI_KEYVAL_INVALID);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)100);
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_get_attr(other, key, &value, &flag);
    CHECK(flag && value == (void *)104);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    CHECK(key == MPI_KEYVAL_INVALID);
    MPI_Comm_free(&other);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)200);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_get_attr(other, key, &value, &flag);
    CHECK(flag && value == (void *)200);
    MPI_Comm_free(&other);
    MPI_Comm_free_keyval(&key);
    MPI_Grequest_start(query, nothing, no_cancel, &wanted, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &sum);
    MPI_Test_cancelled(&status, &flag);
    CHECK(sum == 3 && flag && status.MPI_SOURCE == MPI_UNDEFINED && status.MPI_TAG == 41);
}

static void types(void)
{
    int sizes[2] = {4, 4}, subsizes[2] = {2, 2}, starts[2] = {1, 1}, integers[16];
    int counts[4], combiner, length;
    MPI_Aint addresses[4];
    MPI_Datatype type, of[4];
    struct { char name[MPI_MAX_OBJECT_NAME]; char guard[64]; } text;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
    CHECK(combiner == MPI_COMBINER_SUBARRAY && counts[0] == 8);
    MPI_Type_get_contents(type, counts[0], counts[1], counts[2], integers, addresses, of);
    CHECK(integers[7] == MPI_ORDER_FORTRAN && of[0] == MPI_INT);
    char longest[129];
    memset(longest, 'n', 128);
    longest[MPI_MAX_OBJECT_NAME - 1] = 0;
    memset(&text, 0x77, sizeof text);
    MPI_Type_set_name(type, longest);
    MPI_Type_get_name(type, text.name, &length);
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && text.name[length] == 0 && text.guard[0] == 0x77);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
}

static void strings(void)
{
    struct { char text[MPI_MAX_LIBRARY_VERSION_STRING]; char guard[64]; } library;
    struct { char text[MPI_MAX_ERROR_STRING]; char guard[64]; } error;
    struct { char text[MPI_MAX_PROCESSOR_NAME]; char guard[64]; } name;
    int length, version, subversion;
    memset(&library, 0x77, sizeof library);
    memset(&error, 0x77, sizeof error);
    memset(&name, 0x77, sizeof name);
    MPI_Get_library_version(library.text, &length);
    CHECK(strstr(library.text, "oxmpi") && (int)strlen(library.text) == length);
#ifdef OPEN_MPI
    CHECK(strstr(library.text, "Open MPI v4.") == library.text);
    /* By this symbol programs that load a library learn whose it is. */
    CHECK(dlsym(RTLD_DEFAULT, "ompi_mpi_init"));
#else
    CHECK(strstr(library.text, "MPICH Version:\t") == library.text);
    CHECK(!dlsym(RTLD_DEFAULT, "ompi_mpi_init"));
#endif
    MPI_Aint address;
    MPI_Get_address(MPI_IN_PLACE, &address);
    CHECK(address == (MPI_Aint)MPI_IN_PLACE);
    MPI_Error_string(MPI_ERR_TRUNCATE, error.text, &length);
    CHECK(strstr(error.text, "MPI_ERR_TRUNCATE") && (int)strlen(error.text) == length);
    MPI_Get_processor_name(name.text, &length);
    CHECK((int)strlen(name.text) == length);
    CHECK(library.guard[0] == 0x77 && error.guard[0] == 0x77 && name.guard[0] == 0x77);
    MPI_Get_version(&version, &subversion);
    CHECK(version >= MPI_VERSION);
    struct { char text[MPI_MAX_PORT_NAME]; char guard[2048]; } port;
    memset(&port, 0x77, sizeof port);
    MPI_Open_port(MPI_INFO_NULL, port.text);
    /* A name that was cut would lead nowhere. */
    CHECK(strlen(port.text) < sizeof port.text - 1 && port.guard[0] == 0x77);
    CHECK(MPI_Close_port(port.text) == MPI_SUCCESS);
}

static void windows(MPI_Comm dup)
{
    MPI_Win win;
    int *base, flag, rank, one = 1, two = 0, size;
    void *value;
    MPI_Comm_rank(dup, &rank);
    MPI_Comm_size(dup, &size);
    MPI_Win_allocate(4, 1, MPI_INFO_NULL, dup, &base, &win);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    CHECK(flag && *(int *)value == MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag);
    CHECK(flag && (*(int *)value == MPI_WIN_UNIFIED || *(int *)value == MPI_WIN_SEPARATE));
    *base = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&two, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    CHECK(two == size);
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
}

static void topologies(MPI_Comm dup)
{
    MPI_Comm cart, graph, node;
    int size, dims[1], periods[1] = {0}, kind, left, right, rank, result, weighted;
    MPI_Comm_size(dup, &size);
    dims[0] = size;
    MPI_Cart_create(dup, 1, dims, periods, 0, &cart);
    MPI_Topo_test(cart, &kind);
    CHECK(kind == MPI_CART);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_shift(cart, 0, 1, &left, &right);
    CHECK(rank > 0 || left == MPI_PROC_NULL);
    CHECK(rank + 1 < size || right == MPI_PROC_NULL);
    MPI_Topo_test(dup, &kind);
    CHECK(kind == MPI_UNDEFINED);
    MPI_Comm_compare(dup, MPI_COMM_WORLD, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_free(&cart);
    MPI_Dist_graph_create_adjacent(dup, 1, &rank, MPI_UNWEIGHTED, 1, &rank, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &left, &right, &weighted);
    CHECK(left == 1 && right == 1 && !weighted);
    MPI_Comm_free(&graph);
    MPI_Comm_split_type(dup, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    CHECK(node != MPI_COMM_NULL);
    MPI_Comm_free(&node);
    MPI_Comm_split(dup, MPI_UNDEFINED, 0, &node);
    CHECK(node == MPI_COMM_NULL);
}

/* What a call does not write stays as the program has set it. */
static void presets(MPI_Comm dup)
{
    int ranks[2] = {0, 99}, found[2] = {71, 72};
    MPI_Group group;
    MPI_Comm_group(dup, &group);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Group_translate_ranks(group, 2, ranks, group, found) != MPI_SUCCESS);
    CHECK(found[1] == 72);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Group_free(&group);
}

static void fortran(MPI_Comm dup)
{
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(dup)) == dup);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_MAXLOC)) == MPI_MAXLOC);
}

/* Names of the interface's own, and arguments that may be null. */
static void extensions(MPI_Comm dup)
{
#ifdef OPEN_MPI
    MPI_Request request;
    CHECK(MPIX_Barrier_init(dup, MPI_INFO_NULL, &request) == MPI_SUCCESS);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
#else
    int class, flag = 7, length;
    MPI_Group group;
    MPI_Comm other;
    MPI_Add_error_class(&class);
    MPI_Add_error_string(class, "of mine");
    CHECK(MPIX_Delete_error_string(class) == MPI_SUCCESS);
    char text[MPI_MAX_ERROR_STRING];
    MPI_Error_string(class, text, &length);
    CHECK(!strstr(text, "of mine"));
    CHECK(MPIX_Delete_error_class(class) == MPI_SUCCESS);
    CHECK(MPIX_Comm_failure_ack(dup) == MPI_SUCCESS);
    CHECK(MPIX_Comm_failure_get_acked(dup, &group) == MPI_SUCCESS);
    CHECK(MPIX_Comm_agree(dup, &flag) == MPI_SUCCESS && flag == 7);
    CHECK(MPIX_Comm_shrink(dup, &other) == MPI_SUCCESS);
    MPI_Comm_free(&other);
    CHECK(MPIX_GPU_query_support(0, &flag) == MPI_SUCCESS && !flag);
#endif
}

/* Each variable that is bound to a communicator takes the address of this interface's handle, and
 * has an element for each of its processes. */
static void bound(MPI_T_pvar_session session, MPI_Comm comm)
{
    int variables, found = 0, size;
    MPI_Comm none = MPI_COMM_NULL;
    MPI_Comm_size(comm, &size);
    MPI_T_pvar_get_num(&variables);
    for (int at = 0; at < variables; at++) {
        int bind, count = -1;
        MPI_T_pvar_handle handle;
        MPI_T_pvar_get_info(at, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind, NULL, NULL,
                            NULL);
        if (bind != MPI_T_BIND_MPI_COMM) continue;
        found++;
        CHECK(MPI_T_pvar_handle_alloc(session, at, &comm, &handle, &count) == MPI_SUCCESS);
        CHECK(count == size);
        CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_handle_alloc(session, at, NULL, &handle, &count) != MPI_SUCCESS);
        CHECK(MPI_T_pvar_handle_alloc(session, at, &none, &handle, &count) ==
              MPI_T_ERR_INVALID_HANDLE);
    }
    CHECK(found > 0);
}

static void tool_interface(MPI_Comm dup)
{
    int provided, count;
    MPI_T_pvar_session session;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    bound(session, MPI_COMM_WORLD);
    bound(session, MPI_COMM_SELF);
    bound(session, dup);
    MPI_T_pvar_session_free(&session);
#ifndef OPEN_MPI
    char name[4];
    int length = sizeof name;
    CHECK(MPI_T_event_get_num(&count) == MPI_SUCCESS && count > 0);
    CHECK(MPI_T_event_get_info(0, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                               NULL) == MPI_SUCCESS);
    CHECK(length > 1 && strlen(name) < sizeof name);
#else
    (void)count;
#endif
    MPI_T_finalize();
}

int main(int argc, char **argv)
{
    int rank, size, provided;
    MPI_Comm dup;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    messages(rank, size);
    callbacks(dup);
    types();
    strings();
    windows(dup);
    topologies(dup);
    presets(dup);
    fortran(dup);
    extensions(dup);
    tool_interface(dup);
    MPI_Comm_free(&dup);
    CHECK(dup == MPI_COMM_NULL);
    MPI_Finalize();
    return failed;
}
