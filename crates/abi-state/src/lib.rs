//! The state that the calls of MPI share, and the types of their arguments.
//!
//! From the bottom up: the types and constants of the standard ABI ([`generated`]), typed arguments
//! ([`args`]) and failures ([`failure`]); the contract of what watches calls ([`hooks`]); tables of
//! objects ([`handle_table`], [`tables`]) with the functions of the user in them ([`callback`]);
//! the lives of the process with MPI ([`lives`]) and the state of the tool interface ([`tool`]);
//! and [`runtime`], the one process-wide value, which has all of these. On top of it requests are
//! waited for ([`requests`]) and buffers are made of arguments ([`buffers`]).
//!
//! The entry points and the calls are in `abi`.

pub mod args;
mod bound_op;
pub mod buffers;
pub mod callback;
pub mod environment;
pub mod failure;
pub mod generated;
pub mod handle_table;
pub mod hooks;
pub mod installation;
pub mod language;
pub mod leaks;
pub mod lives;
pub mod request_handle;
pub mod requests;
pub mod runtime;
pub mod stage;
pub mod status;
pub mod tables;
pub mod tool;
