//! Ranks that are killed and started again by a log of messages: the job prints what it prints
//! undisturbed.

mod ends;
mod how;
pub mod python;

use how::TRANSPORTS;
pub use how::{LOGGED, RANKS};

use super::programs::{compile, mpirun};
use crate::fsio;
use crate::shell::side_by_side;
use crate::world::{Tally, World};

/// Programs of `tests/restart/restart.c`.
pub const PROGRAMS: [&str; 6] = ["ring", "heat", "workers", "loops", "started", "several"];

/// Steps within which each program lets a rank die; all take more.
pub const STEPS: u64 = 40;

/// Jobs of each program over each transport, in the long form.
const SEEDS: u64 = 200;

/// A job: what dies in it.
#[derive(Clone, Copy)]
struct Case {
    program: &'static str,
    transport: (&'static str, &'static str),
    victim: u64,
    step: u64,
    /// Deaths in a row.
    deaths: u64,
    /// Another rank that dies beside it.
    second: Option<u64>,
}

/// Programs over each transport with one death, one with two in a row, and one with two at once.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut cases = Vec::new();
    for transport in TRANSPORTS {
        for (number, program) in PROGRAMS.into_iter().enumerate() {
            let case = Case {
                program,
                transport,
                victim: number as u64 % RANKS as u64,
                step: 17,
                deaths: 1,
                second: None,
            };
            cases.push(case);
        }
        let ring = Case {
            deaths: 2,
            ..cases[cases.len() - PROGRAMS.len()]
        };
        let two = Case {
            program: "started",
            victim: 0,
            second: Some(1),
            deaths: 1,
            ..ring
        };
        cases.extend([ring, two]);
    }
    let mut tally = all(world, &cases)?;
    tally.count("standard input is read again", input(world));
    let refused = compile(world, &fsio::root().join("tests/restart/refused.c"), &[])?;
    let job = mpirun(world, RANKS, &LOGGED).arg(&refused);
    tally.count("windows, files, spawns, ports", job.ok().map(drop));
    ends::run(world, &mut tally)?;
    Ok(tally)
}

/// Lines that the program `input` reads: more than a launcher reads ahead.
pub fn input_text() -> String {
    (0..6000)
        .map(|line| format!("line {line} of the input\n"))
        .collect()
}

/// The rank that reads standard input dies twice in a row, and another one.
fn input(world: &World) -> Result<(), String> {
    let source = fsio::root().join("tests/restart/restart.c");
    let program = compile(world, &source, &[])?;
    let play = |options: &[&str], words: &[&str]| {
        let job = mpirun(world, RANKS, options).arg(&program).arg("input");
        job.args(words).stdin(&input_text()).ok()
    };
    let expected = play(&[], &[])?.out;
    for words in [["0", "2500", "2"], ["1", "2500", "1"]] {
        let outcome = play(&LOGGED, &words)?;
        if outcome.out != expected {
            return Err(format!("rank {} dies: {}", words[0], outcome.reason()));
        }
    }
    Ok(())
}

/// Many jobs, each with a victim and a step by its seed.
pub fn long(world: &World) -> Result<Tally, String> {
    let mut cases = Vec::new();
    for transport in TRANSPORTS {
        for program in PROGRAMS {
            cases.extend((0..SEEDS).map(|seed| Case {
                program,
                transport,
                victim: seed % RANKS as u64,
                step: 1 + seed * 7 % STEPS,
                deaths: 1 + u64::from(seed % 5 == 0),
                second: (seed % 7 == 0).then_some((seed + 1) % RANKS as u64),
            }));
        }
    }
    all(world, &cases)
}

fn all(world: &World, cases: &[Case]) -> Result<Tally, String> {
    let source = fsio::root().join("tests/restart/restart.c");
    let program = compile(world, &source, &[])?;
    let mut expected = Vec::new();
    for name in PROGRAMS {
        let job = mpirun(world, RANKS, &[]).arg(&program).arg(name);
        expected.push((name, job.ok()?.out));
    }
    let outcomes = side_by_side(cases, |case| {
        let over = ["--mca", "btl", case.transport.1];
        let mut job = mpirun(world, RANKS, &[&LOGGED[..], &over[..]].concat());
        job = job.arg(&program).arg(case.program);
        for number in [case.victim, case.step, case.deaths]
            .into_iter()
            .chain(case.second)
        {
            job = job.arg(number.to_string());
        }
        let outcome = job.ok()?;
        let again = outcome.err.matches("is started again").count() as u64;
        let deaths = case.deaths * (1 + u64::from(case.second.is_some()));
        // A worker that has come back may get fewer tasks, and not reach its step again.
        let least = if case.program == "workers" { 1 } else { deaths };
        let undisturbed = expected.iter().find(|(name, _)| *name == case.program);
        match undisturbed.is_some_and(|(_, text)| *text == outcome.out) {
            true if (least..=deaths).contains(&again) => Ok(()),
            true => Err(format!("{again} restarts, not {least}: {}", outcome.err)),
            false => Err(format!("printed {:?}, {}", outcome.out, outcome.err)),
        }
    });
    let mut tally = Tally::default();
    for (case, outcome) in cases.iter().zip(outcomes) {
        let (name, _) = case.transport;
        let second = case
            .second
            .map_or(String::new(), |rank| format!(" and {rank}"));
        let what = format!(
            "{} over {name}, rank {}{second} at step {}, {} deaths",
            case.program, case.victim, case.step, case.deaths
        );
        tally.count(&what, outcome);
    }
    Ok(tally)
}
