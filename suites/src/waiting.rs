//! Right programs under `mpirun --report-deadlock 1`, whose ranks are stopped at random meanwhile:
//! none of them is called deadlocked. And wrong ones, which are.

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::programs::{self, compile, mpirun, TCP};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, install, Outcome};

/// Looks for a deadlock each second.
const LOOK: [&str; 2] = ["--report-deadlock", "1"];

/// Ranks of the programs of `tests/waits`.
const RANKS: usize = 3;

/// Programs of `tests/waits/right.c`.
const RIGHT: [&str; 7] = [
    "slow_ring",
    "thread_sends",
    "testany",
    "iprobe",
    "ping_pong",
    "spawned",
    "ending",
];

/// Programs of `tests/waits/wrong.c`, of whose ranks none comes to an end.
const WRONG: [&str; 7] = [
    "send_cycle",
    "receive_cycle",
    "small_cycle",
    "left_out",
    "lock_kept",
    "finalized",
    "group_barrier",
];

/// C programs that continuous integration runs here: each waits in another way.
const SOME: [&str; 6] = [
    "collectives",
    "p2p_probe",
    "p2p_requests",
    "rma_passive",
    "spawn",
    "threads",
];

/// Programs at a time: they wait, or are stopped, for most of their time.
const AT_A_TIME: usize = 8;

/// How often one rank of a program is stopped, and milliseconds between two stops and of each.
const STOPS: usize = 3;
const BETWEEN: u64 = 300;
const STOPPED: u64 = 1500;

/// The programs that wait most, and some others.
pub fn run(world: &World) -> Result<Tally, String> {
    together(world, &[], |name| SOME.contains(&name))
}

/// All C programs, and those that wait most over TCP, too.
pub fn all(world: &World) -> Result<Tally, String> {
    together(world, TCP, |_| true)
}

