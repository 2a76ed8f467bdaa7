//! String arguments: C strings that a call reads, and buffers that it writes one to.

use std::ffi::{c_char, CStr, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::{null, List, Out};
use crate::failure::Failure;

/// A C string that the call reads.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    string: *const c_char,
    name: &'static str,
}

/// An array of C strings that ends with a null pointer, like `argv`. A null pointer in place of the
/// array is an empty array (`MPI_ARGV_NULL`).
#[derive(Clone, Copy, Debug)]
pub struct Strings {
    first: *const *mut c_char,
}

/// An array of C strings whose length is another argument.
#[derive(Clone, Copy, Debug)]
pub struct TextList(List<*mut c_char>);

/// An array of [`Strings`] whose length is another argument. A null pointer in place of the array
/// stands for empty ones (`MPI_ARGVS_NULL`).
#[derive(Clone, Copy, Debug)]
pub struct StringsList {
    list: List<*mut *mut c_char>,
}

/// A buffer that the call writes a C string to.
#[derive(Clone, Copy, Debug)]
pub struct OutText {
    buffer: *mut c_char,
    /// Bytes of the buffer, the closing zero byte included.
    capacity: usize,
    name: &'static str,
}

impl Text {
    /// Wraps the pointer of the parameter `name`.
    ///
    /// # Safety
    /// Until the call returns, a pointer that is not null points to a string that ends in a zero
    /// byte.
    #[inline(always)]
    pub unsafe fn new(string: *const c_char, name: &'static str) -> Text {
        Text { string, name }
    }

    /// Copies the string. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer.
    pub fn get(self) -> Result<String, Failure> {
        if self.string.is_null() {
            return Err(null(self.name));
        }
        // SAFETY: the pointer is not null, so the string ends in a zero byte (`Text::new`).
        let text = unsafe { CStr::from_ptr(self.string) };
        Ok(text.to_string_lossy().into_owned())
    }

    /// Copies the bytes of the string, which may be any but zero.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer.
    pub fn bytes(self) -> Result<OsString, Failure> {
        if self.string.is_null() {
            return Err(null(self.name));
        }
        // SAFETY: the pointer is not null, so the string ends in a zero byte (`Text::new`).
        Ok(unsafe { owned(self.string) })
    }
}

/// Copies a C string.
///
/// # Safety
/// The pointer points to a string that ends in a zero byte.
unsafe fn owned(string: *const c_char) -> OsString {
    // SAFETY: the string ends in a zero byte (contract of this function).
    let bytes = unsafe { CStr::from_ptr(string) }.to_bytes();
    OsStr::from_bytes(bytes).to_os_string()
}

impl Strings {
    /// Wraps the pointer of a parameter.
    ///
    /// # Safety
    /// Until the call returns, a pointer that is not null points to an array of pointers to strings
    /// that end in a zero byte; the last pointer of the array is null.
    #[inline(always)]
    pub unsafe fn new(first: *const *mut c_char, _name: &'static str) -> Strings {
        Strings { first }
    }

    /// Copies the strings.
    pub fn to_vec(self) -> Vec<OsString> {
        let mut strings = Vec::new();
        let mut next = self.first;
        while !next.is_null() {
            // SAFETY: the array ends with a null pointer (`Strings::new`), at which the loop ends,
            // so `next` is within the array.
            let string = unsafe { next.read() };
            if string.is_null() {
                break;
            }
            // SAFETY: a pointer that is not null points to a string, and is not the last one of the
            // array (`Strings::new`).
            unsafe {
                strings.push(owned(string));
                next = next.add(1);
            }
        }
        strings
    }
}

impl TextList {
    /// Wraps the pointer of the parameter `name`.
    ///
    /// # Safety
    /// Until the call returns, a pointer that is not null points to `length` pointers, each of
    /// which is null or points to a string that ends in a zero byte.
    #[inline(always)]
    pub unsafe fn new(first: *const *mut c_char, length: i64, name: &'static str) -> TextList {
        // SAFETY: there are `length` pointers (contract of this function).
        TextList(unsafe { List::new(first, length, name) })
    }

    /// Returns whether the caller passed a null pointer.
    pub fn is_null(self) -> bool {
        self.0.is(0)
    }

    /// Copies the strings.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` where the array or one of its strings is a null pointer.
    pub fn to_vec(self) -> Result<Vec<OsString>, Failure> {
        let name = self.0.name();
        let strings = self.0.to_vec()?.into_iter();
        // SAFETY: each pointer is null or points to a string (`TextList::new`); `Text` takes both.
        let text = |string: *mut c_char| unsafe { Text::new(string, name) }.bytes();
        strings.map(text).collect()
    }
}

impl StringsList {
    /// Wraps the pointer of the parameter `name`.
    ///
    /// # Safety
    /// Until the call returns, a pointer that is not null points to `length` pointers, each as
    /// [`Strings::new`] requires.
    #[inline(always)]
    pub unsafe fn new(
        first: *const *mut *mut c_char,
        length: i64,
        name: &'static str,
    ) -> StringsList {
        // SAFETY: there are `length` pointers (contract of this function).
        let list = unsafe { List::new(first, length, name) };
        StringsList { list }
    }

    /// Copies the strings of each list; `None` for a null pointer.
    ///
    /// # Errors
    /// As those of [`List::to_vec`].
    pub fn to_vec(self) -> Result<Option<Vec<Vec<OsString>>>, Failure> {
        if self.list.is(0) {
            return Ok(None);
        }
        let name = self.list.name();
        let lists = self.list.to_vec()?.into_iter();
        // SAFETY: each pointer is as `Strings::new` requires (`StringsList::new`).
        let strings = |first: *mut *mut c_char| unsafe { Strings::new(first, name) }.to_vec();
        Ok(Some(lists.map(strings).collect()))
    }
}

impl OutText {
    /// Wraps the pointer of the parameter `name`. `bytes` is one of MPI's limits
    /// (`MPI_MAX_OBJECT_NAME` and so on) or another argument of the call; a negative one counts as
    /// zero.
    ///
    /// # Safety
    /// Until the call returns, a pointer that is not null points to `bytes` writable bytes, which
    /// overlap no memory of the library.
    #[inline(always)]
    pub unsafe fn new(buffer: *mut c_char, bytes: i64, name: &'static str) -> OutText {
        OutText {
            buffer,
            capacity: usize::try_from(bytes).unwrap_or(0),
            name,
        }
    }

    /// Returns whether the caller passed a null pointer.
    pub fn is_null(&self) -> bool {
        self.buffer.is_null()
    }

    /// Stores `text` as [`store`](OutText::store) does, and its length in `length`.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer.
    pub fn set(self, text: &str, length: Out<i32>) -> Result<(), Failure> {
        let end = self.store(text)?;
        length.set(end as i32)
    }

    /// Stores `text` with a closing zero byte, and returns its length in bytes without that byte. A
    /// text that does not fit is cut between two characters.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer.
    pub fn store(self, text: &str) -> Result<usize, Failure> {
        if self.buffer.is_null() {
            return Err(null(self.name));
        }
        let Some(max) = self.capacity.checked_sub(1) else {
            return Ok(0);
        };
        let mut end = text.len().min(max);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: `end` is less than `capacity`, which the buffer has; it does not overlap `text`
        // (`OutText::new`).
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), self.buffer, end);
            self.buffer.add(end).write(0);
        }
        Ok(end)
    }
}
