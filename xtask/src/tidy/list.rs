//! Lists of exceptions from a rule, each a table beside this file, with columns that identify the
//! exception and its reason. An entry without use is itself a violation, so a list shrinks as its
//! exceptions disappear; `cargo xtask tidy --shrink` removes such entries.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::fsio;

/// Where the tables lie, below the root.
const FOLDER: &str = "xtask/src/tidy";

pub struct List {
    /// The table, relative to the root.
    path: PathBuf,
    rows: Vec<Row>,
}

struct Row {
    /// The row's line, from 1.
    line: usize,
    /// The columns that name a place.
    key: Vec<String>,
    used: Cell<bool>,
}

impl List {
    /// Reads the table `name`, whose rows have `columns` columns and one that says why.
    pub fn read(root: &Path, name: &str, columns: usize) -> Result<List, String> {
        let path = Path::new(FOLDER).join(name);
        let text = fsio::read(&root.join(&path))?;
        List::parse(path, &text, columns)
    }

    pub fn parse(path: PathBuf, text: &str, columns: usize) -> Result<List, String> {
        let mut rows = Vec::new();
        for (line, row) in (1..).zip(text.lines()) {
            if row.starts_with('#') {
                continue;
            }
            let mut key: Vec<String> = row.split('\t').map(str::to_string).collect();
            let why = key.pop().filter(|why| !why.trim().is_empty());
            if why.is_none() || key.len() != columns {
                return Err(format!(
                    "{}:{line}: a row has {columns} columns and one that says why",
                    path.display()
                ));
            }
            let used = Cell::new(false);
            rows.push(Row { line, key, used });
        }
        Ok(List { path, rows })
    }

    /// Whether the list has a row for this place, which counts as used from now on.
    pub fn allows(&self, key: &[&str]) -> bool {
        let rows = self.rows.iter().filter(|row| row.key == key);
        rows.map(|row| row.used.set(true)).count() > 0
    }

    /// A fault for each row that was not used.
    pub fn unused(&self) -> Vec<Finding> {
        let unused = self.rows.iter().filter(|row| !row.used.get());
        unused
            .map(|row| Finding {
                path: self.path.clone(),
                line: row.line,
                what: format!(
                    "allows `{}`, which is not there; `cargo xtask tidy --shrink` takes it out",
                    row.key.join(" ")
                ),
            })
            .collect()
    }

    /// Takes the rows out that were not used.
    pub fn shrink(&self, root: &Path) -> Result<(), String> {
        let path = root.join(&self.path);
        let text = fsio::read(&path)?;
        fsio::write(&path, &self.shrunk(&text))
    }

    fn shrunk(&self, text: &str) -> String {
        let gone = |line: usize| {
            self.rows
                .iter()
                .any(|row| row.line == line && !row.used.get())
        };
        let kept = (1..).zip(text.lines()).filter(|(line, _)| !gone(*line));
        kept.map(|(_, row)| format!("{row}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_allow_nothing_are_found_and_taken_out() {
        let text = "# Columns.\na.rs\tX\tneeded\nb.rs\tY\tonce needed\n";
        let list = List::parse("list.tsv".into(), text, 2).unwrap();
        assert!(list.allows(&["a.rs", "X"]));
        assert!(!list.allows(&["a.rs", "Y"]));
        assert!(!list.allows(&["b.rs", "X"]));
        let lines: Vec<usize> = list.unused().iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [3]);
        assert_eq!(list.shrunk(text), "# Columns.\na.rs\tX\tneeded\n");
    }

    #[test]
    fn each_row_says_why() {
        for text in ["a.rs\tX\t \n", "a.rs\tX\n", "a.rs\tX\tY\tneeded\n"] {
            let wrong = List::parse("list.tsv".into(), text, 2).err();
            assert!(wrong.unwrap().starts_with("list.tsv:1: "), "{text}");
        }
    }
}
