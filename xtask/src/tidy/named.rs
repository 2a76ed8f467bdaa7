//! Checks that documents name items that exist: `engine::Core::start_send` in backquotes is a
//! function of that name, in a file of the crate that has the type.
//!
//! The check reads declarations, not meanings: it finds what was renamed, moved to another crate or
//! removed, which is how a description of the way of a call goes stale.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::layers;
use crate::{fsio, gen};

/// Documents about the code, whose paths begin at a crate.
const MAPS: &[&str] = &["ARCHITECTURE.md", "docs/paths.md"];

/// Documents that describe what was, not what is.
const HISTORY: &[&str] = &["docs/notebook/", "CHANGELOG.md"];

/// Crates that are not ours.
const FOREIGN: &[&str] = &["std", "core"];

/// The text of each file of a crate.
type Texts = Vec<String>;

/// Checks all documents but those about the past.
pub fn check(root: &Path, found: &mut Vec<Finding>) -> Result<(), String> {
    let mut crates = HashMap::new();
    for name in layers::crates(root)? {
        let folder = root.join("crates").join(&name).join("src");
        let files = fsio::files_below(&folder, "rs")?;
        let texts: Result<Texts, String> = files.iter().map(|path| fsio::read(path)).collect();
        crates.insert(name.replace('-', "_"), texts?);
    }
    for path in gen::documents::paths(root)? {
        let name = path.to_string_lossy();
        if HISTORY.iter().any(|one| name.starts_with(one)) {
            continue;
        }
        let text = fsio::read(&root.join(&path))?;
        let is_map = MAPS.contains(&name.as_ref());
        for (line, what) in faults(&text, &crates, is_map) {
            let path = PathBuf::clone(&path);
            found.push(Finding { path, line, what });
        }
    }
    Ok(())
}

/// The faults of the paths that a document names. In a map each begins at a crate.
fn faults(text: &str, crates: &HashMap<String, Texts>, is_map: bool) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut is_code = false;
    for (line, content) in (1..).zip(text.lines()) {
        let is_fence = content.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence {
            continue;
        }
        for named in content.split('`').skip(1).step_by(2).filter(|n| is_path(n)) {
            let mut parts = named.split("::");
            let first = parts.next().unwrap_or_default();
            let parts: Vec<&str> = parts.collect();
            match crates.get(first) {
                Some(texts) => faults.extend(unknown(texts, &parts).map(|part| {
                    let what = format!("names `{named}`, but `{first}` has no such `{part}`");
                    (line, what)
                })),
                None if is_map && !FOREIGN.contains(&first) => faults.push((
                    line,
                    format!("names `{named}`, whose path does not begin at a crate"),
                )),
                None => {}
            }
        }
    }
    faults
}

/// Whether this is a path of identifiers.
fn is_path(text: &str) -> bool {
    let is_name =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    text.contains("::") && text.split("::").all(is_name)
}

/// The first part of a path that no file declares. What follows a type is in a file with the type.
fn unknown<'a>(texts: &Texts, parts: &[&'a str]) -> Option<&'a str> {
    let mut files: Vec<&String> = texts.iter().collect();
    for part in parts {
        let is_type = part.starts_with(|c: char| c.is_uppercase());
        files.retain(|text| declares(text, part) || (is_type && implements(text, part)));
        if files.is_empty() {
            return Some(part);
        }
        // The items of a module may be in any file: `pub use` brings them up.
        if !is_type {
            files = texts.iter().collect();
        }
    }
    None
}

/// Whether a file declares an item, or a variant, of this name.
fn declares(text: &str, name: &str) -> bool {
    const KINDS: &[&str] = &[
        "fn",
        "struct",
        "enum",
        "trait",
        "type",
        "const",
        "static",
        "mod",
        "union",
        "macro_rules!",
    ];
    text.lines().any(|line| {
        let line = line.trim_start();
        let is_variant = || {
            let rest = line.strip_prefix(name);
            rest.is_some_and(|rest| {
                [",", "(", " {", " = "]
                    .iter()
                    .any(|end| rest.starts_with(end))
            })
        };
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '!'));
        let mut last = "";
        let is_item = words.any(|word| {
            let found = word == name && KINDS.contains(&last);
            last = word;
            found
        });
        !line.starts_with("//") && (is_item || is_variant())
    })
}

/// Whether a file has an `impl` of this type, or for it.
fn implements(text: &str, name: &str) -> bool {
    let heads = text.lines().filter(|line| line.starts_with("impl"));
    let parts = |line: &str| {
        line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == name)
    };
    heads.into_iter().any(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_map: bool) -> Vec<(usize, String)> {
        let engine = [
            "pub mod pml;\npub struct Core;\n",
            "impl Core {\n    pub(crate) fn start_send(&self) {}\n}\nenum Flow {\n    Busy,\n}\n",
            "fn alone() {}\n// fn gone() {}\n",
        ];
        let engine = engine.map(str::to_string).to_vec();
        faults(
            text,
            &HashMap::from([("engine".to_string(), engine)]),
            is_map,
        )
    }

    #[test]
    fn paths_are_declared() {
        let clean = "`engine::Core::start_send`, `engine::pml`, `engine::Flow::Busy`, `a b::c`,\n\
                     `std::fmt::Display`, `engine::pml::alone`\n```\n`engine::gone`\n```\n";
        assert_eq!(found(clean, true), []);
        for stale in [
            "`engine::gone`",
            "`engine::Core::alone`",
            "`engine::core::start_send`",
            "`engine::Flow::Sent`",
        ] {
            assert_eq!(found(stale, false).len(), 1, "{stale}");
        }
    }

    #[test]
    fn maps_begin_at_a_crate() {
        assert_eq!(found("`Core::start_send`", false), []);
        assert_eq!(found("\n`Core::start_send`", true)[0].0, 2);
    }
}
