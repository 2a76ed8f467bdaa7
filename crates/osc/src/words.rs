//! Accumulates of single words that a transport does by its own atomic operations, without the
//! target's help.
//!
//! A network's atomic operations exclude each other, but neither the processor's nor those by which
//! a target serves messages. So the path of an accumulate depends on nothing but its element and
//! its displacement ([`Access::word`]): on a window that is served so, *every* accumulate of an
//! element of 4 or 8 bytes at a multiple of its size goes by the transport, those of a process to
//! itself too, and every other one by messages. Two that may meet at one displacement have the same
//! datatype (MPI 5.0, 12.7.1) and so take the same path, whatever their operations are.
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
//! Those to different words are under way together.
//!
//! [`Osc::begin_on_word`] begins an accumulate, [`Osc::next_step`] returns its next step for the
//! lane, and [`Osc::piece_done`] or [`Osc::step_failed`] takes the outcome of that.

use std::collections::VecDeque;

use ::memory::{Payload, Scratch, UserBuf};
use base::{Key, PeerId, Rank};
use btl::{Atomic, AtomicOp, Width};
use datatype::{Basic, Class, Op, Repr};

use crate::order::Carrier;
use crate::origin::{Access, OpId, Operation, Place};
use crate::{Error, Osc, WindowId};

/// Slots for results that are allocated together.
const ROOMS: usize = 64;

/// A word of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// Offset from the beginning of the target's window, in bytes.
    pub offset: u64,
    /// Its size.
    pub width: Width,
}

impl Word {
    /// Returns the word of `len` bytes of a window, where they are one element of a datatype that
    /// lanes change, in a window that begins `skew` bytes behind a multiple of 8.
    #[inline(always)]
    pub(crate) fn of(element: &Basic, offset: u64, len: usize, skew: u64) -> Option<Word> {
        let width = width(element)?;
        let is_whole = skew
            .wrapping_add(offset)
            .is_multiple_of(width.bytes() as u64);
        (len == width.bytes() && is_whole).then_some(Word { offset, width })
    }

    /// Returns its key in [`crate::turns::Turns`].
    #[inline]
    pub(crate) fn turn(&self) -> u64 {
        self.offset / 8
    }
}

/// The next step of an accumulate, for a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The operation, by which the end of the step is reported.
    pub operation: OpId,
    /// The target's window, as this process knows it.
    pub window: WindowId,
    /// The target.
    pub target: Rank,
    /// The target's process.
    pub peer: PeerId,
    /// Bytes from the beginning of the target's window.
    pub offset: u64,
    /// The atomic operation on the word there.
    pub atomic: Atomic,
    /// The destination of the previous value, valid for as long as the [`Osc`].
    pub result: UserBuf,
}

/// The progress of an accumulate of one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    word: Word,
    /// The step that the lane has, or is to be given.
    atomic: Atomic,
    /// The origin's operand.
    operand: u64,
    result: UserBuf,
}

/// Steps that are due, and slots for results.
#[derive(Default)]
pub(crate) struct Words {
    due: VecDeque<OpId>,
    chunks: Vec<Scratch>,
    free: Vec<UserBuf>,
}

impl Words {
    /// Returns a slot for a result. Its memory is freed only with the [`Osc`]: a lane may still
    /// write it when nobody waits for that any more.
    fn room(&mut self) -> UserBuf {
        if self.free.is_empty() {
            let chunk = Scratch::new(ROOMS * 8);
            self.free
                .extend((0..ROOMS).map(|at| chunk.buf().part(8 * at, 8)));
            self.chunks.push(chunk);
        }
        self.free.pop().unwrap_or(UserBuf::EMPTY)
    }

    /// Makes the operation whose turn it is due.
    #[inline]
    pub(crate) fn follow(&mut self, next: Option<Key>) {
        self.due.extend(next.map(OpId));
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.due.is_empty()
    }
}

