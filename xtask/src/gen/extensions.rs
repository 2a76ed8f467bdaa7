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

const CHECKPOINT_FUNCTIONS: [&str; 2] = ["Restarted(int *flag, int *tag)", "Checkpoint(int tag)"];

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
    out.push_str(CHECKPOINTS);
    for prefix in ["", "P"] {
        for function in CHECKPOINT_FUNCTIONS {
            let _ = writeln!(out, "int {prefix}OXMPI_{function};");
        }
    }
    out.push_str(BOTTOM);
    out
}
