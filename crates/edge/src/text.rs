//! Texts: C strings that are longer in the standard than in an interface, and CHARACTER, which has
//! blanks at its end where C has a zero byte.

use std::ffi::c_char;

use crate::argument::{List, Out};
use crate::section::Array;

/// The bytes that no text of MPI begins with, where it has not written.
const UNWRITTEN: [u8; 2] = [0xFF, 0xFE];

/// Memory in which MPI writes a text.
struct Written(Vec<u8>);

impl Written {
    /// Memory of `room` bytes.
    fn new(room: usize) -> Written {
        let mut written = vec![0; room.max(UNWRITTEN.len()) + 1];
        written[..UNWRITTEN.len()].copy_from_slice(&UNWRITTEN);
        Written(written)
    }

    /// Returns the text without its zero byte, `None` where MPI has not written.
    fn text(&self) -> Option<&[u8]> {
        let length = self.0.iter().position(|byte| *byte == 0);
        let text = &self.0[..length.unwrap_or(self.0.len())];
        (!self.0.starts_with(&UNWRITTEN)).then_some(text)
    }
}

/// A string that MPI writes, which may be longer than the memory of the interface's programs.
pub struct TextOut {
    at: *mut c_char,
    limit: usize,
    written: Option<Written>,
}

impl TextOut {
    /// MPI writes up to `room` bytes.
    ///
    /// # Safety
    /// `at` is null or the address of `limit` bytes, which are written when this is dropped.
    pub unsafe fn new(at: *mut c_char, room: usize, limit: usize) -> TextOut {
        let written = (!at.is_null() && room > limit).then(|| Written::new(room));
        TextOut { at, limit, written }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_char {
        match &mut self.written {
            Some(written) => written.0.as_mut_ptr().cast(),
            None => self.at,
        }
    }
}

impl Drop for TextOut {
    fn drop(&mut self) {
        let Some(text) = self.written.as_ref().and_then(Written::text) else {
            return;
        };
        // SAFETY: the memory is not null, since only then something is written elsewhere, and has
        // `limit` bytes (`TextOut::new`).
        let memory = unsafe { List::new(self.at.cast::<u8>(), self.limit) };
        let length = text.len().min(self.limit.saturating_sub(1));
        let bytes = text[..length].iter().chain(&[0]);
        bytes
            .enumerate()
            .for_each(|(at, byte)| memory.set(at, *byte));
    }
}

/// The length of a string that may have been cut.
pub struct Length {
    at: Out<i32>,
    limit: usize,
    written: i32,
}

impl Length {
    /// # Safety
    /// `at` is null or the address of a number, which is written when this is dropped.
    pub unsafe fn new(at: *mut i32, limit: usize) -> Length {
        Length {
            // SAFETY: the caller promises what it requires.
            at: unsafe { Out::new(at) },
            limit,
            written: -1,
        }
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
        if self.written >= 0 {
            let longest = i32::try_from(self.limit.saturating_sub(1)).unwrap_or(i32::MAX);
            self.at.set(self.written.min(longest));
        }
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
        // SAFETY: the caller promises what it requires.
        let bytes: Vec<u8> = unsafe { List::new(at, length) }.iter().collect();
        let is_text = |byte: &u8| *byte != b' ';
        let end = bytes.iter().rposition(is_text).map_or(0, |last| last + 1);
        let start = match is_stripped {
            true => bytes[..end].iter().position(is_text).unwrap_or(0),
            false => 0,
        };
        Text([&bytes[start..end], &[0]].concat())
    }

    /// The text without the blanks at its end.
    ///
    /// # Safety
    /// The descriptor is that of a scalar CHARACTER.
    pub unsafe fn described(of: *const impl Array) -> Text {
        // SAFETY: the caller promises what it requires.
        unsafe { Text::new((*of).first().cast(), (*of).element(), false) }
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
pub struct CharacterOut {
    at: List<u8>,
    length: usize,
    written: Written,
}

impl CharacterOut {
    /// MPI writes up to `room` bytes.
    ///
    /// # Safety
    /// `at` is the address of `length` bytes, which are written when this is dropped.
    pub unsafe fn new(at: *mut u8, length: usize, room: usize) -> CharacterOut {
        CharacterOut {
            // SAFETY: the caller promises what it requires.
            at: unsafe { List::new(at, length) },
            length,
            written: Written::new(room),
        }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut c_char {
        self.written.0.as_mut_ptr().cast()
    }

    /// Stores a text in MPI's place, and returns the number of its bytes that there is room for.
    pub fn set(&mut self, text: &str) -> i32 {
        self.written = Written([text.as_bytes(), &[0]].concat());
        text.len().min(self.length) as i32
    }
}

impl Drop for CharacterOut {
    fn drop(&mut self) {
        let Some(text) = self.written.text() else {
            return;
        };
        let padded = text.iter().copied().chain(std::iter::repeat(b' '));
        for (at, byte) in padded.take(self.length).enumerate() {
            self.at.set(at, byte);
        }
    }
}
