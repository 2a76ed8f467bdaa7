//! Tests of `mpirun` in unusual environments: what it inherits through `exec`, and where its output
//! goes.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};

/// Runs `mpirun` with these arguments, through `env` with the arguments `surroundings`.
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

/// Checks a job under a mask of blocked signals, which `exec` preserves (servers that use `sigwait`
/// have one). `mpirun` must unblock the signals that it waits for, else it never learns of a rank's
/// exit or of SIGTERM, and must give its ranks the mask that it inherited.
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

/// Checks that SIGTERM ends a job also if it was blocked.
#[test]
fn a_blocked_sigterm_ends_the_job() {
    let surroundings = ["--block-signal=TERM,CHLD"];
    let script = "kill -TERM $PPID; sleep 100";
    let output = run(&surroundings, &["-n", "1", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    assert!(text(&output.stderr).contains("SIGTERM"), "{output:?}");
}

fn full() -> Stdio {
    Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap())
}

/// Checks that a full disk is reported as a failure. It used to end the job silently, as if the
/// reader had left, or to be ignored if the job was over before.
#[test]
fn output_that_cannot_be_written_is_a_failure_with_an_error() {
    for script in ["echo x", "echo x; sleep 100"] {
        let mut command = command(&[], &["-n", "2", "sh", "-c", script]);
        let output = command.stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{script}: {output:?}");
        let error = "mpirun: standard output: No space left on device";
        let lines = text(&output.stderr);
        assert_eq!(lines.matches(error).count(), 1, "{script}: {lines}");
    }
    let mut to_error = command(&[], &["-n", "1", "sh", "-c", "echo x >&2"]);
    let output = to_error.stderr(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let pattern = ["--outfile-pattern", "/dev/full", "-n", "1", "echo", "x"];
    let output = run(&[], &pattern);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("No space left"), "{output:?}");
}

/// Checks that a file at its size limit is reported. SIGXFSZ used to kill `mpirun`.
#[test]
fn a_file_at_its_limit_is_reported() {
    let path = std::env::temp_dir().join(format!("oxmpi-limit-{}", std::process::id()));
    let file = std::fs::File::create(&path).unwrap();
    let limit = "ulimit -f 8; exec \"$0\" -n 1 sh -c 'trap \"\" XFSZ; yes | head -c 100000'";
    let mut command = Command::new("sh");
    command.args(["-c", limit, env!("CARGO_BIN_EXE_mpirun")]);
    let output = command.stdin(Stdio::null()).stdout(file).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        text(&output.stderr).contains("File too large"),
        "{output:?}"
    );
}

/// Checks that a line that a rank prints in pieces keeps one tag, and its characters stay whole.
#[test]
fn tags_break_no_line() {
    let script = r"printf ab; sleep .3; printf 'cd\303'; sleep .3; printf '\251f\n'";
    let output = run(&[], &["-n", "2", "--tag-output", "sh", "-c", script]);
    let mut lines: Vec<String> = text(&output.stdout).lines().map(String::from).collect();
    lines.sort();
    let expected = ["[1,0]<stdout>:abcd\u{e9}f", "[1,1]<stdout>:abcd\u{e9}f"];
    assert_eq!(lines, expected, "{output:?}");
}

/// Checks that a stack of 128 KiB suffices; buffers on the stack used to overflow it.
#[test]
fn a_small_stack_is_enough() {
    let script = "ulimit -s 128; exec \"$0\" -n 2 sh -c 'echo x; echo y >&2'";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_mpirun")]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stdout), "x\nx\n");
    assert_eq!(text(&output.stderr), "y\ny\n");
}

/// Checks that on a part of the machine a processor is named by its number in the whole machine,
/// not in the part.
#[test]
fn a_part_of_the_machine_is_shown_by_the_numbers_of_the_whole() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status
        .lines()
        .find_map(|l| l.strip_prefix("Cpus_allowed_list:"));
    let last = allowed.unwrap().rsplit([',', '-']).next().unwrap().trim();
    let words = ["-n", "1", "--bind-to", "core", "--report-bindings", "true"];
    let part = run(&["taskset", "-c", last], &words);
    let said = text(&part.stderr);
    let file = format!("/sys/devices/system/cpu/cpu{last}/topology/thread_siblings_list");
    let alone = std::fs::read_to_string(file).is_ok_and(|list| list.trim() == last);
    // If each core has one thread, cores have the numbers of processors.
    if alone {
        assert!(said.contains(&format!("[core {last}[hwt 0]]")), "{said}");
    }
    assert_eq!(part.status.code(), Some(0), "{part:?}");
}

/// Checks that a variable that is not UTF-8 is passed on; it used to be refused.
#[test]
fn a_variable_may_have_any_bytes() {
    let mut command = command(&[], &["-n", "1", "-x"]);
    command.arg(OsStr::from_bytes(b"TEST_BYTES=\xff\xfe="));
    let output = command.args(["printenv", "TEST_BYTES"]).output().unwrap();
    assert_eq!(output.stdout, b"\xff\xfe=\n", "{output:?}");
}
