//! Frames in bytes that arrive in pieces.

use super::{Malformed, DOWN, HEADER_BYTES, UP};

/// The largest body, in bytes.
const BODY_BYTES_MAX: usize = 1 << 30;

/// Bytes that have arrived, and the frames in them.
#[derive(Default)]
pub(crate) struct Inbox {
    bytes: Vec<u8>,
    /// Bytes that have been read.
    read: usize,
}

impl Inbox {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.read == self.bytes.len() {
            self.bytes.clear();
            self.read = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the bytes that have arrived and are not read yet.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    /// Lets go of the first bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.read += bytes;
    }

    /// Kind and body of the first frame, when it is whole.
    pub(crate) fn frame(&mut self) -> Result<Option<(u8, &[u8])>, Malformed> {
        let unread = &self.bytes[self.read..];
        let Some((header, rest)) = unread.split_at_checked(HEADER_BYTES) else {
            self.compact();
            return Ok(None);
        };
        let kind = header[0];
        let length = u32::from_le_bytes([header[1], header[2], header[3], header[4]]) as usize;
        if ![UP, DOWN].contains(&kind) || length > BODY_BYTES_MAX {
            return Err(Malformed(format!(
                "a frame of kind {kind:#x} with {length} bytes"
            )));
        }
        if rest.len() < length {
            self.compact();
            return Ok(None);
        }
        let start = self.read + HEADER_BYTES;
        self.read = start + length;
        Ok(Some((kind, &self.bytes[start..start + length])))
    }

    /// Makes room before more is waited for.
    fn compact(&mut self) {
        self.bytes.drain(..self.read);
        self.read = 0;
    }
}
