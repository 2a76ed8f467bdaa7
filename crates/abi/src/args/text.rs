//! String arguments: C strings, and room for them.

use std::ffi::{c_char, CStr};

use super::{null, Out};
use crate::failure::Failure;

/// A text that the caller gives.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    string: *const c_char,
    name: &'static str,
}

/// Room for a text that the call gives.
#[derive(Clone, Copy, Debug)]
pub struct OutText {
    slot: *mut c_char,
    room: usize,
    name: &'static str,
}

impl Text {
    /// Returns the text that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to a string that ends in a zero byte as long as the call
    /// takes.
    #[inline(always)]
    pub unsafe fn new(string: *const c_char, name: &'static str) -> Text {
        Text { string, name }
    }

    /// Returns the text, with what is not UTF-8 replaced; `MPI_ERR_ARG` for a null pointer.
    pub fn get(self) -> Result<String, Failure> {
        if self.string.is_null() {
            return Err(null(self.name));
        }
        // SAFETY: it is not null, so it ends in a zero byte (`Text::new`).
        let text = unsafe { CStr::from_ptr(self.string) };
        Ok(text.to_string_lossy().into_owned())
    }
}

impl OutText {
    /// Returns the room that a parameter points to. `bytes` is one of MPI's limits, or what the
    /// caller says; there is no room where it is negative, which the call refuses.
    ///
    /// # Safety
    /// A pointer that is not null points to room for `bytes` bytes as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(slot: *mut c_char, bytes: i64, name: &'static str) -> OutText {
        OutText {
            slot,
            room: usize::try_from(bytes).unwrap_or(0),
            name,
        }
    }

    /// Stores as much of `text` as fits with its closing zero byte, cut between characters, and its
    /// length in bytes, the zero not counted; `MPI_ERR_ARG` for a null pointer.
    pub fn set(self, text: &str, length: Out<i32>) -> Result<(), Failure> {
        let end = self.store(text)?;
        length.set(end as i32)
    }

    /// Stores as much of `text` as fits with its closing zero byte, cut between characters, and
    /// returns its length in bytes; `MPI_ERR_ARG` for a null pointer.
    pub fn store(self, text: &str) -> Result<usize, Failure> {
        if self.slot.is_null() {
            return Err(null(self.name));
        }
        let Some(most) = self.room.checked_sub(1) else {
            return Ok(0);
        };
        let mut end = text.len().min(most);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: there is room for `end` bytes and a zero (`OutText::new`, and the line that set
        // `end`); the user's buffer does not overlap our text.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), self.slot, end);
            self.slot.add(end).write(0);
        }
        Ok(end)
    }
}
