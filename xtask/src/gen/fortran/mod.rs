//! Generates the Fortran interface: the entry points of `libmpifort_abi.so.1`, and, when it is
//! installed, `mpif.h` and the sources of the modules `mpi` and `mpi_f08` (MPI 5.0, chapter 19 and
//! annex A), each with the extensions in a module of its own beside it, as Open MPI has them.
//!
//! [`model`] decides once how each parameter looks in Fortran; what it does not know it refuses by
//! name. [`entries`] and [`text`] write the two sides of the same interface from it, so they agree.

mod entries;
mod extensions;
pub mod model;
pub mod synopsis;
pub mod text;

use std::path::{Path, PathBuf};

use self::text::Passing;
use super::spec::Spec;

/// Each generated file of the library: its path below the root, and its text.
pub fn files(spec: &Spec) -> Result<Vec<(PathBuf, String)>, String> {
    let routines = model::routines(spec)?;
    let extensions = model::extensions(spec)?;
    let folder = Path::new("crates/fortran/src/generated");
    Ok(vec![
        (
            folder.join("c.rs"),
            entries::declarations(spec, &routines, &extensions)?,
        ),
        (
            folder.join("entries.rs"),
            entries::entries(routines.iter().chain(&extensions))?,
        ),
    ])
}

/// Each file that a compiler reads: its path in an installation, and its text. The folder
/// `addresses` is for compilers that have no descriptors.
pub fn texts(spec: &Spec) -> Result<Vec<(PathBuf, String)>, String> {
    let routines = model::routines(spec)?;
    let extensions = model::extensions(spec)?;
    let mut texts = vec![(PathBuf::from("include/mpif.h"), text::mpif_h(spec))];
    for (folder, passing) in [
        ("share/oxmpi/fortran", Passing::Descriptors),
        ("share/oxmpi/fortran/addresses", Passing::Addresses),
    ] {
        let folder = Path::new(folder);
        let mut mpi = text::mpi(spec, &routines, passing);
        extensions::mpi_ext(&extensions, passing, &mut mpi);
        texts.push((folder.join("mpi.f90"), mpi));
        let mut mpi_f08 = text::mpi_f08(spec, &routines, passing)?;
        extensions::mpi_f08_ext(&extensions, passing, &mut mpi_f08);
        texts.push((folder.join("mpi_f08.f90"), mpi_f08));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests;
