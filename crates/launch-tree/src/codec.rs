//! Reads and writes the fields of a frame, in little-endian order.
//!
//! A reader takes any bytes: `None` when they run out or are malformed. A decoder that reads a
//! count never allocates by it; it reads that many items and stops at the first that is missing.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// The fields of a frame that is being read.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (field, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(field)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|field| field[0])
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        let field = self.take(4)?;
        Some(u32::from_le_bytes(field.try_into().ok()?))
    }

    pub(crate) fn i32(&mut self) -> Option<i32> {
        self.u32().map(|n| n as i32)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        let field = self.take(8)?;
        Some(u64::from_le_bytes(field.try_into().ok()?))
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    pub(crate) fn os(&mut self) -> Option<OsString> {
        self.bytes().map(|bytes| OsString::from_vec(bytes.to_vec()))
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// Reads a count, and that many items.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Reader<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.u32()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(item(self)?);
        }
        Some(list)
    }

    /// Whether a field is there: one byte, and the field where it is 1.
    pub(crate) fn option<T>(
        &mut self,
        item: impl FnOnce(&mut Reader<'a>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.u8()? {
            0 => Some(None),
            1 => item(self).map(Some),
            _ => None,
        }
    }

    /// Returns the bytes that have not been read.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Passes when everything has been read.
    pub(crate) fn end<T>(&self, value: T) -> Option<T> {
        self.rest.is_empty().then_some(value)
    }
}

/// Appends fields to a frame.
pub(crate) trait Write {
    fn u8(&mut self, value: u8);
    fn u32(&mut self, value: u32);
    fn i32(&mut self, value: i32);
    fn u64(&mut self, value: u64);
    /// The length and the bytes.
    fn bytes(&mut self, value: &[u8]);
    fn os(&mut self, value: &OsStr) {
        self.bytes(value.as_bytes());
    }
    fn text(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }
    fn count(&mut self, length: usize) {
        self.u32(u32::try_from(length).expect("frames are shorter"));
    }
}

impl Write for Vec<u8> {
    fn u8(&mut self, value: u8) {
        self.push(value);
    }

    fn u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn bytes(&mut self, value: &[u8]) {
        self.count(value.len());
        self.extend_from_slice(value);
    }
}
