//! What a call gets from C: handles as newtypes, counts of either width, pointers to look at.
//!
//! `MPI_X` and `MPI_X_c` share one call. Where their C types differ, the entry point passes `i64`
//! for a number, [`Counts`] for an array and [`OutCount`] for a result. A pointer is as C gave it;
//! the helpers here turn the null ones into `MPI_ERR_ARG`, and that is all that can be checked of
//! the others: their targets are the user's promise.

use std::ffi::{c_char, CStr};

use crate::failure::Failure;
use crate::generated::constants::{MPI_ERR_ARG, MPI_UNDEFINED};

pub use crate::generated::types::*;

// `MPI_Aint`, `MPI_Count` and `MPI_Offset` are all `i64` here.
const _: () = assert!(size_of::<usize>() == size_of::<i64>());
const _: () = assert!(size_of::<Status>() == 32 && align_of::<Status>() == 4);
const _: () = assert!(size_of::<Comm>() == size_of::<*const u8>());

/// An array of counts or displacements, of `int` or of a 64-bit integer. The length is the call's
/// to know.
#[derive(Clone, Copy, Debug)]
pub struct Counts(Width<*const i32, *const i64>);

/// Where a count goes that a call returns. Of `int` or of a 64-bit integer.
#[derive(Clone, Copy, Debug)]
pub struct OutCount(Width<*mut i32, *mut i64>);

#[derive(Clone, Copy, Debug)]
enum Width<N, W> {
    Narrow(N),
    Wide(W),
}

impl Counts {
    /// An array of C's `int`.
    pub fn narrow(array: *const i32) -> Counts {
        Counts(Width::Narrow(array))
    }

    /// An array of `MPI_Count` or `MPI_Aint`.
    pub fn wide(array: *const i64) -> Counts {
        Counts(Width::Wide(array))
    }

    /// Whether C passed a null pointer.
    pub fn is_null(self) -> bool {
        match self.0 {
            Width::Narrow(array) => array.is_null(),
            Width::Wide(array) => array.is_null(),
        }
    }

    /// Whether it is of 64-bit integers.
    pub fn is_wide(self) -> bool {
        matches!(self.0, Width::Wide(_))
    }

    /// The element at `index`.
    ///
    /// # Safety
    /// The array is not null and holds more than `index` elements.
    pub unsafe fn get(self, index: usize) -> i64 {
        match self.0 {
            // SAFETY: the caller promises that the element is there; C's arrays are aligned.
            Width::Narrow(array) => i64::from(unsafe { array.add(index).read() }),
            // SAFETY: as above.
            Width::Wide(array) => unsafe { array.add(index).read() },
        }
    }

    /// The first `length` elements; `MPI_ERR_ARG` naming `what` for a null array that is not empty.
    ///
    /// # Safety
    /// An array that is not null holds `length` elements.
    pub unsafe fn to_vec(self, length: usize, what: &str) -> Result<Vec<i64>, Failure> {
        if self.is_null() && length > 0 {
            return Err(null(what));
        }
        // SAFETY: the array is not null, and the caller promises its length.
        Ok((0..length)
            .map(|index| unsafe { self.get(index) })
            .collect())
    }
}

impl OutCount {
    /// A place for C's `int`.
    pub fn narrow(place: *mut i32) -> OutCount {
        OutCount(Width::Narrow(place))
    }

    /// A place for `MPI_Count` or `MPI_Aint`.
    pub fn wide(place: *mut i64) -> OutCount {
        OutCount(Width::Wide(place))
    }

    /// The value that is there; `MPI_ERR_ARG` naming `what` where C passed a null pointer.
    ///
    /// # Safety
    /// A place that is not null holds a value.
    pub unsafe fn get(self, what: &str) -> Result<i64, Failure> {
        match self.0 {
            // SAFETY: the caller promises a value behind a pointer that is not null.
            Width::Narrow(place) => unsafe { read(place, what) }.map(i64::from),
            // SAFETY: as above.
            Width::Wide(place) => unsafe { read(place, what) },
        }
    }

