//! The tool information interface (MPI 5.0, 15.3) without C: variables, categories, events.
//!
//! * [`control`]: every parameter of `mca` as a control variable.
//! * [`performance`]: what the engine counts ([`base::Counters`]) as performance variables, and the
//!   state of a handle, so that several tools start, stop and reset the same variable without
//!   seeing each other.
//! * [`category`]: a category for each framework, below one that holds all.
//! * [`event`]: what is rare and worth a callback.
//!
//! All is plain data, made once for a process: nothing here waits, reads a file or knows C. A value
//! is an array of 8-byte, 4-byte or 1-byte elements, as C reads it.
#![forbid(unsafe_code)]

pub mod category;
pub mod control;
pub mod event;
pub mod performance;

/// Type of the elements of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// C's `int`.
    Int,
    /// `MPI_Count`, signed, of 64 bits.
    Count,
    /// C's `unsigned long`, of 64 bits.
    UnsignedLong,
    /// C's `char`: an array of them is a text that ends in a zero byte.
    Char,
}

/// Returns the position of `name` among names.
pub(crate) fn position<'a>(names: impl IntoIterator<Item = &'a str>, name: &str) -> Option<usize> {
    names.into_iter().position(|other| other == name)
}
