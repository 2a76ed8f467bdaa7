//! Values that a transport and its callers exchange: tokens, back-pressure, and whether a peer can
//! be reached.

/// Identifies an operation to the code that started it; the transport only hands it back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token(pub u64);

/// Whether a transport accepted a send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a busy transport has taken nothing: the message must be offered again"]
pub enum Flow {
    /// The transport has the message and will deliver it.
    Sent,
    /// The transport accepted nothing. Retry after some progress.
    Busy,
}

/// Whether a peer can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Messages can be sent to the peer.
    Reachable,
    /// Messages cannot be sent to the peer, for this reason: one clause for the explained choice.
    Unreachable(String),
}
