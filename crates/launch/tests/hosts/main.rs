//! Jobs on several hosts, all of which are this machine: in the place of ssh stands a script that
//! runs the command here. The daemons are real processes, and so are their ends.
//!
//! This program is everything at once: the tests, the launcher that they start ([`LAUNCHER`]), its
//! daemons and guards, the ranks that exchange something ([`rank`]), and a connection that loses a
//! part of what a daemon says ([`filter`]).
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

mod batch;
mod broken;
mod filter;
mod jobs;
mod options;
mod rank;
mod stage;
mod standins;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Instant;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// The variable that makes this program a launcher.
const LAUNCHER: &str = "OXMPI_TEST_LAUNCHER";

type Test = (&'static str, fn());

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    match first {
        Some(rank::ARGUMENT) => return rank::main(),
        Some(filter::ARGUMENT) => return filter::main(&arguments[2..]),
        Some(launch_tree::ranks::guard::ARGUMENT | launch_tree::plm::ARGUMENT) => {
            return launch(&arguments)
        }
        _ if std::env::var_os(LAUNCHER).is_some() => return launch(&arguments),
        _ => {}
    }
    heed_signals();
    run_tests(first)
}

/// How many tests run at a time: they wait for deadlines of launchers most of their time.
const AT_A_TIME: usize = 4;

/// Runs the tests whose name has `word`, and says how many passed as Cargo's own runner does.
fn run_tests(word: Option<&str>) -> ExitCode {
    let is_wanted = |name: &str| word.is_none_or(|w| w.starts_with('-') || name.contains(w));
    let tests = [
        batch::TESTS,
        broken::TESTS,
        jobs::TESTS,
        options::TESTS,
        standins::TESTS,
    ];
    let wanted = tests.into_iter().flatten();
    let wanted: Vec<_> = wanted.filter(|(name, _)| is_wanted(name)).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some((name, test)) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begin = Instant::now();
            let is_well = std::panic::catch_unwind(test).is_ok();
            failed.fetch_add(usize::from(!is_well), Ordering::Relaxed);
            let word = if is_well { "ok" } else { "FAILED" };
            println!("test {name} ... {word}");
            eprintln!("{name}: {:.2} s", begin.elapsed().as_secs_f32());
        }
    };
    std::thread::scope(|scope| (0..AT_A_TIME).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner();
    let passed = wanted.len() - failed;
    let (word, code) = match failed {
        0 => ("ok", ExitCode::SUCCESS),
        _ => ("FAILED", ExitCode::FAILURE),
    };
    println!("test result: {word}. {passed} passed; {failed} failed");
    code
}

/// Resets the signals that the tests send, for the programs that this one starts: it may have been
/// started to ignore some, as a shell does with what it runs in the background, and a signal that
/// has a handler is not ignored after `exec`.
fn heed_signals() {
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        let always = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(signal, always).unwrap();
    }
}

fn launch(arguments: &[OsString]) -> ExitCode {
    let check = |sources: &mca::Sources| {
        mca::Registry::load(&[mca::launcher::PARAMS], sources).map_err(|error| error.to_string())
    };
    let code = launch::main(arguments, &check);
    // Also past 127, which an `ExitCode` takes as it is.
    ExitCode::from(code as u8)
}
