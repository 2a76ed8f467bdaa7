//! `mpirun` in surroundings that its user did not choose: what it inherits through `exec`, and what
//! its output goes to.

use std::process::{Command, Output, Stdio};

/// `mpirun` with these words, started by `env` with `surroundings`.
fn run(surroundings: &[&str], words: &[&str]) -> Output {
    command(surroundings, words).output().expect("env starts")
}

fn command(surroundings: &[&str], words: &[&str]) -> Command {
    let mut command = Command::new("timeout");
    command
        .args(["-k", "1", "20", "env", "--default-signal"])
        .args(surroundings)
        .arg(env!("CARGO_BIN_EXE_mpirun"))
        .args(words)
        .stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A mask of blocked signals lives on through `exec`, and servers that wait for signals by
/// `sigwait` have one. `mpirun` never heard of the end of a rank under it, nor of SIGTERM; it lets
/// through what it waits for, and its ranks have the mask that it was given.
#[test]
fn blocked_signals_do_not_keep_a_job_from_ending() {
    let signals = [
        ("CHLD", 17),
        ("TERM", 15),
        ("INT", 2),
        ("PIPE", 13),
        ("USR1", 10),
    ];
    for (signal, number) in signals {
        let block = [&format!("--block-signal={signal}")[..]];
        let output = run(&block, &["-n", "2", "sh", "-c", "exit 3"]);
        assert_eq!(output.status.code(), Some(3), "{signal}: {output:?}");
        let output = run(&block, &["-n", "2", "grep", "SigBlk", "/proc/self/status"]);
        assert_eq!(output.status.code(), Some(0), "{signal}: {output:?}");
        let mask = format!("SigBlk:\t{:016x}\n", 1u64 << (number - 1));
        assert_eq!(text(&output.stdout), mask.repeat(2), "{signal}");
    }
}

/// SIGTERM ends a job also where it was blocked.
#[test]
fn a_blocked_sigterm_ends_the_job() {
    let surroundings = ["--block-signal=TERM,CHLD"];
    let script = "kill -TERM $PPID; sleep 100";
    let output = run(&surroundings, &["-n", "1", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    assert!(text(&output.stderr).contains("SIGTERM"), "{output:?}");
}
