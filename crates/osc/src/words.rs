//! The machine words that a transport changes by its own atomic operations, without the target's
//! help.
//!
//! A network's atomic operations exclude each other, but neither the processor's nor those by which
//! a target serves messages. So the carrier of an accumulate depends on nothing but its element and
//! its displacement ([`crate::Access::word`]): on a window that is served so, *every* accumulate of
//! an element of 4 or 8 bytes at a multiple of its size goes by the transport, those of a process
//! to itself too, and every other one by messages. Two that may meet at one displacement have the
//! same datatype (MPI 5.0, 12.7.1) and so take the same carrier, whatever their operations are.
//!
//! An operation that a network cannot do in one step, such as the greater of two real numbers, it
//! does by compare-and-swap:
//!
//! | an accumulate | its steps |
//! |---|---|
//! | sums, bits, extremes of signed integers, `MPI_REPLACE`, `MPI_NO_OP`, swaps | one |
//! | all others | a read, then compare-and-swaps until one succeeds |
//!
//! **Accumulates to one word keep their order** unless the window's user says that they need not
//! (`accumulate_ordering`): networks promise none, so each begins when the one before it has ended.
//! Accumulates to different words are under way together.

use ::memory::{Scratch, UserBuf};
use btl::{AtomicOp, Width};
use datatype::{Basic, Buffer, Class, Op, Repr};

/// A machine word in a target's window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetWord {
    /// Offset from the beginning of the target's window, in bytes.
    pub offset: u64,
    /// Its size.
    pub width: Width,
}

impl TargetWord {
    /// Returns the word of `len` bytes of a window, where they are one element of a datatype that
    /// lanes change, in a window that begins `skew` bytes behind a multiple of 8.
    #[inline(always)]
    pub(crate) fn of(element: &Basic, offset: u64, len: usize, skew: u64) -> Option<TargetWord> {
        let width = width_of(element)?;
        let is_whole = skew
            .wrapping_add(offset)
            .is_multiple_of(width.bytes() as u64);
        (len == width.bytes() && is_whole).then_some(TargetWord { offset, width })
    }

    /// Returns its key in [`crate::turns::Turns`].
    #[inline]
    pub(crate) fn turn(&self) -> u64 {
        self.offset / 8
    }
}

/// Returns the width of an element that lanes change.
#[inline(always)]
pub(crate) fn width_of(element: &Basic) -> Option<Width> {
    // Pairs have values and indices of their own sizes, and some have gaps.
    match (element.size, element.class) {
        (_, Class::Pair) => None,
        (4, _) => Some(Width::Four),
        (8, _) => Some(Width::Eight),
        _ => None,
    }
}

/// Returns the one step by which a network does an operation, where it can.
#[inline(always)]
pub(crate) fn at_once(op: Op, element: &Basic) -> Option<AtomicOp> {
    let is_signed = matches!(element.repr, Repr::I32 | Repr::I64);
    let is_whole = is_signed || matches!(element.repr, Repr::U32 | Repr::U64);
    match op {
        Op::NoOp => Some(AtomicOp::Read),
        Op::Replace => Some(AtomicOp::Swap),
        Op::Sum if is_whole => Some(AtomicOp::Add),
        Op::Band if is_whole => Some(AtomicOp::And),
        Op::Bor if is_whole => Some(AtomicOp::Or),
        Op::Bxor if is_whole => Some(AtomicOp::Xor),
        Op::Min if is_signed => Some(AtomicOp::Min),
        Op::Max if is_signed => Some(AtomicOp::Max),
        _ => None,
    }
}

/// Returns the combination of a word with the operand.
pub(crate) fn combine(op: Op, element: &Basic, operand: u64, word: u64, width: Width) -> u64 {
    let Some(datatype) = datatype::predefined(element.handle) else {
        return word;
    };
    let room = Scratch::new(128);
    let (source, into) = (room.buf().part(0, 8), room.buf().part(64, 8));
    width.store(operand, source);
    width.store(word, into);
    let done = datatype::reduce(op, datatype, source, into, 1);
    debug_assert!(done.is_ok(), "checked before: {done:?}");
    load(into, width)
}

/// Returns the word at the beginning of memory.
#[inline(always)]
pub(crate) fn load(from: UserBuf, width: Width) -> u64 {
    let mut bytes = [0; 8];
    from.read(0, &mut bytes[..width.bytes()]);
    word_of(&bytes, width)
}

/// Returns the word that elements begin with.
#[inline]
pub(crate) fn operand(from: &Buffer, width: Width) -> u64 {
    if let Some(bytes) = from.contiguous() {
        return load(bytes, width);
    }
    let mut bytes = [0; 8];
    from.pack_into(0, &mut bytes[..width.bytes()]);
    word_of(&bytes, width)
}

fn word_of(bytes: &[u8; 8], width: Width) -> u64 {
    match width {
        Width::Four => u64::from(u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        Width::Eight => u64::from_ne_bytes(*bytes),
    }
}
