//! Registered memory, and reading, writing and changing a peer's.

use base::{PeerId, RemoteKey};
use memory::UserBuf;

/// What peers may do with registered memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Peers may read.
    pub read: bool,
    /// Peers may write.
    pub write: bool,
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

/// A peer's memory as memory of this process. Ends with `Transport::unmap`, and when the peer is
/// removed or has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// The peer.
    pub peer: PeerId,
    /// The memory, to be read and written. Pages may vanish from it when the peer's process ends.
    pub memory: UserBuf,
    /// The transport's own note.
    pub number: u64,
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

/// What an atomic operation does with the remote word. Integers wrap; `Min` and `Max` compare
/// them as signed.
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
    /// The lesser of word and operand.
    Min,
    /// The greater of word and operand.
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
    /// The size in bytes.
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
    /// What to do.
    pub op: AtomicOp,
    /// The size of the word.
    pub width: Width,
    /// The operand.
    pub operand: u64,
}

impl Atomic {
    /// Does the operation on the first word of `memory`, for transports whose targets, or
    /// whose loopback, do it by the processor. Gives the word as it was; `None` when `memory`
    /// is too short or does not begin at a multiple of the word's size.
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

/// What a look for the end of one operation has seen ([`crate::Transport::look_for`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glance {
    /// Nothing has come.
    Nothing,
    /// The operation has ended well, as [`crate::Sink::done`] would say. Nobody is told again.
    Ended,
    /// Something that `progress` tells of; or the transport does not look for single operations.
    Other,
}

impl Width {
    /// Writes a word of this width where an operation's result goes, in the machine's order.
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
    /// The word that takes the place of `word`. Both are of `width`; so is the answer.
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
