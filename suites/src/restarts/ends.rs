//! Ends that a restart has to meet: deaths where nothing can be brought back, programs that do not
//! do the same again, and logs that cannot be kept or read.

use std::path::Path;
use std::time::Duration;

use super::how::{LOGGED, RANKS, TRANSPORTS};
use crate::ofi;
use crate::programs::{compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, side_by_side, Job};

/// The text of a job that does the same again.
const SAME: &str = "sum 6";

/// How long a job may take: none waits for what never comes.
const LIMIT: Duration = Duration::from_secs(30);

/// The time within which a rank that has done little is where it was, in seconds: the better of two
/// runs.
const RESTART_SECONDS_MAX: f64 = 1.0;

/// The deaths: the case of the program, the exit code, and what is said of it.
const DEATHS: &[(&str, i32, &str)] = &[
    ("before", 0, "is started again, life 2"),
    ("finalize", 0, "is started again, life 2"),
    (
        "after",
        137,
        "it is not started again: all had come to MPI_Finalize",
    ),
    ("all", 0, "is started again, life 2"),
    ("behind", 0, "is started again, life 2"),
    (
        "damaged",
        16,
        "the event log of this rank is damaged: it does not begin as an event log does",
    ),
    (
        "inside",
        16,
        "the event log of this rank is damaged: its entry 0 is damaged",
    ),
    (
        "trail",
        16,
        "the record of what this rank has sent and received is damaged: its entry 0 is damaged",
    ),
];

/// The programs that do something else: the case of the program, and what is said of it.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "tag",
        "its send or receive 1 is a receive from rank 0 with tag 2, where its earlier life had \
             a receive from rank 0 with tag 1",
    ),
    (
        "source",
        "its send or receive 1 is a receive from rank 2 with tag 1, where its earlier life \
                had a receive from rank 0 with tag 1",
    ),
    (
        "any",
        "its send or receive 1 is a receive from any source with tag 1, where",
    ),
    (
        "to",
        "its send or receive 2 is a send to rank 2 with tag 1, where its earlier life had a \
            send to rank 0 with tag 1",
    ),
    (
        "length",
        "its send or receive 2 is a send to rank 0 with tag 1 of another length, where",
    ),
    ("test", "it calls any where its earlier life called test"),
    (
        "early",
        "it calls MPI_Finalize where its earlier life went on to",
    ),
];

/// Runs all.
pub(super) fn run(world: &World, tally: &mut Tally) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("tests/restart/ends.c"), &[])?;
    let deaths = DEATHS.iter().map(|&(case, code, text)| (case, code, text));
    let different = DIFFERENT.iter().map(|&(case, text)| (case, 1, text));
    let mut cases = Vec::new();
    for (case, code, text) in deaths.chain(different) {
        cases.extend(TRANSPORTS.map(|(way, over)| (case, code, text, way, over)));
    }
    let outcomes = side_by_side(&cases, |&(case, code, text, _, over)| {
        let job = job(world, &["--mca", "btl", over]).arg(&program).arg(case);
        judge(&job, code, text)
    });
    for ((case, _, _, way, _), outcome) in cases.iter().zip(outcomes) {
        tally.count(&format!("{case} over {way}"), outcome);
    }
    // No log can see what a network matches.
    let matching = job(world, ofi::MATCHING).arg(&program).arg("none");
    let text = "pessimist: declined, a network that matches messages does not show what it matches";
    tally.count("the layer cm is refused", judge(&matching, 16, text));
    let both = [ofi::MATCHING, &["--explain"]].concat();
    let both = both
        .into_iter()
        .map(|word| if word == "cm" { "cm,ob1" } else { word });
    let both = job(world, &both.collect::<Vec<_>>())
        .arg(&program)
        .arg("none");
    let text = "cm declined: a log of messages needs to see what is matched";
    tally.count(
        "ob1 is taken where both layers may be",
        judge(&both, 0, text),
    );
    for (way, over) in TRANSPORTS {
        let measured = || restart_seconds(world, over, &program);
        let best = measured().and_then(|first| Ok(measured()?.min(first)));
        let answer = best.and_then(|seconds| match seconds < RESTART_SECONDS_MAX {
            true => Ok(()),
            false => Err(format!("{seconds} s")),
        });
        tally.count(&format!("time of a restart over {way}"), answer);
    }
    folders(world, &program, tally)
}

/// Returns the time from a death until the next life is where the first one died.
fn restart_seconds(world: &World, over: &str, program: &Path) -> Result<f64, String> {
    let job = job(world, &["--mca", "btl", over]).arg(program).arg("time");
    let outcome = job.ok()?;
    let seconds = outcome.err.split("again after ").nth(1);
    let seconds = seconds.and_then(|rest| rest.split(' ').next()?.parse().ok());
    seconds.ok_or_else(|| outcome.reason())
}

fn job(world: &World, options: &[&str]) -> Job {
    mpirun(
        world,
        RANKS,
        &[&["--oversubscribe"], &LOGGED[..], options].concat(),
    )
    .limit(LIMIT)
}

/// Judges a job by its exit code and by what is said on standard error.
fn judge(job: &Job, code: i32, text: &str) -> Result<(), String> {
    let outcome = job.run()?;
    let is_same = outcome.out.trim() == SAME || !matches!(code, 0 | 137);
    match outcome.code == code && is_same && outcome.err.contains(text) {
        true => Ok(()),
        false => Err(format!("not {code}, {text}: {}", outcome.reason())),
    }
}

/// Folders for copies of messages that take no file, or not all of them.
fn folders(world: &World, program: &Path, tally: &mut Tally) -> Result<(), String> {
    const FILE: &str = "vprotocol_pessimist_sender_based_file";
    const BOUND: [&str; 3] = ["--mca", "vprotocol_pessimist_sender_based_chunk", "1m"];
    for folder in ["/proc/none", "/dev/null"] {
        let options = [&BOUND[..], &["--mca", FILE, folder]].concat();
        let text = format!("({FILE}) {folder:?}: no file can be made there");
        let outcome = job(world, &options).arg(program).run()?;
        let answer = match outcome.code == 2 && outcome.err.contains(&text) {
            true => Ok(()),
            false => Err(outcome.reason()),
        };
        tally.count(&format!("copies in {folder}"), answer);
    }
    if !shell::may_mount() {
        println!("      a full folder is left out: this user may not make a mount namespace");
        return Ok(());
    }
    let place = fsio::target_dir().join("test/copies");
    fsio::make_folder(&place)?;
    let line = job(world, &BOUND).args(["--mca", FILE]).arg(&place);
    let line = line.arg(program).arg("full").line();
    let inner = format!(
        "mount -t tmpfs -o size=2m tmpfs {} && exec {line}",
        place.display()
    );
    let full = Job::new("unshare").args(["-m", "sh", "-c", &inner]);
    let full = full.limit(LIMIT);
    let text = "peer 1 cannot be started again: peer 0 has no copy of all messages to it";
    tally.count(
        "copies in a full folder, and a death",
        judge(&full, 1, text),
    );
    let _ = std::fs::remove_dir(&place);
    Ok(())
}
