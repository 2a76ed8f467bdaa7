//! Errors of transports.

use std::fmt;

use base::PeerId;

/// Refuses an operation that [`crate::Caps`] denies, such as "put", with [`Error::Unsupported`].
///
/// # Errors
/// Always.
pub(crate) fn refused<T>(peer: PeerId, what: &'static str) -> Result<T, Error> {
    Err(Error::Unsupported { peer, what })
}

/// An error of a transport, with the peer and the cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The caller asked for more than the transport's limit.
    TooLarge {
        /// The peer that the operation was for.
        peer: PeerId,
        /// Bytes asked for.
        len: usize,
        /// Bytes possible.
        limit: usize,
    },
    /// The caller asked for something that the transport lacks; [`crate::Caps`] said so.
    Unsupported {
        /// The peer that the operation was for.
        peer: PeerId,
        /// The operation.
        what: &'static str,
    },
    /// The peer was never introduced, or cannot be reached by this transport.
    Unreachable {
        /// The peer.
        peer: PeerId,
    },
    /// The peer ended, or the path to it broke.
    PeerGone {
        /// The peer.
        peer: PeerId,
        /// The symptom: one clause.
        how: String,
    },
    /// The peer may well be there, but this process or the peer lacks what a connection needs.
    Unconnected {
        /// The peer.
        peer: PeerId,
        /// The missing resource, and the remedy: one clause.
        why: String,
    },
    /// The peer announced its end, and its process has ended since: nothing more comes from it, and
    /// nothing is wrong with it.
    PeerLeft {
        /// The peer.
        peer: PeerId,
    },
    /// The peer sent something that the protocol does not allow.
    Protocol {
        /// The peer.
        peer: PeerId,
        /// The violation: one clause.
        what: String,
    },
    /// A range outside its registration.
    OutOfRange {
        /// The peer.
        peer: PeerId,
        /// Offset of the first byte asked for, from the start of the registration.
        offset: u64,
        /// Bytes asked for.
        len: usize,
    },
    /// An atomic operation on a misaligned word: its address is not a multiple of its size.
    Unaligned {
        /// The peer.
        peer: PeerId,
        /// Offset of the word, from the start of the registration.
        offset: u64,
        /// The size of the word in bytes.
        size: usize,
    },
    /// Memory could not be registered.
    Registration {
        /// Bytes asked for.
        len: usize,
        /// The reason: one clause.
        why: String,
    },
    /// The system refused a resource.
    Resource {
        /// The resource, with its size where it has one.
        what: String,
        /// The system's reason.
        why: String,
    },
}

impl Error {
    /// Returns why a peer has failed, for texts that name the peer themselves.
    pub fn why(&self) -> String {
        match self {
            Error::PeerGone { how, .. } => how.clone(),
            Error::PeerLeft { .. } => "it has finalized and ended".to_string(),
            Error::Unconnected { why, .. } => format!("no connection: {why}"),
            Error::Protocol { what, .. } => format!("it broke the protocol: {what}"),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooLarge { peer, len, limit } => {
                write!(f, "{len} bytes for {peer} exceed the limit of {limit}")
            }
            Error::Unsupported { peer, what } => write!(f, "no {what} to {peer}"),
            Error::Unreachable { peer } => write!(f, "{peer} cannot be reached"),
            Error::PeerGone { peer, how } => write!(f, "{peer} is gone: {how}"),
            Error::Unconnected { peer, why } => write!(f, "no connection with {peer}: {why}"),
            Error::PeerLeft { peer } => write!(f, "{peer} has finalized and ended"),
            Error::Protocol { peer, what } => write!(f, "{peer} broke the protocol: {what}"),
            Error::OutOfRange { peer, offset, len } => {
                write!(
                    f,
                    "{len} bytes at {offset} lie outside what {peer} registered"
                )
            }
            Error::Unaligned { peer, offset, size } => write!(
                f,
                "the word of {size} bytes at {offset} in {peer} lies at no multiple of its size"
            ),
            Error::Registration { len, why } => {
                write!(f, "{len} bytes could not be registered: {why}")
            }
            Error::Resource { what, why } => write!(f, "no {what}: {why}"),
        }
    }
}

impl std::error::Error for Error {}
