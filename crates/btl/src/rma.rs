//! Remote memory access: registrations, get, put, atomics and mappings of peers' memory.

use base::{PeerId, RemoteKey};
use memory::UserBuf;

use crate::error::{refused, Error};
use crate::flow::Token;

/// Access to registered memory of peers, by transports that have it.
///
/// Operations that [`crate::Caps`] denies are refused with [`Error::Unsupported`]. The default
/// methods are those of a transport that lacks what they do.
pub trait Rma {
    /// Makes memory reachable for peers' `get`, `put` and `atomic`.
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error>;

    /// Withdraws a registration. Peers' later accesses fail.
    fn deregister(&mut self, registration: Registration);

    /// Reads `local.len()` bytes of the peer's registered memory into `local`. The range may lie
    /// anywhere inside the registration. Only where [`crate::Caps::get`].
    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error>;

    /// Writes `local` into the peer's registered memory. Only where [`crate::Caps::put`].
    fn put(
        &mut self,
        peer: PeerId,
        _local: UserBuf,
        _remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        refused(peer, "put")
    }

    /// Changes a word of the peer's registered memory in one step, atomic with respect to every
    /// other `atomic` on that word, of any process by the same transport. The word as it was goes
    /// to `result`, which holds [`Width::bytes`]; `None` discards it. Needs a registration with
    /// both accesses. A word at an address that is no multiple of its size is refused
    /// ([`Error::Unaligned`]), at once or on completion. On completion the word has changed at the
    /// peer, without [`crate::Transport::flush`]. Only where [`crate::Caps::atomics`].
    fn atomic(
        &mut self,
        peer: PeerId,
        _atomic: Atomic,
        _result: Option<UserBuf>,
        _remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        refused(peer, "atomic")
    }

    /// Whether `atomic` with this process's own number reaches its own registered memory through
    /// the device, so that it is atomic with respect to peers' changes. `None` while the transport
    /// tries that out: call again after some `progress`.
    ///
    /// # Errors
    /// Why not: one clause.
    fn loop_back(&mut self) -> Option<Result<(), String>>;

    /// Maps `len` bytes of the peer's registered memory into this process, to be read by loads and,
    /// where the registration allows it, written by stores. The peer's writes show in it as in
    /// shared memory. `None` where that cannot be.
    ///
    /// # Errors
    /// When the peer cannot be reached, or the range leaves its registration.
    fn map(
        &mut self,
        _peer: PeerId,
        _remote: RemoteRange,
        _len: usize,
    ) -> Result<Option<Mapping>, Error> {
        Ok(None)
    }

    /// Ends a mapping made by [`Rma::map`]; its memory is not touched any more.
    fn unmap(&mut self, _mapping: Mapping) {}

    /// Polls for the completion of one `get`, `put` or `atomic`, at most `polls` times, and leaves
    /// all else to `progress`: for a caller that waits for this one only, between two polls of
    /// everything.
    fn poll_for(&mut self, _token: Token, _polls: u32) -> Polled {
        Polled::Other
    }
}

/// Returns the reason that a transport without `loop_back` gives.
pub fn no_loop_back(transport: &str) -> String {
    format!("{transport} has no way back to its own process")
}

/// Rights of peers to registered memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Peers may read.
    pub read: bool,
    /// Peers may write.
    pub write: bool,
}

/// Memory that a transport has made reachable. Ends with [`Rma::deregister`].
#[derive(Clone, Debug)]
pub struct Registration {
    /// The memory.
    pub memory: UserBuf,
    /// The remote key, by which peers access the memory.
    pub key: RemoteKey,
    /// The transport's own identifier of the registration.
    pub id: u64,
}

/// A range of a peer's registered memory, `offset` bytes after the registration's start.
/// The length is that of the local buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteRange {
    /// The remote key of the registration.
    pub key: RemoteKey,
    /// Bytes from the registration's start.
    pub offset: u64,
}

/// A peer's memory as memory of this process. Ends with [`Rma::unmap`], and when the peer is
/// removed or has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// The peer.
    pub peer: PeerId,
    /// The memory, to be read and written. Pages may vanish from it when the peer's process ends.
    pub memory: UserBuf,
    /// The transport's own identifier of the mapping.
    pub number: u64,
}

/// How a `get`, `put` or `atomic` began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a busy transport has taken nothing"]
pub enum Started {
    /// Complete; the token will not be reported.
    Done,
    /// Under way; the token will be reported.
    Pending,
    /// The transport accepted nothing. Retry after some progress.
    Busy,
}

