//! Every case of every step, as `cargo test` runs and nextest lists them.

use std::process::ExitCode;

fn main() -> ExitCode {
    suites::tests()
}
