//! Generates the Fortran interface: the entry points of `libmpifort_abi.so.1`, `mpif.h`, and the
//! sources of the modules `mpi` and `mpi_f08` (MPI 5.0, chapter 19 and annex A).
//!
//! [`model`] decides once how each parameter looks in Fortran; what it does not know it refuses by
//! name. [`entries`] and [`text`] write the two sides of the same interface from it, so they agree.

mod entries;
pub mod model;
pub mod text;

use std::path::{Path, PathBuf};

use super::spec::Spec;
use super::{constants, rust};

/// Each generated file: its path below the root, and its text.
pub fn files(spec: &Spec) -> Result<Vec<(PathBuf, String)>, String> {
    let routines = model::routines(spec)?;
    let crate_files = Path::new("crates/fortran/src/generated");
    let texts = Path::new("crates/fortran/share");
    Ok(vec![
        (crate_files.join("types.rs"), rust::types(spec)?),
        (crate_files.join("constants.rs"), constants::constants(spec)),
        (crate_files.join("c.rs"), entries::declarations(&routines)?),
        (crate_files.join("entries.rs"), entries::entries(&routines)?),
        (texts.join("mpif.h"), text::mpif_h(spec)),
        (texts.join("mpi.f90"), text::mpi(spec, &routines)),
        (texts.join("mpi_f08.f90"), text::mpi_f08(spec, &routines)?),
    ])
}

#[cfg(test)]
mod tests;
