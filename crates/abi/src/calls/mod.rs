//! The MPI functions: each looks up handles, calls the layer below and stores the results.
//!
//! A public function here is an MPI function: `comm_rank` is `MPI_Comm_rank`, in whatever file it
//! stands, once `cargo xtask gen` has run. It takes C's arguments in C's order, as the typed values
//! of [`abi_state::args`], and returns `Result<(), Failure>`, or the plain value where the C
//! function returns no error code. Helpers are `pub(crate)` or private.
//!
//! A function of several forms is written once: an act of [`coll`] is the collective that blocks,
//! the one that is started and the one that is persistent; `send`, `isend` and `send_init` of
//! [`pt2pt`] take the mode of sending.

pub mod abi_info;
pub mod attr;
pub mod bsend;
pub mod coll;
pub mod comm;
pub mod convert;
pub mod datarep;
pub mod elements;
pub mod env;
pub mod errhandler;
pub mod errors;
pub mod file;
pub mod file_access;
pub mod from_group;
pub mod grequest;
pub mod group;
pub mod info;
pub mod init;
pub mod memory;
pub mod op;
pub mod pack;
pub mod partitioned;
pub mod port;
pub mod pt2pt;
pub mod request;
pub mod rma;
pub mod session;
pub mod spawn;
pub mod status;
pub mod tool;
pub mod topo;
pub mod type_create;
pub mod type_query;
pub mod win;
pub mod win_sync;
