//! The project's own commands but for the tests, which `suites` has: what is generated, installed,
//! packed and checked, and what runs other programs.
//!
//! Each command is one module with `Options`, which clap reads, and a `run` of them; the text of
//! its error is the one line that the user sees.
#![allow(clippy::disallowed_methods, reason = "commands may wait")]
#![forbid(unsafe_code)]

mod commands;
pub mod demo;
pub mod fsio;
pub mod fuzz;
#[allow(
    missing_docs,
    reason = "fields are columns of the tables in spec/, which explain them"
)]
pub mod gen;
pub mod install;
pub mod names;
pub mod package;
pub mod progress;
pub mod shell;
pub mod target;
pub mod tidy;
pub mod wheel;

pub use commands::{Command, Passed};

/// The options of a command as they are where a user gives none.
pub fn usual<O: clap::Args>() -> O {
    let command = O::augment_args(clap::Command::new("xtask"));
    let read = O::from_arg_matches(&command.get_matches_from(["xtask"]));
    read.unwrap_or_else(|error| error.exit())
}

/// Reads a folder of the command line: programs run in folders of their own.
pub fn folder(text: &str) -> Result<std::path::PathBuf, String> {
    std::path::absolute(text).map_err(|error| error.to_string())
}
