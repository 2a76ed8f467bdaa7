//! How many instructions a message costs: `MPI_Send` and `MPI_Recv` of 8 bytes over shared memory,
//! and accesses to a window there, counted by valgrind while neither side waits. A count is the
//! same on a busy machine, so it tells what no timing can: that a change made the way longer.
//!
//! The counts to compare with are in the table of `docs/performance.md`. A step that finds a tenth
//! more fails; who makes the way longer for a reason, or shorter, writes the new count there.
//!
//! Beside that no load on the way of an access may wait for stores ([`stores`]).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

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
    for side in &SIDES {
        let answer = per_message(world, &program, side).and_then(|found| {
            let known = known(&text, side.function)?;
            println!(
                "      {} of 8 bytes: {found:.1} instructions, {:+.1} % of {known}",
                side.function,
                (found / known - 1.0) * 100.0
            );
            match found <= known * LIMIT {
                true => Ok(()),
                false => Err(format!(
                    "{found:.1} instructions, more than {known} and a tenth"
                )),
            }
        });
        tally.count(side.function, answer);
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

/// Instructions of one call, once connections are made.
fn per_message(world: &World, program: &Path, side: &Side) -> Result<f64, String> {
    let [few, many] = MESSAGES;
    let less = total(world, program, side, few)?;
    let more = total(world, program, side, many)?;
    Ok((more - less) / f64::from(many - few))
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

/// Instructions inside all calls of the side's function, in a run of `messages`.
fn total(world: &World, program: &Path, side: &Side, messages: u32) -> Result<f64, String> {
    let turns: PathBuf = fsio::target_dir().join("test/turns");
    // Left by a run that was interrupted.
    let _ = std::fs::remove_file(&turns);
    let valgrind = [
        "--tool=callgrind".to_string(),
        "--callgrind-out-file=/dev/null".to_string(),
        format!("--toggle-collect=*{}", side.function),
    ];
    let line = [
        program.as_os_str().to_owned(),
        messages.to_string().into(),
        turns.clone().into(),
    ];
    let outcome = watched(&world.bin("mpirun"), side.rank, &valgrind, &line).ok();
    let _ = std::fs::remove_file(&turns);
    let said = outcome?.err;
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    let (_, count) = collected.ok_or(format!("valgrind counted nothing: {said}"))?;
    let count = count.trim();
    count
        .parse()
        .map_err(|_| format!("valgrind's count `{count}` is no number"))
}
