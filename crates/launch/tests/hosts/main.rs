//! Jobs on several hosts, all of which are this machine: in the place of ssh stands a script that
//! runs the command here. The daemons are real processes, and so are their ends.
//!
//! This program is everything at once: the tests, the launcher that they start ([`LAUNCHER`]), its
//! daemons and guards, and the ranks that exchange something ([`rank`]).

mod broken;
mod jobs;
mod options;
mod rank;
mod stage;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

/// The variable that makes this program a launcher.
const LAUNCHER: &str = "OXMPI_TEST_LAUNCHER";

type Test = (&'static str, fn());

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    match first {
        Some(rank::ARGUMENT) => return rank::main(),
        Some(launch::guard::ARGUMENT | launch::tree::agent::ARGUMENT) => return launch(&arguments),
        _ if std::env::var_os(LAUNCHER).is_some() => return launch(&arguments),
        _ => {}
    }
    let is_wanted =
        |name: &str| first.is_none_or(|word| word.starts_with('-') || name.contains(word));
    let tests = [jobs::TESTS, options::TESTS, broken::TESTS];
    for (name, test) in tests.into_iter().flatten() {
        if is_wanted(name) {
            let begin = Instant::now();
            test();
            println!(
                "test {name} ... ok ({:.2} s)",
                begin.elapsed().as_secs_f32()
            );
        }
    }
    ExitCode::SUCCESS
}

fn launch(arguments: &[OsString]) -> ExitCode {
    let check = |sources: &mca::Sources| {
        mca::Registry::load(&[launch::PARAMS], sources).map_err(|error| error.to_string())
    };
    let code = launch::main(arguments, &check);
    // Also past 127, which an `ExitCode` takes as it is.
    ExitCode::from(code as u8)
}
