//! `cargo xtask test`: runs the tests, and installs what they need.
//!
//! A run is a list of steps ([`steps`]); a tier has as many as fit its time. A step is a list of
//! named cases ([`case`]), or one test whose cases are known only while it runs, which returns a
//! [`Tally`]. `libtest-mimic` runs them ([`harness`]), in the order of the steps and as many at a
//! time as the machine has room for ([`gate`]). They fetch what they need and lack (a Debian
//! package, a Python package, a crate) by the ordinary client, and say so. Long builds and
//! downloads begin with the first step, beside steps that do not need them. What cannot begin
//! counts as one failure; nothing is skipped silently. The last line is `N passed, N failed`, on
//! which the exit code depends.
//!
//! [`single`] runs one C program, one simulated job, one test of MPICH's suite or one program that
//! was built for another MPI.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "no crate of the library is linked here"
)]
#![forbid(unsafe_code)]

mod affected;
mod args;
mod bench;
mod binaries;
mod cargo;
mod case;
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
mod gate;
mod harness;
mod hosts;
mod killed;
mod large;
mod legacy;
mod limits;
mod low;
mod manuals;
mod memcheck;
mod mitigation;
mod neighbours;
mod ofi;
mod packages;
mod peers;
mod pinned;
mod ports;
mod programs;
mod rails;
mod restarts;
mod results;
mod rough;
mod scarce;
mod secure;
mod sessions;
mod single;
mod spawns;
mod start;
mod steps;
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

use std::process::ExitCode;

use xtask::install::PROFILE;

use crate::harness::Row;
use crate::world::{Tally, World};
use args::{Steps, Test, TestCommand};
use clap::Parser;
use programs::mpirun;
use steps::{Step, Tier};

/// Runs what `cargo test` asks for, of every case of every step.
pub fn tests() -> ExitCode {
    harness::main()
}

/// Commands of `cargo xtask`
#[derive(clap::Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
enum Command {
    Test(Test),
    /// Measure oxmpi beside other MPI libraries
    Bench(bench::Options),
    /// Run MPICH's test suite on oxmpi or a peer
    Conformance(conformance::Command),
    /// Test over RDMA, in a virtual machine with a device in software (by hand)
    VmRdma(vm_rdma::Options),
}

/// Runs the command that the process was given.
pub fn main() -> Result<(), String> {
    match Command::parse() {
        Command::Test(options) => test(options),
        Command::Bench(options) => bench::run(&options),
        Command::Conformance(command) => conformance::run(&command),
        Command::VmRdma(options) => vm_rdma::run(&options),
    }
}

fn test(Test { what, steps, list }: Test) -> Result<(), String> {
    match what {
        None if list => {
            for step in steps::STEPS {
                println!("{:<16} {:<15} {}", step.name, step.tier_names(), step.about);
            }
            Ok(())
        }
        None => run(Tier::Ci, steps),
        Some(TestCommand::Quick(steps)) => run(Tier::Quick, steps),
        Some(TestCommand::All(steps)) => run(Tier::All, steps),
        Some(TestCommand::C(programs)) => {
            let world = World::new(programs.on.prefix.clone(), PROFILE);
            sum_of(&harness::run(world, single::programs(&programs)?))
        }
        Some(TestCommand::Sim { first, last }) => single::simulation(first, last),
        Some(TestCommand::Mpich { names, on }) => {
            let world = World::new(on.prefix, PROFILE);
            sum_up(&single::mpich(&world, &names, &on.mca)?)
        }
        Some(TestCommand::Binaries { texts, prefix }) => {
            let world = World::new(prefix, Tier::All.profile());
            sum_up(&single::binaries(&world, &texts)?)
        }
    }
}

/// Runs steps of a tier.
fn run(tier: Tier, options: Steps) -> Result<(), String> {
    let steps = steps::selected(tier, options.only.as_deref())?.into_iter();
    let groups = steps.map(Step::group).collect::<Result<_, String>>()?;
    let is_noted = tier == Tier::All && options.prefix.is_none();
    let world = World::new(options.prefix, tier.profile());
    let rows = harness::run(world, groups);
    if is_noted {
        results::note(&rows)?;
    }
    sum_of(&rows)
}

/// Prints the failures of tests that were not named by a step.
fn sum_up(total: &Tally) -> Result<(), String> {
    if !total.failed.is_empty() {
        println!("\nfailed:");
        total.failed.iter().for_each(|line| println!("  {line}"));
    }
    numbers(total.passed, total.failed.len())
}

/// Prints the numbers of all cases.
fn sum_of(rows: &[Row]) -> Result<(), String> {
    let passed = rows.iter().map(|row| row.tally.passed).sum();
    let failed = rows.iter().map(|row| row.tally.failed.len()).sum();
    numbers(passed, failed)
}

fn numbers(passed: usize, failed: usize) -> Result<(), String> {
    println!("\n{passed} passed, {failed} failed");
    match failed {
        0 => Ok(()),
        _ => Err("some tests failed".to_string()),
    }
}

#[cfg(test)]
#[path = "documents.rs"]
mod documents;
