//! `cargo xtask gen`: the files made from `spec/`, and the generated parts of documents.
//!
//! `spec/` states each fact of the standard ABI once. From it this command generates the C header,
//! the Rust types and constants, the C entry points, the conversion of their arguments, a C test,
//! and Fortran's entry points. The code itself says what an entry point calls: a function
//! `comm_rank` in a file below `crates/abi/src/calls/` implements `MPI_Comm_rank`; an MPI function
//! without a call is refused. So after a call was added, `cargo xtask gen` connects it. The files
//! are checked in; `--check` fails, naming them, if `gen` would write others. The texts that
//! Fortran compilers read and the manual pages are made by an installation ([`fortran_texts`],
//! [`manual_pages`]). What documents state of the code is written into them ([`documents`]).

mod constants;
mod decode;
pub mod documents;
mod entries;
mod extensions;
mod forms;
pub mod fortran;
pub mod header;
mod legacy;
pub mod manual;
mod note;
mod rust;
mod scan;
mod shapes;
pub mod spec;

use std::path::{Path, PathBuf};

use crate::fsio;

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Only say which files are stale
    #[arg(long)]
    check: bool,
}

/// Writes the files, or with `--check` only compares them.
pub fn run(options: &Options) -> Result<(), String> {
    match options.check {
        true => check(),
        false => write(),
    }
}

/// Fails where a file is stale.
pub fn check() -> Result<(), String> {
    match stale()?.as_slice() {
        [] => Ok(()),
        files => Err(format!("stale, run `cargo xtask gen`: {}", names(files))),
    }
}

/// The generated files that differ from what `gen` would write.
pub fn stale() -> Result<Vec<PathBuf>, String> {
    let differs = |file: &(PathBuf, String)| {
        std::fs::read_to_string(fsio::root().join(&file.0)).map_or(true, |old| old != file.1)
    };
    Ok(generate()?
        .into_iter()
        .filter(differs)
        .map(|(path, _)| path)
        .collect())
}

fn write() -> Result<(), String> {
    for (path, text) in generate()? {
        fsio::write(&fsio::root().join(path), &text)?;
    }
    Ok(())
}

/// Returns the files that Fortran compilers read: the path in an installation, and the text.
pub fn fortran_texts() -> Result<Vec<(PathBuf, String)>, String> {
    fortran::texts(&spec::Spec::read(&fsio::root().join("spec"))?)
}

/// Returns the manual pages of MPI's functions.
pub fn manual_pages() -> Result<Vec<manual::Page>, String> {
    manual::pages(&spec::Spec::read(&fsio::root().join("spec"))?)
}

/// Each generated file: its path below the root, and its text.
fn generate() -> Result<Vec<(PathBuf, String)>, String> {
    let root = fsio::root();
    let spec = spec::Spec::read(&root.join("spec"))?;
    let calls = scan::calls(&root.join("crates/abi/src/calls"))?;
    scan::check_names(&spec, &calls)?;
    let generated = PathBuf::from("crates/abi/src/generated");
    let facts = PathBuf::from("crates/abi-state/src/generated");
    let tools = PathBuf::from("crates/tools/src/generated");
    let mut files = vec![
        (PathBuf::from("include/mpi.h"), header::header(&spec)?),
        (
            PathBuf::from("include/mpi-ext.h"),
            extensions::header(&spec),
        ),
        (
            PathBuf::from("tests/c/all_symbols.c"),
            header::all_symbols(&spec),
        ),
        (facts.join("types.rs"), rust::types(&spec)?),
        (facts.join("constants.rs"), constants::constants(&spec)),
        (
            PathBuf::from("crates/datatype/src/generated/constants.rs"),
            constants::of_datatypes(&spec),
        ),
        (
            generated.join("entries.rs"),
            entries::entries(&spec, &calls)?,
        ),
        (generated.join("decode.rs"), decode::decode(&spec, &calls)?),
        (tools.join("functions.rs"), entries::functions(&spec)),
    ];
    files.extend(fortran::files(&spec)?);
    files.extend(legacy::files(&spec)?);
    let made: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
    let documents = documents::documents(&root, &made)?;
    files.extend(documents);
    Ok(files)
}

fn names(files: &[PathBuf]) -> String {
    let names: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
