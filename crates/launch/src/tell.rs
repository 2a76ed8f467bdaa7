//! Lines for the user outside of a job.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard error, before a job has begun or instead of one.
pub(crate) fn tell(name: &str, what: &dyn Display) {
    let text = base::system::plain(what.to_string());
    // Nobody reads the line when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{name}: {text}");
}