/// An atomic operation's effect on the remote word. Integers wrap; `Min` and `Max` compare them as
/// signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicOp {
    /// Adds the operand.
    Add,
    /// Bitwise and with the operand.
    And,
    /// Bitwise or with the operand.
    Or,
    /// Bitwise exclusive or with the operand.
    Xor,
    /// Stores the lesser of word and operand.
    Min,
    /// Stores the greater of word and operand.
    Max,
    /// Replaces the word by the operand.
    Swap,
    /// Leaves the word as it is.
    Read,
    /// Replaces the word by the operand if it equals this value.
    CompareSwap(u64),
}

/// The size of the word that an atomic operation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// 32 bits.
    Four,
    /// 64 bits.
    Eight,
}

impl Width {
    /// Returns the size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Width::Four => 4,
            Width::Eight => 8,
        }
    }
}

/// An atomic operation on a word of a peer's registered memory. The word lies at a multiple of
/// its size. With `Width::Four` only the low 32 bits of the values count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atomic {
    /// The operation.
    pub op: AtomicOp,
    /// The size of the word.
    pub width: Width,
    /// The operand.
    pub operand: u64,
}

impl Atomic {
    /// Applies the operation to the first word of `memory`, for transports whose targets, or whose
    /// loopback, execute it by the processor. Returns the word as it was; `None` when `memory` is
    /// too short or does not begin at a multiple of the word's size.
    pub fn apply_to(&self, memory: UserBuf) -> Option<u64> {
        let (op, width, operand) = (self.op, self.width, self.operand);
        match width {
            Width::Four => memory
                .update_u32(0, |word| op.apply(width, u64::from(word), operand) as u32)
                .map(u64::from),
            Width::Eight => memory.update_u64(0, |word| op.apply(width, word, operand)),
        }
    }
}

/// The result of a poll for the completion of one operation ([`Rma::poll_for`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polled {
    /// No event has arrived.
    Nothing,
    /// The operation has succeeded, and [`crate::Sink::done`] will not report it.
    Ended,
    /// An event for `progress` to report; or the transport does not poll for single operations.
    Other,
}

impl Width {
    /// Writes a word of this width into an operation's result, in the machine's byte order.
    ///
    /// # Panics
    /// When `result` has no room for it.
    pub fn store(self, word: u64, result: UserBuf) {
        match self {
            Width::Four => result.write(0, &(word as u32).to_ne_bytes()),
            Width::Eight => result.write(0, &word.to_ne_bytes()),
        }
    }
}

impl AtomicOp {
    /// Returns the word that replaces `word`. Both are of `width`.
    pub fn apply(self, width: Width, word: u64, operand: u64) -> u64 {
        let signed = |value: u64| match width {
            Width::Four => i64::from(value as u32 as i32),
            Width::Eight => value as i64,
        };
        let cut = |value: u64| match width {
            Width::Four => value & u64::from(u32::MAX),
            Width::Eight => value,
        };
        let result = match self {
            AtomicOp::Add => word.wrapping_add(operand),
            AtomicOp::And => word & operand,
            AtomicOp::Or => word | operand,
            AtomicOp::Xor => word ^ operand,
            AtomicOp::Min if signed(operand) < signed(word) => operand,
            AtomicOp::Max if signed(operand) > signed(word) => operand,
            AtomicOp::Min | AtomicOp::Max => word,
            AtomicOp::Swap => operand,
            AtomicOp::Read => word,
            AtomicOp::CompareSwap(expected) if cut(expected) == cut(word) => operand,
            AtomicOp::CompareSwap(_) => word,
        };
        cut(result)
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicOp, Width};

    #[test]
    fn words_are_cut_and_compared_by_their_width() {
        let minus_one = u64::from(u32::MAX);
        assert_eq!(AtomicOp::Add.apply(Width::Four, minus_one, 2), 1);
        assert_eq!(AtomicOp::Add.apply(Width::Eight, minus_one, 2), 1 << 32 | 1);
        assert_eq!(AtomicOp::Min.apply(Width::Four, 5, minus_one), minus_one);
        assert_eq!(AtomicOp::Min.apply(Width::Eight, 5, minus_one), 5);
        assert_eq!(AtomicOp::Max.apply(Width::Eight, 5, u64::MAX), 5);
        let high = 7 << 32 | 3;
        let swapped = AtomicOp::CompareSwap(high).apply(Width::Four, 3, 9);
        assert_eq!(swapped, 9);
        assert_eq!(AtomicOp::CompareSwap(high).apply(Width::Eight, 3, 9), 3);
    }
}
