//! The project's own commands but for the tests, which `suites` has: what is generated, installed,
//! packed, measured and checked, and what runs other programs.
//!
//! Each command is one module with a `run(&[String]) -> Result<(), String>`; the text of the error
//! is the one line that the user sees.

#![forbid(unsafe_code)]

pub mod bench;
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
pub mod peers;
pub mod progress;
pub mod shell;
pub mod tidy;
pub mod wheel;
