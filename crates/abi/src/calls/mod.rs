//! What each MPI function does: decode, call the layer below, encode.
//!
//! A public function here is an MPI function: `comm_rank` is `MPI_Comm_rank`, in whatever file it
//! stands, once `cargo xtask gen` has run. It takes C's arguments in C's order (counts as
//! [`crate::args`] tells) and returns `Result<(), Failure>`, or the plain value where the C
//! function returns no error code. Helpers are `pub(crate)` or private.

pub mod abi_info;
pub mod attr;
pub mod bsend;
mod buffers;
pub mod coll;
mod coll_args;
pub mod coll_nb;
pub mod coll_pr;
pub mod comm;
pub mod convert;
pub mod elements;
pub mod env;
pub mod errhandler;
pub mod errors;
pub mod from_group;
pub mod grequest;
pub mod group;
pub mod info;
pub mod init;
pub mod memory;
pub mod neighbor;
pub mod neighbor_nb;
pub mod neighbor_pr;
pub mod op;
pub mod pack;
pub mod partitioned;
pub mod pt2pt;
pub mod request;
pub mod rma;
pub mod session;
pub mod status;
pub mod topo;
pub mod type_create;
pub mod type_query;
pub mod win;
pub mod win_sync;
