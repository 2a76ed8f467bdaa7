//! Finds words to avoid: openings of documentation comments that only make sense after the item
//! above them, a few private phrases, and private words, which are counted in identifiers,
//! too. A table has the number of finds of each kind that each folder still has; these
//! numbers may only shrink.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::finding::{whole, Finding};
use super::source::Source;
use crate::fsio;
use crate::gen;

/// Openings of a documentation comment that do not say what the item is or does.
const OPENINGS: &[&str] = &["The same", "As of", "As for", "Of", "Who", "What"];

/// The kind of a find among the openings, in the table.
const OPENING: &str = "opening";

/// Phrases that stand nowhere. Put together here, so that this file is clean.
const PHRASES: &[[&str; 2]] = &[["so", "many"], ["is", "none"], ["in", "vain"]];

/// The kind of a find among the phrases, in the table.
const PHRASE: &str = "phrase";

/// Private words, each with the other forms that count as it. Points part them, so that this file
/// is clean.
const WORDS: &[&str] = &[
    "to.ld unto.ld te.ll te.lls te.lling te.ller te.llers",
    "he.ar he.ars he.ard he.aring",
    "do.ze do.zes do.zed do.zing",
    "str.etch str.etches",
    "me.nd me.nds me.nded",
    "hu.sh hu.shes hu.shed",
    "sum.mon sum.mons sum.moned",
    "to.ward to.wards",
];

/// Folders whose C files are searched for words.
const C_FOLDERS: &[&str] = &["tests", "examples", "benches"];

/// The table of counts, below the root: a folder, a kind and its finds. What has no row has none.
const TABLE: &str = "xtask/src/tidy/words.tsv";

/// Counts by folder and kind.
type Counts = BTreeMap<(String, String), usize>;

/// Finds of each folder and kind.
pub struct Words {
    forms: HashMap<String, String>,
    found: BTreeMap<(String, String), Vec<Finding>>,
}

impl Words {
    /// Returns the finds of no file.
    pub fn new() -> Words {
        Words {
            forms: forms(),
            found: BTreeMap::new(),
        }
    }

    /// Checks one Rust file.
    pub fn look(&mut self, source: &Source) {
        self.add(&source.path, openings(&source.text), OPENING);
        self.add(&source.path, phrases(source), PHRASE);
        self.look_for_words(&source.path, &source.text);
    }

    /// Checks the documents and the C files, of which only words are counted.
    pub fn look_at_others(&mut self, root: &Path) -> Result<(), String> {
        let mut paths = gen::documents::paths(root)?;
        for folder in C_FOLDERS {
            let below = fsio::files_below(&root.join(folder), "c")?;
            let relative = below.iter().filter_map(|path| path.strip_prefix(root).ok());
            paths.extend(relative.map(PathBuf::from));
        }
        for path in paths {
            self.look_for_words(&path, &fsio::read(&root.join(&path))?);
        }
        Ok(())
    }

    fn look_for_words(&mut self, path: &Path, text: &str) {
        for (line, word) in words(text, &self.forms) {
            self.add(path, vec![(line, format!("`{word}`"))], &word);
        }
    }

    fn add(&mut self, path: &Path, finds: Vec<(usize, String)>, kind: &str) {
        let all = self.found.entry((folder_of(path), kind.to_string()));
        let path = || path.to_path_buf();
        let finds = finds.into_iter().map(|(line, what)| Finding {
            path: path(),
            line,
            what,
        });
        all.or_default().extend(finds);
    }

    /// Compares with the table; with `shrinks` lowers its counts first.
    pub fn check(self, root: &Path, shrinks: bool, found: &mut Vec<Finding>) -> Result<(), String> {
        let text = fsio::read(&root.join(TABLE))?;
        let mut allowed = counts(&text)?;
        if shrinks {
            for (key, count) in &mut allowed {
                *count = self.count(key).min(*count);
            }
            fsio::write(&root.join(TABLE), &table(&text, &allowed))?;
        }
        self.compare(&allowed, found);
        Ok(())
    }

    fn count(&self, key: &(String, String)) -> usize {
        self.found.get(key).map_or(0, Vec::len)
    }

    fn compare(self, allowed: &Counts, found: &mut Vec<Finding>) {
        for (key, allowed) in allowed {
            let count = self.count(key);
            if count < *allowed {
                let (folder, kind) = key;
                let what = format!(
                    "allows `{folder}` {allowed} finds of `{kind}`, and there are {count}; \
                     `cargo xtask tidy --shrink` lowers it"
                );
                found.push(whole(TABLE.into(), &what));
            }
        }
        for (key, finds) in self.found {
            let allowed = allowed.get(&key).copied().unwrap_or(0);
            let count = finds.len();
            if count > allowed {
                let (folder, kind) = key;
                let what = format!(
                    "{count} finds of `{kind}`, a word to avoid, listed below; {allowed} allowed"
                );
                found.push(whole(folder.into(), &what));
                found.extend(finds);
            }
        }
    }
}

