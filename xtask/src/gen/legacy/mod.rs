//! Generates the libraries for programs of MPICH and of Open MPI:
//! `crates/{edge,legacy-*}/src/generated/`.
//!
//! `spec/legacy.tsv` says what the constants are there. [`values`] writes them as tables by kind,
//! [`entries`] files with a row per function, which says how each argument becomes the standard's.

mod entries;
mod native;
mod values;

use std::path::{Path, PathBuf};

use super::spec::{Function, Spec};
use crate::fsio;

/// Each generated file: its path below the root, and its text.
pub fn files(spec: &Spec) -> Result<Vec<(PathBuf, String)>, String> {
    let natives = native::read(&fsio::root().join("spec/legacy.tsv"))?;
    native::check(spec, &natives)?;
    let functions: Vec<&Function> = spec.functions.iter().collect();
    let known: Vec<&Function> = spec.functions.iter().filter(|f| is_legacy(f)).collect();
    let folder = Path::new("crates/edge/src/generated");
    let rows_folder = Path::new("crates/edge/exports/generated");
    let objects = Path::new("crates/legacy-ompi/src/generated/objects.rs");
    let mut files = vec![
        (folder.join("c.rs"), entries::declarations(&functions)?),
        (folder.join("values.rs"), values::values(spec, &natives)?),
        (objects.to_path_buf(), values::objects(spec, &natives)),
        (objects.with_file_name("sizes.rs"), values::sizes()),
    ];
    let rows = entries::entries(&known)?.into_iter();
    files.extend(rows.map(|(name, text)| (rows_folder.join(name), text)));
    Ok(files)
}

/// Whether programs of the two interfaces know a function: the standard's own interface is new.
fn is_legacy(function: &Function) -> bool {
    !["abi", "handle-conversion"].contains(&function.category.as_str())
}
