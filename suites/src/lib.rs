//! `cargo xtask test`: runs the tests, and installs what they need.
//!
//! A run is a list of steps ([`steps`]); a tier has as many as fit its time. A step prints what it
//! checks and returns a [`Tally`]. It fetches what it needs and lacks (a Debian package, a Python
//! package, a crate) by the ordinary client, and says so. Long builds and downloads begin with the
//! first step, beside steps that do not need them ([`prepare`]). A step that cannot begin counts as
//! one failure; nothing is skipped silently. The last line is `N passed, N failed`, on which the
//! exit code depends.
//!
//! [`single`] runs one C program, one simulated job, one test of MPICH's suite or one program that
//! was built for another MPI.
#![allow(
    clippy::disallowed_types,
    reason = "no crate of the library is linked here"
)]
#![forbid(unsafe_code)]

mod affected;
mod args;
mod binaries;
mod cargo;
mod checks;
mod comments;
mod conformance;
mod contended;
mod copies;
mod count;
mod debuggers;
mod disturbed;
mod explain;
mod failures;
mod faults;
mod files;
mod fortran;
mod hosts;
mod killed;
mod large;
mod legacy;
mod limits;
mod low;
mod manuals;
mod memcheck;
mod mitigation;
mod ofi;
mod packages;
mod pinned;
mod ports;
mod programs;
mod rails;
mod restarts;
mod rough;
mod scarce;
mod secure;
mod sessions;
mod single;
mod spawns;
mod start;
mod steps;
mod stores;
mod tardy;
mod third_party;
mod torture;
mod trace;
mod vm_rdma;
mod waiting;
mod waits;
mod windows;
mod world;
mod wrong;

use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::world::{Tally, World};
use programs::mpirun;
use xtask::install::PROFILE;
use xtask::shell;

use args::Command;
use steps::{Needs, Step, Tier, BESIDE, INSTALL, PREPARED};

/// Runs a command of `cargo xtask` by its name.
pub fn run(name: &str, args: &[String]) -> Result<(), String> {
    match name {
        "test" => test(args),
        "conformance" => conformance::run(args),
        "vm-rdma" => vm_rdma::run(args),
        _ => Err("the commands are test, conformance and vm-rdma".to_string()),
    }
}

/// Runs the command of the arguments.
fn test(args: &[String]) -> Result<(), String> {
    match args::parse(args)? {
        Command::Help => println!("{}", args::USAGE),
        Command::List => list(),
        Command::Steps { tier, only, prefix } => {
            let steps = steps::selected(tier, only.as_deref())?;
            let world = World::new(prefix, tier.profile());
            return sum_up(&run_steps(&world, &steps));
        }
        Command::Programs {
            names,
            over,
            how,
            prefix,
        } => {
            let world = World::new(prefix, PROFILE);
            return sum_up(&single::programs(&world, &names, &over, &how)?);
        }
        Command::Simulation { first, last } => return single::simulation(first, last),
        Command::Mpich { names, mca, prefix } => {
            let world = World::new(prefix, PROFILE);
            return sum_up(&single::mpich(&world, &names, &mca)?);
        }
        Command::Binaries { texts, prefix } => {
            let world = World::new(prefix, Tier::All.profile());
            return sum_up(&single::binaries(&world, &texts)?);
        }
    }
    Ok(())
}

/// Prints the failures and the numbers.
fn sum_up(total: &Tally) -> Result<(), String> {
    if !total.failed.is_empty() {
        println!("\nfailed:");
        total.failed.iter().for_each(|line| println!("  {line}"));
    }
    println!("\n{} passed, {} failed", total.passed, total.failed.len());
    match total.failed.is_empty() {
        true => Ok(()),
        false => Err("some tests failed".to_string()),
    }
}

/// Runs the steps in turn, but for those that run beside another ([`BESIDE`]).
fn run_steps(world: &World, steps: &[&Step]) -> Tally {
    let started = Instant::now();
    let mut total = Tally::default();
    thread::scope(|scope| {
        // What later steps need takes longer to build than the steps before the installation.
        let is_long = steps.iter().any(|step| step.name == PREPARED);
        let is_ahead = is_long && steps[0].needs == Needs::Sources;
        let mut ahead = is_ahead.then(|| scope.spawn(|| prepare(world)));
        let mut begun = HashMap::new();
        for (number, step) in steps.iter().enumerate() {
            println!(
                "[{}/{}] {}: {}",
                number + 1,
                steps.len(),
                step.name,
                step.about
            );
            let work_before = shell::work();
            if let Some(ahead) = ahead.take_if(|_| step.name == INSTALL) {
                // Should it have panicked, the steps report what they lack.
                let _ = ahead.join();
            }
            let (chain, results) = chain(steps, step.name);
            scope.spawn(move || {
                for (step, results) in chain {
                    // Nobody receives it where the receiving thread has panicked.
                    let _ = results.send(timed(step, world));
                }
            });
            begun.extend(results);
            let result = begun.remove(step.name);
            // A step that panicked in its chain runs once more, and panics here.
            let result = result.and_then(|result: Receiver<_>| result.recv().ok());
            let (mut tally, took) = result.unwrap_or_else(|| timed(step, world));
            println!(
                "      {} passed, {} failed in {:.1} s with {:.0} s of work ({:.0} s so far)",
                tally.passed,
                tally.failed.len(),
                took.as_secs_f64(),
                (shell::work() - work_before).as_secs_f64(),
                started.elapsed().as_secs_f64()
            );
            for line in &mut tally.failed {
                *line = format!("{}: {line}", step.name);
                println!("      {line}");
            }
            total.add(tally);
        }
    });
    total
}

/// Runs a step and measures how long it takes.
fn timed(step: &Step, world: &World) -> Timed {
    let begin = Instant::now();
    (step.tally(world), begin.elapsed())
}

/// Result of a step, and how long it took.
type Timed = (Tally, Duration);

/// The steps that run beside another one, and what each sends its result through.
type Chain<'a> = Vec<(&'a Step, Sender<Timed>)>;

/// Returns those of the steps that run beside the one of this name, and where their results come.
fn chain<'a>(
    steps: &[&'a Step],
    beside: &str,
) -> (Chain<'a>, HashMap<&'static str, Receiver<Timed>>) {
    let chains = BESIDE.iter().filter(|(working, _)| *working == beside);
    let names = chains.flat_map(|(_, waiting)| *waiting);
    let found = names.filter_map(|name| steps.iter().find(|step| step.name == *name));
    let pairs = found.map(|step| {
        let (sender, receiver) = mpsc::channel();
        ((*step, sender), (step.name, receiver))
    });
    pairs.unzip()
}

/// Makes and fetches, beside the first steps, what later ones need. What fails here is tried again
/// by the step that needs it, which reports it.
fn prepare(world: &World) {
    if world.install().is_ok() {
        third_party::prepare(world);
    }
}

fn list() {
    for step in steps::STEPS {
        println!("{:<16} {:<15} {}", step.name, step.told(), step.about);
    }
}
