//! Checks that documents name what exists: paths in backquotes, links, and the headings of links.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::finding::Finding;
use crate::{fsio, gen};

/// Folders of the repository that a path in backquotes starts at.
const FOLDERS: &[&str] = &[
    "benches/",
    "crates/",
    "docs/",
    "examples/",
    "fuzz/",
    "include/",
    "sim/",
    "spec/",
    "tests/",
    "suites/",
    "xtask/",
];

/// Checks every document of the repository.
pub fn check(root: &Path, found: &mut Vec<Finding>) -> Result<(), String> {
    let mut documents = Vec::new();
    for path in gen::documents::paths(root)? {
        let text = fsio::read(&root.join(&path))?;
        documents.push(Document::new(path, text));
    }
    let headings = documents
        .iter()
        .map(|one| (one.path.clone(), one.headings()));
    let headings: HashMap<PathBuf, Vec<String>> = headings.collect();
    let exists = |path: &Path| root.join(path).exists();
    for document in &documents {
        for (line, what) in document.faults(&headings, &exists) {
            let path = document.path.clone();
            found.push(Finding { path, line, what });
        }
    }
    Ok(())
}

/// A document, relative to the root, and its lines outside of blocks of code.
struct Document {
    path: PathBuf,
    lines: Vec<(usize, String)>,
}

impl Document {
    fn new(path: PathBuf, text: String) -> Document {
        let mut lines = Vec::new();
        let mut is_code = false;
        for (line, content) in (1..).zip(text.lines()) {
            let is_fence = content.trim_start().starts_with("```");
            is_code ^= is_fence;
            if !is_code && !is_fence {
                lines.push((line, content.to_string()));
            }
        }
        Document { path, lines }
    }

    fn faults(
        &self,
        headings: &HashMap<PathBuf, Vec<String>>,
        exists: &dyn Fn(&Path) -> bool,
    ) -> Vec<(usize, String)> {
        let mut faults = Vec::new();
        for (line, content) in &self.lines {
            for named in named_paths(content) {
                if !exists(&located(named)) {
                    faults.push((*line, format!("names `{named}`, which is not there")));
                }
            }
            for link in links(content) {
                if let Some(what) = self.fault_of(&link, headings, exists) {
                    faults.push((*line, what));
                }
            }
        }
        faults
    }

    /// Returns the fault of a link of this document.
    fn fault_of(
        &self,
        link: &str,
        headings: &HashMap<PathBuf, Vec<String>>,
        exists: &dyn Fn(&Path) -> bool,
    ) -> Option<String> {
        let (path, heading) = match link.split_once('#') {
            Some((path, heading)) => (path, Some(heading)),
            None => (link, None),
        };
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let target = match path {
            "" => self.path.clone(),
            path => normal(&folder.join(path)),
        };
        if !exists(&target) {
            return Some(format!("links to `{path}`, which is not there"));
        }
        let (heading, known) = (heading?, headings.get(&target)?);
        let is_known = known.iter().any(|one| one == heading);
        (!is_known).then(|| {
            format!(
                "links to `#{heading}`, which no heading of {} makes",
                target.display()
            )
        })
    }

    /// The anchors that headings make, as GitHub makes them.
    fn headings(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for (_, content) in &self.lines {
            let title = content.trim_start_matches('#');
            if title.len() == content.len() || !title.starts_with(' ') {
                continue;
            }
            let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
            let anchor: String = title.trim().to_lowercase().chars().filter(kept).collect();
            let anchor = anchor.replace(' ', "-");
            let again = (1..).map(|number| format!("{anchor}-{number}"));
            let mut names = std::iter::once(anchor.clone()).chain(again);
            anchors.extend(names.find(|name| !anchors.contains(name)));
        }
        anchors
    }
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// The paths in backquotes: from one of the repository's folders on, or from a crate's.
fn named_paths(line: &str) -> impl Iterator<Item = &str> {
    let is_path = |text: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/_-.".contains(c);
        let is_named = FOLDERS.iter().any(|folder| text.starts_with(folder));
        // `fuzz/corpus/TARGET` stands for many.
        let stands_for =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase());
        let is_one = !text.split('/').any(stands_for);
        (is_named || in_crate(text)) && text.chars().all(plain) && is_one
    };
    line.split('`').skip(1).step_by(2).filter(is_path)
}

