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
//! The conversions are those of the crate `edge`, for the interface of the standard ABI
//! ([`interface`]). What is here are the exported names:
//!
//! | module | what it has |
//! |---|---|
//! | [`generated`] | one row per routine, made from `spec/` |
//! | [`by_hand`] | routines that no row can say |
//! | [`removed`] | routines that MPI 3.0 removed |
//! | [`interface`], [`sentinel`] | handles, and addresses that stand for constants: `MPI_BOTTOM` |
//! | [`c`] | the functions of C that the routines call |
//! | [`extension`] | functions that not every library of the standard ABI has |
//! | [`load`] | what this library reports of Fortran to the C library when it is loaded |
//!
//! # Safety
//!
//! An entry point trusts its caller as MPI says: each argument has the address of what the
//! interface in the module declares, arrays are as long as other arguments say, and memory of
//! pending operations stays. Every SAFETY note here that says "the caller" means this.

mod by_hand;
mod c;
mod extension;
mod generated;
mod interface;
mod load;
mod removed;
mod sentinel;

use interface::Fortran;
