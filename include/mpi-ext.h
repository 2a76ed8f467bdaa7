/* mpi-ext.h: extensions of the MPI standard, as Open MPI has them.
 * Made by `cargo xtask gen`; do not edit. */
#ifndef OXMPI_MPI_EXT_H
#define OXMPI_MPI_EXT_H

#include <mpi.h>
#include <stdint.h>

#define OMPI_HAVE_MPI_EXT 1

/* Fault tolerance of communicators (ULFM). */
#define OMPI_HAVE_MPI_EXT_FTMPI 1
#define OMPI_HAVE_MPIX_COMM_GET_FAILED 1
#define OMPI_HAVE_MPIX_COMM_ACK_FAILED 1
#define OMPI_HAVE_MPIX_COMM_ISHRINK 1
#define MPIX_ERR_PROC_FAILED 101
#define MPIX_ERR_PROC_FAILED_PENDING 102
#define MPIX_ERR_REVOKED 103
#define MPI_ERR_PROC_FAILED 101
#define MPI_ERR_PROC_FAILED_PENDING 102
#define MPI_ERR_REVOKED 103
#define MPIX_FT 599

#ifdef __cplusplus
extern "C" {
#endif

int MPIX_Comm_revoke(MPI_Comm comm);
int MPIX_Comm_is_revoked(MPI_Comm comm, int *flag);
int MPIX_Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp);
int MPIX_Comm_ack_failed(MPI_Comm comm, int num_to_ack, int *num_acked);
int MPIX_Comm_failure_ack(MPI_Comm comm);
int MPIX_Comm_failure_get_acked(MPI_Comm comm, MPI_Group *failedgrp);
int MPIX_Comm_agree(MPI_Comm comm, int *flag);
int MPIX_Comm_iagree(MPI_Comm comm, int *flag, MPI_Request *request);
int MPIX_Comm_shrink(MPI_Comm comm, MPI_Comm *newcomm);
int MPIX_Comm_ishrink(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request);
int PMPIX_Comm_revoke(MPI_Comm comm);
int PMPIX_Comm_is_revoked(MPI_Comm comm, int *flag);
int PMPIX_Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp);
int PMPIX_Comm_ack_failed(MPI_Comm comm, int num_to_ack, int *num_acked);
int PMPIX_Comm_failure_ack(MPI_Comm comm);
int PMPIX_Comm_failure_get_acked(MPI_Comm comm, MPI_Group *failedgrp);
int PMPIX_Comm_agree(MPI_Comm comm, int *flag);
int PMPIX_Comm_iagree(MPI_Comm comm, int *flag, MPI_Request *request);
int PMPIX_Comm_shrink(MPI_Comm comm, MPI_Comm *newcomm);
int PMPIX_Comm_ishrink(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request);

/* Progress while the program computes, as MPICH has it. There is one stream, MPIX_STREAM_NULL: that
 * of the whole process. See docs/progress.md. */
typedef struct OXMPI_Stream *MPIX_Stream;
#define MPIX_STREAM_NULL ((MPIX_Stream) 0)
int MPIX_Start_progress_thread(MPIX_Stream stream);
int MPIX_Stop_progress_thread(MPIX_Stream stream);
int PMPIX_Start_progress_thread(MPIX_Stream stream);
int PMPIX_Stop_progress_thread(MPIX_Stream stream);

/* Checkpoints of a rank that is started again by a log of messages; of this library alone. See
 * docs/recovery.md. */
#define OXMPI_HAVE_CHECKPOINT 1
int OXMPI_Restarted(int *flag, int *tag);
int OXMPI_Checkpoint(int tag);
int POXMPI_Restarted(int *flag, int *tag);
int POXMPI_Checkpoint(int tag);

/* For layers of other languages, as libmpifort_abi.so.1; of this library alone. Request_stage has
 * the functions of a layer copy the buffers of a request that it has just made, and started unless
 * it is persistent: copy_in before each later start, copy_out at each completion; destructor_fn
 * ends extra_state. Refuse_buffer reports that call cannot have one of its buffers, by the error
 * handler of a communicator (kind 1), window (2), file (3) or none (0), and returns the code. */
int OXMPI_Request_stage(void (*copy_in)(void *), void (*copy_out)(void *), void (*destructor_fn)(void *),
    void *extra_state, MPI_Request *request);
int OXMPI_Refuse_buffer(const char *call, int kind, uintptr_t object, const char *text);
int POXMPI_Request_stage(void (*copy_in)(void *), void (*copy_out)(void *), void (*destructor_fn)(void *),
    void *extra_state, MPI_Request *request);
int POXMPI_Refuse_buffer(const char *call, int kind, uintptr_t object, const char *text);

#ifdef __cplusplus
}
#endif

#endif /* OXMPI_MPI_EXT_H */
