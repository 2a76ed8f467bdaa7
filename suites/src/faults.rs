//! Fault injection: runs sessions in each of which one call fails, every system call and every call
//! of libfabric in turn (`tests/environment/faults.c`, `tests/libfabric/faulty.c`). Each session
//! must succeed or end with an error, leave nothing behind, and not end the process.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::limits::{NamedOptions, QUICK, SLOW};
use super::programs::{compile, mpirun};
use crate::case::Case;
use crate::peers;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{processors, Job};

/// Calls that are not denied over a provider, since it bears that badly itself (libfabric 1.17):
/// `sockets` waits for a thread that it could not start or wake as it closes, `udp` loses a socket
/// that it could not bind (which is checked before), and a file of `shm` stays that may not be
/// removed.
const SPARED: &[(&str, &[&str])] = &[
    ("sockets", &["write", "clone3"]),
    ("udp;ofi_rxd", &["bind"]),
    ("shm", &["unlink"]),
];

const LIMIT: Duration = Duration::from_secs(300);

/// The first five calls of each kind, and every fifth of the others.
pub fn run() -> Result<Vec<Case>, String> {
    Ok(QUICK.iter().map(|way| case(way, "5")).collect())
}

/// Every call, also over `tcp;ofi_rxm`. Not by its own matching: it does not report what it was
/// denied as it connects to this very process, or crashes as it closes.
pub fn all() -> Result<Vec<Case>, String> {
    let ways = QUICK.iter().chain(&SLOW[..1]);
    Ok(ways.map(|way| case(way, "1")).collect())
}

/// Sessions over a path, of whose later calls every `step`-th fails.
fn case((name, options): &'static NamedOptions, step: &'static str) -> Case {
    Case::new(format!("faults over {name}"), processors(), move |world| {
        let source = fsio::root().join("tests/environment/faults.c");
        let program = compile(world, &source, &[])?;
        let spared = SPARED.iter().find(|(of, _)| of == name);
        let spared = spared.map_or(&[][..], |(_, calls)| calls);
        let mut job = mpirun(world, 2, options);
        if !["sm", "tcp"].contains(name) {
            let library = library(world)?;
            let faulty = format!("FAULTY={}", library.display());
            job = job.args(["--mca", "opal_common_ofi_library"]).arg(&library);
            job = job.args(["-x", &faulty]);
            if name.ends_with(";ofi_rxm") {
                // It crashes as an endpoint closes that could not be bound.
                job = job.args(["-x", "FAULTY_SPARED=fi_bind"]);
            }
        }
        let outcome = job
            .arg(&program)
            .arg(step)
            .args(spared)
            .limit(LIMIT)
            .run()?;
        match outcome.succeeded() {
            true => {
                println!("      {name}: {}", outcome.out.trim());
                outcome.none_left()
            }
            false => Err(outcome.reason()),
        }
    })
}

/// Builds the libfabric in which calls fail.
fn library(world: &World) -> Result<PathBuf, String> {
    let folder = fsio::root().join("tests/libfabric");
    let library = fsio::target_dir().join("test/bin/libfaulty.so");
    let versions = format!(
        "-Wl,--version-script={}",
        folder.join("faulty.map").display()
    );
    let flags = ["-O1", "-Wall", "-Wextra", "-shared", "-fPIC", "-o"];
    let files: [&Path; 2] = [&library, &folder.join("faulty.c")];
    let make = || {
        peers::apt_install(&["libfabric-dev"])?;
        let job = Job::new("cc").args(flags).args(files).arg(versions);
        job.ok().map(drop)
    };
    world.once(&library, make).map(|()| library.clone())
}
