//! Ranks that are killed and started again by a log of messages: the job prints what it prints
//! undisturbed.

mod ends;
mod how;
pub mod python;

use how::TRANSPORTS;
pub use how::{LOGGED, RANKS};

use super::programs::{compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::side_by_side;

/// Programs of `tests/restart/restart.c`.
pub const PROGRAMS: [&str; 6] = ["ring", "heat", "workers", "loops", "started", "several"];

/// Programs of `tests/restart/checkpoint.c`.
const SAVING: [&str; 3] = ["ring", "workers", "eager"];

/// Steps within which each program lets a rank die; all take more.
pub const STEPS: u64 = 40;

/// Steps that each worker takes, however slow it is beside the others.
const SURE_STEPS: u64 = 20;

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
    // Before the state is saved, behind that, and after the call; and after microseconds.
    let steps = [9, 10, 11, 12, 13, -300, -2000];
    tally.add(checkpoints(world, &steps, 1)?);
    let refused = compile(world, &fsio::root().join("tests/restart/refused.c"), &[])?;
    let job = mpirun(world, RANKS, &LOGGED).arg(&refused);
    tally.count("windows, files, spawns, ports", job.ok().map(drop));
    saving(world, &mut tally)?;
    ends::run(world, &mut tally)?;
    Ok(tally)
}

/// The errors of the calls of checkpoints, with a log of messages and without.
fn saving(world: &World, tally: &mut Tally) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("tests/restart/saving.c"), &[])?;
    for (case, options) in [("logged", &LOGGED[..]), ("plain", &[])] {
        let returned = ["--initial-errhandler", "mpi_errors_return"];
        let job = mpirun(world, 2, &[options, &returned].concat());
        let job = job.arg(&program).arg(case);
        tally.count(
            &format!("errors of checkpoints, {case}"),
            job.ok().map(drop),
        );
    }
    Ok(())
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
    let mut tally = all(world, &cases)?;
    let steps = (1..=40).chain((1..=20).map(|number| -number * number * 20));
    tally.add(checkpoints(world, &steps.collect::<Vec<i64>>(), 3)?);
    Ok(tally)
}

/// A job whose ranks save their state: what dies in it.
struct Saving {
    program: &'static str,
    over: (&'static str, &'static str),
    step: i64,
    victim: u64,
    deaths: u64,
    second: Option<u64>,
}

/// Jobs of ranks that save their state, each with a death at a step, or after a time if that is
/// negative. Every `often`-th has two ranks die, or one more than once.
fn checkpoints(world: &World, steps: &[i64], often: u64) -> Result<Tally, String> {
    let source = fsio::root().join("tests/restart/checkpoint.c");
    let program = compile(world, &source, &[])?;
    let work = std::env::temp_dir().join(format!("oxmpi-checkpoints-{}", std::process::id()));
    let make = |name: &str| {
        let folder = work.join(name);
        fsio::make_folder(&folder).map(|()| folder)
    };
    let mut expected = Vec::new();
    for name in SAVING {
        let folder = make(name)?;
        let job = mpirun(world, RANKS, &[]).arg(&program).arg(name);
        expected.push(job.arg(&folder).ok()?.out);
    }
    let mut jobs = Vec::new();
    for (at, over) in TRANSPORTS.into_iter().enumerate() {
        for (number, step) in (0..).zip(steps) {
            for (index, program) in SAVING.into_iter().enumerate() {
                // One program of all at a step, where there are few of them.
                if often == 1 && (number + at as u64) % 3 != index as u64 {
                    continue;
                }
                let several = number % (3 * often) == 0;
                jobs.push(Saving {
                    program,
                    over,
                    step: *step,
                    victim: (number + index as u64) % RANKS as u64,
                    deaths: 1 + u64::from(number % 4 == 1),
                    second: several.then_some((number + 1 + index as u64) % RANKS as u64),
                });
            }
        }
    }
    let named = jobs.iter().enumerate().collect::<Vec<_>>();
    let outcomes = side_by_side(&named, |(number, saving)| {
        let folder = make(&number.to_string())?;
        let over = ["--mca", "btl", saving.over.1];
        let job = mpirun(world, RANKS, &[&LOGGED[..], &over[..]].concat());
        let job = job.arg(&program).arg(saving.program).arg(&folder);
        let job = [saving.victim as i64, saving.step, saving.deaths as i64]
            .into_iter()
            .chain(saving.second.map(|rank| rank as i64))
            .fold(job, |job, number| job.arg(number.to_string()));
        let outcome = job.ok()?;
        let at = SAVING.iter().position(|name| *name == saving.program);
        let undisturbed = at.map(|at| &expected[at]);
        // A death after a time may come too late.
        let died = saving.step < 0 || outcome.err.contains("is started again");
        match undisturbed == Some(&outcome.out) && died {
            true => Ok(()),
            false => Err(format!("printed {:?}, {}", outcome.out, outcome.err)),
        }
    });
    // A temporary folder may stay.
    _ = std::fs::remove_dir_all(&work);
    let mut tally = Tally::default();
    for (saving, outcome) in jobs.iter().zip(outcomes) {
        let second = saving
            .second
            .map_or(String::new(), |rank| format!(" and {rank}"));
        let what = format!(
            "{} with checkpoints over {}, rank {}{second} at step {}, {} deaths",
            saving.program, saving.over.0, saving.victim, saving.step, saving.deaths
        );
        tally.count(&what, outcome);
    }
    Ok(tally)
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
        // A worker that has come back may get fewer tasks, and not reach its step again; one that
        // is slow may not reach a late step at all.
        let least = match case.program {
            "workers" if case.victim != 0 && case.step > SURE_STEPS => 0,
            "workers" => 1,
            _ => deaths,
        };
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
