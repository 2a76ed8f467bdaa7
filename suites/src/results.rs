//! `docs/results.tsv`: how each step of the tier `all` went when it was run last.

use std::collections::BTreeMap;

use xtask::fsio;
use xtask::shell::Job;

use crate::harness::Row;
use crate::steps::STEPS;

/// The table, below the root.
const FILE: &str = "docs/results.tsv";

const HEAD: &str = "# How each step of `cargo xtask test all` went when that, or the step by \
                    `test all --only STEP`, was run last.\n\
                    # A `+` behind a commit: with changes that were not committed.\n\
                    step\tdate\tcommit\tpassed\tfailed\tseconds\n";

/// Notes the steps that have run. What is there of others stays.
pub fn note(rows: &[Row]) -> Result<(), String> {
    let date = said(&["date", "-u", "+%F"])?;
    let mut commit = said(&["git", "rev-parse", "--short=12", "HEAD"])?;
    let others = format!(":!{FILE}");
    if !said(&["git", "status", "--porcelain", "--", ".", &others])?.is_empty() {
        commit.push('+');
    }
    let path = fsio::root().join(FILE);
    let before = match path.exists() {
        true => fsio::read(&path)?,
        false => String::new(),
    };
    fsio::write(&path, &with(&before, rows, &date, &commit))
}

fn said(words: &[&str]) -> Result<String, String> {
    let outcome = Job::new(words[0]).args(&words[1..]).ok()?;
    Ok(outcome.out.trim().to_string())
}

/// The table with what has run in place of the rows of the same steps, in the order of the steps.
fn with(before: &str, rows: &[Row], date: &str, commit: &str) -> String {
    let line = |line: &str| Some((line.split_once('\t')?.0.to_string(), line.to_string()));
    let mut lines: BTreeMap<String, String> = before.lines().filter_map(line).collect();
    for row in rows {
        let (passed, failed) = (row.tally.passed, row.tally.failed.len());
        let seconds = row.took.as_secs_f64();
        let line = format!(
            "{}\t{date}\t{commit}\t{passed}\t{failed}\t{seconds:.0}",
            row.name
        );
        lines.insert(row.name.clone(), line);
    }
    let known = STEPS.iter().filter_map(|step| lines.get(step.name));
    known.fold(HEAD.to_string(), |text, line| text + line + "\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::world::Tally;

    fn row(name: &str, passed: usize) -> Row {
        let tally = Tally {
            passed,
            ..Tally::default()
        };
        Row::new(name, tally, Duration::from_secs(7))
    }

    #[test]
    fn a_step_has_the_row_of_its_last_run_in_the_order_of_the_steps() {
        let first = with(
            "",
            &[row("large", 3), row("count", 24)],
            "2026-01-02",
            "abc",
        );
        let second = with(&first, &[row("count", 25)], "2026-01-03", "def+");
        let rows: Vec<&str> = second.lines().skip(3).collect();
        let expected = [
            "count\t2026-01-03\tdef+\t25\t0\t7",
            "large\t2026-01-02\tabc\t3\t0\t7",
        ];
        assert_eq!(rows, expected);
        assert!(second.starts_with(HEAD));
        assert_eq!(with(&second, &[], "", ""), second);
    }

    #[test]
    fn the_table_names_steps_alone() {
        let text = fsio::read(&fsio::root().join(FILE)).unwrap();
        assert_eq!(with(&text, &[], "", ""), text);
    }
}
