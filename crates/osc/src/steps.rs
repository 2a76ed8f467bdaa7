//! Accumulates of words in steps: what step is next, and which are due.

use std::collections::VecDeque;

use ::memory::{Scratch, UserBuf};
use base::Key;
use btl::{Atomic, AtomicOp};

use crate::access::{Access, Verb};
use crate::words::{at_once, combine, TargetWord};

/// Slots for results that are allocated together.
const SLOTS: usize = 64;

/// The progress of an accumulate of one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(crate) word: TargetWord,
    /// The step that the lane has, or is to be given.
    pub(crate) atomic: Atomic,
    /// The origin's operand.
    operand: u64,
    pub(crate) result: UserBuf,
}

impl Course {
    /// Returns the course of an accumulate of a word, whose first step is all of it, or a read.
    pub(crate) fn new(access: &Access, word: TargetWord, result: UserBuf) -> Course {
        let width = word.width;
        let operand = access.operand(width);
        let op = access.single_step(width).unwrap_or(AtomicOp::Read);
        Course {
            word,
            atomic: Atomic { op, width, operand },
            operand,
            result,
        }
    }

    /// Prepares the step after one that read `before`. False when the accumulate is done.
    pub(crate) fn advance(&mut self, access: &Access, before: u64) -> bool {
        let Verb::Accumulate { op, element, .. } = &access.verb else {
            return false;
        };
        let swaps = match self.atomic.op {
            AtomicOp::CompareSwap(expected) => expected != before,
            _ => at_once(*op, element).is_none(),
        };
        if swaps {
            let width = self.word.width;
            self.atomic = Atomic {
                op: AtomicOp::CompareSwap(before),
                width,
                operand: combine(*op, element, self.operand, before, width),
            };
        }
        swaps
    }
}

/// Steps that are due, and slots for results.
#[derive(Default)]
pub(crate) struct StepQueue {
    pub(crate) due: VecDeque<Key>,
    chunks: Vec<Scratch>,
    pub(crate) free: Vec<UserBuf>,
}

impl StepQueue {
    /// Returns a slot for a result. Its memory is freed only with the [`crate::Osc`]: a lane may
    /// still write it when nobody waits for that any more.
    pub(crate) fn slot(&mut self) -> UserBuf {
        if self.free.is_empty() {
            let chunk = Scratch::new(SLOTS * 8);
            let slots = (0..SLOTS).map(|at| chunk.buf().part(8 * at, 8));
            self.free.extend(slots);
            self.chunks.push(chunk);
        }
        self.free.pop().unwrap_or(UserBuf::EMPTY)
    }

    /// Makes the operation whose turn it is due.
    #[inline]
    pub(crate) fn follow(&mut self, next: Option<Key>) {
        self.due.extend(next);
    }
}
