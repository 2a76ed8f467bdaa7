//! Writes the generated parts of `docs/conformance.md`, between marks: the results of all libraries
//! on one machine, and the known failures.

use super::known::{KNOWN, OF_INTERFACES};
use super::results;
use crate::peers;
use xtask::fsio;

/// The marks of the two parts that are written.
const RESULTS: (&str, &str) = ("<!-- results -->", "<!-- end of results -->");
const FAILURES: (&str, &str) = ("<!-- failures -->", "<!-- end of failures -->");

/// Writes both parts: the results of the libraries that were run, and the table.
pub fn write() -> Result<(), String> {
    let path = fsio::root().join("docs/conformance.md");
    let text = fsio::read(&path)?;
    let text = put(&text, RESULTS, &table()?)?;
    let text = put(&text, FAILURES, &failures())?;
    fsio::write(&path, &text)
}

/// Replaces what is between the marks.
fn put(text: &str, (begin, end): (&str, &str), part: &str) -> Result<String, String> {
    let lacks = || format!("docs/conformance.md lacks {begin} or {end}");
    let (before, rest) = text.split_once(begin).ok_or_else(lacks)?;
    let (_, after) = rest.split_once(end).ok_or_else(lacks)?;
    Ok(format!("{before}{begin}\n{part}{end}{after}"))
}

/// Passed and all by folder, one column a library.
fn table() -> Result<String, String> {
    let mut columns = Vec::new();
    for key in peers::KEYS {
        let path = results::file(key);
        if path.exists() {
            let read: serde_json::Value = serde_json::from_str(&fsio::read(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            columns.push(read);
        }
    }
    let ours = columns
        .first()
        .ok_or("no results; run `cargo xtask conformance` first")?;
    let folders: Vec<String> = match ours["folders"].as_object() {
        Some(folders) => folders.keys().cloned().collect(),
        None => return Err("the results name no folders".to_string()),
    };
    let mut text = "| folder |".to_string();
    columns.iter().for_each(|column| {
        text += &format!(" {} |", column["library"].as_str().unwrap_or("?"));
    });
    text += &format!("\n|---|{}\n", "---|".repeat(columns.len()));
    let cell = |passed: u64, failed: u64| match passed + failed {
        0 => " not run |".to_string(),
        all => format!(" {passed} of {all} |"),
    };
    let mut totals = vec![(0, 0); columns.len()];
    for folder in &folders {
        text += &format!("| {folder} |");
        for (column, total) in columns.iter().zip(&mut totals) {
            let count = |what: &str| column["folders"][folder][what].as_u64().unwrap_or(0);
            let (passed, failed) = (count("passed"), count("failed"));
            (total.0, total.1) = (total.0 + passed, total.1 + failed);
            text += &cell(passed, failed);
        }
        text.push('\n');
    }
    text += "| **all** |";
    totals
        .iter()
        .for_each(|(passed, failed)| text += &cell(*passed, *failed));
    text.push('\n');
    Ok(text)
}

/// The table of known failures.
fn failures() -> String {
    let mut rows = String::new();
    for known in KNOWN {
        rows += &format!("| `{}` | {} |\n", known.test, known.reason);
    }
    for (key, of_it) in OF_INTERFACES {
        for known in *of_it {
            rows += &format!(
                "| `{}`, on `{key}` alone | {} |\n",
                known.test, known.reason
            );
        }
    }
    format!("| test | why it fails |\n|---|---|\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_the_table() {
        let text = fsio::read(&fsio::root().join("docs/conformance.md")).unwrap();
        let fresh = put(&text, FAILURES, &failures()).unwrap();
        assert!(
            text == fresh,
            "stale; `cargo xtask conformance --document` writes it"
        );
    }

    #[test]
    fn what_lies_between_the_marks_is_replaced() {
        let marks = ("<a>", "</a>");
        assert_eq!(
            put("x <a>old</a> y", marks, "new\n").unwrap(),
            "x <a>\nnew\n</a> y"
        );
        assert!(put("x", marks, "new").is_err());
    }
}
