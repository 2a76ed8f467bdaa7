//! Tests that the example of the low layer runs over each transport.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    // Tests lie in `deps`, examples beside it.
    let own = std::env::current_exe().expect("a path");
    let folder = own.ancestors().nth(2).expect("a folder of a profile");
    let program: PathBuf = folder.join("examples/low_layer");
    let output = Command::new(program).args(arguments).output();
    output.expect("the example is built with its tests")
}

fn all_right(arguments: &[&str], processes: usize) {
    let output = run(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    let good = format!("{processes} processes, all data right");
    assert_eq!(
        stderr.matches(&good).count(),
        processes,
        "{arguments:?}: {stderr}"
    );
}

#[test]
fn over_shared_memory() {
    all_right(&[], 4);
    all_right(&["-n", "1"], 1);
    all_right(&["-n", "2", "--btl", "sm"], 2);
}

#[test]
fn over_tcp() {
    all_right(&["--btl", "tcp", "-n", "3"], 3);
}

/// Where there is no libfabric the example says so, in one line.
#[test]
fn over_libfabric() {
    for provider in ["tcp;ofi_rxm", "shm"] {
        let arguments = ["--btl", "ofi", "-n", "3", "--provider", provider];
        let output = run(&arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() && stderr.contains("low_layer: libfabric (") {
            println!("skipped: {stderr}");
            return;
        }
        all_right(&arguments, 3);
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let cases: [(&[&str], &str); 4] = [
        (&["--btl", "ib"], "known are sm, tcp and ofi"),
        (&["-n", "0"], "at least one process"),
        (&["-n", "many"], "`many` is no number"),
        (&["--fast", "1"], "option `--fast` is not known"),
    ];
    for (arguments, wanted) in cases {
        let output = run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(wanted), "{arguments:?}: {stderr}");
    }
}
