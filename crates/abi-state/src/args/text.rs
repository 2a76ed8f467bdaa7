//! String arguments: C strings, and room for them.

use std::ffi::{c_char, CStr, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::{null, List, Out};
use crate::failure::Failure;

/// A text that the caller gives.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    string: *const c_char,
    name: &'static str,
}

/// Strings that the caller gives, up to a null pointer; none where C passed a null pointer.
#[derive(Clone, Copy, Debug)]
pub struct Strings {
    first: *const *mut c_char,
}

/// An array of strings that the caller gives.
#[derive(Clone, Copy, Debug)]
pub struct TextList(List<*mut c_char>);

/// An array of [`Strings`] that the caller gives; all are empty where C passed a null pointer.
#[derive(Clone, Copy, Debug)]
pub struct StringsList {
    list: List<*mut *mut c_char>,
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

    /// Returns the bytes of the text; `MPI_ERR_ARG` for a null pointer.
    pub fn bytes(self) -> Result<OsString, Failure> {
        if self.string.is_null() {
            return Err(null(self.name));
        }
        // SAFETY: it is not null, so it ends in a zero byte (`Text::new`).
        Ok(unsafe { owned(self.string) })
    }
}

/// Copies a C string.
///
/// # Safety
/// The pointer points to a string that ends in a zero byte.
unsafe fn owned(string: *const c_char) -> OsString {
    // SAFETY: the caller promises it.
    let bytes = unsafe { CStr::from_ptr(string) }.to_bytes();
    OsStr::from_bytes(bytes).to_os_string()
}

impl Strings {
    /// Returns the strings that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to pointers to strings that end in a zero byte, the last
    /// of them null, as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *const *mut c_char, _name: &'static str) -> Strings {
        Strings { first }
    }

    /// Copies the strings.
    pub fn to_vec(self) -> Vec<OsString> {
        let mut strings = Vec::new();
        let mut next = self.first;
        while !next.is_null() {
            // SAFETY: a null pointer, at which this ends, closes the list (`Strings::new`).
            let string = unsafe { next.read() };
            if string.is_null() {
                break;
            }
            // SAFETY: it is not null, so it is a string, and another pointer follows
            // (`Strings::new`).
            unsafe {
                strings.push(owned(string));
                next = next.add(1);
            }
        }
        strings
    }
}

impl TextList {
    /// Returns the strings that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to `length` pointers, each null or to a string that ends
    /// in a zero byte, as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *const *mut c_char, length: i64, name: &'static str) -> TextList {
        // SAFETY: the caller promises it.
        TextList(unsafe { List::new(first, length, name) })
    }

    /// Whether C passed a null pointer.
    pub fn is_null(self) -> bool {
        self.0.is(0)
    }

    /// Copies the strings; `MPI_ERR_ARG` for a null pointer.
    pub fn to_vec(self) -> Result<Vec<OsString>, Failure> {
        let name = self.0.name();
        let strings = self.0.to_vec()?.into_iter();
        // SAFETY: each is null or a string (`TextList::new`), and `Text` knows null.
        let text = |string: *mut c_char| unsafe { Text::new(string, name) }.bytes();
        strings.map(text).collect()
    }
}

impl StringsList {
    /// Returns the lists of strings that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to `length` pointers, each as [`Strings::new`] requires.
    #[inline(always)]
    pub unsafe fn new(
        first: *const *mut *mut c_char,
        length: i64,
        name: &'static str,
    ) -> StringsList {
        // SAFETY: the caller promises it.
        let list = unsafe { List::new(first, length, name) };
        StringsList { list }
    }

    /// Copies the strings of each list; `None` where C passed a null pointer.
    pub fn to_vec(self) -> Result<Option<Vec<Vec<OsString>>>, Failure> {
        if self.list.is(0) {
            return Ok(None);
        }
        let name = self.list.name();
        let lists = self.list.to_vec()?.into_iter();
        // SAFETY: each is as `Strings` requires (`StringsList::new`).
        let strings = |first: *mut *mut c_char| unsafe { Strings::new(first, name) }.to_vec();
        Ok(Some(lists.map(strings).collect()))
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

    /// Whether C passed a null pointer.
    pub fn is_null(&self) -> bool {
        self.slot.is_null()
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
