// np: 1 2
/* Handles that were freed, never existed, or are of another kind: an error class each, no crash, and
 * the library goes on working. */
#include "check.h"
#include <stdint.h>

static int word;

static void comms(void)
{
    MPI_Comm freed, copy;
    int size;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &freed));
    copy = freed;
    OK(MPI_Comm_free(&freed));
    MPI_Comm bad[] = {copy, MPI_COMM_NULL, (MPI_Comm)(intptr_t)0x7fffdead, (MPI_Comm)(intptr_t)-1,
                      (MPI_Comm)MPI_INT, (MPI_Comm)0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EQUAL(class_of(MPI_Send(&word, 1, MPI_INT, 0, 0, bad[i])), MPI_ERR_COMM);
        EQUAL(class_of(MPI_Barrier(bad[i])), MPI_ERR_COMM);
        EQUAL(class_of(MPI_Comm_size(bad[i], &size)), MPI_ERR_COMM);
        EQUAL(class_of(MPI_Comm_dup(bad[i], &freed)), MPI_ERR_COMM);
        EQUAL(class_of(MPI_Bcast(&word, 1, MPI_INT, 0, bad[i])), MPI_ERR_COMM);
    }
    EQUAL(class_of(MPI_Comm_free(&copy)), MPI_ERR_COMM);
}

static void types(void)
{
    MPI_Datatype freed, copy;
    int size;
    OK(MPI_Type_contiguous(3, MPI_INT, &freed));
    OK(MPI_Type_commit(&freed));
    copy = freed;
    OK(MPI_Type_free(&freed));
    MPI_Datatype bad[] = {copy, MPI_DATATYPE_NULL, (MPI_Datatype)(intptr_t)0x7fffdead,
                          (MPI_Datatype)(intptr_t)-1, (MPI_Datatype)MPI_COMM_WORLD};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EQUAL(class_of(MPI_Send(&word, 1, bad[i], 0, 0, MPI_COMM_WORLD)), MPI_ERR_TYPE);
        EQUAL(class_of(MPI_Recv(&word, 1, bad[i], 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)),
              MPI_ERR_TYPE);
        EQUAL(class_of(MPI_Type_size(bad[i], &size)), MPI_ERR_TYPE);
        EQUAL(class_of(MPI_Type_contiguous(2, bad[i], &freed)), MPI_ERR_TYPE);
        EQUAL(class_of(MPI_Bcast(&word, 1, bad[i], 0, MPI_COMM_WORLD)), MPI_ERR_TYPE);
    }
    freed = MPI_INT;
    EQUAL(class_of(MPI_Type_free(&freed)), MPI_ERR_TYPE);
}

static void requests(void)
{
    MPI_Request freed, copy;
    int flag;
    OK(MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &freed));
    copy = freed;
    OK(MPI_Wait(&freed, MPI_STATUS_IGNORE));
    MPI_Request bad[] = {(MPI_Request)(intptr_t)0x7fffdead, (MPI_Request)(intptr_t)-1,
                         (MPI_Request)MPI_INT, copy};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (bad[i] == MPI_REQUEST_NULL)
            continue;
        EQUAL(class_of(MPI_Wait(&bad[i], MPI_STATUS_IGNORE)), MPI_ERR_REQUEST);
        EQUAL(class_of(MPI_Test(&bad[i], &flag, MPI_STATUS_IGNORE)), MPI_ERR_REQUEST);
        EQUAL(class_of(MPI_Start(&bad[i])), MPI_ERR_REQUEST);
        EQUAL(class_of(MPI_Cancel(&bad[i])), MPI_ERR_REQUEST);
        EQUAL(class_of(MPI_Request_free(&bad[i])), MPI_ERR_REQUEST);
    }
}

static void others(void)
{
    int out, size;
    MPI_Op op = (MPI_Op)(intptr_t)0x7fffdead;
    MPI_Group group = (MPI_Group)(intptr_t)0x7fffdead;
    MPI_Info info = (MPI_Info)(intptr_t)0x7fffdead;
    MPI_Errhandler handler = (MPI_Errhandler)(intptr_t)0x7fffdead;
    MPI_Win win = (MPI_Win)(intptr_t)0x7fffdead;
    EQUAL(class_of(MPI_Allreduce(&word, &out, 1, MPI_INT, op, MPI_COMM_WORLD)), MPI_ERR_OP);
    EQUAL(class_of(MPI_Allreduce(&word, &out, 1, MPI_INT, (MPI_Op)MPI_INT, MPI_COMM_WORLD)),
          MPI_ERR_OP);
    EQUAL(class_of(MPI_Op_free(&op)), MPI_ERR_OP);
    EQUAL(class_of(MPI_Group_size(group, &size)), MPI_ERR_GROUP);
    EQUAL(class_of(MPI_Group_free(&group)), MPI_ERR_GROUP);
    EQUAL(class_of(MPI_Info_set(info, "a", "b")), MPI_ERR_INFO);
    EQUAL(class_of(MPI_Info_free(&info)), MPI_ERR_INFO);
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler) != MPI_SUCCESS);
    CHECK(MPI_Errhandler_free(&handler) != MPI_SUCCESS);
    CHECK(MPI_Win_free(&win) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    start(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    comms();
    types();
    requests();
    others();
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(sum, ranks);
    return finish();
}
