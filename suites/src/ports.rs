//! Jobs that find each other: two `mpirun`s, or processes without one, that connect by a port,
//! exchange data and disconnect, again and again (`tests/ports`).

pub(super) mod jobs;
mod names;
mod one_node;

use std::path::Path;
use std::time::Duration;

use super::programs::{self, TCP};
use crate::world::{Tally, World};
use jobs::{source, together};
use xtask::shell::{Job, Outcome};

const LIMIT: Duration = Duration::from_secs(120);
const LIMIT_LONG: Duration = Duration::from_secs(600);

/// The exit code of `mpirun` of a rank that was killed.
const KILLED: i32 = 128 + 9;

/// Two jobs and what they do.
struct Pair {
    name: &'static str,
    /// Ranks of the server and of the client; 0: a process without `mpirun`.
    ranks: [usize; 2],
    options: &'static [&'static str],
    meet: Meet,
    rounds: usize,
    bytes: usize,
}

/// How the client learns the name of the server's port.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meet {
    /// By a file of the test's.
    File,
    /// By a published name.
    Name,
    /// By a name that is published in a file.
    NameServer,
}

const fn pair(
    (name, ranks): (&'static str, [usize; 2]),
    (options, meet): (&'static [&'static str], Meet),
    (rounds, bytes): (usize, usize),
) -> Pair {
    Pair {
        name,
        ranks,
        options,
        meet,
        rounds,
        bytes,
    }
}

const PAIRS: &[Pair] = &[
    pair(("sm", [2, 3]), (&[], Meet::Name), (10, 100_000)),
    pair(("tcp", [3, 2]), (TCP, Meet::File), (10, 100_000)),
    pair(("without mpirun", [0, 0]), (&[], Meet::Name), (10, 1000)),
    pair(
        ("one rank with several", [1, 4]),
        (&[], Meet::NameServer),
        (5, 1000),
    ),
];

const LONG: &[Pair] = &[
    pair(
        ("1,000 rounds, sm", [2, 2]),
        (&[], Meet::Name),
        (1000, 1000),
    ),
    pair(
        ("1,000 rounds, tcp", [2, 2]),
        (TCP, Meet::Name),
        (1000, 1000),
    ),
    pair(
        ("ten times 1 GiB, sm", [1, 1]),
        (&[], Meet::Name),
        (10, 1 << 30),
    ),
    pair(("1 GiB, tcp", [1, 1]), (TCP, Meet::Name), (1, 1 << 30)),
];

/// The jobs of continuous integration.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = each(world, PAIRS, LIMIT)?;
    let two_jobs = source(world, "two_jobs")?;
    one_node::run(world, &two_jobs, &mut tally)?;
    names::run(world, &two_jobs, &mut tally)?;
    apart(world, &mut tally)?;
    let program = source(world, "killed")?;
    for options in [&["--mca", "btl", "sm,self"], TCP] {
        for dies in ["server", "client"] {
            let name = format!("{dies} is killed, {}", options.join(" "));
            tally.count(&name, killed(world, &program, options, dies));
        }
    }
    Ok(tally)
}

/// Words of the error where the launcher has left a process that it started in `PMIx_Init`. Open
/// MPI 4.1's does so to 1 job of 50 to 100 that spawn on a busy machine, also where they call PMIx
/// and nothing else.
const FORGOTTEN: &str = "wait for the launcher in PMIx_Init";
const TRIES: usize = 3;

/// Spawns and names under Open MPI's launcher, which starts jobs of their own.
fn apart(world: &World, tally: &mut Tally) -> Result<(), String> {
    let (apart, names) = (source(world, "apart")?, source(world, "names")?);
    let job = |program: &Path| {
        let job = Job::new("mpirun.openmpi").args(["--allow-run-as-root", "-n", "2"]);
        let job = job.args(["--host", "localhost:3", "-x", "LD_LIBRARY_PATH"]);
        let job = job.env("LD_LIBRARY_PATH", world.prefix.join("lib"));
        job.arg(program).limit(LIMIT)
    };
    for (name, job) in [
        ("spawns", job(&apart)),
        ("names", job(&names).arg("a name")),
    ] {
        let answer = remembered(&job).and_then(|outcome| match outcome.succeeded() {
            true => outcome.none_left(),
            false => Err(outcome.reason()),
        });
        tally.count(&format!("{name} under Open MPI's mpirun"), answer);
    }
    Ok(())
}

/// Runs a job until its launcher answers all of its processes, [`TRIES`] times at most.
fn remembered(job: &Job) -> Result<Outcome, String> {
    let mut outcome = job.run()?;
    for _ in 1..TRIES {
        if outcome.succeeded() || !outcome.err.contains(FORGOTTEN) {
            break;
        }
        println!("      Open MPI's mpirun has forgotten a process that it started: once more");
        outcome = job.run()?;
    }
    Ok(outcome)
}

/// Runs the programs that take minutes.
pub fn long(world: &World) -> Result<Tally, String> {
    let mut tally = each(world, LONG, LIMIT_LONG)?;
    one_node::long(world, &mut tally)?;
    Ok(tally)
}

fn each(world: &World, pairs: &[Pair], limit: Duration) -> Result<Tally, String> {
    let program = source(world, "two_jobs")?;
    let mut tally = Tally::default();
    for pair in pairs {
        let figures = [pair.rounds.to_string(), pair.bytes.to_string()];
        let jobs = [("server", pair.ranks[0]), ("client", pair.ranks[1])];
        let job = |file: &Path, (side, ranks): &(&str, usize)| {
            let job = match ranks {
                0 => Job::new(&program),
                _ if pair.meet == Meet::NameServer => {
                    let server = format!("file:{}", file.display());
                    let options = [pair.options, &["--name-server", &server]].concat();
                    programs::mpirun(world, *ranks, &options).arg(&program)
                }
                _ => programs::mpirun(world, *ranks, pair.options).arg(&program),
            };
            let job = job.arg(side);
            let job = match pair.meet {
                Meet::File => job.arg(file),
                Meet::Name | Meet::NameServer => {
                    job.arg(format!("{} of {}", pair.name, name(file)))
                }
            };
            job.args(&figures).limit(limit)
        };
        let answer = together(&jobs, job, |_, outcome| match outcome.succeeded() {
            true => Ok(()),
            false => Err(outcome.reason()),
        });
        tally.count(pair.name, answer);
    }
    Ok(tally)
}

/// The name of a service that no other test publishes.
fn name(file: &Path) -> String {
    let stem = file.file_name().unwrap_or_default();
    format!("the {} of a test", stem.to_string_lossy())
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