/// Whether a path starts at a crate's folder: `btl-sm/src/bell.rs`.
fn in_crate(path: &str) -> bool {
    let mut parts = path.split('/');
    let name = parts.next().unwrap_or_default();
    let is_below = parts
        .next()
        .is_some_and(|part| ["src", "tests", "benches"].contains(&part));
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    is_below && !name.is_empty() && name.chars().all(is_name)
}

/// Where a path in backquotes lies, below the root.
fn located(named: &str) -> PathBuf {
    match FOLDERS.iter().any(|folder| named.starts_with(folder)) {
        true => named.into(),
        false => Path::new("crates").join(named),
    }
}

/// The targets of a line's links and images, but those with a scheme.
fn links(line: &str) -> Vec<String> {
    // What stands in backquotes is no link; the text of a link may have some.
    let mut plain = String::new();
    for (at, part) in line.split('`').enumerate() {
        plain.push_str(if at % 2 == 0 { part } else { "`" });
    }
    let mut found = Vec::new();
    for (opening, closing) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (at, _) in plain.match_indices(opening) {
            let rest = &plain[at + opening.len()..];
            found.extend(rest.split(closing).next());
        }
    }
    if let Some((label, target)) = plain.split_once("]: ") {
        found.extend(label.starts_with('[').then_some(target));
    }
    let targets = found
        .into_iter()
        .filter_map(|link| link.split_whitespace().next());
    let here = targets.filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
    here.map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faults of a document in `docs/`, beside which only `docs/b.md` and a crate's file lie.
    fn faults(text: &str) -> Vec<(usize, String)> {
        let document = |path: &str, text: &str| Document::new(path.into(), text.to_string());
        let own = document("docs/a.md", text);
        let other = document(
            "docs/b.md",
            "# One `Two`: three\n```\n# Code\n```\n## Again\n## Again\n",
        );
        let headings = [&own, &other].map(|one| (one.path.clone(), one.headings()));
        let there = ["docs/a.md", "docs/b.md", "crates/pml/src/lib.rs"];
        let exists = |path: &Path| there.iter().any(|one| path == Path::new(one));
        own.faults(&headings.into_iter().collect(), &exists)
    }

    #[test]
    fn paths_in_backquotes_are_there() {
        let clean = "see `crates/pml/src/lib.rs`, `pml/src/lib.rs`, `crates/*`, crates/none, \
                     `x`, `docs/NAME`";
        assert_eq!(faults(clean), []);
        for gone in [
            "spec/a.tsv",
            "benches/none.tsv",
            "pml/src/gone.rs",
            "lmp/src/lib.rs",
        ] {
            let found = faults(&format!("\nsee `{gone}`\n"));
            assert_eq!(found, [(2, format!("names `{gone}`, which is not there"))]);
        }
    }

    #[test]
    fn links_lead_to_what_is_there() {
        let clean = "# Own\n[a](b.md), [`b`](./b.md#one-two-three), [c](#own) `[d](gone.md)`\n\
                     [e](https://x/y.md#z) ![f](../docs/b.md) [g](b.md#again-1 \"title\")\n\
                     ```\n[h](gone.md)\n```\n<img src=\"b.md\">\n[i]: b.md\n";
        assert_eq!(faults(clean), []);
        for wrong in [
            "[a](gone.md)",
            "[a](b.md#code)",
            "[a](#none)",
            "![a](../b.md)",
            "[a]: gone.md",
            "<img src=\"gone.svg\">",
            "[a](b.md#again-2)",
        ] {
            assert_eq!(faults(&format!("text\n{wrong}\n")).len(), 1, "{wrong}");
        }
    }
}
