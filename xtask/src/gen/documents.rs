//! The generated parts of documents: what stands between `<!-- gen NAME -->` and `<!-- end -->`.
//!
//! A part is a fact that has its place elsewhere: a table of the code, or a number of things that
//! are counted where they lie. A document that states it writes the two marks, in a line or around
//! lines of their own, and `cargo xtask gen` what stands between them.

use std::path::{Path, PathBuf};

use super::spec::Spec;
use crate::fsio;
use crate::tidy::layers;

pub const BEGIN: &str = "<!-- gen ";
const BEGUN: &str = " -->";
pub const END: &str = "<!-- end -->";

/// Folders that hold documents, beside the root.
const FOLDERS: &[&str] = &[
    "benches",
    "crates",
    "docs",
    "examples",
    "fuzz",
    "packaging",
    "sim",
    "spec",
    "suites",
    "tests",
    "xtask",
];

/// A part: its name, and what makes its text of the root and the paths of other generated files.
type GeneratedPart = (&'static str, fn(&Path, &[&Path]) -> Result<String, String>);

const PARTS: &[GeneratedPart] = &[
    ("layers", |_, _| {
        Ok(format!("```\n{}```", layers::picture()))
    }),
    ("crates", |root, _| {
        layers::table(|name| description(root, name))
    }),
    ("safe crates", |_, _| Ok(in_a_row(layers::SAFE))),
    ("pure crates", |_, _| Ok(in_a_row(layers::PURE))),
    ("generated files", |_, made| Ok(in_a_row(&places(made)))),
    ("functions", |root, _| {
        let spec = Spec::read(&root.join("spec"))?;
        Ok(spec.functions.len().to_string())
    }),
    ("fuzz targets", |root, _| {
        let files = fsio::files_below(&root.join("fuzz/fuzz_targets"), "rs")?;
        let names = files.iter().filter_map(|path| path.file_stem()?.to_str());
        Ok(in_a_row(&names.collect::<Vec<_>>()))
    }),
];

/// Every document of the repository, below the root, sorted.
pub fn paths(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(root).map_err(|e| format!("{}: {e}", root.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|ext| ext == "md"));
    for folder in FOLDERS {
        found.extend(fsio::files_below(&root.join(folder), "md")?);
    }
    found.sort();
    let below = |path: PathBuf| path.strip_prefix(root).unwrap_or(&path).into();
    Ok(found.into_iter().map(below).collect())
}

/// The documents with generated parts, as `gen` would write them.
pub fn documents(root: &Path, made: &[&Path]) -> Result<Vec<(PathBuf, String)>, String> {
    let mut written = Vec::new();
    let mut used = Vec::new();
    for path in paths(root)? {
        let old = fsio::read(&root.join(&path))?;
        let mut part = |name: &str| {
            let known = PARTS.iter().find(|(one, _)| *one == name);
            let (name, text) = known.ok_or(format!("no part of documents is called `{name}`"))?;
            used.push(*name);
            text(root, made)
        };
        let new = filled(&old, &mut part).map_err(|e| format!("{}: {e}", path.display()))?;
        if old.contains(BEGIN) {
            written.push((path, new));
        }
    }
    match PARTS.iter().find(|(name, _)| !used.contains(name)) {
        Some((name, _)) => Err(format!("no document has the part `{name}`")),
        None => Ok(written),
    }
}

/// The text of a document, with each part as `part` makes it.
fn filled(
    text: &str,
    part: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(BEGUN).ok_or("a mark has no end")?;
        let lacks = || format!("the part `{name}` lacks {END}");
        let (old, after) = after.split_once(END).ok_or_else(lacks)?;
        if old.contains(BEGIN) {
            return Err(lacks());
        }
        // Lines of their own stay lines of their own. A mark that begins a line ends a paragraph.
        let edge = if old.starts_with('\n') { "\n" } else { "" };
        if edge.is_empty() && (before.ends_with('\n') || before.is_empty()) {
            return Err(format!(
                "the mark of `{name}` begins a line and does not end it"
            ));
        }
        let new = part(name)?;
        let new = new.trim_end_matches('\n');
        made += &format!("{before}{BEGIN}{name}{BEGUN}{edge}{new}{edge}{END}");
        rest = after;
    }
    Ok(made + rest)
}

/// The description in a crate's manifest.
fn description(root: &Path, name: &str) -> Result<String, String> {
    let path = root.join("crates").join(name).join("Cargo.toml");
    let text = fsio::read(&path)?;
    let line = text
        .lines()
        .find_map(|l| l.strip_prefix("description = \""));
    let quoted = line.and_then(|rest| rest.strip_suffix('"'));
    let lacks = || format!("{} lacks a description", path.display());
    Ok(quoted.ok_or_else(lacks)?.trim_end_matches('.').to_string())
}

/// Where generated files lie: the folders that hold nothing else, and other files by their names.
fn places(made: &[&Path]) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for path in made {
        let folder = path.ancestors().find(|one| one.ends_with("generated"));
        let place = match folder {
            Some(folder) => format!("{}/", folder.display()),
            None => path.display().to_string(),
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.sort();
    places
}

/// Names in backquotes, with commas, over as many lines as they take.
fn in_a_row(names: &[impl AsRef<str>]) -> String {
    const COLUMNS: usize = 100;
    let mut lines = vec![String::new()];
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { "," } else { "" };
        let word = format!("`{}`{comma}", name.as_ref());
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < COLUMNS => *line += &format!(" {word}"),
            _ => lines.push(format!("  {word}")),
        }
    }
    lines.join("\n").trim_start().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(text: &str) -> Result<String, String> {
        filled(text, &mut |name| match name {
            "three" => Ok("3".to_string()),
            "table" => Ok("| a |\n|---|\n".to_string()),
            _ => Err(format!("no `{name}`")),
        })
    }

    #[test]
    fn parts_are_written_in_lines_and_around_them() {
        let text = "All <!-- gen three -->2<!-- end --> of\n<!-- gen table -->\n<!-- end -->\n";
        let new = "All <!-- gen three -->3<!-- end --> of\n\
                   <!-- gen table -->\n| a |\n|---|\n<!-- end -->\n";
        assert_eq!(fill(text).as_deref(), Ok(new));
        assert_eq!(fill(new).as_deref(), Ok(new));
    }

    #[test]
    fn broken_marks_are_refused() {
        for text in [
            "a <!-- gen three -->2",
            "a <!-- gen three",
            "a <!-- gen four -->4<!-- end -->",
            "a <!-- gen three -->2<!-- gen three -->3<!-- end -->",
            "a\n<!-- gen three -->3<!-- end -->",
        ] {
            assert!(fill(text).is_err(), "{text}");
        }
    }
}
