//! Runs the tests of ARMCI-MPI, on which Global Arrays and NWChem are built: one-sided calls over
//! MPI's windows. The tests compare data that they read with what they have put and accumulated
//! before, with only `MPI_Win_flush_local` in between.

use std::path::Path;
use std::time::Duration;

use super::archives;
use super::ways::{folder, mpirun, WAYS};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// The release of Debian that has the source, and the package.
const RELEASE: &str = "trixie";
const PACKAGE: &str = "armci-mpi";

/// Programs of `make check` that are left out: they only measure.
const LEFT_OUT: &[&str] = &["armci-perf", "PutS_latency", "AccS_latency"];

/// Ranks, as `make check` has them.
const RANKS: usize = 4;

/// Makes the library and its tests, and runs these over every transport.
pub fn armci(world: &World) -> Result<Tally, String> {
    let build = built(world)?;
    let mut tally = Tally::default();
    for program in programs(&build)? {
        for (way, options) in WAYS {
            let job = mpirun(world, RANKS, options, 90).arg(build.join(&program));
            let outcome = job.folder(&build).ok().map(drop);
            tally.count(&format!("{program} on {RANKS} ranks over {way}"), outcome);
        }
    }
    Ok(tally)
}

/// The folder in which all is made, anew: the wrapper's installation may have moved.
fn built(world: &World) -> Result<std::path::PathBuf, String> {
    if ["autoconf", "automake", "libtoolize"]
        .iter()
        .any(|tool| shell::find(tool).is_none())
    {
        peers::apt_install(&["autoconf", "automake", "libtool", "make"])?;
    }
    let source = archives::unpacked_of(PACKAGE, RELEASE)?;
    if !source.join("configure").exists() {
        Job::new("sh").arg("autogen.sh").folder(&source).ok()?;
    }
    let build = folder("armci-build");
    let _ = std::fs::remove_dir_all(&build);
    fsio::make_folder(&build)?;
    Job::new("sh")
        .arg(source.join("configure"))
        .arg(format!("CC={}", world.bin("mpicc").display()))
        .args(["CFLAGS=-O1 -w", "--disable-shared"])
        .folder(&build)
        .limit(Duration::from_secs(300))
        .ok()?;
    for goal in ["all", "checkprogs"] {
        Job::new("make")
            .args(["-s", &format!("-j{}", shell::processors()), goal])
            .folder(&build)
            .limit(Duration::from_secs(600))
            .ok()?;
    }
    Ok(build)
}

/// Returns the tests that `make check` would run.
fn programs(build: &Path) -> Result<Vec<String>, String> {
    let print = build.join("print.mk");
    fsio::write(&print, "print-tests: ; @echo $(TESTS)\n")?;
    let printed = Job::new("make")
        .args(["-s", "-f", "Makefile", "-f", "print.mk", "print-tests"])
        .folder(build)
        .ok()?;
    let wanted = |name: &&str| {
        name.starts_with("tests/") && !LEFT_OUT.iter().any(|left| name.ends_with(left))
    };
    let names = printed.out.split_whitespace().filter(wanted);
    let names: Vec<String> = names.map(str::to_string).collect();
    match names.is_empty() {
        true => Err("ARMCI-MPI's Makefile names no tests".to_string()),
        false => Ok(names),
    }
}
