//! libmpi_abi.so.1: the MPI 5.0 standard ABI.
//!
//! A C call comes in through a generated entry point ([`generated`]: one row per MPI function, for
//! the `MPI_` and the `PMPI_` name), passes the panic wall ([`wall`]) and a generated function that
//! makes typed values of the arguments ([`abi_state::args`]), and reaches one function of `calls`,
//! which looks up handles, calls the safe layer below and stores the results. A call is found by
//! its name: `comm_rank` in any file of `calls/` is `MPI_Comm_rank` as soon as `cargo xtask gen`
//! has run. The forms of a collective or a send share one call.
//!
//! Arguments from C are not trusted: handles are numbers until the tables of `abi-state` know them,
//! pointers are null until checked. No panic leaves this crate, and no function of it calls an
//! exported `MPI_` name, so that a tool that interposes one sees the user's calls alone.

mod calls;
mod checkpoint;
mod crash;
mod entry;
mod extension;
mod fault;
mod generated;
mod inquiry;
mod statuses;
mod wall;

#[cfg(test)]
mod tests;
