//! Tests of TCP over two networks between two hosts, simulated on this machine
//! (`tests/hosts/rails`).
//!
//! Each check is a function of the script; a failure names it, and the script can run it alone.

use std::time::Duration;

use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// The functions of the script.
const CHECKS: &[&str] = &[
    "both_families",
    "wrong_name",
    "two_are_faster",
    "one_cut",
    "all_cut",
    "cut_for_good",
    "bridges",
];

/// Builds the program that streams, and lets the script check it.
pub fn run(_: &World) -> Result<Tally, String> {
    Job::new(shell::cargo())
        .args([
            "build",
            "--release",
            "-p",
            "oxmpi-btl-tcp",
            "--example",
            "hosts",
        ])
        .ok()?;
    let program = fsio::target_dir().join("release/examples/hosts");
    let script = fsio::root().join("tests/hosts/rails");
    let job = Job::new(&script).arg(&program).args(CHECKS);
    let answer = job.limit(Duration::from_secs(400)).run()?;
    let mut tally = Tally::default();
    for check in CHECKS {
        // A check that the script does not know, or did not come to, has not passed.
        let passed = answer.out.contains(&format!("\nok      {check}: "));
        tally.count(check, passed.then_some(()).ok_or_else(|| answer.reason()));
    }
    Ok(tally)
}
