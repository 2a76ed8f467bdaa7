//! Programs of MPICH and of Open MPI over the MPI 5.0 standard ABI: what `libmpi.so.12` and
//! `libmpi.so.40` have in common.
//!
//! Both libraries export the names of the standard. Each entry converts its arguments from the
//! values of its interface ([`interface::Abi`]) to those of the standard, calls `libmpi_abi.so.1`,
//! and converts what comes back; so all interfaces in a process share one state. What an argument
//! is, its row in `spec/functions.tsv` says: two arguments of type `int` may be a rank and a tag,
//! whose constants differ. The entries of Fortran convert in the same way, from handles that are
//! integers.
//!
//! | module | what it converts |
//! |---|---|
//! | [`generated`] | a row per function, constants as tables, made from `spec/` |
//! | [`table`] | the functions of the standard library, found |
//! | [`handle`], [`lookup`] | handles, alone and in arrays; those of predefined objects |
//! | [`value`] | numbers whose constants differ, error codes, bits |
//! | [`status`] | statuses |
//! | [`text`] | strings whose limits differ, CHARACTER |
//! | [`by_hand`], [`callback`], [`attribute`] | what no row can say, user functions, attributes |
//! | [`tool`] | objects that variables of the tool interface are bound to |
//! | [`failure`] | extensions for going on after failures |
//! | [`fortran`], [`fortran_attribute`], [`fortran_callback`] | the same for Fortran |
//! | [`section`] | choice buffers of MPICH's `mpi_f08`, given by descriptors |
//!
//! # Safety
//!
//! An entry point trusts its caller as MPI says: arrays are as long as other arguments say, and
//! memory of pending operations stays. Every SAFETY note here that says "the caller" means this.

pub mod attribute;
pub mod by_hand;
pub mod callback;
pub mod constants;
pub mod convert;
pub mod failure;
pub mod fortran;
pub mod fortran_attribute;
mod fortran_by_hand;
pub mod fortran_callback;
pub mod generated;
pub mod handle;
pub mod interface;
pub mod lookup;
mod row;
pub mod section;
pub mod status;
pub mod table;
pub mod text;
pub mod tool;
pub mod value;

pub use generated::{c, types};
pub use interface::Abi;
