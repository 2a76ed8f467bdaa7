/* What stands in for the C library in the generated program `every`: each function of MPI that
 * Fortran calls is one that compares its arguments with what the program has passed, and that
 * writes known values to those that it gives. See suites/src/fortran/every.rs.
 *
 * The functions of the profiling interface stay those of the library, for conversions of handles.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN, CONSTANTS, SECTIONS };
enum { COMM, GROUP, TYPE, OP, REQUEST, MESSAGE, ERRHANDLER, INFO, WIN, FILES, SESSION, KINDS };

#define BUFFERS 8
#define ELEMENTS 200
/* Elements of a section are this far apart. */
#define STEP 2

typedef long long Number;

int every_buffers_[BUFFERS][ELEMENTS];
static void *made[KINDS][4];
static int mode, code, calls, failures, routines, rank;
static char routine[80];

static void wrong(const char *param, const char *what, Number got, Number wanted) {
    failures++;
    printf("%s, call %d: %s: %s is %lld (%#llx), not %lld\n", routine, mode, param, what, got,
           got, wanted);
}

static void require(int done, const char *what) {
    if (done) {
        return;
    }
    printf("cannot prepare %s\n", what);
    exit(3);
}

static void number(const char *param, Number got, Number wanted) {
    if (got != wanted) {
        wrong(param, "the number", got, wanted);
    }
}

static void address(const char *param, const void *got, const void *wanted) {
    if (got != wanted) {
        wrong(param, "the address", (Number)(uintptr_t)got, (Number)(uintptr_t)wanted);
    }
}

static void handle(const char *param, const void *got, const void *wanted) {
    if (got != wanted) {
        wrong(param, "the handle", (Number)(uintptr_t)got, (Number)(uintptr_t)wanted);
    }
}

static void text(const char *param, const char *got, const char *wanted) {
    if (got == NULL || strcmp(got, wanted) != 0) {
        failures++;
        printf("%s, call %d: %s is `%s`, not `%s`\n", routine, mode, param, got ? got : "(null)",
               wanted);
    }
}

static void procedure(const char *param, int is_there) {
    if (!is_there) {
        wrong(param, "the address of the procedure", 0, 1);
    }
}

/* Compares the elements at an address with those of a section. */
static void elements(const char *param, const int *got, int at, int count) {
    int i;
    for (i = 0; i < count; i++) {
        if (got[i] != every_buffers_[at][STEP * i]) {
            wrong(param, "an element", got[i], every_buffers_[at][STEP * i]);
            return;
        }
    }
}

/* A buffer whose length is not given as a number of elements of a datatype. */
static void whole(const char *param, const void *got, int at, const void *constant) {
    switch (mode) {
    case PLAIN: address(param, got, every_buffers_[at]); break;
    case CONSTANTS: address(param, got, constant); break;
    default:
        if (got == every_buffers_[at]) {
            wrong(param, "a section with gaps, passed as if it had none,", 0, 1);
        } else {
            elements(param, got, at, 10);
        }
    }
}

/* A buffer of which a call wants the address alone. */
static void first(const char *param, const void *got, int at, const void *constant) {
    address(param, got, mode == CONSTANTS ? constant : every_buffers_[at]);
}

/* A buffer of `count` elements of a datatype, which were `given`. */
static void counted(const char *param, const void *got, int at, const void *constant, Number count,
                    MPI_Datatype datatype, Number given) {
    int packed[ELEMENTS], position = 0;
    if (mode != SECTIONS || datatype == MPI_INTEGER) {
        whole(param, got, at, constant);
        return;
    }
    PMPI_Pack(got, (int)count, datatype, packed, sizeof(packed), &position, MPI_COMM_SELF);
    number(param, position, 4 * given);
    elements(param, packed, at, (int)given);
}

/* A number or a datatype that one for a section may replace. */
static void count_or_one(const char *param, Number got, Number wanted) {
    if (mode != SECTIONS || got != 1) {
        number(param, got, wanted);
    }
}

