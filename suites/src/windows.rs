//! Tests of windows over every transport and between hosts: this project's programs, mpi4py's and
//! MPICH's tests.
//!
//! Each path is a step of its own, for most take long; one more runs them all. Results of a path
//! are printed after each part, and while MPICH's tests run, after each of them. A path on which
//! everything hangs ends too: those of MPICH's tests that have not begun when its time is over
//! count as failed.

use std::time::Duration;

use super::{hosts, ofi, programs};
use crate::case::run_all;
use crate::conformance;
use crate::third_party::Suite;
use crate::world::{Tally, World};

/// A path to a window's memory: its name, and the parameters that choose it.
struct WindowPath {
    name: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// With these the network serves a target that computes.
    served: &'static [&'static str],
}

/// How long MPICH's tests may be begun on one path.
const MPICH_LIMIT: Duration = Duration::from_secs(3 * 60 * 60);

const SM: WindowPath = WindowPath {
    name: "sm",
    parameters: &[],
    served: &[],
};

const AM: WindowPath = WindowPath {
    name: "am over sm",
    parameters: &[("osc", "am")],
    served: &[],
};

const TCP: WindowPath = WindowPath {
    name: "tcp",
    parameters: &[("btl", "tcp,self")],
    served: &[],
};

const RXM: WindowPath = WindowPath {
    name: "tcp;ofi_rxm",
    parameters: &[("btl", "ofi,self"), (programs::PROVIDERS, "tcp;ofi_rxm")],
    served: &[],
};

const SHM: WindowPath = WindowPath {
    name: "shm",
    parameters: &[("btl", "ofi,self"), (programs::PROVIDERS, "shm")],
    served: &[],
};

const RXD: WindowPath = WindowPath {
    name: "udp;ofi_rxd",
    parameters: &[("btl", "ofi,self"), (programs::PROVIDERS, "udp;ofi_rxd")],
    served: &[],
};

const SOCKETS: WindowPath = WindowPath {
    name: "sockets",
    parameters: &[("btl", "ofi,self"), (programs::PROVIDERS, "sockets")],
    served: &["--mca", "btl_ofi_progress_mode", "auto"],
};

/// mpi4py's files about windows, and about what it builds of them.
pub const MODULES: &[&str] = &["test_rma", "test_rma_nb", "test_win", "test_util_sync"];

/// This project's programs about windows. One does what it does by a thread that polls for messages
/// while its process computes.
fn is_about_windows(name: &str) -> bool {
    name.starts_with("rma_")
}

/// The program about windows whose target computes while it is accessed.
const COMPUTES: &str = "rma_lanes";

/// Over shared memory, by loads and stores.
pub fn over_sm(world: &World) -> Result<Tally, String> {
    over(world, &SM)
}

/// Over shared memory, by active messages.
pub fn by_messages(world: &World) -> Result<Tally, String> {
    over(world, &AM)
}

/// Over TCP.
pub fn over_tcp(world: &World) -> Result<Tally, String> {
    over(world, &TCP)
}

/// Over libfabric's `tcp;ofi_rxm`.
pub fn over_rxm(world: &World) -> Result<Tally, String> {
    over(world, &RXM)
}

/// Over libfabric's `shm`.
pub fn over_shm(world: &World) -> Result<Tally, String> {
    over(world, &SHM)
}

/// Over libfabric's `udp;ofi_rxd`.
pub fn over_rxd(world: &World) -> Result<Tally, String> {
    over(world, &RXD)
}

/// Over libfabric's `sockets`.
pub fn over_sockets(world: &World) -> Result<Tally, String> {
    over(world, &SOCKETS)
}

/// Between hosts.
pub fn between_hosts(world: &World) -> Result<Tally, String> {
    hosts::windows(world)
}

/// Runs everything over every path, the quickest first, and between hosts.
pub fn all(world: &World) -> Result<Tally, String> {
    let mut tally = between_hosts(world)?;
    for way in [SM, AM, SHM, TCP, RXM, RXD, SOCKETS] {
        tally.add(over(world, &way)?);
    }
    Ok(tally)
}

/// Runs everything over a path.
fn over(world: &World, way: &WindowPath) -> Result<Tally, String> {
    ofi::ready()?;
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    let chosen = |(key, value): &(&'static str, &'static str)| ["--mca", key, value];
    let options: Vec<&str> = way.parameters.iter().flat_map(chosen).collect();
    let mut report = |what: &str, mut one: Tally| {
        let (passed, failed) = (one.passed, one.failed.len());
        println!("    {}: {what}: {passed} passed, {failed} failed", way.name);
        for line in &mut one.failed {
            *line = format!("{}: {line}", way.name);
            println!("      {line}");
        }
        tally.add(one);
    };
    let of_windows = programs::all(&options, is_about_windows)?;
    report("programs", run_all(world, of_windows));
    if !way.served.is_empty() {
        let served = [&options[..], way.served].concat();
        let one = programs::all(&served, |name| name == COMPUTES)?;
        report("a target that computes", run_all(world, one));
    }
    for ranks in 1..=4 {
        let mut one = Tally::default();
        suite.over(world, ranks, (&options, way.name), MODULES, &mut one);
        report(&format!("mpi4py on {ranks} ranks"), one);
    }
    let mpich = conformance::windows(world, way.parameters, MPICH_LIMIT)?;
    report("MPICH's tests", mpich);
    Ok(tally)
}
