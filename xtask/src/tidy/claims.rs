//! Checks claims of documents that go stale in silence: counts of what the repository has, and the
//! list of what is not there. Moreover lengths: of documents that grow by themselves, and of
//! entries of the changelog.

use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::{fsio, gen};

/// Documents whose numbers are results of a run, not counts of what the repository has.
const RESULTS: &[&str] = &[
    "docs/conformance.md",
    "docs/legacy.md",
    "docs/notebook/",
    "docs/performance.md",
];

/// Things that are counted: `gen` writes such a number, or the sentence has none.
const COUNTED: &[&str] = &[
    "cases",
    "components",
    "crates",
    "functions",
    "mistakes",
    "options",
    "parameters",
    "programs",
    "suites",
    "targets",
    "tests",
    "tiers",
];

/// Numbers in words, which documents prefer to digits.
const NUMBERS: &[&str] = &[
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "dozen",
];

/// Documents with a limit to their lines.
const LINES_MAX: &[(&str, usize)] = &[("ARCHITECTURE.md", 250), ("docs/performance.md", 200)];

/// The document that says what is not there, and the heading of its table.
const CHANGELOG: &str = "CHANGELOG.md";
const NOT_THERE: &str = "### Not there";

/// Lines of an entry of the changelog, and columns of a line.
const ENTRY_LINES_MAX: usize = 4;
const ENTRY_COLUMNS_MAX: usize = 120;

/// Folders of sources, in which what is not there has no name.
const SOURCES: &[&str] = &[
    "benches", "crates", "include", "sim", "spec", "tests", "xtask",
];

/// Checks all documents.
pub fn check(root: &Path, found: &mut Vec<Finding>) -> Result<(), String> {
    for path in gen::documents::paths(root)? {
        let text = fsio::read(&root.join(&path))?;
        let mut faults = Vec::new();
        let name = path.to_string_lossy();
        if !RESULTS.iter().any(|one| name.starts_with(one)) {
            faults.extend(counts(&text));
        }
        faults.extend(too_long(&name, &text));
        if name == CHANGELOG {
            faults.extend(long_entries(&text));
            faults.extend(there(&rows(&text)?, &sources(root)?));
        }
        found.extend(faults.into_iter().map(|(line, what)| Finding {
            path: path.clone(),
            line,
            what,
        }));
    }
    Ok(())
}

/// The fault of a document that is longer than it may be.
fn too_long(name: &str, text: &str) -> Option<(usize, String)> {
    let (_, max) = LINES_MAX.iter().find(|(one, _)| *one == name)?;
    let lines = text.lines().count();
    let what = format!(
        "{lines} lines, over {max}: mechanism belongs in module documentation, \
                        history in docs/notebook"
    );
    (lines > *max).then_some((0, what))
}

/// Entries of the changelog that are too long to be read.
fn long_entries(text: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut begun = 0;
    for (line, content) in (1..).zip(text.lines()) {
        if !content.starts_with("  ") {
            begun = line;
        }
        let is_entry = content.starts_with("- ") || content.starts_with("  ");
        if is_entry && content.chars().count() > ENTRY_COLUMNS_MAX {
            faults.push((line, format!("over {ENTRY_COLUMNS_MAX} columns")));
        }
        if line - begun == ENTRY_LINES_MAX {
            faults.push((
                begun,
                format!("an entry has at most {ENTRY_LINES_MAX} lines"),
            ));
        }
    }
    faults
}

/// Counts that nobody keeps up to date: a number, and within two words a thing of [`COUNTED`].
fn counts(text: &str) -> Vec<(usize, String)> {
    let words = words(text);
    let mut faults = Vec::new();
    for (at, (line, number)) in words.iter().enumerate() {
        let next = words[at + 1..]
            .iter()
            .take(2)
            .map(|(_, word)| word.as_str());
        let next: Vec<&str> = next.collect();
        let thing = next.iter().position(|word| COUNTED.contains(word));
        if let Some(thing) = thing.filter(|_| is_number(number)) {
            let what = next[..=thing].join(" ");
            let what = format!("`{number} {what}` is a count: let `gen` write it, or leave it out");
            faults.push((*line, what));
        }
    }
    faults
}

/// The words of a document outside of code and of generated parts, with their lines. What ends a
/// sentence or a clause is a word as well, so that no count goes over it.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    let (mut is_code, mut is_made) = (false, false);
    for (line, content) in (1..).zip(text.lines()) {
        let is_fence = content.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence {
            continue;
        }
        let marked = content.replace(gen::documents::BEGIN, " \u{1} ");
        let marked = marked.replace(gen::documents::END, " \u{2} ");
        for word in marked.split_whitespace() {
            match word {
                "\u{1}" => is_made = true,
                "\u{2}" => is_made = false,
                _ if is_made => {}
                word => {
                    let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
                    words.push((line, bare.to_lowercase()));
                    words.extend((bare != word).then(|| (line, ".".to_string())));
                    words.extend((bare != word).then(|| (line, ".".to_string())));
                }
            }
        }
    }
    words
}

