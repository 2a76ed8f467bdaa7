//! Commands of `cargo xtask` about tests, which `xtask` starts as this program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match args.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("", &[][..]),
    };
    match suites::run(name, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask {name}: {text}");
            ExitCode::FAILURE
        }
    }
}
