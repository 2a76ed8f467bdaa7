//! The layers of the crates: a crate uses only crates of the layers below its own.

use std::path::Path;

/// The crates of each layer, lowest first (ARCHITECTURE.md).
const LAYERS: &[&[&str]] = &[
    &["base"],
    &["sync"],
    &["mca", "memory"],
    &["datatype", "ofi"],
    &["btl"],
    &["btl-self", "btl-sm", "btl-tcp", "btl-ofi", "btl-sim", "mtl"],
    &["bml", "mtl-ofi"],
    &["pml", "osc", "coll", "io", "bml-c"],
    &["cm", "coll-sm", "osc-sm"],
    &["engine", "bootstrap"],
    &["mpi", "launch"],
    &["abi", "tools"],
];

/// The folders below `crates/`.
pub fn crates(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("crates");
    let wrong = |error| format!("cannot list {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.join("Cargo.toml").exists() {
            names.extend(
                path.file_name()
                    .map(|name| name.to_string_lossy().into_owned()),
            );
        }
    }
    names.sort();
    Ok(names)
}

/// What is wrong with the manifest of the crate `name`, by line. What tests use is free.
pub fn faults(name: &str, manifest: &str) -> Vec<(usize, String)> {
    let Some(own) = layer(name) else {
        return vec![(
            0,
            format!("crate `{name}` has no layer; give it one in xtask"),
        )];
    };
    let mut faults = Vec::new();
    let mut section = "";
    for (at, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            section = line;
        }
        let Some(used) = path_of(line).filter(|_| section != "[dev-dependencies]") else {
            continue;
        };
        if layer(used).is_none_or(|layer| layer >= own) {
            faults.push((
                at + 1,
                format!("`{name}` may not use `{used}`: it is not of a layer below"),
            ));
        }
    }
    faults
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// The folder of a dependency on a neighbour: `path = "../base"`.
fn path_of(line: &str) -> Option<&str> {
    line.split_once("path = \"../")?.1.split('"').next()
}
