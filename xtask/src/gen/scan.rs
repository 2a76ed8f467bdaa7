//! Scan of `crates/abi/src/calls/` for the MPI functions that are implemented.

use std::collections::BTreeMap;
use std::path::Path;

use super::forms;
use super::spec::Spec;
use crate::fsio;

/// The name of a call (`comm_rank`) to the path of its module (`comm`, or `rma::lock`).
pub type Calls = BTreeMap<String, String>;

/// Every public function at the left margin of a file below `folder` that its `mod.rs` names.
pub fn calls(folder: &Path) -> Result<Calls, String> {
    let mut calls = Calls::new();
    let named = fsio::read(&folder.join("mod.rs"))?;
    for path in fsio::files_below(folder, "rs")? {
        let module = module_of(path.strip_prefix(folder).unwrap_or(&path));
        let first = module.split("::").next().unwrap_or_default();
        if !named
            .lines()
            .any(|line| line == format!("pub mod {first};"))
        {
            continue;
        }
        let text = fsio::read(&path)?;
        for name in text.lines().filter_map(public_function) {
            if let Some(first) = calls.insert(name.to_string(), module.clone()) {
                return Err(format!("call `{name}` is in both `{first}` and `{module}`"));
            }
        }
    }
    Ok(calls)
}

/// A public function of a calls module that no MPI function has as its name was misspelled, and
/// would never be called.
pub fn check_names(spec: &Spec, calls: &Calls) -> Result<(), String> {
    let known: Vec<String> = spec.functions.iter().map(|f| forms::of(f).0).collect();
    let is_known = |name: &&String| known.iter().any(|known| known == *name);
    match calls.keys().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "calls::{}::{name} is public, but no MPI function is called so; helpers are pub(crate)",
            calls[name]
        )),
    }
}

fn module_of(path: &Path) -> String {
    let parts: Vec<_> = path
        .with_extension("")
        .iter()
        .map(|p| p.to_string_lossy().into())
        .collect();
    let parts: Vec<String> = parts.into_iter().filter(|part| part != "mod").collect();
    parts.join("::")
}

fn public_function(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("pub unsafe fn ")
        .or_else(|| line.strip_prefix("pub fn "))?;
    let end = rest.find(['(', '<'])?;
    Some(&rest[..end])
}
