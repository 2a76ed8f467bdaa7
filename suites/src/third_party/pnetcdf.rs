//! Runs the tests of PnetCDF in C and Fortran, the smallest complete library over MPI's files: its
//! programs on one rank (`make check`), and those that are parallel on up to ten (`make ptests`).

use std::path::PathBuf;
use std::time::Duration;

use super::archives;
use super::ways::folder;
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job, Outcome};

const PACKAGE: &str = "pnetcdf";

/// How long a round of tests may take.
const LIMIT: Duration = Duration::from_secs(1200);

/// Makes the library and its tests, and runs these.
pub fn pnetcdf(world: &World) -> Result<Tally, String> {
    let build = built(world)?;
    let mut tally = Tally::default();
    for (goal, good) in [("check", "PASS"), ("ptests", "------ pass")] {
        let job = Job::new("make")
            .args(["-k", goal])
            .arg(format!(
                "TESTMPIRUN={} -n NP",
                world.bin("mpirun").display()
            ))
            .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
            .folder(&build)
            .limit(LIMIT);
        tally.count(&format!("make {goal}"), judge(&job.run()?, good));
    }
    Ok(tally)
}

/// Returns the folder in which PnetCDF is installed, where it was made once.
pub fn installed(world: &World) -> Result<PathBuf, String> {
    let place = folder("pnetcdf-install");
    if !place.join("lib/libpnetcdf.a").exists() {
        Job::new("make")
            .args(["-s", "install", &format!("prefix={}", place.display())])
            .folder(&built(world)?)
            .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
            .limit(LIMIT)
            .ok()?;
        // It names the folder that PnetCDF was configured for, where libtool would look for it.
        let archive = place.join("lib/libpnetcdf.la");
        std::fs::remove_file(&archive).map_err(|why| format!("{}: {why}", archive.display()))?;
    }
    Ok(place)
}

/// Fails with the tests that failed; some must have passed.
fn judge(outcome: &Outcome, good: &str) -> Result<(), String> {
    let bad = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("FAIL:") || line.contains("------ fail") || line.contains("Error ")
    };
    let failed: Vec<&str> = outcome.out.lines().filter(bad).take(20).collect();
    let passed = outcome
        .out
        .lines()
        .filter(|line| line.contains(good))
        .count();
    match outcome.code == 0 && passed > 20 && failed.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{passed} passed; {}: {}",
            outcome.reason(),
            failed.join("\n")
        )),
    }
}

/// The folder in which all is made, anew: the wrapper's installation may have moved.
fn built(world: &World) -> Result<PathBuf, String> {
    let tools = ["autoconf", "automake", "libtoolize", "m4", "make"];
    if tools.iter().any(|tool| shell::find(tool).is_none()) {
        peers::apt_install(&["autoconf", "automake", "libtool", "m4", "make"])?;
    }
    peers::fortran_compiler()?;
    let source = archives::unpacked(PACKAGE)?;
    if !source.join("configure").exists() {
        let job = Job::new("autoreconf").arg("-i").folder(&source);
        job.limit(Duration::from_secs(300)).ok()?;
    }
    let build = folder("pnetcdf-build");
    let _ = std::fs::remove_dir_all(&build);
    fsio::make_folder(&build)?;
    Job::new("sh")
        .arg(source.join("configure"))
        .arg(format!("MPICC={}", world.bin("mpicc").display()))
        .arg(format!("MPIF77={}", world.bin("mpif77").display()))
        .arg(format!("MPIF90={}", world.bin("mpif90").display()))
        .args([
            "SEQ_CC=cc",
            "CFLAGS=-O0 -w",
            "FFLAGS=-O0 -w",
            "FCFLAGS=-O0 -w",
        ])
        .args(["--disable-shared", "--disable-cxx"])
        .folder(&build)
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .limit(Duration::from_secs(600))
        .ok()?;
    for goal in ["all", "tests"] {
        Job::new("make")
            .args(["-s", &format!("-j{}", shell::processors()), goal])
            .folder(&build)
            .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
            .limit(Duration::from_secs(900))
            .ok()?;
    }
    Ok(build)
}
