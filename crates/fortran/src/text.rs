//! CHARACTER and C strings: blanks at the end against a zero byte.

use std::ffi::c_char;

use crate::section::{Array, Descriptor};

/// Returns the bytes of a CHARACTER without the blanks at its end.
///
/// # Safety
/// `at` is the address of this many bytes.
pub unsafe fn significant<'a>(at: *const u8, length: usize) -> &'a [u8] {
    if at.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: the caller's CHARACTER, which nobody writes during the call.
    let bytes = unsafe { std::slice::from_raw_parts(at, length) };
    let blanks = bytes.iter().rev().take_while(|byte| **byte == b' ').count();
    &bytes[..length - blanks]
}

/// Returns the bytes of a CHARACTER without the blanks at its beginning and its end.
///
/// # Safety
/// `at` is the address of this many bytes.
pub unsafe fn stripped<'a>(at: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: as the caller says.
    let bytes = unsafe { significant(at, length) };
    let blanks = bytes.iter().take_while(|byte| **byte == b' ').count();
    &bytes[blanks..]
}

/// A CHARACTER that C reads.
pub struct Text(Vec<u8>);

impl Text {
    /// # Safety
    /// `at` is the address of this many bytes.
    pub unsafe fn new(at: *const u8, length: usize) -> Text {
        // SAFETY: as the caller says.
        Text::of(unsafe { significant(at, length) })
    }

    /// The text without the blanks at its beginning either: keys and values of infos.
    ///
    /// # Safety
    /// `at` is the address of this many bytes.
    pub unsafe fn trimmed(at: *const u8, length: usize) -> Text {
        // SAFETY: as the caller says.
        Text::of(unsafe { stripped(at, length) })
    }

    /// # Safety
    /// The descriptor is that of a scalar CHARACTER.
    pub unsafe fn described(of: *const Descriptor) -> Text {
        // SAFETY: as the caller says.
        unsafe { Text::new((*of).first().cast(), (*of).element()) }
    }

    fn of(bytes: &[u8]) -> Text {
        let mut text = bytes.to_vec();
        text.push(0);
        Text(text)
    }

    /// Returns C's string.
    pub fn c(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

/// A CHARACTER that C writes.
pub struct TextOut {
    at: *mut u8,
    length: usize,
    written: Vec<u8>,
}

/// The byte that no text of C begins with where C has not written.
const UNWRITTEN: [u8; 2] = [0xFF, 0xFE];

impl TextOut {
    /// `at` is the address of `length` bytes, which are written when this is dropped; C writes up
    /// to `room` bytes.
    pub fn new(at: *mut u8, length: usize, room: usize) -> TextOut {
        let mut written = vec![0; room.max(UNWRITTEN.len()) + 1];
        written[..UNWRITTEN.len()].copy_from_slice(&UNWRITTEN);
        TextOut {
            at,
            length,
            written,
        }
    }

    /// Returns where C writes.
    pub fn c(&mut self) -> *mut c_char {
        self.written.as_mut_ptr().cast()
    }
}

impl Drop for TextOut {
    fn drop(&mut self) {
        if self.written.starts_with(&UNWRITTEN) {
            return;
        }
        let written = self.written.iter().take_while(|byte| **byte != 0);
        let padded = written.copied().chain(std::iter::repeat(b' '));
        for (i, byte) in padded.take(self.length).enumerate() {
            // SAFETY: the caller of the entry gave a CHARACTER of this length.
            unsafe { *self.at.add(i) = byte };
        }
    }
}