static void datatype_or_made(const char *param, MPI_Datatype got, void *wanted) {
    MPI_Count integers, addresses, large_counts, datatypes;
    int combiner = MPI_COMBINER_NAMED;
    if (mode == SECTIONS && got != (MPI_Datatype)wanted) {
        PMPI_Type_get_envelope_c(got, &integers, &addresses, &large_counts, &datatypes, &combiner);
        number(param, combiner, MPI_COMBINER_STRUCT);
        return;
    }
    handle(param, got, wanted);
}

static void status_is(const char *param, const MPI_Status *got, int base) {
    number(param, got->MPI_SOURCE, base);
    number(param, got->MPI_TAG, base + 1);
    number(param, got->MPI_ERROR, base + 2);
}

static void write_status(MPI_Status *to, int base) {
    to->MPI_SOURCE = base;
    to->MPI_TAG = base + 1;
    to->MPI_ERROR = base + 2;
}

static int recorded(const char *name) {
    calls++;
    if (strcmp(routine, name) != 0) {
        failures++;
        printf("%s calls %s\n", routine, name);
    }
    return code;
}

/* The numbers of handles in Fortran. */
int every_handle_(const int *kind, const int *which) {
    void *of = made[*kind][*which];
    switch (*kind) {
    case COMM: return PMPI_Comm_toint((MPI_Comm)of);
    case GROUP: return PMPI_Group_toint((MPI_Group)of);
    case TYPE: return PMPI_Type_toint((MPI_Datatype)of);
    case OP: return PMPI_Op_toint((MPI_Op)of);
    case REQUEST: return PMPI_Request_toint((MPI_Request)of);
    case MESSAGE: return PMPI_Message_toint((MPI_Message)of);
    case ERRHANDLER: return PMPI_Errhandler_toint((MPI_Errhandler)of);
    case INFO: return PMPI_Info_toint((MPI_Info)of);
    case WIN: return PMPI_Win_toint((MPI_Win)of);
    case FILES: return PMPI_File_toint((MPI_File)of);
    default: return PMPI_Session_toint((MPI_Session)of);
    }
}

int every_rank_(void) {
    return rank;
}

/* Begins a call of a routine: in which mode it is made, and the error code that it is to give. */
void every_begin_(const char *name, const int *in_mode, const int *with_code, size_t length) {
    int i, j;
    memcpy(routine, name, length);
    routine[length] = 0;
    mode = *in_mode;
    code = *with_code;
    calls = 0;
    routines += mode == PLAIN;
    for (i = 0; i < BUFFERS; i++) {
        for (j = 0; j < ELEMENTS; j++) {
            every_buffers_[i][j] = 1000 * i + j;
        }
    }
}

/* Ends a call: whether it was refused, as those are that cannot have sections with gaps. */
void every_end_(const int *refused) {
    number("calls of C", calls, *refused ? 0 : 1);
}

/* A comparison that Fortran has made. */
void every_check_(const char *what, const int *holds, size_t length) {
    if (!(*holds & 1)) {
        failures++;
        printf("%s, call %d, in Fortran: %.*s is wrong\n", routine, mode, (int)length, what);
    }
}

void every_done_(void) {
    printf("%d routines, %d failures\n", routines, failures);
    require(PMPI_Session_finalize((MPI_Session *)(void *)&made[SESSION][1]) == MPI_SUCCESS &&
                PMPI_Finalize() == MPI_SUCCESS,
            "the end");
    exit(failures != 0);
}

/* A procedure of Fortran that copies attributes: it gets what the function below passes. */
#define COPIES(name, type, state)                                                                 \
    void name(int *object, int *keyval, type *extra, type *in, type *out, int *flag, int *ierror) \
    {                                                                                             \
        (void)object;                                                                             \
        number("keyval", *keyval, 5);                                                             \
        number("extra_state", *extra, state);                                                     \
        *out = *in + 1;                                                                           \
        *flag = 1;                                                                                \
        *ierror = 0;                                                                              \
    }

