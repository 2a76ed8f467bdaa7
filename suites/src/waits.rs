//! Programs that never end, and what `mpirun --timeout` reports of them: who waits for whom, and
//! the culprit. The texts are frozen in `tests/waits/expected.txt`, a section for each program.

use std::path::Path;

use super::programs::{compare, compile, mpirun, sections, TCP};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::by_workers;

/// The frozen texts, below the root.
const EXPECTED: &str = "tests/waits/expected.txt";

/// Ranks of each program.
const RANKS: usize = 4;

/// Programs at a time: they wait for most of their time.
const AT_A_TIME: usize = 5;

/// Seconds until the report: enough for all ranks to come to where they wait, over shared memory
/// and over TCP, where they connect first.
const SECONDS: [&str; 2] = ["3", "8"];

/// Runs each program over shared memory, and compares its report.
pub fn run(world: &World) -> Result<Tally, String> {
    over(world, &[], None)
}

/// Runs each program over TCP. A section ` over tcp` has what is told differently there.
pub fn over_tcp(world: &World) -> Result<Tally, String> {
    over(world, TCP, Some(" over tcp"))
}

fn over(world: &World, options: &[&str], special: Option<&str>) -> Result<Tally, String> {
    let root = fsio::root();
    let program = compile(world, &root.join("tests/waits/wrong.c"), &[])?;
    let expected = fsio::read(&root.join(EXPECTED))?;
    let all: Vec<(&str, String)> = sections(&expected).collect();
    let (others, mut sections): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|(name, _)| name.contains(" over "));
    for (name, text) in others {
        let case = special.and_then(|suffix| name.strip_suffix(suffix));
        let section = sections.iter_mut().find(|(name, _)| Some(*name) == case);
        if let Some(section) = section {
            section.1 = text;
        }
    }
    let mut tally = Tally::default();
    let reports = by_workers(AT_A_TIME, &sections, |(case, text)| {
        compare(&report(world, &program, case, options)?, text)
    });
    for ((case, _), outcome) in sections.iter().zip(reports) {
        tally.count(case, outcome);
    }
    Ok(tally)
}

/// Returns the report of a program, without the launcher's name and without times.
fn report(world: &World, program: &Path, case: &str, options: &[&str]) -> Result<String, String> {
    let seconds = SECONDS[usize::from(!options.is_empty())];
    let job = mpirun(world, RANKS, &[&["--timeout", seconds], options].concat());
    let outcome = job.arg(program).arg(case).run()?;
    let lines = outcome.err.lines();
    let lines = lines.filter(|line| !line.contains("the time limit of"));
    let timeless = |line: &str| match line.split_once(" (for ") {
        Some((before, _)) => before.to_string(),
        None => line.to_string(),
    };
    let plain = |line: &str| {
        timeless(&without_process(
            line.strip_prefix("mpirun: ").unwrap_or(line),
        ))
    };
    Ok(lines.map(plain).collect::<Vec<_>>().join("\n"))
}

/// Returns a line without the number and the program of a process: `rank 1 (pid 7, /x) was`.
fn without_process(line: &str) -> String {
    let parts = line.split_once(" (pid ");
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once(')')?.1)));
    parts.map_or_else(
        || line.to_string(),
        |(before, rest)| format!("{before}{rest}"),
    )
}
