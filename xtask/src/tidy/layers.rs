//! Checks that a crate uses only crates of lower layers.

use std::path::Path;

/// The crates of each layer, lowest first (ARCHITECTURE.md).
const LAYERS: &[&[&str]] = &[
    &["environment"],
    &["base", "interpose", "section", "trace"],
    &["sync"],
    &["mca", "memory"],
    &["datatype", "mpit", "ofi", "shm"],
    &["btl", "check"],
    &[
        "btl-self", "btl-sm", "btl-tcp", "btl-ofi", "btl-sim", "mtl", "pml",
    ],
    &["bml", "mtl-ofi", "vprotocol"],
    &[
        "ob1",
        "osc",
        "coll",
        "ft",
        "bml-c",
        "vprotocol-trace",
        "vprotocol-pessimist",
    ],
    &["cm", "coll-sm", "osc-sm", "io"],
    &["engine", "bootstrap", "io-posix", "mpir"],
    &["mpi", "launch"],
    &["abi", "tools"],
    &["fortran", "legacy"],
    &["legacy-mpich", "legacy-ompi"],
];

/// Every crate that has a layer.
pub fn all() -> impl Iterator<Item = &'static str> {
    LAYERS.iter().flat_map(|layer| layer.iter().copied())
}

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

/// Returns the faults of the manifest of the crate `name`, by line. Its tests may use any crate.
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
        if !section.ends_with("dependencies]") {
            continue;
        }
        let mut fault = |what| faults.push((at + 1, what));
        if line.contains("path = \"") {
            fault(
                "name the crate in the workspace's manifest, and write `workspace = true`".into(),
            );
        }
        let used = dependency(line);
        let Some(layer) = layer(used).filter(|_| section != "[dev-dependencies]") else {
            continue;
        };
        if layer >= own {
            fault(format!(
                "`{name}` may not use `{used}`: it is not of a layer below"
            ));
        }
    }
    faults
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// The name under which a line of a manifest states a dependency: `base` in
/// `base.workspace = true` and in `base = { workspace = true }`.
fn dependency(line: &str) -> &str {
    line.split(['.', ' ', '=']).next().unwrap_or_default()
}
