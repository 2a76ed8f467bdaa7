//! Windows over every transport and between hosts: this project's programs, MPICH's tests and
//! mpi4py's.

use super::{hosts, ofi, programs, Tally, World};
use crate::conformance;
use crate::third_party::Suite;

/// A way to a window's memory: how it is called, and the parameters that choose it.
type Way = (&'static str, &'static [(&'static str, &'static str)]);

/// All of them, the quickest first.
const WAYS: &[Way] = &[
    ("sm", &[]),
    ("am over sm", &[("osc", "am")]),
    ("tcp", &[("btl", "tcp,self")]),
    (
        "tcp;ofi_rxm",
        &[("btl", "ofi,self"), (ofi::PROVIDERS, "tcp;ofi_rxm")],
    ),
    (
        "udp;ofi_rxd",
        &[("btl", "ofi,self"), (ofi::PROVIDERS, "udp;ofi_rxd")],
    ),
    (
        "sockets",
        &[("btl", "ofi,self"), (ofi::PROVIDERS, "sockets")],
    ),
];

/// mpi4py's files about windows, and about what it builds of them.
pub const MODULES: &[&str] = &["test_rma", "test_rma_nb", "test_win", "test_util_sync"];

/// This project's programs about windows. One does what it does by a thread that looks for
/// messages while its process computes.
fn is_about_windows(name: &str) -> bool {
    name.starts_with("rma_")
}

/// Everything over every way, and between hosts; a count of each.
pub fn all(world: &World) -> Result<Tally, String> {
    ofi::ready()?;
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    for (name, parameters) in WAYS {
        let chosen = |(key, value): &(&'static str, &'static str)| ["--mca", key, value];
        let options: Vec<&str> = parameters.iter().flat_map(chosen).collect();
        let mut told = |what: &str, one: Tally| {
            let (passed, failed) = (one.passed, one.failed.len());
            println!("    {name}: {what}: {passed} passed, {failed} failed");
            tally.add(of_way(name, one));
        };
        told(
            "programs",
            programs::all(world, &options, is_about_windows)?,
        );
        let mut python = Tally::default();
        for ranks in 1..=4 {
            suite.over(world, ranks, (&options, name), MODULES, &mut python);
        }
        told("mpi4py", python);
        told("MPICH's tests", conformance::windows(world, parameters)?);
    }
    let between = hosts::windows(world)?;
    let (passed, failed) = (between.passed, between.failed.len());
    println!("    between hosts: {passed} passed, {failed} failed");
    tally.add(of_way("between hosts", between));
    Ok(tally)
}

/// What was counted, with the way's name before each failure.
fn of_way(way: &str, mut one: Tally) -> Tally {
    for line in &mut one.failed {
        *line = format!("{way}: {line}");
    }
    one
}
