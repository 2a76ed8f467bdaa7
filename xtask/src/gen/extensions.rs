//! Generates `include/mpi-ext.h`: extensions under the names that Open MPI has for them, so that
//! programs written for it compile. A program asks for each by a macro `OMPI_HAVE_...`.

use std::fmt::Write;

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

/// Error classes of ULFM. The ABI has none yet: these are MPICH's numbers.
const CLASSES: [(&str, u32); 3] = [
    ("MPIX_ERR_PROC_FAILED", 101),
    ("MPIX_ERR_PROC_FAILED_PENDING", 102),
    ("MPIX_ERR_REVOKED", 103),
];

const FUNCTIONS: [&str; 10] = [
    "Comm_revoke(MPI_Comm comm)",
    "Comm_is_revoked(MPI_Comm comm, int *flag)",
    "Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp)",
    "Comm_ack_failed(MPI_Comm comm, int num_to_ack, int *num_acked)",
    "Comm_failure_ack(MPI_Comm comm)",
    "Comm_failure_get_acked(MPI_Comm comm, MPI_Group *failedgrp)",
    "Comm_agree(MPI_Comm comm, int *flag)",
    "Comm_iagree(MPI_Comm comm, int *flag, MPI_Request *request)",
    "Comm_shrink(MPI_Comm comm, MPI_Comm *newcomm)",
    "Comm_ishrink(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)",
];

const CHECKPOINTS: &str = "
/* Checkpoints of a rank that is started again by a log of messages; of this library alone. See
 * docs/recovery.md. */
#define OXMPI_HAVE_CHECKPOINT 1
";

const CHECKPOINT_FUNCTIONS: [&str; 2] = ["Restarted(int *flag, int *tag)", "Checkpoint(int tag)"];

/// The whole of `mpi-ext.h`.
pub fn header() -> String {
    let mut out = TOP.to_string();
    for (name, value) in CLASSES {
        let _ = writeln!(out, "#define {name} {value}");
    }
    out.push_str(MIDDLE);
    for prefix in ["", "P"] {
        for function in FUNCTIONS {
            let _ = writeln!(out, "int {prefix}MPIX_{function};");
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
