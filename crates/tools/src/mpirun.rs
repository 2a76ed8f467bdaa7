//! The launcher's program: all of it is in the crate `launch`.

use std::ffi::OsString;

/// Runs `mpirun` with its arguments, its own name first. Returns the exit code.
pub fn main(arguments: &[OsString]) -> i32 {
    launch::main(arguments, &|_| Ok(()))
}
