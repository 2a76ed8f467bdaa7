//! Processes of several worlds on one node: collectives and windows in memory that they share, or
//! in none where a job or the system forbids it, though only one of the two jobs could say so.

use std::path::Path;
use std::time::Duration;

use super::super::programs::{self, TCP};
use super::jobs::together;
use crate::world::{Tally, World};
use xtask::shell::Job;

const LIMIT: Duration = Duration::from_secs(120);

/// Two jobs with parameters of their own, and what carries their collectives together.
struct Unlike {
    name: &'static str,
    /// Words before the client's launcher.
    around: &'static [&'static str],
    /// Options of the server and of the client.
    options: [&'static [&'static str]; 2],
    carrier: &'static str,
}

const fn unlike(
    name: &'static str,
    options: [&'static [&'static str]; 2],
    carrier: &'static str,
) -> Unlike {
    Unlike {
        name,
        around: &[],
        options,
        carrier,
    }
}

const UNLIKE: &[Unlike] = &[
    unlike("the same parameters", [&[], &[]], "memory"),
    unlike("coll sm off", [&[], &["--mca", "coll", "^sm"]], "messages"),
    unlike(
        "coll sm not preferred",
        [&["--mca", "coll_sm_priority", "10"], &[]],
        "messages",
    ),
    unlike(
        "coll sm from another call on",
        [&["--mca", "coll_sm_threshold", "3"], &[]],
        "messages",
    ),
    unlike("osc sm off", [&[], &["--mca", "osc", "^sm"]], "memory"),
    unlike("one over tcp", [&[], TCP], "messages"),
    Unlike {
        around: &["unshare", "--pid", "--fork", "--mount-proc"],
        ..unlike("a pid namespace each", [&[], &[]], "nodes")
    },
];

/// Programs that run in one communicator of processes and those that they have spawned.
const MERGED: &[&str] = &[
    "coll_bits",
    "coll_shared",
    "coll_started",
    "collectives",
    "in_place",
    "rma_atomics",
    "rma_basic",
    "rma_order",
    "rma_random",
];
const MERGED_LONG: &[&str] = &[
    "coll_mismatch",
    "coll_order",
    "coll_reduce",
    "files_collective",
    "rma_mixed",
    "rma_passive",
    "rma_poll",
    "rma_standby",
];

/// The jobs of continuous integration.
pub fn run(world: &World, two_jobs: &Path, tally: &mut Tally) -> Result<(), String> {
    let may = Job::new("unshare").args(["-p", "-f", "true"]).run();
    let may_unshare = may.is_ok_and(|outcome| outcome.succeeded());
    for unlike in UNLIKE {
        let name = format!("two jobs on one node, {}", unlike.name);
        match unlike.around.is_empty() || may_unshare {
            true => tally.count(&name, pair(world, two_jobs, unlike)),
            false => println!("      {name}: this user may make no namespace"),
        }
    }
    tally.count("two jobs over ofi alone", apart(world, two_jobs));
    tally.add(programs::merged(world, MERGED, [1, 2], &[])?);
    Ok(())
}

/// The options of jobs whose transports reach nobody of another job.
const APART: &[&str] = &[
    "--mca",
    "btl",
    "ofi,self",
    "--mca",
    "opal_common_ofi_provider_include",
    "tcp;ofi_rxm",
];

/// Two jobs that cannot reach each other: both report the peer, and what to do.
fn apart(world: &World, two_jobs: &Path) -> Result<(), String> {
    let job = |file: &Path, side: &&str| {
        let job = programs::mpirun(world, 2, APART).arg(two_jobs);
        job.arg(side).arg(file).args(["1", "1000"]).limit(LIMIT)
    };
    together(&["server", "client"], job, |_, outcome| {
        let words = ["of another MPI_COMM_WORLD (pid ", "sm or tcp"];
        let is_reported = words.iter().all(|word| outcome.err.contains(word));
        match outcome.code != 0 && !outcome.timed_out && is_reported {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    })
}

/// Runs the programs that take minutes.
pub fn long(world: &World, tally: &mut Tally) -> Result<(), String> {
    let all = [MERGED, MERGED_LONG].concat();
    for (counts, options) in [
        ([1, 1], &[][..]),
        ([2, 2], &[]),
        ([3, 1], &[]),
        ([1, 2], TCP),
    ] {
        tally.add(programs::merged(world, &all, counts, options)?);
    }
    Ok(())
}

fn pair(world: &World, two_jobs: &Path, unlike: &Unlike) -> Result<(), String> {
    let mpirun = world.bin("mpirun");
    let job = |file: &Path, side: &&str| {
        let is_server = *side == "server";
        let [server, client] = unlike.options;
        let job = match unlike.around.split_first() {
            Some((first, rest)) if !is_server => Job::new(first).args(rest).arg(&mpirun),
            _ => Job::new(&mpirun),
        };
        let job = job.args(if is_server { server } else { client });
        let job = job.args(["-n", "2"]).arg(two_jobs).arg(side).arg(file);
        job.args(["5", "1000", unlike.carrier]).limit(LIMIT)
    };
    together(&["server", "client"], job, |_, outcome| {
        match outcome.succeeded() {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    })
}