/// Returns the folder that a file is counted for: the crate, or the first one below the root.
fn folder_of(path: &Path) -> String {
    let parts: Vec<_> = path.parent().into_iter().flatten().collect();
    let depth = if path.starts_with("crates") { 2 } else { 1 };
    let folder: PathBuf = parts[..depth.min(parts.len())].iter().collect();
    match parts.is_empty() {
        true => ".".to_string(),
        false => folder.to_string_lossy().into_owned(),
    }
}

/// The counts of the table, whose comments start with `#`.
fn counts(text: &str) -> Result<Counts, String> {
    let rows = (1..)
        .zip(text.lines())
        .filter(|(_, row)| !row.is_empty() && !row.starts_with('#'));
    let count = |(line, row): (usize, &str)| {
        let columns: Vec<&str> = row.split('\t').collect();
        let parsed = match columns[..] {
            [folder, kind, count] => count.parse().ok().map(|count| {
                let key = (folder.to_string(), kind.to_string());
                (key, count)
            }),
            _ => None,
        };
        parsed.ok_or(format!(
            "{TABLE}:{line}: `{row}` is not a folder, a kind and a count"
        ))
    };
    rows.map(count).collect()
}

/// The table with these counts, and the comments it had.
fn table(text: &str, counts: &Counts) -> String {
    let comments = text
        .lines()
        .filter(|row| row.starts_with('#'))
        .map(str::to_string);
    let counts = counts.iter().filter(|(_, count)| **count > 0);
    // Rows stand apart, so that what two branches have lowered can be merged.
    let rows = counts.map(|((folder, kind), count)| format!("\n{folder}\t{kind}\t{count}"));
    comments.chain(rows).map(|row| row + "\n").collect()
}

/// Returns each form of a private word, and the word that it counts as.
fn forms() -> HashMap<String, String> {
    let mut all = HashMap::new();
    for row in WORDS {
        let row = row.replace('.', "");
        let word = row.split(' ').next().unwrap_or_default();
        all.extend(
            row.split(' ')
                .map(|form| (form.to_string(), word.to_string())),
        );
    }
    all
}

/// Returns the private words of a text, in prose, literals and identifiers, by line.
fn words(text: &str, forms: &HashMap<String, String>) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for part in content.split(|c: char| !c.is_ascii_alphabetic()) {
            let words = humps(part).filter_map(|hump| forms.get(&hump.to_ascii_lowercase()));
            found.extend(words.map(|word| (line, word.clone())));
        }
    }
    found
}

/// Splits a part of an identifier before each upper-case letter that follows a lower-case one.
fn humps(part: &str) -> impl Iterator<Item = &str> {
    let bytes = part.as_bytes();
    let starts = move |at: &usize| {
        *at == 0 || bytes[*at].is_ascii_uppercase() && bytes[*at - 1].is_ascii_lowercase()
    };
    let starts: Vec<usize> = (0..part.len()).filter(starts).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([part.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| &part[start..end])
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
        let mut finds = openings(&source.text);
        finds.extend(phrases(&source));
        finds.into_iter().map(|(line, _)| line).collect()
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
    fn words_are_found_in_prose_literals_and_identifiers() {
        let all = forms();
        for (form, word) in &all {
            let found = |text: &str| words(text, &all);
            let capital = form[..1].to_uppercase() + &form[1..];
            for text in [
                format!("// It {form}, it.\n"),
                format!("\"{capital}: x\"\n"),
                format!("fn is_{form}_2();\n"),
                format!("struct All{capital}By;\n"),
                format!("const ALL_{};\n", form.to_uppercase()),
            ] {
                assert_eq!(found(&text), [(1, word.clone())], "{text}");
            }
            assert_eq!(found(&format!("x{form} {form}x\n{form}_{form}\n")).len(), 2);
        }
    }

    #[test]
    fn files_are_counted_by_crate_or_by_first_folder() {
        let folder = |path: &str| folder_of(Path::new(path));
        assert_eq!(folder("crates/x/src/a.rs"), "crates/x");
        assert_eq!(folder("docs/notebook/a.md"), "docs");
        assert_eq!(folder("A.md"), ".");
    }

    #[test]
    fn counts_only_shrink() {
        let faults = |finds: usize, allowed: &[(&str, usize)]| {
            let text = "/// Of it.\nfn f();\n".repeat(finds);
            let mut words = Words::new();
            words.look(&Source::new("crates/x/src/a.rs".into(), text));
            let allowed = allowed
                .iter()
                .map(|(folder, count)| ((folder.to_string(), OPENING.to_string()), *count));
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
        let text = "# Counts.\n\ncrates/a\tphrase\t2\n\ncrates/b\topening\t1\n";
        let mut all = counts(text).unwrap();
        assert_eq!(table(text, &all), text);
        all.insert(("crates/b".into(), OPENING.into()), 0);
        assert_eq!(table(text, &all), "# Counts.\n\ncrates/a\tphrase\t2\n");
        assert!(counts("# Counts.\ncrates/a\t2\n")
            .unwrap_err()
            .starts_with(TABLE));
    }
}
