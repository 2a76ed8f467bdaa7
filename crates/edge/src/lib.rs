//! The edges of the standard ABI: Fortran, and programs of MPICH and of Open MPI.
//!
//! Three libraries are made of this crate. `libmpifort_abi.so.1` has Fortran's names over the
//! standard ABI; `libmpi.so.12` and `libmpi.so.40` export the names of the standard for programs
//! of MPICH and of Open MPI, in C and in Fortran. Each entry converts its arguments from the
//! values of its interface to those of the standard, calls `libmpi_abi.so.1`, and converts what
//! comes back; so all interfaces in a process share one state. An interface is a value of
//! [`interface::Abi`]: the standard ABI is the one whose tables are empty. What an argument is,
//! its row in `spec/functions.tsv` says: two arguments of type `int` may be a rank and a tag,
//! whose constants differ. The entries of Fortran convert in the same way, from handles that are
//! integers.
//!
//! | module | what it converts |
//! |---|---|
//! | [`generated`] | functions and constants as tables, made from `spec/` |
//! | [`table`], [`extension`] | the functions of the standard library, found |
//! | [`mod@export`], [`wall`] | exported functions, which no panic leaves |
//! | [`argument`] | pointers of a caller, and values that are others in the standard |
//! | [`handle`], [`lookup`] | handles; those of predefined objects |
//! | [`value`] | numbers whose constants differ, error codes, bits |
//! | [`status`] | statuses |
//! | [`text`] | strings whose limits differ, CHARACTER |
//! | [`by_hand`], [`callback`], [`attribute`] | what no row can say, user functions, attributes |
//! | [`tool`] | objects that variables of the tool interface are bound to |
//! | [`fortran`] | attributes, procedures and programs of Fortran |
//! | [`section`] | choice buffers of `mpi_f08`, given by descriptors |
//!
//! The files below `exports/`, beside `src/`, that say what is exported are modules of the
//! libraries: each takes them by path, and says what its interface is.
//!
//! # Safety
//!
//! An entry point trusts its caller as MPI says: arrays are as long as other arguments say, and
//! memory of pending operations stays. Every SAFETY note here that says "the caller" means this.

pub mod argument;
pub mod attribute;
pub mod by_hand;
pub mod callback;
pub mod constants;
pub mod export;
pub mod extension;
pub mod fortran;
pub mod generated;
pub mod handle;
pub mod interface;
pub mod lookup;
pub mod rows;
pub mod section;
pub mod status;
pub mod table;
pub mod text;
pub mod tool;
pub mod value;
pub mod wall;

pub use generated::{c, types};
pub use interface::Abi;
