//! What is better by which path, as a value.

/// Bytes from which on one-sided transfers are sooner done by a transport itself than by messages;
/// 0: always.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Least {
    /// For puts.
    pub put: usize,
    /// For gets.
    pub get: usize,
}

/// What is worth knowing of the path to one peer, for who chooses among ways to move bytes there.
/// None of it must be heeded. The default is neutral: the peer's memory is not read, and no length
/// is better than another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hints {
    /// Whether `get` works with this peer: a transport may find out per pair.
    pub reads: bool,
    /// Bytes from which on `get` brings a message sooner than its pieces in messages, both sides
    /// being there for them.
    pub get_min: usize,
    /// Bytes from which on one-sided transfers are sooner done by `put` and `get` than by messages,
    /// the peer being there for these.
    pub transfer_min: Least,
    /// Bytes up to which one-sided transfers are sooner done by messages, whatever `transfer_min`
    /// says, while the peer says that it waits ([`crate::Presence::is_waiting`]).
    pub waiting_max: usize,
    /// By what the peer's memory is reached, and why not by something better: one clause. `None`
    /// where there is but one way.
    pub explain: Option<String>,
}
