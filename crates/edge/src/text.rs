//! Strings. The standard's may be longer than the memory that programs of an interface have.

use std::ffi::c_char;

/// The bytes that no text of MPI begins with, where it has not written.
const UNWRITTEN: [u8; 2] = [0xFF, 0xFE];

/// A string that MPI writes.
pub struct TextOut {
    at: *mut c_char,
    limit: usize,
    written: Option<Vec<u8>>,
}

impl TextOut {
    /// `at` is null or the address of `limit` bytes, which are written when this is dropped; MPI
    /// writes up to `room` bytes.
    pub fn new(at: *mut c_char, room: usize, limit: usize) -> TextOut {
        let written = (!at.is_null() && room > limit).then(|| {
            let mut written = vec![0; room + 1];
            written[..UNWRITTEN.len()].copy_from_slice(&UNWRITTEN);
            written
        });
        TextOut { at, limit, written }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_char {
        match &mut self.written {
            Some(written) => written.as_mut_ptr().cast(),
            None => self.at,
        }
    }
}

impl Drop for TextOut {
    fn drop(&mut self) {
        let Some(written) = self
            .written
            .take()
            .filter(|text| !text.starts_with(&UNWRITTEN))
        else {
            return;
        };
        let length = written.iter().take_while(|byte| **byte != 0).count();
        let length = length.min(self.limit.saturating_sub(1));
        // SAFETY: the caller of the entry gave memory of `limit` bytes, which is more than these.
        unsafe {
            std::ptr::copy_nonoverlapping(written.as_ptr().cast(), self.at, length);
            *self.at.add(length) = 0;
        }
    }
}

/// The length of a string that may have been cut.
pub struct Length {
    at: *mut i32,
    limit: usize,
    written: i32,
}

impl Length {
    /// `at` is null or the address of a number, which is written when this is dropped.
    pub fn new(at: *mut i32, limit: usize) -> Length {
        let written = -1;
        Length { at, limit, written }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut i32 {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => &mut self.written,
        }
    }
}

impl Drop for Length {
    fn drop(&mut self) {
        if self.written >= 0 && !self.at.is_null() {
            let longest = i32::try_from(self.limit.saturating_sub(1)).unwrap_or(i32::MAX);
            // SAFETY: the caller of the entry gave the address of a number.
            unsafe { *self.at = self.written.min(longest) };
        }
    }
}
