//! Programs under `mpirun --check`: of wrong ones the reports that are frozen in
//! `tests/check/expected.txt`, a section for each program; of right ones nothing. All other C
//! programs end under it as they do without.

use super::programs::{self, compare, compile, mpirun, sections};
use crate::case::Case;
use crate::world::World;
use xtask::fsio;

/// The frozen texts, below the root.
const EXPECTED: &str = "tests/check/expected.txt";

/// The programs that are wrong, one by its argument, and the right one, below the root.
const WRONG: &str = "tests/check/wrong.c";
const RIGHT: &str = "tests/check/right.c";

/// Ranks of each program.
const RANKS: usize = 3;

/// Programs at a time: some wait.
const AT_A_TIME: usize = 4;

/// Transports that the right program runs over.
const OVER: [&[&str]; 2] = [&[], &["--mca", "btl", "tcp,self"]];

/// Other programs that are checked in each run: calls that fail on one rank alone, and that differ,
/// and a tool that is notified of the program's calls alone.
const SOME: [&str; 5] = [
    "coll_errors",
    "coll_past",
    "coll_room",
    "comms",
    "mpit_news",
];

/// Each program, whose reports are compared.
pub fn run() -> Result<Vec<Case>, String> {
    let expected = fsio::read(&fsio::root().join(EXPECTED))?;
    let mut cases = Vec::new();
    for (case, text) in sections(&expected) {
        let name = case.to_string();
        cases.push(Case::new(case, AT_A_TIME, move |world| {
            compare(&report(world, WRONG, &name, &[])?, &text)
        }));
    }
    for over in OVER {
        let name = format!("right {}", over.join(" ")).trim_end().to_string();
        cases.push(Case::new(name, AT_A_TIME, move |world| {
            compare(&report(world, RIGHT, "", over)?, "")
        }));
    }
    cases.push(Case::new("abort", AT_A_TIME, aborts));
    cases.extend(programs::checked(&[], |name| SOME.contains(&name))?);
    Ok(cases)
}

/// Seconds that a rank comes late which the other one waits for, and what that one says: it waits
/// for ten seconds at most.
const LATE: [(&str, &str); 2] = [
    ("4", "one call took long"),
    ("14", "one call took ten seconds"),
];

/// All C programs, over each transport.
pub fn right() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (late, expected) in LATE {
        let name = format!("ahead of one that is {late} s late");
        cases.push(Case::new(name, AT_A_TIME, move |world| {
            let ahead = compile(world, &fsio::root().join("tests/check/ahead.c"), &["-g"])?;
            let job = mpirun(world, 2, &["--check", "--timeout", "60"]);
            let outcome = job.arg(ahead).arg(late).run()?;
            compare(
                &(outcome.out.trim_end().to_string() + &outcome.err),
                expected,
            )
        }));
    }
    for (way, over) in ["sm", "tcp"].into_iter().zip(OVER) {
        let checked = programs::checked(over, |_| true)?;
        cases.extend(checked.into_iter().map(|case| case.below(way)));
    }
    Ok(cases)
}

/// Checks that `--check=abort` ends a job that would hang.
fn aborts(world: &World) -> Result<(), String> {
    let wrong = compile(world, &fsio::root().join(WRONG), &["-g"])?;
    let job = mpirun(world, RANKS, &["--check=abort", "--timeout", "60"]);
    let outcome = job.arg(wrong).arg("early_end").run()?;
    let is_reported = outcome
        .err
        .contains("rank 1 calls MPI_Barrier, and ranks 0, 2 MPI_Finalize");
    match is_reported && outcome.code == 1 {
        true => Ok(()),
        false => Err(format!("code {}: {}", outcome.code, outcome.err)),
    }
}

/// Returns what is said of a program, in order of text, without the numbers of lines.
fn report(world: &World, source: &str, case: &str, options: &[&str]) -> Result<String, String> {
    let program = compile(world, &fsio::root().join(source), &["-g"])?;
    let options = [&["--check", "--timeout", "60"], options].concat();
    let job = mpirun(world, RANKS, &options);
    let outcome = job.arg(program).arg(case).run()?;
    let mut lines: Vec<String> = outcome.err.lines().map(without_number).collect();
    lines.extend(outcome.out.lines().map(str::to_string));
    lines.sort();
    Ok(lines.join("\n"))
}

/// Returns a line without numbers of lines: `main (wrong.c:N)`.
fn without_number(line: &str) -> String {
    let mut parts = line.split(".c:");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = if rest.len() < part.len() { "N" } else { "" };
        plain += &format!(".c:{number}{rest}");
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_lines_are_left_out() {
        let line = "rank 0: check: MPI_Send in main (wrong.c:12): 3 bytes";
        let expected = "rank 0: check: MPI_Send in main (wrong.c:N): 3 bytes";
        assert_eq!(without_number(line), expected);
        let line = "in main (wrong.c:1) while main (wrong.c:23)";
        let expected = "in main (wrong.c:N) while main (wrong.c:N)";
        assert_eq!(without_number(line), expected);
        assert_eq!(without_number("in main (wrong.c)"), "in main (wrong.c)");
        assert_eq!(without_number("no place"), "no place");
    }
}
