//! Generates the Fortran interface: the entry points of `libmpifort_abi.so.1`, and, when it is
//! installed, `mpif.h` and the sources of the modules `mpi` and `mpi_f08` (MPI 5.0, chapter 19 and
//! annex A).
//!
//! [`model`] decides once how each parameter looks in Fortran; what it does not know it refuses by
//! name. [`entries`] and [`text`] write the two sides of the same interface from it, so they agree.

mod entries;
pub mod model;
pub mod synopsis;
pub mod text;

use std::path::{Path, PathBuf};

use self::text::Passing;
use super::spec::Spec;

/// Each generated file of the library: its path below the root, and its text.
pub fn files(spec: &Spec) -> Result<Vec<(PathBuf, String)>, String> {
    let routines = model::routines(spec)?;
    let folder = Path::new("crates/fortran/src/generated");
    Ok(vec![
        (folder.join("c.rs"), entries::declarations(&routines)?),
        (folder.join("entries.rs"), entries::entries(&routines)?),
    ])
}

/// Each file that a compiler reads: its path in an installation, and its text. The folder
/// `addresses` is for compilers that have no descriptors.
pub fn texts(spec: &Spec) -> Result<Vec<(PathBuf, String)>, String> {
    let routines = model::routines(spec)?;
    let mut texts = vec![(PathBuf::from("include/mpif.h"), text::mpif_h(spec))];
    for (folder, passing) in [
        ("share/oxmpi/fortran", Passing::Descriptors),
        ("share/oxmpi/fortran/addresses", Passing::Addresses),
    ] {
        let folder = Path::new(folder);
        let mpi = text::mpi(spec, &routines, passing);
        texts.push((folder.join("mpi.f90"), mpi));
        let mpi_f08 = text::mpi_f08(spec, &routines, passing)?;
        texts.push((folder.join("mpi_f08.f90"), mpi_f08));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests;
