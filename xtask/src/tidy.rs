//! `cargo xtask tidy`: checks the part of the project's style that a program can check.
//!
//! Every violation is printed as `file:line: what`, and the command fails if there is any.
//! Generated files are only checked for being up to date with `cargo xtask gen`.

mod claims;
mod documents;
mod draw;
mod finding;
mod graph;
pub mod layers;
mod list;
mod named;
mod places;
mod pure;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod uses;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::finding::{whole, Finding};
use self::source::Source;
use self::tree::Tree;
use self::words::Words;
use crate::{fsio, gen};

const LINE_COLUMNS_MAX: usize = 100;
const FUNCTION_LINES_MAX: usize = 70;
const FILE_LINES_MAX: usize = 800;
/// Lines of a crate, without tests and what is generated.
const CRATE_LINES_MAX: usize = 12_000;
/// Crates that are longer, and may only shrink.
const LONG_CRATES: &[(&str, usize)] = &[("abi", 19_000)];

/// Extensions of the files that `patch` leaves behind.
const LEFT_BY_PATCHES: &[&str] = &["orig", "rej"];

/// The extent of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Only the rules about single files, for the files below some folders.
    Files,
    /// All rules. The tables of exceptions must list exactly the exceptions that exist.
    Whole,
    /// All rules, after unused exceptions were removed from the tables.
    Shrunk,
}

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Take what is not needed out of the tables of exceptions, and check
    #[arg(long, conflicts_with_all = ["graph", "folders"])]
    shrink: bool,
    /// Draw the files of a crate, or of `all`, and their uses of each other
    #[arg(long, value_name = "CRATE", conflicts_with = "folders")]
    graph: Option<String>,
    /// Check the single files below these folders only
    #[arg(value_name = "FOLDER")]
    folders: Vec<String>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<(), String> {
    let root = fsio::root();
    let extent = match (options.shrink, options.folders.is_empty()) {
        (true, _) => Extent::Shrunk,
        (false, true) => Extent::Whole,
        (false, false) => Extent::Files,
    };
    match &options.graph {
        Some(name) => graph::draw(&trees(&root)?, name),
        None => check_all(&root, &options.folders, extent),
    }
}

/// Checks the whole repository.
pub fn check_repository() -> Result<(), String> {
    check_all(&fsio::root(), &[], Extent::Whole)
}

fn check_all(root: &Path, folders: &[String], extent: Extent) -> Result<(), String> {
    let mut found = Vec::new();
    let mut words = Words::new();
    let mut lines = BTreeMap::new();
    for path in rust_files(root, folders)? {
        let text = fsio::read(&root.join(&path))?;
        let source = Source::new(path, text);
        check(&source, &mut found);
        words.check(&source);
        if let (Some(name), false) = (crate_of(&source.path), source.is_test()) {
            *lines.entry(name).or_insert(0) += source.text.lines().count();
        }
    }
    found.extend(
        lines
            .iter()
            .filter_map(|(name, lines)| too_long(name, *lines)),
    );
    if extent != Extent::Files {
        check_crates(root, &mut found)?;
        check_lists(root, extent, &mut found)?;
        documents::check(root, &mut found)?;
        claims::check(root, &mut found)?;
        named::check(root, &mut found)?;
        words.check_others(root)?;
        for path in gen::stale()? {
            found.push(whole(path, "stale; run `cargo xtask gen`"));
        }
    }
    found.extend(words.into_findings());
    found.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    for Finding { path, line, what } in &found {
        println!("{}:{line}: {what}", path.display());
    }
    match found.len() {
        0 => Ok(()),
        number => Err(format!("{number} faults")),
    }
}

/// Returns the crate that a file is of.
fn crate_of(path: &Path) -> Option<String> {
    let name = path.strip_prefix("crates").ok()?.iter().next()?;
    Some(name.to_string_lossy().into_owned())
}

