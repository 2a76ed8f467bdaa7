//! Typed arguments of a call from C.
//!
//! An entry point makes a typed value of each argument, as the row of the function in
//! `spec/functions.tsv` says: the direction, the kind and the length of a parameter decide its type
//! here. The unsafe constructors require what MPI requires of the caller, so using the values needs
//! no `unsafe`.
//!
//! | C                                   | the call gets                                      |
//! |-------------------------------------|----------------------------------------------------|
//! | handles, numbers                    | handles as newtypes, numbers                       |
//! | a pointer to one value              | [`In`], [`Out`], [`InOut`]                         |
//! | a status that is given              | [`OutStatus`](crate::status::OutStatus)            |
//! | an array and its length             | [`List`], [`OutList`], [`InOutList`], or [`OpenList`] |
//! | a string, room for one              | [`Text`], [`OutText`]                              |
//! | strings up to a null pointer        | [`Strings`]; an array of these: [`StringsList`]    |
//! | an array of strings and its length  | [`TextList`]                                       |
//! | a buffer, a count and a datatype    | [`Elements`]; blocks: `coll`'s `Listed` and `Typed` |
//! | memory and its size                 | [`Bytes`]                                          |
//!
//! `MPI_X` and `MPI_X_c` share one call. Where their C types differ, it gets `i64` for a number,
//! [`Counts`] for an array and [`OutCount`] for a result. What the user's memory holds cannot be
//! checked; null pointers become `MPI_ERR_ARG` with the name of the parameter.

mod list;
mod memory;
mod text;
mod value;

pub use self::list::{Counts, InOutList, List, OpenCounts, OpenList, OpenOutList, OutList};
pub use self::memory::{Bytes, Elements};
pub use self::text::{OutText, Strings, StringsList, Text, TextList};
pub use self::value::{In, InOut, InOutCount, IntPtr, Out, OutCount};
use crate::failure::Failure;
use crate::generated::constants::MPI_ERR_ARG;
pub use crate::generated::types::*;

// `MPI_Aint`, `MPI_Count` and `MPI_Offset` are all `i64` here.
const _: () = assert!(size_of::<usize>() == size_of::<i64>());
const _: () = assert!(size_of::<Status>() == 32 && align_of::<Status>() == 4);
const _: () = assert!(size_of::<Comm>() == size_of::<*const u8>());

/// Fails with `MPI_ERR_ARG` naming `what` where there is no slot for what a call makes.
#[inline(always)]
pub fn require<T>(slot: *mut T, what: &str) -> Result<(), Failure> {
    match slot.is_null() {
        true => Err(null(what)),
        false => Ok(()),
    }
}

/// Stores a null handle where a call that failed would have stored a new one.
///
/// # Safety
/// A pointer that is not null points to room for a handle.
#[cold]
pub unsafe fn nullify<H>(slot: *mut H, null: H) {
    if !slot.is_null() {
        // SAFETY: it is not null, and the caller promises the rest.
        unsafe { slot.write(null) };
    }
}

/// Bytes of room for a text, which the caller gives behind a pointer; 0 for a null pointer.
///
/// # Safety
/// A pointer that is not null points to a number.
#[inline(always)]
pub unsafe fn room(slot: *const i32) -> i64 {
    match slot.is_null() {
        true => 0,
        // SAFETY: it is not null, and the caller promises the rest.
        false => i64::from(unsafe { slot.read() }),
    }
}

/// The failure of a call that was given a null pointer for `what`.
#[cold]
#[inline(never)]
pub fn null(what: &str) -> Failure {
    Failure::new(MPI_ERR_ARG, format!("{what} is a null pointer"))
}

#[cfg(test)]
mod tests;
