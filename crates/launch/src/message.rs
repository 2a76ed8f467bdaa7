//! Lines for the user outside of a job.

use std::fmt::Display;
use std::io::Write;

use launch_job::exit::EXIT_USAGE;
use launch_plan::Error;

/// Writes a line to standard error, before a job has begun or instead of one.
pub(crate) fn print(name: &str, what: &dyn Display) {
    let text = base::system::plain(what.to_string());
    // Nobody reads the line when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{name}: {text}");
}

/// Writes the error that ends the launcher. Returns its exit code.
pub(crate) fn fail(name: &str, error: &Error) -> i32 {
    print(name, error);
    match error {
        Error::System { .. } => 1,
        _ => EXIT_USAGE,
    }
}
