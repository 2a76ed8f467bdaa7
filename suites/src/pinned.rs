//! Tests with a simulated device that pins memory, under different limits of locked memory.
//! `tests/libfabric/pinning.c` makes such a device of the system's libfabric: local memory has to
//! be registered, registrations belong to an endpoint, and all of them count against `ulimit -l`.

use std::path::{Path, PathBuf};

use super::programs::{compile, PROVIDERS};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{Job, Outcome};

const PROVIDER: &str = "tcp;ofi_rxm";

/// Enough for the buffers of messages, and not for a long message.
const SOME_KIB: &str = "4096";

/// In the environment: there is no limit.
pub const UNLIMITED: &str = "PINNING_UNLIMITED";

/// Advice of the library where a limit may be the reason.
const ADVICE: &str = "ulimit -l";

/// Runs with all the memory that is wanted, with some, and with none.
pub fn run(world: &World) -> Result<Tally, String> {
    let library = library()?;
    let folder = fsio::root().join("tests/c");
    let program = |name: &str| compile(world, &folder.join(name), &[]);
    let (requests, big) = (program("p2p_requests.c")?, program("big.c")?);
    let farewell = program("session_farewell.c")?;
    let run = |limit: Option<&str>, way: &[&str], program: &Path| {
        job(world, &library, limit, way).arg(program).run()
    };
    let mut tally = Tally::default();
    let (btl, cm) = (["--mca", "btl", "ofi,self"], ["--mca", "pml", "cm"]);
    for (name, way) in [("btl", &btl), ("cm", &cm)] {
        for program in [&requests, &big, &farewell] {
            let name = format!("{} pinned, by {name}", program.display());
            tally.count(&name, passed(run(None, way, program)?));
        }
    }
    // A message that cannot be pinned goes in fragments; where there is no other path, it fails.
    let fragments = run(Some(SOME_KIB), &btl, &big)?;
    tally.count("long messages past the limit, by btl", passed(fragments));
    let refused = run(Some(SOME_KIB), &cm, &big)?;
    tally.count(
        "long messages past the limit, by cm",
        failed_by_limit(refused),
    );
    let alone = run(Some("0"), &btl, &requests)?;
    tally.count("nothing may be pinned", failed_by_limit(alone));
    let other = run(Some("0"), &["--mca", "btl", "ofi,tcp,self"], &requests)?;
    tally.count("nothing may be pinned, and there is TCP", passed(other));
    Ok(tally)
}

/// Builds the library.
pub fn library() -> Result<PathBuf, String> {
    peers::apt_install(&["libfabric-dev"])?;
    let folder = fsio::root().join("tests/libfabric");
    let library = fsio::target_dir().join("test/bin/libpinning.so");
    fsio::make_folder(&fsio::target_dir().join("test/bin"))?;
    let versions = format!(
        "-Wl,--version-script={}",
        folder.join("pinning.map").display()
    );
    Job::new("cc")
        .args(["-O1", "-Wall", "-Wextra", "-shared", "-fPIC", "-o"])
        .args([&library, &folder.join("pinning.c")])
        .arg(versions)
        .ok()?;
    Ok(library)
}

/// Returns a job of two ranks over the device, in which this many KiB may be locked.
fn job(world: &World, library: &Path, limit: Option<&str>, way: &[&str]) -> Job {
    let limit = match limit {
        Some(kib) => format!("ulimit -l {kib}"),
        None => format!("export {UNLIMITED}=1"),
    };
    Job::new("sh")
        .args(["-c", &format!("{limit} && exec \"$@\""), "sh"])
        .arg(world.bin("mpirun"))
        .args(["-n", "2", "--mca", PROVIDERS, PROVIDER])
        .args(["--mca", "opal_common_ofi_library"])
        .arg(library)
        .args(way)
}

fn passed(outcome: Outcome) -> Result<(), String> {
    match outcome.succeeded() {
        true => Ok(()),
        false => Err(outcome.reason()),
    }
}

/// Whether a run failed by an error that names the limit, and not by a signal.
fn failed_by_limit(outcome: Outcome) -> Result<(), String> {
    let by_signal = outcome.code >= 128 || outcome.timed_out;
    match outcome.code != 0 && !by_signal && outcome.err.contains(ADVICE) {
        true => Ok(()),
        false => Err(format!("no word of `{ADVICE}`: {}", outcome.reason())),
    }
}