/// Returns the width of an element that lanes change.
#[inline(always)]
fn width(element: &Basic) -> Option<Width> {
    // Pairs have values and indices of their own sizes, and some have gaps.
    match (element.size, element.class) {
        (_, Class::Pair) => None,
        (4, _) => Some(Width::Four),
        (8, _) => Some(Width::Eight),
        _ => None,
    }
}

impl Access {
    /// Returns how many elements it combines with the target's; 0 for a put or a get.
    pub fn combined(&self, Place(place): &Place) -> usize {
        match self {
            Access::Put { .. } | Access::Get { .. } => 0,
            Access::CompareAndSwap { .. } => 1,
            Access::Accumulate { element, .. } => self.len(place) / element.size.max(1) as usize,
        }
    }

    /// Returns the word that it changes, if it is an accumulate of one in a window that begins
    /// `skew` bytes behind a multiple of 8.
    pub fn word(&self, Place(place): &Place, skew: u64) -> Option<Word> {
        let (element, len) = (self.element()?, self.len(place));
        let begin = match place.contiguous() {
            Some(place) => place,
            None => {
                // A word is one element, which is contiguous.
                let mut stretches = Vec::new();
                place.segments(0, len.min(width(element)?.bytes()), &mut stretches);
                *stretches.first()?
            }
        };
        Word::of(element, begin.address().addr() as u64, len, skew)
    }

    /// Returns the origin's operand as a word.
    fn operand(&self, width: Width) -> u64 {
        match self {
            Access::Accumulate { op: Op::NoOp, .. } => 0,
            Access::Accumulate { from, .. } => {
                let mut bytes = [0; 8];
                from.pack_into(0, &mut bytes[..width.bytes()]);
                word_of(&bytes, width)
            }
            Access::CompareAndSwap { new, .. } => load(*new, width),
            Access::Put { .. } | Access::Get { .. } => 0,
        }
    }

