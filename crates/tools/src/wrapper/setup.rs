//! The environment of a wrapper: its name, its installation, and the compilers.

use std::path::Path;

use super::conf::Conf;

/// The language of a wrapper, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `mpicc`, `mpicc_abi`.
    C,
    /// `mpicxx`, `mpic++`, `mpiCC`, `mpicxx_abi`, `mpic++_abi`.
    Cxx,
    /// `mpifort`, `mpif77`, `mpif90`, `mpif95`, `mpifc`, and these with `_abi`.
    Fortran,
}

/// Finds the flags that a Fortran compiler, given as words of its command line, needs for itself.
pub type FortranFlags<'a> = dyn Fn(&[String]) -> Result<Vec<String>, String> + 'a;

/// The world as a wrapper sees it.
pub struct Setup<'a> {
    /// The name that it was called by.
    pub name: &'a str,
    /// The installation: `include`, `lib` and `bin` are below it.
    pub prefix: &'a Path,
    /// The text file that names the compilers.
    pub conf: &'a Conf,
    /// The value of an environment variable, where it is set and not empty.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// Flags that a Fortran compiler needs beside those of all languages: see [`super::modules`].
    pub fortran: &'a FortranFlags<'a>,
    /// Whether a program of this name can be run.
    pub is_program: &'a dyn Fn(&str) -> bool,
}

/// The language of the wrapper called `name`.
pub fn language(name: &str) -> Language {
    let plain = name.strip_suffix("_abi").unwrap_or(name);
    if plain.starts_with("mpif") {
        return Language::Fortran;
    }
    match ["cxx", "++", "CC"].iter().any(|end| plain.ends_with(end)) {
        true => Language::Cxx,
        false => Language::C,
    }
}
