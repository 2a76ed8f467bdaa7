//! Jobs that find each other: two `mpirun`s, or processes without one, that connect by a port,
//! exchange data and disconnect, again and again (`tests/ports`).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::programs::{self, compile, TCP};
use crate::fsio;
use crate::shell::{by_workers, Job, Outcome};
use crate::world::{Tally, World};

const LIMIT: Duration = Duration::from_secs(120);

/// The exit code of `mpirun` of a rank that was killed.
const KILLED: i32 = 128 + 9;

/// Two jobs and what they do.
struct Pair {
    name: &'static str,
    /// Ranks of the server and of the client; 0: a process without `mpirun`.
    ranks: [usize; 2],
    options: &'static [&'static str],
    rounds: usize,
    bytes: usize,
}

const fn pair(
    (name, ranks): (&'static str, [usize; 2]),
    options: &'static [&'static str],
    (rounds, bytes): (usize, usize),
) -> Pair {
    Pair {
        name,
        ranks,
        options,
        rounds,
        bytes,
    }
}

const PAIRS: &[Pair] = &[
    pair(("sm", [2, 3]), &[], (10, 100_000)),
    pair(("tcp", [3, 2]), TCP, (10, 100_000)),
    pair(("without mpirun", [0, 0]), &[], (10, 1000)),
    pair(("one rank with several", [1, 4]), &[], (5, 1000)),
];

const LONG: &[Pair] = &[
    pair(("1,000 rounds, sm", [2, 2]), &[], (1000, 1000)),
    pair(("1,000 rounds, tcp", [2, 2]), TCP, (1000, 1000)),
    pair(("ten times 1 GiB, sm", [1, 1]), &[], (10, 1 << 30)),
    pair(("1 GiB, tcp", [1, 1]), TCP, (1, 1 << 30)),
];

/// The jobs of continuous integration.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = each(world, PAIRS)?;
    let program = source(world, "killed")?;
    for options in [&["--mca", "btl", "sm,self"], TCP] {
        for dies in ["server", "client"] {
            let name = format!("{dies} is killed, {}", options.join(" "));
            tally.count(&name, killed(world, &program, options, dies));
        }
    }
    Ok(tally)
}

/// Those that take minutes.
pub fn long(world: &World) -> Result<Tally, String> {
    each(world, LONG)
}

fn source(world: &World, name: &str) -> Result<PathBuf, String> {
    let source = fsio::root().join("tests/ports").join(format!("{name}.c"));
    compile(world, &source, &[])
}

fn each(world: &World, pairs: &[Pair]) -> Result<Tally, String> {
    let program = source(world, "two_jobs")?;
    let mut tally = Tally::default();
    for pair in pairs {
        let figures = [pair.rounds.to_string(), pair.bytes.to_string()];
        let jobs = [("server", pair.ranks[0]), ("client", pair.ranks[1])];
        let job = |file: &Path, (side, ranks): &(&str, usize)| {
            let job = match ranks {
                0 => Job::new(&program),
                _ => programs::mpirun(world, *ranks, pair.options).arg(&program),
            };
            job.arg(side).arg(file).args(&figures)
        };
        let answer = together(&jobs, job, |_, outcome| match outcome.succeeded() {
            true => Ok(()),
            false => Err(outcome.reason()),
        });
        tally.count(pair.name, answer);
    }
    Ok(tally)
}

/// One job of which a rank is killed, and one that has to learn of it.
fn killed(world: &World, program: &Path, options: &[&str], dies: &str) -> Result<(), String> {
    let job = |file: &Path, side: &&str| {
        let fate = if *side == dies { "dies" } else { "stays" };
        let job = programs::mpirun(world, 1, options).arg(program);
        job.arg(side).arg(file).arg(fate)
    };
    together(&["server", "client"], job, |side, outcome| {
        let expected = if *side == dies { KILLED } else { 0 };
        match outcome.code == expected && !outcome.timed_out {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    })
}

/// Runs two jobs that meet by a file, at the same time, and checks how each went and that neither
/// has left a process.
fn together<T: Sync>(
    sides: &[T],
    job: impl Fn(&Path, &T) -> Job + Sync,
    check: impl Fn(&T, &Outcome) -> Result<(), String>,
) -> Result<(), String> {
    let folder = fsio::target_dir().join("test");
    fsio::make_folder(&folder)?;
    let file = folder.join(format!("port-{}", std::process::id()));
    let _ = fs::remove_file(&file);
    let run = |side: &T| job(&file, side).limit(LIMIT).run();
    let outcomes = by_workers(sides.len(), sides, run);
    let _ = fs::remove_file(&file);
    for (side, outcome) in sides.iter().zip(outcomes) {
        let outcome = outcome?;
        check(side, &outcome)?;
        outcome.none_left()?;
    }
    Ok(())
}