/// Returns the fault of a crate that is too long to be read as one.
fn too_long(name: &str, lines: usize) -> Option<Finding> {
    let allowed = LONG_CRATES.iter().find(|(long, _)| *long == name);
    let max = allowed.map_or(CRATE_LINES_MAX, |(_, lines)| *lines);
    (lines > max).then(|| {
        let what = format!("{lines} lines without tests; the crate has at most {max}");
        whole(Path::new("crates").join(name), &what)
    })
}

/// Checks the rules that have a table of exceptions.
fn check_lists(root: &Path, extent: Extent, found: &mut Vec<Finding>) -> Result<(), String> {
    let lists = places::Lists::read(root)?;
    let trees = trees(root)?;
    for tree in &trees {
        lists.check(tree, found);
        pure::check(tree, found);
    }
    graph::check(&trees, found);
    for list in lists.all() {
        match extent {
            Extent::Shrunk => list.shrink(root)?,
            _ => found.extend(list.unused()),
        }
    }
    Ok(())
}

/// Returns the modules of every crate, without tests and examples.
fn trees(root: &Path) -> Result<Vec<Tree>, String> {
    let mut folders = ["sim", "suites", "xtask"].map(PathBuf::from).to_vec();
    let crates = layers::crates(root)?;
    folders.extend(crates.iter().map(|name| Path::new("crates").join(name)));
    let text = |path: &Path| fsio::read(&root.join(path));
    let mut trees = Vec::new();
    for folder in folders {
        trees.extend(Tree::read(&folder, &text)?);
    }
    Ok(trees)
}

/// Returns the Rust files that are not generated, relative to the root.
fn rust_files(root: &Path, folders: &[String]) -> Result<Vec<PathBuf>, String> {
    let all = [
        "crates", "suites", "xtask", "sim", "tests", "examples", "benches",
    ]
    .map(str::to_string);
    let folders = if folders.is_empty() {
        &all[..]
    } else {
        folders
    };
    let mut files = Vec::new();
    for folder in folders {
        let below = fsio::files_below(&root.join(folder), "rs")?;
        files.extend(
            below
                .iter()
                .filter_map(|path| Some(path.strip_prefix(root).ok()?.into())),
        );
    }
    files.retain(|path: &PathBuf| {
        let made = path
            .components()
            .any(|part| part.as_os_str() == "generated");
        let built = path.components().any(|part| part.as_os_str() == "target");
        !built && (!made || path.ends_with("mod.rs"))
    });
    Ok(files)
}

/// Checks every rule about a single file.
fn check(source: &Source, found: &mut Vec<Finding>) {
    let mut add = |line: usize, what: String| {
        found.push(Finding {
            path: source.path.clone(),
            line,
            what,
        });
    };
    if !source.is_test() && !source.text.starts_with("//!") {
        add(
            1,
            "opens without its story: a `//!` comment on what it is and who owns what".into(),
        );
    }
    let lines = source.text.lines().count();
    if !source.is_test() && lines > FILE_LINES_MAX {
        add(
            0,
            format!("{lines} lines; a file has at most {FILE_LINES_MAX}"),
        );
    }
    for (at, line) in source.text.lines().enumerate() {
        let columns = line.chars().count();
        // A row of a table in a comment cannot be broken.
        let is_row = line.trim_start().starts_with("//") && line.trim_end().ends_with('|');
        if columns > LINE_COLUMNS_MAX && !is_row {
            add(
                at + 1,
                format!("{columns} columns; a line has at most {LINE_COLUMNS_MAX}"),
            );
        }
        if let Some(word) = unfinished(line) {
            add(at + 1, format!("`{word}`: finish it, or open an issue"));
        }
    }
    for function in source.functions() {
        if function.lines > FUNCTION_LINES_MAX {
            let name = function.name;
            let what = format!(
                "`{name}` has {} lines, over {FUNCTION_LINES_MAX}",
                function.lines
            );
            add(function.line, what);
        }
    }
}

