//! TCP over two networks between two hosts, which are made on this machine (`tests/hosts/rails`).
//!
//! Each check is a function of the script, by its name: so a failure names what to run alone.

use std::time::Duration;

use super::{Tally, World};
use crate::fsio;
use crate::shell::Job;
use crate::test::cargo_program;

/// The functions of the script.
const CHECKS: &[&str] = &[
    "both_families",
    "wrong_name",
    "bridges",
    "two_are_faster",
    "one_cut",
    "all_cut",
    "cut_for_good",
];

/// Builds the program that streams, and lets the script check it.
pub fn run(_: &World) -> Result<Tally, String> {
    Job::new(cargo_program())
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
    let mut tally = Tally::default();
    for check in CHECKS {
        let job = Job::new(&script).arg(&program).arg(check);
        let answer = job.limit(Duration::from_secs(150)).run()?;
        // A check that the script does not know would pass in silence.
        let passed = answer.succeeded() && answer.out.starts_with("ok ");
        let told = passed.then_some(()).ok_or_else(|| answer.reason());
        tally.count(check, told);
    }
    Ok(tally)
}