    /// Returns the lane's first step: the whole accumulate, or a read.
    fn first_step(&self, width: Width) -> AtomicOp {
        match self {
            Access::CompareAndSwap { compare, .. } => AtomicOp::CompareSwap(load(*compare, width)),
            Access::Accumulate { op, element, .. } => {
                at_once(*op, element).unwrap_or(AtomicOp::Read)
            }
            Access::Put { .. } | Access::Get { .. } => AtomicOp::Read,
        }
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
fn combine(op: Op, element: &Basic, operand: u64, word: u64, width: Width) -> u64 {
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

#[inline(always)]
pub(crate) fn load(from: UserBuf, width: Width) -> u64 {
    let mut bytes = [0; 8];
    from.read(0, &mut bytes[..width.bytes()]);
    word_of(&bytes, width)
}

fn word_of(bytes: &[u8; 8], width: Width) -> u64 {
    match width {
        Width::Four => u64::from(u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        Width::Eight => u64::from_ne_bytes(*bytes),
    }
}

impl Course {
    /// Returns the step after one that read `before`; `None` when the accumulate is done.
    fn next(&self, access: &Access, before: u64) -> Option<AtomicOp> {
        let Access::Accumulate { op, element, .. } = access else {
            return None;
        };
        match self.atomic.op {
            AtomicOp::CompareSwap(expected) if expected == before => None,
            AtomicOp::CompareSwap(_) => Some(AtomicOp::CompareSwap(before)),
            _ if at_once(*op, element).is_none() => Some(AtomicOp::CompareSwap(before)),
            _ => None,
        }
    }
}

impl Osc {
    /// Sets whether accumulates of this process to one word of a window keep their order: unless
    /// its user says that they need not (`accumulate_ordering`).
    pub fn order_words(&mut self, window: WindowId, ordered: bool) {
        self.window(window).ordered = ordered;
    }

    /// Begins an accumulate that [`Osc::may_begin`] allows, on a word that [`Access::word`]
    /// returned. For `held` see [`Osc::begin`].
    pub fn begin_on_word(
        &mut self,
        window: WindowId,
        rank: Rank,
        access: Access,
        Place(place): Place,
        word: Word,
        held: bool,
    ) -> OpId {
        let (width, operand) = (word.width, access.operand(word.width));
        let op = access.first_step(width);
        let course = Course {
            word,
            atomic: Atomic { op, width, operand },
            operand,
            result: self.words.room(),
        };
        let state = self.window(window);
        let ordered = state.ordered;
        let target = state.target(rank);
        target.open += 1;
        target.enter_lane(Carrier::Word);
        let (peer, name) = (target.peer, target.name);
        let len = place.len();
        let mut operation = Operation::new(window, rank, (peer, name), access, place, (len, held));
        operation.on_lane = true;
        operation.course = Some(course);
        let key = self.operations.insert(operation);
        if let Err(error) = self.check_peer(peer) {
            self.finish(key, Err(error));
        } else {
            let turns = &mut self.window(window).target(rank).turns;
            if !ordered || turns.take_or_wait(word.turn(), key) {
                self.words.due.push_back(OpId(key));
            }
        }
        OpId(key)
    }

    /// Ends the turn of an operation: the next one on its word is due.
    pub(crate) fn pass_turn(&mut self, window: WindowId, rank: Rank, course: &Course, key: Key) {
        let Some(state) = self.windows.get_mut(window.0) else {
            return;
        };
        let next = state.target(rank).turns.end(course.word.turn(), key);
        self.words.follow(next);
    }

    /// Whether steps are due.
    #[inline]
    pub fn has_steps(&self) -> bool {
        !self.words.is_idle()
    }

    /// Returns how many steps are due, at most.
    pub fn steps(&self) -> usize {
        self.words.due.len()
    }

    /// Returns the next step that is due. The caller hands it to the lane, or back
    /// ([`Osc::step_busy`]).
    pub fn next_step(&mut self) -> Option<Step> {
        loop {
            let operation = self.words.due.pop_front()?;
            let known = self.operations.get(operation.0);
            let live = known.filter(|known| known.ended.is_none());
            let Some((known, course)) = live.and_then(|known| Some((known, known.course?))) else {
                continue;
            };
            return Some(Step {
                operation,
                window: known.window,
                target: known.target,
                peer: known.peer,
                offset: course.word.offset,
                atomic: course.atomic,
                result: course.result.part(0, course.word.width.bytes()),
            });
        }
    }

    /// Makes a step due again, behind the others: its lane was too busy.
    pub fn step_busy(&mut self, operation: OpId) {
        self.words.due.push_back(operation);
    }

    /// Whether an operation changes a word by the lane.
    pub fn is_on_word(&self, operation: OpId) -> bool {
        let known = self.operations.get(operation.0);
        known.is_some_and(|known| known.course.is_some())
    }

    /// Takes the result of a step: the next one is due, or the operation ends.
    pub(crate) fn step_done(&mut self, key: Key) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        let Some(course) = operation.course.as_mut() else {
            return;
        };
        let (width, before) = (course.word.width, load(course.result, course.word.width));
        let ended = operation.ended.is_some();
        if let (Some(op), false) = (course.next(&operation.access, before), ended) {
            if let Access::Accumulate {
                op: how, element, ..
            } = &operation.access
            {
                course.atomic = Atomic {
                    op,
                    width,
                    operand: combine(*how, element, course.operand, before, width),
                };
            }
            return self.words.due.push_back(OpId(key));
        }
        self.words.free.push(course.result);
        if ended {
            return;
        }
        if let Some(room) = operation.access.result() {
            let mut bytes = [0; 8];
            course.result.read(0, &mut bytes);
            room.unpack(0, Payload::from(&bytes[..width.bytes()]));
        }
        self.finish(key, Ok(()));
    }

    /// Ends an operation that a lane cannot do, with the reason. Nothing was written.
    pub fn step_failed(&mut self, OpId(key): OpId, why: String) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let (target, course) = (operation.target, operation.course);
        self.words.free.extend(course.map(|course| course.result));
        self.finish(key, Err(Error::Lane { target, why }));
    }
}
