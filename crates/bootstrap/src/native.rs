//! The provider for processes that this project's `mpirun` started.
//!
//! The launcher leaves one end of a stream socket pair open in each child and its number in
//! [`FD_VARIABLE`]. Over it go the frames of [`wire`]: the process says hello and is told who it
//! is; it enters a fence with everything that it published since the last one, and when all have
//! entered it gets everything that all of them published. So an exchange of addresses costs one
//! round trip, and a fetch none.

mod client;
pub mod wire;

pub(crate) use client::Client;

/// The environment variable with the number of the descriptor that leads to the launcher.
pub const FD_VARIABLE: &str = "OXMPI_BOOT_FD";
