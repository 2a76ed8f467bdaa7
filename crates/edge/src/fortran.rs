//! Fortran: arguments by address, LOGICAL, positions that count from 1, CHARACTER.

use std::ffi::{c_char, c_void};

use crate::interface::Abi;
use crate::value::finish;

/// The number that stands where MPI has not written.
const UNWRITTEN: i32 = i32::MIN;

/// Stores the error code where the caller wants it.
///
/// # Safety
/// `ierror` is null or the address of an INTEGER.
#[inline(always)]
pub unsafe fn finish_at<A: Abi>(ierror: *mut i32, code: i32) {
    if !ierror.is_null() {
        // SAFETY: as the caller says.
        unsafe { *ierror = finish::<A>(code) };
    }
}

/// Stores an error code of the interface where the caller wants it.
///
/// # Safety
/// `ierror` is null or the address of an INTEGER.
pub unsafe fn store(ierror: *mut i32, code: i32) {
    if !ierror.is_null() {
        // SAFETY: as the caller says.
        unsafe { *ierror = code };
    }
}

/// Returns the number at an address, which in Fortran need be a multiple of nothing.
///
/// # Safety
/// The address is that of a number.
#[inline(always)]
pub unsafe fn read<T: Copy>(at: *const T) -> T {
    // SAFETY: as the caller says.
    unsafe { at.read_unaligned() }
}

/// Returns C's boolean for a LOGICAL.
///
/// # Safety
/// The address is that of a LOGICAL.
#[inline]
pub unsafe fn truth(at: *const i32) -> i32 {
    // SAFETY: as the caller says.
    i32::from(unsafe { *at } != 0)
}

/// Positions in an array, which C counts from 0 and Fortran from 1.
pub struct Positions {
    at: *mut i32,
    length: usize,
}

impl Positions {
    /// # Safety
    /// `at` is the address of this many INTEGER, which are converted when this is dropped.
    pub unsafe fn new(at: *mut i32, length: usize) -> Positions {
        for i in 0..length {
            // SAFETY: as the caller says.
            unsafe { *at.add(i) = UNWRITTEN };
        }
        Positions { at, length }
    }

    /// Returns where MPI writes.
    pub fn c(&self) -> *mut i32 {
        self.at
    }
}

impl Drop for Positions {
    fn drop(&mut self) {
        for i in 0..self.length {
            // SAFETY: whoever made this vouched for the array.
            unsafe {
                let position = self.at.add(i);
                if *position >= 0 {
                    *position += 1;
                }
            }
        }
    }
}

/// The address of a detached buffer, for interfaces that declare it as memory: nothing is written
/// there (MPI 5.0, 3.6).
pub struct Detached(*mut c_void);

impl Detached {
    /// A cell in its place.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Detached {
        Detached(std::ptr::null_mut())
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_void {
        (&mut self.0 as *mut *mut c_void).cast()
    }
}

/// A CHARACTER that MPI reads.
pub struct Text(Vec<u8>);

impl Text {
    /// The text without the blanks at its end, and where asked without those at its beginning.
    ///
    /// # Safety
    /// `at` is the address of this many bytes.
    pub unsafe fn new(at: *const u8, length: usize, is_stripped: bool) -> Text {
        let bytes = match at.is_null() || length == 0 {
            true => &[][..],
            // SAFETY: as the caller says.
            false => unsafe { std::slice::from_raw_parts(at, length) },
        };
        let bytes = match is_stripped {
            true => bytes.trim_ascii(),
            false => bytes.trim_ascii_end(),
        };
        Text([bytes, &[0]].concat())
    }

    /// Returns C's string.
    pub fn c(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }

    /// Whether it has blanks alone.
    pub fn is_empty(&self) -> bool {
        self.0.len() == 1
    }
}

/// A CHARACTER that MPI writes.
pub struct FortranTextOut {
    at: *mut u8,
    length: usize,
    written: Vec<u8>,
}

/// The bytes that no text of MPI begins with, where it has not written.
const NO_TEXT: [u8; 2] = [0xFF, 0xFE];

impl FortranTextOut {
    /// `at` is the address of `length` bytes, which are written when this is dropped; MPI writes up
    /// to `room` bytes.
    pub fn new(at: *mut u8, length: usize, room: usize) -> FortranTextOut {
        let mut written = vec![0; room.max(NO_TEXT.len()) + 1];
        written[..NO_TEXT.len()].copy_from_slice(&NO_TEXT);
        FortranTextOut {
            at,
            length,
            written,
        }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_char {
        self.written.as_mut_ptr().cast()
    }
}

impl Drop for FortranTextOut {
    fn drop(&mut self) {
        if self.written.starts_with(&NO_TEXT) {
            return;
        }
        let written = self.written.iter().take_while(|byte| **byte != 0);
        // SAFETY: the caller of the entry gave a CHARACTER of this length.
        unsafe { fill(self.at, self.length, written.copied()) };
    }
}

/// Fills a CHARACTER with a text, and with blanks behind it.
///
/// # Safety
/// `at` is the address of this many bytes.
pub unsafe fn fill(at: *mut u8, length: usize, text: impl Iterator<Item = u8>) {
    let padded = text.chain(std::iter::repeat(b' '));
    for (i, byte) in padded.take(length).enumerate() {
        // SAFETY: as the caller says.
        unsafe { *at.add(i) = byte };
    }
}

/// Returns displacements as C has them.
///
/// # Safety
/// `at` is the address of this many INTEGER.
pub unsafe fn widened(at: *const i32, length: usize) -> Vec<i64> {
    // SAFETY: as the caller says.
    (0..length)
        .map(|i| i64::from(unsafe { *at.add(i) }))
        .collect()
}