fn is_number(word: &str) -> bool {
    let is_digits = |c: char| c.is_ascii_digit() || c == ',';
    NUMBERS.contains(&word) || (word.len() > 1 && word.chars().all(is_digits))
}

/// A row of the table of what is not there: its line, and the names that only the thing would have.
type Row = (usize, Vec<String>);

/// The rows of the table. Each ends with names in backquotes: of functions, files or tests that
/// there would be if the thing were there.
fn rows(text: &str) -> Result<Vec<Row>, String> {
    let lines = (1..).zip(text.lines());
    let section = lines.skip_while(|(_, line)| *line != NOT_THERE).skip(1);
    let section = section.take_while(|(_, line)| !line.starts_with('#'));
    // Words before the table, the head, and the rule below it.
    let listed = |line: &str| line.starts_with(['|', '-', '*']);
    let table = section.filter(|(_, line)| listed(line) && !line.starts_with("|-"));
    let mut rows = Vec::new();
    for (line, row) in table.skip(1) {
        let cells = row.trim().trim_matches('|').rsplit_once('|');
        let named = cells.map_or("", |(_, last)| last);
        let names: Vec<String> = named
            .split('`')
            .skip(1)
            .step_by(2)
            .map(Into::into)
            .collect();
        if names.is_empty() {
            return Err(format!(
                "{CHANGELOG}:{line}: a row of what is not there ends with names in backquotes, \
                 which nothing has while it is not there"
            ));
        }
        rows.push((line, names));
    }
    Ok(rows)
}

/// A fault for each row one of whose names a source has: then it is there.
fn there(rows: &[Row], sources: &[(PathBuf, String)]) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    for (line, names) in rows {
        let places = names.iter().filter_map(|name| {
            let place = sources
                .iter()
                .find(|(path, text)| has_word(text, name) || path.ends_with(name));
            Some((name, &place?.0))
        });
        faults.extend(places.map(|(name, path)| {
            let path = path.display();
            (
                *line,
                format!("is said not to be there, but {path} has `{name}`"),
            )
        }));
    }
    faults
}

/// Whether a text has a name that is not a part of a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// Every source, below the root, with its text.
fn sources(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let mut sources = Vec::new();
    for folder in SOURCES {
        for ext in ["rs", "c", "cc", "h", "tsv", "f90", "py", "sh"] {
            for path in fsio::files_below(&root.join(folder), ext)? {
                let text = fsio::read(&path)?;
                sources.push((path.strip_prefix(root).unwrap_or(&path).into(), text));
            }
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_by_gen() {
        let clean =
            "All <!-- gen functions -->662<!-- end --> functions, 5 tests, in 2026, tests.\n\
                     ```\n10 tests\n```\nFour ranks run programs.\n";
        assert_eq!(counts(clean), []);
        for text in ["25 C programs", "662\nfunctions", "the twenty mistakes"] {
            assert_eq!(counts(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn documents_have_limits() {
        assert_eq!(too_long("ARCHITECTURE.md", &"a\n".repeat(200)), None);
        assert!(too_long("ARCHITECTURE.md", &"a\n".repeat(500)).is_some());
        assert_eq!(too_long("README.md", &"a\n".repeat(1000)), None);
    }

    #[test]
    fn entries_are_short() {
        let entry = |lines: usize| format!("# A\n\n- a\n{}\n- b\n", "  b\n".repeat(lines - 1));
        assert_eq!(long_entries(&entry(4)), []);
        assert_eq!(long_entries(&entry(5))[0].0, 3);
        assert_eq!(long_entries(&format!("- {}\n", "a".repeat(120))).len(), 1);
    }

    fn table(row: &str) -> String {
        format!("### Not there\n\n| what | names |\n|---|---|\n{row}\n\n## Next\n| a |\n")
    }

    #[test]
    fn what_is_not_there_has_no_name() {
        let sources = [
            ("crates/a/src/lib.rs", "static MPIR_proctable: u8;"),
            ("tests/legacy/a.cc", ""),
        ];
        let sources = sources.map(|(path, text)| (path.into(), text.to_string()));
        let faults = |row: &str| there(&rows(&table(row)).unwrap(), &sources);
        assert_eq!(faults("| debuggers | `MPIR_proc`, `a.c` |"), []);
        assert_eq!(faults("| debuggers | `MPIR_proctable` |")[0].0, 5);
        assert_eq!(faults("| classes | `a.cc` |").len(), 1);
        for row in ["| debuggers | |", "- Debuggers, and what\n  they read."] {
            assert!(rows(&table(row)).is_err(), "{row}");
        }
    }
}
