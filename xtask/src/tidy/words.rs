//! Finds comments to avoid: documentation comments that only make sense after the item above them,
//! by their first words, and a few private phrases. A table has the number of finds that each crate
//! still has; these numbers may only shrink.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::finding::{whole, Finding};
use super::source::Source;
use crate::fsio;

/// Openings of a documentation comment that do not say what the item is or does.
const OPENINGS: &[&str] = &["The same", "As of", "As for", "Of", "Who", "What"];

/// Phrases that stand nowhere. Put together here, so that this file is clean.
const PHRASES: &[[&str; 2]] = &[["so", "many"], ["is", "none"], ["in", "vain"]];

/// The table of counts, below the root: a crate's folder and its finds. A crate without a row has
/// none.
const TABLE: &str = "xtask/src/tidy/words.tsv";

/// Finds of each crate, by its folder.
#[derive(Default)]
pub struct Words {
    found: BTreeMap<String, Vec<Finding>>,
}

impl Words {
    /// Checks one file.
    pub fn look(&mut self, source: &Source) {
        let finds = finds(source);
        let parts: Vec<_> = source
            .path
            .components()
            .map(|part| part.as_os_str())
            .collect();
        let depth = if source.path.starts_with("crates") {
            2
        } else {
            1
        };
        let folder: PathBuf = parts[..depth.min(parts.len())].iter().collect();
        let all = self.found.entry(folder.to_string_lossy().into_owned());
        all.or_default()
            .extend(finds.into_iter().map(|(line, what)| Finding {
                path: source.path.clone(),
                line,
                what,
            }));
    }

    /// Compares with the table; with `shrinks` lowers its counts first.
    pub fn check(self, root: &Path, shrinks: bool, found: &mut Vec<Finding>) -> Result<(), String> {
        let text = fsio::read(&root.join(TABLE))?;
        let mut allowed = counts(&text)?;
        if shrinks {
            for (folder, count) in &mut allowed {
                *count = self.count(folder).min(*count);
            }
            fsio::write(&root.join(TABLE), &table(&text, &allowed))?;
        }
        self.compare(&allowed, found);
        Ok(())
    }

    fn count(&self, folder: &str) -> usize {
        self.found.get(folder).map_or(0, Vec::len)
    }

    fn compare(self, allowed: &BTreeMap<String, usize>, found: &mut Vec<Finding>) {
        for (folder, allowed) in allowed {
            let count = self.count(folder);
            if count < *allowed {
                let what = format!(
                    "allows `{folder}` {allowed} finds, and there are {count}; \
                     `cargo xtask tidy --shrink` lowers it"
                );
                found.push(whole(TABLE.into(), &what));
            }
        }
        for (folder, finds) in self.found {
            let allowed = allowed.get(&folder).copied().unwrap_or(0);
            let count = finds.len();
            if count > allowed {
                let what =
                    format!("{count} finds of words to avoid, listed below; {allowed} allowed");
                found.push(whole(folder.into(), &what));
                found.extend(finds);
            }
        }
    }
}

/// The counts of the table, whose comments start with `#`.
fn counts(text: &str) -> Result<BTreeMap<String, usize>, String> {
    let rows = (1..)
        .zip(text.lines())
        .filter(|(_, row)| !row.is_empty() && !row.starts_with('#'));
    let count = |(line, row): (usize, &str)| {
        let parts = row.split_once('\t');
        let parsed = parts.and_then(|(folder, count)| Some((folder.into(), count.parse().ok()?)));
        parsed.ok_or(format!(
            "{TABLE}:{line}: `{row}` is not a folder and a count"
        ))
    };
    rows.map(count).collect()
}

/// The table with these counts, and the comments it had.
fn table(text: &str, counts: &BTreeMap<String, usize>) -> String {
    let comments = text
        .lines()
        .filter(|row| row.starts_with('#'))
        .map(str::to_string);
    let counts = counts.iter().filter(|(_, count)| **count > 0);
    // Rows stand apart, so that what two branches have lowered can be merged.
    let rows = counts.map(|(folder, count)| format!("\n{folder}\t{count}"));
    comments.chain(rows).map(|row| row + "\n").collect()
}

/// Finds of one file, by line.
fn finds(source: &Source) -> Vec<(usize, String)> {
    let mut found = openings(&source.text);
    found.extend(phrases(source));
    found
}

