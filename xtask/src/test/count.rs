//! How many instructions a message costs: `MPI_Send` and `MPI_Recv` of 8 bytes over shared memory,
//! and accesses to a window there, counted by valgrind while neither side waits. A count is the
//! same on a busy machine, so it tells what no timing can: that a change made the way longer.
//!
//! The counts to compare with are in the table of `docs/performance.md`. A step that finds a tenth
//! more fails; who makes the way longer for a reason, or shorter, writes the new count there.
//!
//! Beside that no load on the way of an access may wait for stores ([`stores`]).

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;

use super::programs::compile;
use super::{stores, Tally, World};
use crate::shell::{self, Job};
use crate::{fsio, peers};

/// A function that is counted, and the side that calls it.
struct Side {
    function: &'static str,
    rank: usize,
}

const SIDES: [Side; 12] = [
    side("MPI_Send", 0),
    side("MPI_Recv", 1),
    side("MPI_Put", 0),
    side("MPI_Get", 0),
    side("MPI_Fetch_and_op", 0),
    side("MPI_Win_flush", 0),
    side("MPI_Win_lock", 0),
    side("MPI_Win_unlock", 0),
    side("MPI_Win_post", 0),
    side("MPI_Win_start", 0),
    side("MPI_Win_complete", 0),
    side("MPI_Win_wait", 0),
];

const fn side(function: &'static str, rank: usize) -> Side {
    Side { function, rank }
}

/// Messages of the two runs: what differs between them is the cost of the difference. What gets
/// quicker when it comes often has got so by then.
const MESSAGES: [u32; 2] = [2000, 4000];

/// Instructions by function.
type Counts = HashMap<String, f64>;

/// The document whose table has a row ``| `FUNCTION` | COUNT |`` for each function.
const DOCUMENT: &str = "docs/performance.md";

/// The most that a count may be of the one in the document.
const LIMIT: f64 = 1.10;

/// Counts both sides.
pub fn run(world: &World) -> Result<Tally, String> {
    if shell::find("valgrind").is_none() {
        peers::apt_install(&["valgrind"])?;
    }
    let root = fsio::root();
    let program = compile(world, &root.join("benches/c/count.c"), &["-O2"])?;
    let text = fsio::read(&root.join(DOCUMENT))?;
    let mut tally = Tally::default();
    let counts = [0, 1].map(|rank| per_message(world, &program, rank));
    for Side { function, rank } in &SIDES {
        let found = match &counts[*rank] {
            Ok(counts) => counts.get(*function).copied(),
            Err(why) => return Err(why.clone()),
        };
        let answer = found
            .ok_or("it is not called".to_string())
            .and_then(|found| {
                let known = known(&text, function)?;
                println!(
                    "      {function} of 8 bytes: {found:.1} instructions, {:+.1} % of {known}",
                    (found / known - 1.0) * 100.0
                );
                match found <= known * LIMIT {
                    true => Ok(()),
                    false => Err(format!(
                        "{found:.1} instructions, more than {known} and a tenth"
                    )),
                }
            });
        tally.count(function, answer);
    }
    let accesses = compile(world, &root.join("benches/c/accesses.c"), &["-O2"])?;
    tally.add(stores::tally(&world.bin("mpirun"), &accesses));
    Ok(tally)
}

/// The count of `function` in the document's text.
fn known(text: &str, function: &str) -> Result<f64, String> {
    let start = format!("| `{function}` |");
    let row = text.lines().find_map(|line| line.strip_prefix(&start));
    let count = row.and_then(|rest| rest.split('|').next()?.trim().parse().ok());
    count.ok_or(format!("{DOCUMENT} has no row `{start} COUNT |`"))
}

/// Instructions of one call of each function that a rank calls, once connections are made.
fn per_message(world: &World, program: &Path, rank: usize) -> Result<Counts, String> {
    let [few, many] = MESSAGES;
    let less = totals(world, program, rank, few)?;
    let more = totals(world, program, rank, many)?;
    let of_one = |(function, more): (String, f64)| {
        let less = less.get(&function).copied().unwrap_or(0.0);
        (function, (more - less) / f64::from(many - few))
    };
    Ok(more.into_iter().map(of_one).collect())
}

/// Two ranks of a program with its arguments, one of them under valgrind with these options.
pub fn watched(mpirun: &Path, watched: usize, options: &[String], line: &[OsString]) -> Job {
    let mut job = Job::new(mpirun);
    for rank in 0..2 {
        job = match rank {
            0 => job.args(["-n", "1"]),
            _ => job.args([":", "-n", "1"]),
        };
        if rank == watched {
            job = job.arg("valgrind").args(options);
        }
        job = job.args(line);
    }
    job
}

/// Instructions inside all calls of each function of MPI, in a run of `messages`.
fn totals(world: &World, program: &Path, rank: usize, messages: u32) -> Result<Counts, String> {
    let folder = fsio::target_dir().join("test");
    let (turns, counts) = (folder.join("turns"), folder.join("counts"));
    for left in [&turns, &counts] {
        // Left by a run that was interrupted.
        let _ = std::fs::remove_file(left);
    }
    let valgrind = [
        "--tool=callgrind".to_string(),
        format!("--callgrind-out-file={}", counts.display()),
        "--compress-strings=no".to_string(),
        "--compress-pos=no".to_string(),
    ];
    let line = [
        program.as_os_str().to_owned(),
        messages.to_string().into(),
        turns.clone().into(),
    ];
    let outcome = watched(&world.bin("mpirun"), rank, &valgrind, &line).ok();
    let _ = std::fs::remove_file(&turns);
    let said = outcome?.err;
    match fsio::read(&counts) {
        Ok(text) => Ok(inclusive(&text)),
        Err(why) => Err(format!("valgrind counted nothing: {why}: {said}")),
    }
}

/// What callgrind has counted in the functions of MPI and in what they call, by the name without
/// the `P`. A function's lines are a place and its instructions; behind `calls=` these are the
/// callee's (valgrind's manual, "Callgrind Format Specification").
fn inclusive(text: &str) -> Counts {
    let mut counts = Counts::new();
    let mut function = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            let name = name.strip_prefix('P').unwrap_or(name);
            function = name.starts_with("MPI_").then(|| name.to_string());
            continue;
        }
        let mut words = line.split_whitespace();
        let numbers = (words.next(), words.next());
        let is_place = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        if let (Some(name), (Some(place), Some(count))) = (&function, numbers) {
            if let (true, Ok(count)) = (is_place(place), count.parse::<f64>()) {
                *counts.entry(name.clone()).or_default() += count;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_its_own_instructions_and_its_callees() {
        let text = "events: Ir\nfn=PMPI_Put\n12 5\n+3 1\ncfn=inner\ncalls=2 40\n13 70\n\n\
                    fn=inner\n40 70\n\nfn=PMPI_Put\n14 4\nfn=MPI_Get\n0 3\n";
        let counts = inclusive(text);
        assert_eq!(counts["MPI_Put"], 79.0);
        assert_eq!(counts["MPI_Get"], 3.0);
        assert_eq!(counts.len(), 2);
    }
}
