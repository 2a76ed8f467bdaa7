//! Programs that never end, and what `mpirun --timeout` reports of them: who waits for whom, and
//! the culprit. The texts are frozen in `tests/waits/expected.txt`, a section for each program.

use super::programs::{compare, compile, mpirun, sections, TCP};
use crate::case::Case;
use crate::world::World;
use xtask::fsio;

/// The frozen texts, below the root.
const EXPECTED: &str = "tests/waits/expected.txt";

/// Ranks of each program.
const RANKS: usize = 4;

/// Programs at a time: they wait for nine tenths of their time.
const AT_A_TIME: usize = 8;

/// Seconds until the report: enough for all ranks to come to where they wait, over shared memory
/// and over TCP, where they connect first.
const SECONDS: [&str; 2] = ["3", "8"];

/// Each program over shared memory, whose report is compared.
pub fn run() -> Result<Vec<Case>, String> {
    over(&[], None)
}

/// Each program over TCP. A section ` over tcp` has what is reported differently there.
pub fn over_tcp() -> Result<Vec<Case>, String> {
    over(TCP, Some(" over tcp"))
}

fn over(options: &'static [&'static str], special: Option<&str>) -> Result<Vec<Case>, String> {
    let expected = fsio::read(&fsio::root().join(EXPECTED))?;
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
    let case = |(name, text): (&str, String)| {
        let case = name.to_string();
        Case::new(name, AT_A_TIME, move |world| {
            compare(&report(world, &case, options)?, &text)
        })
    };
    Ok(sections.into_iter().map(case).collect())
}

/// Returns the report of a program, without the launcher's name and without times.
fn report(world: &World, case: &str, options: &[&str]) -> Result<String, String> {
    let program = compile(world, &fsio::root().join("tests/waits/wrong.c"), &[])?;
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