/// Returns a word in `line` that marks unfinished work. The words are concatenated here so that
/// this file does not contain them.
fn unfinished(line: &str) -> Option<&'static str> {
    const WORDS: &[&str] = &[
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("#[ig", "nore"),
        concat!("db", "g!("),
    ];
    WORDS.iter().copied().find(|word| line.contains(word))
}

/// Checks the rules about crates: allowed dependencies, lints, unsafe code, unused files.
fn check_crates(root: &Path, found: &mut Vec<Finding>) -> Result<(), String> {
    let names = layers::crates(root)?;
    for listed in layers::all().chain(layers::SAFE.iter().chain(layers::PURE).copied()) {
        if !names.iter().any(|name| name == listed) {
            let what = format!("names a crate `{listed}`, which is not there");
            found.push(whole("xtask/src/tidy/layers.rs".into(), &what));
        }
    }
    for name in names {
        let folder = PathBuf::from("crates").join(&name);
        let manifest = folder.join("Cargo.toml");
        let text = fsio::read(&root.join(&manifest))?;
        for (line, what) in layers::faults(&name, &text) {
            found.push(Finding {
                path: manifest.clone(),
                line,
                what,
            });
        }
        if !text.contains("[lints]\nworkspace = true") {
            found.push(whole(manifest, "does not take the workspace's lints"));
        }
        let runs_examples = !text.contains("doctest = false");
        for file in fsio::files_below(&root.join(&folder).join("src"), "rs")? {
            if !runs_examples && has_example(&fsio::read(&file)?) {
                let path = file.strip_prefix(root).unwrap_or(&file);
                let what = "its example is not run: Cargo.toml says `doctest = false`";
                found.push(whole(path.into(), what));
            }
        }
        let top = folder.join("src/lib.rs");
        let text = fsio::read(&root.join(&top))?;
        match (
            layers::SAFE.contains(&name.as_str()),
            text.contains("#![forbid(unsafe_code)]"),
        ) {
            (true, false) => found.push(whole(top, "lacks #![forbid(unsafe_code)]")),
            (false, true) => found.push(whole(top, "forbids unsafe code; name it in `SAFE`")),
            _ => {}
        }
        found.extend(unreached(root, &folder.join("src"))?);
    }
    Ok(())
}

/// Whether a documentation comment of this file has an example that Cargo would run. Crates without
/// one say `doctest = false`: rustdoc reads a whole crate to find none.
fn has_example(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start);
    let docs = lines.filter_map(|l| l.strip_prefix("///").or(l.strip_prefix("//!")));
    let fences = docs.filter_map(|line| line.trim().strip_prefix("```"));
    // Every other fence closes what the one before has opened.
    let mut opening = fences.step_by(2);
    opening.any(|of| of.is_empty() || of.starts_with("rust") || of.contains("no_run"))
}

/// Returns the files below `folder` that no `mod` line names, so that they are not compiled, and
/// those that `patch` has left.
fn unreached(root: &Path, folder: &Path) -> Result<Vec<Finding>, String> {
    let mut found = Vec::new();
    for left in LEFT_BY_PATCHES {
        for file in fsio::files_below(&root.join(folder), left)? {
            let path = file.strip_prefix(root).unwrap_or(&file);
            found.push(whole(path.into(), "a patch has left it"));
        }
    }
    let files = fsio::files_below(&root.join(folder), "rs")?;
    let mut text = String::new();
    for file in &files {
        text.push_str(&fsio::read(file)?);
    }
    for file in &files {
        let path = file.strip_prefix(root).unwrap_or(file);
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = match stem.as_str() {
            "lib" | "main" => continue,
            "mod" => path
                .parent()
                .and_then(Path::file_name)
                .unwrap_or_default()
                .to_string_lossy(),
            stem => stem.into(),
        };
        let named =
            text.contains(&format!("mod {name};")) || text.contains(&format!("{stem}.rs\""));
        if !named && !path.starts_with(folder.join("bin")) {
            found.push(whole(path.into(), "no `mod` line names this file"));
        }
    }
    Ok(found)
}
