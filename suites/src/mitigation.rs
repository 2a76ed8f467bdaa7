//! Jobs that go on after the death of ranks (ULFM), many times: replacements of ranks, the time
//! until a death is an error elsewhere, and mpi4py's tests.

use std::time::Duration;

use super::programs::{compile, mpirun, TCP};
use crate::peers;
use crate::third_party::Suite;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::Job;

/// The transports, with their options of `mpirun`.
const TRANSPORTS: [(&str, &[&str]); 2] = [("sm", &[]), ("tcp", TCP)];

/// Time for the revocations, which take a second.
const REVOCATIONS_LIMIT: Duration = Duration::from_secs(60);

/// Options of each job.
const SURVIVES: [&str; 3] = ["--oversubscribe", "--with-ft", "ulfm"];

/// Time for a thousand replacements: 33 s on a machine in use; 370 s over TCP where a member
/// finds a death out by itself.
const REPLACEMENTS_LIMIT: Duration = Duration::from_secs(300);

/// The ways in which the program waits for a death, as it names them, and how often each is taken.
const WAITS: [char; 6] = ['r', 'a', 't', 'b', 'i', 's'];
const DEATHS: usize = 50;
/// Ranks that are killed in one job; rank 0 and another one stay.
const DEATHS_PER_JOB: usize = 2;
/// The wait before each death, in milliseconds: long enough for the others to sleep.
const PAUSE: &str = "150";
/// How long the death may take to be an error, in milliseconds: in half of the cases.
const MEDIAN_MAX: f64 = 50.0;

/// Runs the example of docs/recovery.md, of whose four processes two are killed.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let outlive = compile(world, &fsio::root().join("examples/outlive.c"), &[])?;
    for (name, options) in TRANSPORTS {
        let options = [options, &SURVIVES].concat();
        let job = mpirun(world, 4, &options).arg(&outlive).arg("2");
        let answer = killed(&job).and_then(|out| {
            let again = "step 20 is done again by those that are left";
            let end = "2 processes at the end: pi is about 3.1";
            match out.contains(again) && out.contains(end) {
                true => Ok(()),
                false => Err(out),
            }
        });
        tally.count(&format!("examples/outlive.c, {name}"), answer);
    }
    tally.count("revocations under Hydra", revocations(world));
    let inter = compile(world, &fsio::root().join("tests/c/ulfm_inter.c"), &[])?;
    for (name, options) in TRANSPORTS {
        // The shell takes the dead process away before the launcher learns of it.
        let behind = ["sh", "-c", "\"$0\" || { sleep 0.2; kill -9 $$; }"];
        let options = [options, &SURVIVES].concat();
        let job = mpirun(world, 4, &options).args(behind).arg(&inter);
        let answer = killed(&job).map(drop);
        tally.count(&format!("a death behind a shell, {name}"), answer);
    }
    Ok(tally)
}

/// Runs a program that revokes under a launcher that has no news, from which processes would learn
/// of it.
fn revocations(world: &World) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("tests/c/ulfm_revoke.c"), &[])?;
    let mpiexec = peers::get("mpich")?.prefix.join("bin/mpiexec.hydra");
    let job = Job::new(mpiexec).args(["-n", "3"]).arg(&program);
    let outcome = job.limit(REVOCATIONS_LIMIT).run()?;
    match outcome.succeeded() {
        true => Ok(()),
        false => Err(outcome.reason()),
    }
}

/// Runs all.
pub fn long(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let tests = fsio::root().join("tests/c");
    let replace = compile(world, &tests.join("ulfm_replace.c"), &[])?;
    let detect = compile(world, &tests.join("ulfm_detect.c"), &[])?;
    let suite = Suite::ready(world)?;
    for (name, options) in TRANSPORTS {
        let options = [options, &SURVIVES].concat();
        let job = mpirun(world, 3, &options).arg(&replace).arg("1000");
        let job = job.limit(REPLACEMENTS_LIMIT);
        let answer = killed(&job.env("ULFM_FIGURES", "1")).map(|out| println!("      {out}"));
        tally.count(&format!("1,000 replacements, {name}"), answer);
        for way in WAITS {
            let ways = String::from_iter([way; DEATHS_PER_JOB]);
            let job = || mpirun(world, 2 + DEATHS_PER_JOB, &options).arg(&detect);
            let job = || job().args([&ways, PAUSE]).env("ULFM_FIGURES", "1");
            let times = (0..DEATHS / DEATHS_PER_JOB).map(|_| killed(&job()));
            let answer = times.collect::<Result<Vec<_>, _>>().and_then(judge);
            tally.count(&format!("{DEATHS} deaths in {way}, {name}"), answer);
        }
        for ranks in 1..=4 {
            suite.over(world, ranks, (&options, name), &["test_ulfm"], &mut tally);
        }
    }
    Ok(tally)
}

/// Returns what a job prints that goes on without ranks that are killed, and says so.
fn killed(job: &Job) -> Result<String, String> {
    let outcome = job.run()?;
    let is_reported = outcome.err.contains("mpirun: the job lost rank");
    match outcome.code == 0 && is_reported {
        true => Ok(outcome.out.trim().to_string()),
        false => Err(outcome.reason()),
    }
}

/// Judges the times that jobs have printed, a line each with the way and milliseconds.
fn judge(printed: Vec<String>) -> Result<(), String> {
    let time = |line: &str| line.split_whitespace().nth(1)?.parse::<f64>().ok();
    let lines = printed.iter().flat_map(|out| out.lines());
    let mut times: Vec<f64> = lines.filter_map(time).collect();
    times.sort_by(f64::total_cmp);
    let [.., most] = times[..] else {
        return Err("no times were printed".into());
    };
    let median = times[times.len() / 2];
    println!(
        "      {} deaths: median {median} ms, at most {most} ms",
        times.len()
    );
    match times.len() == DEATHS && median <= MEDIAN_MAX {
        true => Ok(()),
        false => Err(format!("{} times, median {median} ms", times.len())),
    }
}