    /// Stores `value`, or `MPI_UNDEFINED` where the place is too narrow for it, as `MPI_Get_count`
    /// and its kin do (MPI 5.0, 3.2.5).
    ///
    /// # Safety
    /// A place that is not null may be written.
    pub unsafe fn set(self, value: i64, what: &str) -> Result<(), Failure> {
        match self.0 {
            Width::Narrow(place) => {
                let value = i32::try_from(value).unwrap_or(MPI_UNDEFINED);
                // SAFETY: the caller promises that a place that is not null may be written.
                unsafe { write(place, value, what) }
            }
            // SAFETY: as above.
            Width::Wide(place) => unsafe { write(place, value, what) },
        }
    }
}

/// Reads through a pointer from C; `MPI_ERR_ARG` naming `what` where it is null.
///
/// # Safety
/// A pointer that is not null points to a value of `T`.
pub unsafe fn read<T: Copy>(place: *const T, what: &str) -> Result<T, Failure> {
    if place.is_null() {
        return Err(null(what));
    }
    // SAFETY: it is not null, and the caller promises the rest.
    Ok(unsafe { place.read() })
}

/// Writes through a pointer from C; `MPI_ERR_ARG` naming `what` where it is null.
///
/// # Safety
/// A pointer that is not null points to room for a `T`.
pub unsafe fn write<T>(place: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if place.is_null() {
        return Err(null(what));
    }
    // SAFETY: it is not null, and the caller promises the rest.
    unsafe { place.write(value) };
    Ok(())
}

/// Whether there is a place for what a call makes; `MPI_ERR_ARG` naming `what` where it is null.
#[inline(always)]
pub fn place<T>(place: *mut T, what: &str) -> Result<(), Failure> {
    match place.is_null() {
        true => Err(null(what)),
        false => Ok(()),
    }
}

/// Stores a null handle where a call that failed would have stored a new one.
///
/// # Safety
/// A pointer that is not null points to room for a handle.
#[cold]
pub unsafe fn nullify<H>(place: *mut H, null: H) {
    if !place.is_null() {
        // SAFETY: it is not null, and the caller promises the rest.
        unsafe { place.write(null) };
    }
}

/// Copies an array from C; `MPI_ERR_ARG` naming `what` where it is null but not empty.
///
/// # Safety
/// A pointer that is not null points to `length` values of `T`.
pub unsafe fn array<T: Copy>(
    first: *const T,
    length: usize,
    what: &str,
) -> Result<Vec<T>, Failure> {
    if first.is_null() && length > 0 {
        return Err(null(what));
    }
    // SAFETY: it is not null where an element is read, and the caller promises their number.
    Ok((0..length)
        .map(|index| unsafe { first.add(index).read() })
        .collect())
}

/// A C string as text, with what is not UTF-8 replaced; `MPI_ERR_ARG` naming `what` where it is
/// null.
///
/// # Safety
/// A pointer that is not null points to a string that ends in a zero byte.
pub unsafe fn text(string: *const c_char, what: &str) -> Result<String, Failure> {
    if string.is_null() {
        return Err(null(what));
    }
    // SAFETY: it is not null, and the caller promises the zero byte.
    Ok(unsafe { CStr::from_ptr(string) }
        .to_string_lossy()
        .into_owned())
}

/// Stores as much of `text` as fits in `room` bytes with its closing zero byte, cut between
/// characters, and its length in bytes, the zero not counted. `room` is one of MPI's limits, such
/// as `MPI_MAX_OBJECT_NAME`.
///
/// # Safety
/// A `place` that is not null has `room` bytes; `length` may be written where it is not null.
pub unsafe fn write_text(
    place: *mut c_char,
    room: usize,
    length: *mut i32,
    text: &str,
    what: &str,
) -> Result<(), Failure> {
    if place.is_null() {
        return Err(null(what));
    }
    let mut end = text.len().min(room.saturating_sub(1));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // SAFETY: the place has room for `end` bytes and a zero, by the caller's promise and the line
    // that set `end`; the user's buffer does not overlap our text.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), place, end);
        place.add(end).write(0);
    }
    // SAFETY: the caller promises it.
    unsafe { write(length, end as i32, "resultlen") }
}

/// The failure of a call that was given a null pointer for `what`.
#[cold]
#[inline(never)]
pub fn null(what: &str) -> Failure {
    Failure::new(MPI_ERR_ARG, format!("{what} is a null pointer"))
}