/// Documentation comments that open badly.
fn openings(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut before = None;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim_start();
        let marker = ["///", "//!"]
            .into_iter()
            .find(|marker| content.starts_with(marker));
        if let Some(marker) = marker.filter(|_| before != marker) {
            let prose = content[marker.len()..].trim_start();
            let opens = |opening: &&&str| {
                let rest = prose.strip_prefix(**opening);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            };
            if let Some(opening) = OPENINGS.iter().find(opens) {
                found.push((line, format!("documentation opens with `{opening}`")));
            }
        }
        before = marker;
    }
    found
}

/// Phrases in comments and literals, also where a line ends inside one.
fn phrases(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (text, masked) = (source.text.as_bytes(), source.masked.as_bytes());
    // Code parts what stands before it from what stands behind.
    let prose = text
        .iter()
        .zip(masked)
        .map(|(byte, masked)| match byte == masked {
            true if !byte.is_ascii_whitespace() => b'\0',
            _ => *byte,
        });
    let prose: Vec<u8> = prose.collect();
    let mut before = String::new();
    for (line, words) in (1..).zip(prose.split(|byte| *byte == b'\n')) {
        let words = String::from_utf8_lossy(words).replace('\0', " \0 ");
        for word in words.split_whitespace().map(str::to_lowercase) {
            // The marker of a comment.
            if word.chars().all(|c| "/!*".contains(c)) {
                continue;
            }
            let bare = |c: char| !c.is_alphanumeric();
            let first = before.trim_start_matches(bare);
            let pair = [first, word.trim_end_matches(bare)];
            if PHRASES.contains(&pair) {
                found.push((line, format!("`{}`", pair.join(" "))));
            }
            before = word;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn found(text: &str) -> Vec<usize> {
        let source = Source::new("crates/x/src/a.rs".into(), text.to_string());
        finds(&source).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn comments_that_open_badly_are_found() {
        for opening in OPENINGS {
            assert_eq!(
                found(&format!("fn f();\n/// {opening} a thing.\nfn g();\n")),
                [2]
            );
            assert_eq!(found(&format!("//! {opening}, a thing.\n")), [1]);
            assert_eq!(
                found(&format!("// {opening} a thing.\n/// A\n/// {opening} b.\n")),
                NONE
            );
        }
        assert_eq!(
            found("/// Offset, Whole, Whatever.\n/// Offset of.\n//! Whole.\n"),
            NONE
        );
    }

    #[test]
    fn phrases_are_found_in_comments_and_strings() {
        for [first, second] in PHRASES {
            assert_eq!(found(&format!("// It {first} {second}.\n")), [1]);
            assert_eq!(found(&format!("//! It {first}\n//! {second}, it.\n")), [2]);
            assert_eq!(found(&format!("let a = \"{first} {second}\";\n")), [1]);
            assert_eq!(
                found(&format!("{first} {second}; // {first}\nlet {second};\n")),
                NONE
            );
            assert_eq!(
                found(&format!("// {first}. {second}s\n// {first} x {second}\n")),
                NONE
            );
        }
    }

    #[test]
    fn counts_only_shrink() {
        let faults = |finds: usize, allowed: &[(&str, usize)]| {
            let text = "/// Of it.\nfn f();\n".repeat(finds);
            let mut words = Words::default();
            words.look(&Source::new("crates/x/src/a.rs".into(), text));
            let allowed = allowed
                .iter()
                .map(|(folder, count)| (folder.to_string(), *count));
            let mut found = Vec::new();
            words.compare(&allowed.collect(), &mut found);
            found.len()
        };
        assert_eq!(faults(2, &[("crates/x", 2)]), 0);
        assert_eq!(faults(0, &[]), 0);
        assert_eq!(faults(3, &[("crates/x", 2)]), 4);
        assert_eq!(faults(1, &[("crates/y", 0)]), 2);
        assert_eq!(faults(1, &[("crates/x", 2)]), 1);
        assert_eq!(faults(0, &[("crates/gone", 1)]), 1);
    }

    #[test]
    fn a_table_keeps_its_comments_and_loses_what_is_zero() {
        let text = "# Counts.\n\ncrates/a\t2\n\ncrates/b\t1\n";
        let mut all = counts(text).unwrap();
        assert_eq!(table(text, &all), text);
        all.insert("crates/b".into(), 0);
        assert_eq!(table(text, &all), "# Counts.\n\ncrates/a\t2\n");
        assert!(counts("# Counts.\ncrates/a 2\n")
            .unwrap_err()
            .starts_with(TABLE));
    }
}