#define WIDE (1LL << 33)

COPIES(every_mpi_copy_function_, int, 6)
COPIES(every_mpi_comm_copy_attr_function_, Number, WIDE + 6)
COPIES(every_mpi_type_copy_attr_function_, Number, WIDE + 6)
COPIES(every_mpi_win_copy_attr_function_, Number, WIDE + 6)

/* The functions by which Fortran makes keys, and reads and stores attributes. */
#define ATTRIBUTES(object, kind, handle_type)                                                     \
    int MPIX_##object##_create_keyval_x(MPI_##object##_copy_attr_function *copy_fn,               \
                                        MPI_##object##_delete_attr_function *delete_fn,           \
                                        MPIX_Destructor_function *destructor_fn, int *keyval,     \
                                        void *extra_state) {                                      \
        Number out = 0;                                                                           \
        int flag = 0;                                                                             \
        procedure("delete_fn", delete_fn != NULL);                                                \
        copy_fn((handle_type)made[kind][1], 5, extra_state, (void *)9, &out, &flag);              \
        number("attribute_val_out", out, 10);                                                     \
        number("flag", flag, 1);                                                                  \
        destructor_fn(extra_state);                                                               \
        *keyval = 5200;                                                                           \
        return recorded("MPIX_" #object "_create_keyval_x");                                      \
    }                                                                                             \
    int MPIX_##object##_get_attr_as_fortran(handle_type of, int keyval, void *attribute_val,      \
                                            int *flag) {                                          \
        handle("object", of, made[kind][0]);                                                      \
        number("keyval", keyval, 4);                                                              \
        *(Number *)attribute_val = WIDE + 5;                                                      \
        *flag = mode != CONSTANTS;                                                                \
        return recorded("MPIX_" #object "_get_attr_as_fortran");                                  \
    }                                                                                             \
    int MPIX_##object##_set_attr_as_fortran(handle_type of, int keyval, void *attribute_val) {    \
        handle("object", of, made[kind][0]);                                                      \
        number("keyval", keyval, 4);                                                              \
        number("attribute_val", (Number)attribute_val, attribute_val == (void *)5 ? 5 : WIDE + 5);\
        return recorded("MPIX_" #object "_set_attr_as_fortran");                                  \
    }

ATTRIBUTES(Comm, COMM, MPI_Comm)
ATTRIBUTES(Type, TYPE, MPI_Datatype)
ATTRIBUTES(Win, WIN, MPI_Win)

/* The functions by which Fortran makes error handlers and operations. */
#define ERRHANDLERS(object)                                                                       \
    int MPIX_##object##_create_errhandler_x(MPIX_##object##_errhandler_function_x *function,      \
                                            MPIX_Destructor_function *destructor_fn,              \
                                            void *extra_state, MPI_Errhandler *errhandler) {      \
        (void)destructor_fn;                                                                      \
        procedure("errhandler_fn", function != NULL && extra_state != NULL);                      \
        *errhandler = (MPI_Errhandler)made[ERRHANDLER][1];                                        \
        return recorded("MPIX_" #object "_create_errhandler_x");                                  \
    }

ERRHANDLERS(Comm)
ERRHANDLERS(File)
ERRHANDLERS(Session)
ERRHANDLERS(Win)

int MPIX_Op_create_x(MPIX_User_function_x *function, MPIX_Destructor_function *destructor_fn,
                     int commute, void *extra_state, MPI_Op *op) {
    (void)destructor_fn;
    procedure("user_fn", function != NULL && extra_state != NULL);
    number("commute", commute, mode == CONSTANTS);
    *op = (MPI_Op)made[OP][1];
    return recorded("MPIX_Op_create_x");
}

static void nothing(void *in, void *inout, int *length, MPI_Datatype *datatype) {
    (void)in, (void)inout, (void)length, (void)datatype;
}

static void on_error(MPI_Comm *comm, int *error, ...) {
    (void)comm, (void)error;
}

#define MAKE(kind, which, call) require((call) == MPI_SUCCESS && made[kind][which] != NULL, #call)
#define AT(type, kind, which) (type *)(void *)&made[kind][which]

static void make_communicators(void) {
    int dims[3] = {1, 1, 1}, periods[3] = {0, 1, 0}, self[3] = {0, 0, 0};
    made[COMM][0] = MPI_COMM_SELF;
    MAKE(COMM, 1, PMPI_Comm_dup(MPI_COMM_WORLD, AT(MPI_Comm, COMM, 1)));
    MAKE(COMM, 2, PMPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 3, self, MPI_UNWEIGHTED, 3, self,
                                                  MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                                  AT(MPI_Comm, COMM, 2)));
    MAKE(COMM, 3, PMPI_Cart_create(MPI_COMM_SELF, 3, dims, periods, 0, AT(MPI_Comm, COMM, 3)));
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler((MPI_Comm)made[COMM][1], MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler((MPI_Comm)made[COMM][2], MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler((MPI_Comm)made[COMM][3], MPI_ERRORS_RETURN);
}

__attribute__((constructor)) static void prepare(void) {
    static int one, memory[4];
    int flag = 0;
    PMPI_Init(NULL, NULL);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_communicators();
    made[GROUP][0] = MPI_GROUP_EMPTY;
    MAKE(GROUP, 1, PMPI_Comm_group(MPI_COMM_WORLD, AT(MPI_Group, GROUP, 1)));
    made[TYPE][0] = MPI_INTEGER;
    MAKE(TYPE, 1, PMPI_Type_contiguous(2, MPI_INTEGER, AT(MPI_Datatype, TYPE, 1)));
    PMPI_Type_commit(AT(MPI_Datatype, TYPE, 1));
    made[OP][0] = MPI_SUM;
    MAKE(OP, 1, PMPI_Op_create(nothing, 1, AT(MPI_Op, OP, 1)));
    made[REQUEST][0] = MPI_REQUEST_NULL;
    MAKE(REQUEST, 1, PMPI_Recv_init(&one, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF,
                                    AT(MPI_Request, REQUEST, 1)));
    made[MESSAGE][0] = MPI_MESSAGE_NO_PROC;
    PMPI_Send(&one, 0, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_SELF);
    PMPI_Isend(&one, 1, MPI_INTEGER, 0, 9, MPI_COMM_SELF, AT(MPI_Request, REQUEST, 2));
    MAKE(MESSAGE, 1, PMPI_Improbe(0, 9, MPI_COMM_SELF, &flag, AT(MPI_Message, MESSAGE, 1),
                                  MPI_STATUS_IGNORE));
    made[ERRHANDLER][0] = MPI_ERRORS_RETURN;
    MAKE(ERRHANDLER, 1, PMPI_Comm_create_errhandler(on_error,
                                                    AT(MPI_Errhandler, ERRHANDLER, 1)));
    made[INFO][0] = MPI_INFO_ENV;
    MAKE(INFO, 1, PMPI_Info_create(AT(MPI_Info, INFO, 1)));
    made[WIN][0] = MPI_WIN_NULL;
    MAKE(WIN, 1, PMPI_Win_create(memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_SELF,
                                 AT(MPI_Win, WIN, 1)));
    PMPI_Win_set_errhandler((MPI_Win)made[WIN][1], MPI_ERRORS_RETURN);
    made[FILES][0] = made[FILES][1] = MPI_FILE_NULL;
    made[SESSION][0] = MPI_SESSION_NULL;
    MAKE(SESSION, 1, PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                       AT(MPI_Session, SESSION, 1)));
}
