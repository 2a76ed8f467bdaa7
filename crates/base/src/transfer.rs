//! Values that transports define and the protocols above them pass on: remote keys, cuts.

/// The name of a registration for a peer: at most [`RemoteKey::BYTES_MAX`] opaque bytes that travel
/// in headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteKey {
    bytes: [u8; RemoteKey::BYTES_MAX],
    len: u8,
}

impl RemoteKey {
    /// Most bytes of a key.
    pub const BYTES_MAX: usize = 32;

    /// Returns a key of these bytes; `None` when there are more than [`RemoteKey::BYTES_MAX`].
    pub fn new(key: &[u8]) -> Option<RemoteKey> {
        let mut bytes = [0; RemoteKey::BYTES_MAX];
        bytes.get_mut(..key.len())?.copy_from_slice(key);
        Some(RemoteKey {
            bytes,
            len: key.len() as u8,
        })
    }

    /// Returns the bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

/// The cut of a long eager message into parts, so that sender and receiver copy at the same time.
/// Bytes of payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Bytes of a part. A message that is no longer than this is sent whole.
    pub part: usize,
    /// Bytes of the longest message that is sent in parts.
    pub longest: usize,
}

/// The time that a message took at its receiver, for the choice of what carries the next ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Service {
    /// Whether the message was announced, for the receiver to read it from the sender's memory.
    pub announced: bool,
    /// Bytes of the message.
    pub bytes: usize,
    /// From when it could begin, sent and all earlier ones received, to its end.
    pub nanoseconds: u64,
    /// Messages of its sender before it that were not measured.
    pub unmeasured: u32,
}
