//! libmpifort_abi.so.1: Fortran over the MPI 5.0 standard ABI (MPI 5.0, chapter 19 and 20.4.2).
//!
//! A program in Fortran calls the names of this library, which its compiler made of an interface
//! in `mpif.h` or in the modules `mpi` and `mpi_f08`: `mpi_send_`, `mpi_send_f08ts_`. Each converts
//! its arguments and calls the C function, by the exported name that a C program uses, so that
//! tools written in C see what Fortran calls. The library has no state of a job, and no Fortran.
//!
//! A function of C that calls a procedure of Fortran has to find it, so it needs a state. Those of
//! operations and error handlers have none in the standard, and values of attributes differ between
//! the languages. These calls go by extensions of the C library, under the names that MPICH plans
//! for the same purpose: a tool sees `MPIX_Op_create_x` where Fortran calls `MPI_Op_create`.
//!
//! | module | what it converts |
//! |---|---|
//! | [`generated`] | one row per routine, made from `spec/` |
//! | [`convert`] | numbers, LOGICAL, positions that count from 1 |
//! | [`handle`] | handles, alone and in arrays |
//! | [`sentinel`] | addresses that stand for constants: `MPI_BOTTOM`, `MPI_STATUS_IGNORE` |
//! | [`text`] | CHARACTER and C strings |
//! | [`section`] | choice buffers given by a descriptor, with gaps or without |
//! | [`callback`], [`datarep`] | procedures that MPI calls |
//! | [`attribute`] | attributes, whose values differ between C and Fortran |
//! | [`by_hand`], [`spawn`] | what no row can say |
//! | [`removed`] | routines that MPI 3.0 removed |
//! | [`extension`] | functions that not every library of the standard ABI has |
//! | [`load`] | what the C library is told of Fortran when this one is loaded |
//!
//! # Safety
//!
//! An entry point trusts its caller as MPI says: each argument has the address of what the
//! interface in the module declares, arrays are as long as other arguments say, and memory of
//! pending operations stays. Every SAFETY note here that says "the caller" means this.

mod attribute;
mod by_hand;
mod callback;
mod convert;
mod datarep;
mod entry;
mod extension;
mod generated;
mod handle;
mod load;
mod removed;
mod section;
mod sentinel;
mod spawn;
mod text;
