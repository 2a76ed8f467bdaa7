//! `cargo xtask <command>`: the project's own commands.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use xtask::Command;

fn main() -> ExitCode {
    match Command::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}