/// Runs right and wrong programs at the same time: they hardly compute.
fn together(
    world: &World,
    options: &[&str],
    wanted: impl Fn(&str) -> bool + Send,
) -> Result<Tally, String> {
    thread::scope(|scope| {
        let parts = [
            scope.spawn(|| patient(world, options)),
            scope.spawn(|| wrong(world, options)),
            scope.spawn(|| of_c(world, wanted)),
        ];
        let mut tally = Tally::default();
        for part in parts {
            tally.add(part.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok(tally)
    })
}

/// Runs the programs of `right.c`, with and without stops, and one to its time limit.
fn patient(world: &World, options: &[&str]) -> Result<Tally, String> {
    let program = compile(world, &fsio::root().join("tests/waits/right.c"), &[])?;
    let options = [&LOOK, options].concat();
    let cases: Vec<(&str, bool)> = RIGHT
        .iter()
        .flat_map(|case| [(*case, false), (*case, true)])
        .collect();
    let answers = by_workers(AT_A_TIME, &cases, |(case, stops)| {
        let ranks = RANKS + usize::from(*case == "ping_pong");
        let job = mpirun(world, ranks, &options).arg(&program).arg(case);
        let outcome = match stops {
            true => stopped(&own_copy(&program, case)?, |copy| {
                mpirun(world, ranks, &options).arg(copy).arg(case).run()
            })?,
            false => job.run()?,
        };
        match outcome.succeeded() {
            true => silent(&outcome),
            false => Err(outcome.reason()),
        }
    });
    let mut tally = Tally::default();
    for ((case, stops), answer) in cases.iter().zip(answers) {
        let how = if *stops { " with stops" } else { "" };
        tally.count(&format!("{case}{how}"), answer);
    }
    let job = mpirun(world, 2, &["--timeout", "2"]).arg(&program);
    let outcome = job.arg("ping_pong").run()?;
    let at_limit = match outcome.code {
        124 => silent(&outcome),
        _ => Err(outcome.reason()),
    };
    tally.count("ping_pong at its time limit", at_limit);
    let job = mpirun(world, RANKS, &["--timeout", "2"]).arg(&program);
    let outcome = job.arg("thread_sends").run()?;
    tally.count("threads at their time limit", perhaps(&outcome));
    Ok(tally)
}

/// Whether a report leaves open what threads outside of MPI will do.
fn perhaps(outcome: &Outcome) -> Result<(), String> {
    let is_reported = outcome.err.lines().any(|line| {
        line.contains("perhaps a deadlock: 0 -> 2 -> 1 -> 0 wait for each other, unless")
    });
    match is_reported {
        true => Ok(()),
        false => Err(outcome.reason()),
    }
}

/// Runs programs that never end while their ranks are stopped: each is reported, before its time
/// limit and at it.
fn wrong(world: &World, options: &[&str]) -> Result<Tally, String> {
    let program = compile(world, &fsio::root().join("tests/waits/wrong.c"), &[])?;
    let options = [&LOOK, &["--timeout", "12"], options].concat();
    let answers = by_workers(AT_A_TIME, &WRONG, |case| {
        let outcome = stopped(&own_copy(&program, case)?, |copy| {
            let job = mpirun(world, RANKS + 1, &options).arg(copy).arg(case);
            job.run()
        })?;
        let ends = ["deadlock: ", "culprit: "];
        let is_verdict = |line: &&str| ends.iter().any(|end| line.contains(end));
        match outcome.err.lines().filter(is_verdict).count() {
            2 => Ok(()),
            _ => Err(outcome.reason()),
        }
    });
    let mut tally = Tally::default();
    for (case, answer) in WRONG.iter().zip(answers) {
        tally.count(case, answer);
    }
    Ok(tally)
}

/// Runs C programs that end well, each on the most ranks that it names.
fn of_c(world: &World, wanted: impl Fn(&str) -> bool) -> Result<Tally, String> {
    let programs = programs::lasting(wanted)?;
    let answers = by_workers(AT_A_TIME, &programs, |(source, ranks, own)| {
        let program = compile(world, source, &[])?;
        let outcome = stopped(&own_copy(&program, "")?, |copy| {
            let job = mpirun(world, *ranks, &LOOK).args(own);
            job.arg(copy).run()
        })?;
        // Some measure time, and so fail where they are stopped: that is not what is asked here.
        silent(&outcome)
    });
    let mut tally = Tally::default();
    for ((source, ranks, _), answer) in programs.iter().zip(answers) {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        tally.count(&format!("{name} on {ranks} ranks"), answer);
    }
    Ok(tally)
}

/// An error where a job was called deadlocked.
fn silent(outcome: &Outcome) -> Result<(), String> {
    let report = outcome.err.lines().find(|line| line.contains("deadlock: "));
    match (report, outcome.timed_out) {
        (Some(line), _) => Err(line.to_string()),
        (None, true) => Err(outcome.reason()),
        (None, false) => Ok(()),
    }
}

/// A copy of a program, by whose name its processes are known from others.
fn own_copy(program: &Path, case: &str) -> Result<PathBuf, String> {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let folder = fsio::target_dir().join("test/bin/stopped");
    fsio::make_folder(&folder)?;
    let copy = folder.join(format!("{name}{case}"));
    install(program, &copy, &[])?;
    Ok(copy)
}

/// Runs a job of a program, of which one process is stopped for a while, a few times.
fn stopped(
    program: &Path,
    run: impl FnOnce(&Path) -> Result<Outcome, String>,
) -> Result<Outcome, String> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| stop_some(program, &is_over));
        let outcome = run(program);
        is_over.store(true, Ordering::Relaxed);
        outcome
    })
}

/// Stops processes of a program until the job is over. Where and when is different in each run: the
/// numbers of the processes say it.
fn stop_some(program: &Path, is_over: &AtomicBool) {
    let mut random = u64::from(std::process::id()) << 32 | program.as_os_str().len() as u64;
    let mut below = |end: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % end
    };
    let wait = |millis: u64| {
        let steps = (millis / 50).max(1);
        (0..steps).all(|_| {
            thread::sleep(Duration::from_millis(50));
            !is_over.load(Ordering::Relaxed)
        })
    };
    for _ in 0..STOPS {
        if !wait(below(BETWEEN)) {
            return;
        }
        let mut found = processes(program);
        found.sort_unstable();
        if found.is_empty() {
            continue;
        }
        let process = found[below(found.len() as u64) as usize];
        signal("STOP", process);
        let goes_on = wait(200 + below(STOPPED));
        signal("CONT", process);
        if !goes_on {
            return;
        }
    }
}

/// The processes that run a program.
fn processes(program: &Path) -> Vec<u32> {
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let runs = |process: &u32| {
        let exe = fs::read_link(format!("/proc/{process}/exe"));
        exe.is_ok_and(|exe| exe == program)
    };
    let numbers = all.flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(runs).collect()
}

fn signal(name: &str, process: u32) {
    // It may have ended.
    let _ = Command::new("kill")
        .args(["-s", name, &process.to_string()])
        .output();
}
