//! Atomic operations: libfabric's codes for operations and datatypes.

use libc::c_int;

/// An operation on the remote word. Names are libfabric's (`fi_atomic(3)`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicOp {
    /// Stores the lesser of word and operand.
    Min,
    /// Stores the greater of word and operand.
    Max,
    /// Stores the sum.
    Sum,
    /// Bitwise or.
    Bor,
    /// Bitwise and.
    Band,
    /// Bitwise exclusive or.
    Bxor,
    /// Reads only; a fetch.
    Read,
    /// Replaces the word.
    Write,
    /// Replaces the word if it equals the compared value; a compare.
    CompareSwap,
}

/// The type of the remote word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicType {
    /// 32 bits, signed.
    I32,
    /// 32 bits.
    U32,
    /// 64 bits, signed.
    I64,
    /// 64 bits.
    U64,
}

/// The result of an atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicKind {
    /// Nothing.
    Base,
    /// The word as it was.
    Fetch,
    /// The word as it was, after a comparison.
    Compare,
}

impl AtomicOp {
    pub(crate) fn raw(self) -> c_int {
        match self {
            AtomicOp::Min => 0,
            AtomicOp::Max => 1,
            AtomicOp::Sum => 2,
            AtomicOp::Bor => 6,
            AtomicOp::Band => 7,
            AtomicOp::Bxor => 9,
            AtomicOp::Read => 10,
            AtomicOp::Write => 11,
            AtomicOp::CompareSwap => 12,
        }
    }
}

impl AtomicType {
    pub(crate) fn raw(self) -> c_int {
        match self {
            AtomicType::I32 => 4,
            AtomicType::U32 => 5,
            AtomicType::I64 => 6,
            AtomicType::U64 => 7,
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(self) -> usize {
        match self {
            AtomicType::I32 | AtomicType::U32 => 4,
            AtomicType::I64 | AtomicType::U64 => 8,
        }
    }
}

impl AtomicKind {
    pub(crate) fn query_flags(self) -> u64 {
        match self {
            AtomicKind::Base => 0,
            AtomicKind::Fetch => 1 << 58,
            AtomicKind::Compare => 1 << 59,
        }
    }
}
