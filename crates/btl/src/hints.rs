//! Hints of a transport about the path to one peer.

/// Bytes from which on one-sided transfers are faster by the transport itself than by messages; 0:
/// always.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Least {
    /// For puts.
    pub put: usize,
    /// For gets.
    pub get: usize,
}

/// Advice on the path to one peer, for a caller that chooses among the means of moving bytes there.
/// None of it is binding. The default is neutral: the peer's memory is not read, and no length is
/// better than another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hints {
    /// Whether `get` works with this peer: a transport may find out per pair.
    pub reads: bool,
    /// Bytes from which on `get` moves a message faster than fragments do, both sides making
    /// progress meanwhile.
    pub get_min: usize,
    /// Bytes from which on one-sided transfers are faster by `put` and `get` than by messages, the
    /// peer making progress for these.
    pub transfer_min: Least,
    /// Bytes up to which one-sided transfers are faster by messages, whatever `transfer_min` says,
    /// while the peer says that it waits ([`crate::Presence::is_waiting`]).
    pub waiting_max: usize,
    /// The mechanism that reaches the peer's memory, and why no better one does: one clause. `None`
    /// where there is only one.
    pub explain: Option<String>,
}
