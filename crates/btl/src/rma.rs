//! Registered memory, and reading and writing a peer's.

use memory::UserBuf;

/// Most bytes of a [`RemoteKey`].
const KEY_BYTES_MAX: usize = 32;

/// What peers may do with registered memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Peers may read.
    pub read: bool,
    /// Peers may write.
    pub write: bool,
}

/// What a peer needs to name a registration: at most 32 opaque bytes that travel in headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteKey {
    bytes: [u8; KEY_BYTES_MAX],
    len: u8,
}

impl RemoteKey {
    /// A key of these bytes; `None` when there are more than 32.
    pub fn new(key: &[u8]) -> Option<RemoteKey> {
        let mut bytes = [0; KEY_BYTES_MAX];
        bytes.get_mut(..key.len())?.copy_from_slice(key);
        Some(RemoteKey {
            bytes,
            len: key.len() as u8,
        })
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

/// Memory that a transport has made reachable. Ends with `Transport::deregister`.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The memory.
    pub memory: UserBuf,
    /// What peers need.
    pub key: RemoteKey,
    /// The transport's own note.
    pub id: u64,
}

/// A range of a peer's registered memory, `offset` bytes after the registration's start.
/// The length is that of the local buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteRange {
    /// The registration.
    pub key: RemoteKey,
    /// Bytes from its start.
    pub offset: u64,
}

/// How a `get` or `put` began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a busy transport has taken nothing"]
pub enum Started {
    /// Complete; the token will not be reported.
    Done,
    /// Under way; the token will be reported.
    Pending,
    /// Nothing was taken. Try again after some progress.
    Busy,
}
