//! Finds words to avoid: openings of documentation comments that only make sense after the item
//! above them, a few private phrases, and private words, also as parts of identifiers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::source::Source;
use crate::fsio;
use crate::gen;

/// Openings of a documentation comment that do not say what the item is or does.
const OPENINGS: &[&str] = &["The same", "As of", "As for", "Of", "Who", "What"];

/// Phrases that stand nowhere. Put together here, so that this file is clean.
const PHRASES: &[[&str; 2]] = &[["so", "many"], ["is", "none"], ["in", "vain"]];

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

/// Searches files, one after the other.
pub struct Words {
    forms: HashMap<String, String>,
    found: Vec<Finding>,
}

impl Words {
    /// Returns a search that has found nothing yet.
    pub fn new() -> Words {
        Words {
            forms: forms(),
            found: Vec::new(),
        }
    }

    /// Checks one Rust file.
    pub fn check(&mut self, source: &Source) {
        self.add(&source.path, openings(&source.text));
        self.add(&source.path, phrases(source));
        self.check_words(&source.path, &source.text);
    }

    /// Checks the documents and the C files, in which only private words are searched for.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn check_others(&mut self, root: &Path) -> Result<(), String> {
        let mut paths = gen::documents::paths(root)?;
        for folder in C_FOLDERS {
            let below = fsio::files_below(&root.join(folder), "c")?;
            let relative = below.iter().filter_map(|path| path.strip_prefix(root).ok());
            paths.extend(relative.map(PathBuf::from));
        }
        for path in paths {
            self.check_words(&path, &fsio::read(&root.join(&path))?);
        }
        Ok(())
    }

    /// Returns what was found.
    pub fn into_findings(self) -> Vec<Finding> {
        self.found
    }

    fn check_words(&mut self, path: &Path, text: &str) {
        let finds = words(text, &self.forms).into_iter();
        let finds = finds.map(|(line, word)| (line, format!("`{word}` is a word to avoid")));
        self.add(path, finds.collect());
    }

    fn add(&mut self, path: &Path, finds: Vec<(usize, String)>) {
        let finds = finds.into_iter().map(|(line, what)| Finding {
            path: path.to_path_buf(),
            line,
            what,
        });
        self.found.extend(finds);
    }
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
    fn each_find_is_reported_with_its_file_and_line() {
        let mut search = Words::new();
        let word = WORDS[0].replace('.', "");
        let word = word.split(' ').next().unwrap();
        let text = format!("/// Of it.\nfn f();\nfn {word}();\n");
        search.check(&Source::new("crates/x/src/a.rs".into(), text));
        let found = search.into_findings();
        let found: Vec<_> = found.iter().map(|find| (find.line, &*find.what)).collect();
        let avoided = format!("`{word}` is a word to avoid");
        assert_eq!(
            found,
            [(1, "documentation opens with `Of`"), (3, &*avoided)]
        );
    }
}
