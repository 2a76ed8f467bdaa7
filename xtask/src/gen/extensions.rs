//! Generates `include/mpi-ext.h`: extensions under the names that Open MPI has for them, so that
//! programs written for it compile. A program asks for each by a macro `OMPI_HAVE_...`.

use std::fmt::Write;

use super::header;
use super::spec::Spec;

const TOP: &str = "\
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
";

const MIDDLE: &str = "
#ifdef __cplusplus
extern \"C\" {
#endif

";

const BOTTOM: &str = "
#ifdef __cplusplus
}
#endif

#endif /* OXMPI_MPI_EXT_H */
";

/// Constants of ULFM. The ABI has none yet. The error classes have MPICH's numbers, under the names
/// that Open MPI's `mpi-ext.h` and its `mpi.h` have for them. `MPIX_FT` is the key of an attribute
/// of every communicator: whether the job goes on without processes that fail.
pub const CONSTANTS: [(&str, u32); 7] = [
    ("MPIX_ERR_PROC_FAILED", 101),
    ("MPIX_ERR_PROC_FAILED_PENDING", 102),
    ("MPIX_ERR_REVOKED", 103),
    ("MPI_ERR_PROC_FAILED", 101),
    ("MPI_ERR_PROC_FAILED_PENDING", 102),
    ("MPI_ERR_REVOKED", 103),
    ("MPIX_FT", 599),
];

const CHECKPOINTS: &str = "
/* Checkpoints of a rank that is started again by a log of messages; of this library alone. See
 * docs/recovery.md. */
#define OXMPI_HAVE_CHECKPOINT 1
";

const CHECKPOINT_FUNCTIONS: [&str; 2] = [
    "OXMPI_Restarted(int *flag, int *tag)",
    "OXMPI_Checkpoint(int tag)",
];

const PROGRESS: &str = "
/* Progress while the program computes, as MPICH has it. There is one stream, MPIX_STREAM_NULL: that
 * of the whole process. See docs/progress.md. */
typedef struct OXMPI_Stream *MPIX_Stream;
#define MPIX_STREAM_NULL ((MPIX_Stream) 0)
";

const PROGRESS_FUNCTIONS: [&str; 2] = [
    "MPIX_Start_progress_thread(MPIX_Stream stream)",
    "MPIX_Stop_progress_thread(MPIX_Stream stream)",
];

const LAYERS: &str = "
/* For layers of other languages, as libmpifort_abi.so.1; of this library alone. Request_stage has
 * the functions of a layer copy the buffers of a request that it has just made, and started unless
 * it is persistent: copy_in before each later start, copy_out at each completion; destructor_fn
 * ends extra_state. Refuse_buffer reports that call cannot have one of its buffers, by the error
 * handler of a communicator (kind 1), window (2), file (3) or none (0), and returns the code. */
";

const LAYER_FUNCTIONS: [&str; 2] = [
    "OXMPI_Request_stage(void (*copy_in)(void *), void (*copy_out)(void *), \
     void (*destructor_fn)(void *),\n    void *extra_state, MPI_Request *request)",
    "OXMPI_Refuse_buffer(const char *call, int kind, uintptr_t object, const char *text)",
];

/// The whole of `mpi-ext.h`.
pub fn header(spec: &Spec) -> String {
    let mut out = TOP.to_string();
    for (name, value) in CONSTANTS {
        let _ = writeln!(out, "#define {name} {value}");
    }
    out.push_str(MIDDLE);
    for prefix in ["", "P"] {
        for function in &spec.extensions {
            out.push_str(&header::prototype(function, prefix));
        }
    }
    let own = [
        (PROGRESS, PROGRESS_FUNCTIONS),
        (CHECKPOINTS, CHECKPOINT_FUNCTIONS),
        (LAYERS, LAYER_FUNCTIONS),
    ];
    for (comment, functions) in own {
        out.push_str(comment);
        for prefix in ["", "P"] {
            for function in functions {
                let _ = writeln!(out, "int {prefix}{function};");
            }
        }
    }
    out.push_str(BOTTOM);
    out
}
