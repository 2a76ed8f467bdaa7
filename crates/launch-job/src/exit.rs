//! Exit codes of the launcher that are not those of a rank.

/// The exit code for a command line or a program that is wrong; nothing was started.
pub const EXIT_USAGE: i32 = 2;

/// The exit code when the time limit of the job ran out.
pub const EXIT_TIMEOUT: i32 = 124;
