//! Commands of `cargo xtask` that test and measure, which `xtask` starts as this program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    match suites::main() {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}
