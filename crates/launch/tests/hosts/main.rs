//! Jobs on several hosts, all of which are this machine: in the place of ssh stands a script that
//! runs the command here. The daemons are real processes, and so are their ends.
//!
//! This program is everything at once: the tests, the launcher that they start ([`LAUNCHER`]), its
//! daemons and guards, the ranks that exchange something ([`rank`]), and a connection that loses a
//! part of what a daemon says ([`filter`]).

mod broken;
mod filter;
mod jobs;
mod options;
mod rank;
mod stage;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
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
        Some(launch::guard::ARGUMENT | launch::tree::agent::ARGUMENT) => return launch(&arguments),
        _ if std::env::var_os(LAUNCHER).is_some() => return launch(&arguments),
        _ => {}
    }
    heed_signals();
    run_tests(first)
}

/// Runs the tests whose name has `word`, and says how many passed as Cargo's own runner does.
fn run_tests(word: Option<&str>) -> ExitCode {
    let is_wanted = |name: &str| word.is_none_or(|w| w.starts_with('-') || name.contains(w));
    let tests = [jobs::TESTS, options::TESTS, broken::TESTS];
    let wanted = tests
        .into_iter()
        .flatten()
        .filter(|(name, _)| is_wanted(name));
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in wanted {
        let begin = Instant::now();
        let is_well = std::panic::catch_unwind(test).is_ok();
        let (word, count) = match is_well {
            true => ("ok", &mut passed),
            false => ("FAILED", &mut failed),
        };
        *count += 1;
        println!("test {name} ... {word}");
        eprintln!("{name}: {:.2} s", begin.elapsed().as_secs_f32());
    }
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
        mca::Registry::load(&[launch::PARAMS], sources).map_err(|error| error.to_string())
    };
    let code = launch::main(arguments, &check);
    // Also past 127, which an `ExitCode` takes as it is.
    ExitCode::from(code as u8)
}
