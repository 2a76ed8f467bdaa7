//! Fault injection: runs sessions in each of which one call fails, every system call and every call
//! of libfabric in turn (`tests/environment/faults.c`, `tests/libfabric/faulty.c`). Each session
//! must succeed or end with an error, leave nothing behind, and not end the process.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::limits::{Way, QUICK, SLOW};
use super::programs::{compile, mpirun};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{side_by_side, Job};

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
pub fn run(world: &World) -> Result<Tally, String> {
    of_ways(world, QUICK.iter().collect(), "5")
}

/// Every call, also over `tcp;ofi_rxm`. Not by its own matching: it does not report what it was
/// denied as it connects to this very process, or crashes as it closes.
pub fn all(world: &World) -> Result<Tally, String> {
    of_ways(world, QUICK.iter().chain(&SLOW[..1]).collect(), "1")
}

fn of_ways(world: &World, ways: Vec<&Way>, step: &str) -> Result<Tally, String> {
    let source = fsio::root().join("tests/environment/faults.c");
    let (program, library) = (compile(world, &source, &[])?, library()?);
    let answers = side_by_side(&ways, |(name, options)| {
        let spared = SPARED.iter().find(|(of, _)| of == name);
        let spared = spared.map_or(&[][..], |(_, calls)| calls);
        let mut job = mpirun(world, 2, options);
        if !["sm", "tcp"].contains(name) {
            let faulty = format!("FAULTY={}", library.display());
            job = job.args(["--mca", "opal_common_ofi_library"]).arg(&library);
            job = job.args(["-x", &faulty]);
            if name.ends_with(";ofi_rxm") {
                // It crashes as an endpoint closes that could not be bound.
                job = job.args(["-x", "FAULTY_SPARED=fi_bind"]);
            }
        }
        job.arg(&program)
            .arg(step)
            .args(spared)
            .limit(LIMIT)
            .run()
            .and_then(|outcome| match outcome.succeeded() {
                true => {
                    println!("      {name}: {}", outcome.out.trim());
                    outcome.none_left()
                }
                false => Err(outcome.reason()),
            })
    });
    let mut tally = Tally::default();
    for ((name, _), answer) in ways.iter().zip(answers) {
        tally.count(&format!("faults over {name}"), answer);
    }
    Ok(tally)
}

/// Builds the libfabric in which calls fail.
fn library() -> Result<PathBuf, String> {
    peers::apt_install(&["libfabric-dev"])?;
    let folder = fsio::root().join("tests/libfabric");
    let library = fsio::target_dir().join("test/bin/libfaulty.so");
    let versions = format!(
        "-Wl,--version-script={}",
        folder.join("faulty.map").display()
    );
    let flags = ["-O1", "-Wall", "-Wextra", "-shared", "-fPIC", "-o"];
    let files: [&Path; 2] = [&library, &folder.join("faulty.c")];
    Job::new("cc").args(flags).args(files).arg(versions).ok()?;
    Ok(library)
}
