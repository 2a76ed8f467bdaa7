//! libmpi_abi.so.1: the MPI 5.0 standard ABI.
//!
//! A C call comes in through a generated entry point ([`generated`]: one row per MPI function, for
//! the `MPI_` and the `PMPI_` name), passes the panic wall ([`wall`]) and a generated function that
//! makes typed values of the arguments ([`args`]), and reaches one function of `calls`, which looks
//! up handles, calls the safe layer below and stores the results. A call is found by its name:
//! `comm_rank` in any file of `calls/` is `MPI_Comm_rank` as soon as `cargo xtask gen` has run. The
//! forms of a collective or a send share one call.
//!
//! Arguments from C are not trusted: handles are numbers until the tables of this crate know them,
//! pointers are null until checked. No panic leaves this crate, and no function of it calls an
//! exported `MPI_` name, so that a tool that interposes one sees the user's calls alone.

pub mod addresses;
pub mod args;
mod bound_op;
pub mod call_site;
pub mod callback;
mod calls;
pub mod checker;
mod checkpoint;
mod crash;
mod entry;
mod environment;
mod extension;
pub mod failure;
mod fault;
pub mod generated;
pub mod handle_table;
pub mod hooks;
mod inquiry;
mod installation;
mod language;
mod leaks;
pub mod lives;
pub mod request_handle;
pub mod requests;
pub mod runtime;
mod stage;
pub mod status;
mod statuses;
pub mod tables;
mod teller;
pub mod tool;
pub mod tracer;
pub mod wall;

pub use failure::Failure;

#[cfg(test)]
mod tests;
