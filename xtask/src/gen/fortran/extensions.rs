//! Generates the modules of extensions, `mpi_ext` and `mpi_f08_ext`: what `mpi-ext.h` is to C.

use std::fmt::Write;

use super::super::extensions::CONSTANTS;
use super::model::Routine;
use super::text::{generic, old_interface, Passing};

/// Appends the module `mpi_ext`.
pub fn mpi_ext(extensions: &[Routine], passing: Passing, out: &mut String) {
    out.push_str("\nmodule mpi_ext\n  implicit none\n");
    extension_numbers(out);
    for prefix in ["", "P"] {
        for routine in extensions {
            old_interface(routine, prefix, passing, out);
        }
    }
    out.push_str("end module mpi_ext\n");
}

/// Appends the module `mpi_f08_ext`.
pub fn mpi_f08_ext(extensions: &[Routine], passing: Passing, out: &mut String) {
    out.push_str("\nmodule mpi_f08_ext\n  use mpi_f08_types\n  implicit none\n");
    extension_numbers(out);
    for prefix in ["", "P"] {
        for routine in extensions {
            generic(extensions, routine, prefix, passing, out);
        }
    }
    out.push_str("end module mpi_f08_ext\n");
}

fn extension_numbers(out: &mut String) {
    out.push_str("  integer, parameter :: OMPI_HAVE_MPI_EXT = 1\n");
    out.push_str("  integer, parameter :: OMPI_HAVE_MPI_EXT_FTMPI = 1\n");
    for (name, value) in CONSTANTS {
        let _ = writeln!(out, "  integer, parameter :: {name} = {value}");
    }
}
