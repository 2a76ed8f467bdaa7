//! Chooses by measured times what carries the data of a long call: slots, or copies by the kernel
//! from the memory of its owner.
//!
//! All ranks must use the same mechanism for the same call, and no message may be needed for that.
//! So every rank has the same choosers ([`shm::carriage`]), one for each function and size class,
//! and feeds them the same numbers. Some calls are *measured*: all ranks enter them together, and
//! at their end add up how long they were inside; a chooser gets the mean. What it chooses next is
//! a function of these means and of the calls so far, which all ranks know.
//!
//! The first calls of a size class and those that try another mechanism are measured, of the rest
//! one in [`INTERVAL_MAX`]: coming together twice costs as much as a short call, and keeps ranks
//! from running ahead of others.

use shm::carriage::{Chooser, CLASSES};

use crate::params::Copies;
use crate::segment::DEPTH;

/// The mechanisms of a chooser. The first one always works.
pub(crate) const NAMES: [&str; 2] = ["slots", "kernel copies"];
/// The second one.
pub(crate) const COPIES: usize = 1;

/// Calls of a size class of which all are measured: the first ones, in which it mostly decides.
const FIRST_MEASURED: u8 = 8;
/// Calls of a size class for each one that is measured, after some time.
const INTERVAL_MAX: u8 = 128;

/// Functions that have choosers, by the kind of what they show; a power of two.
const FUNCTIONS: usize = 16;

/// The choosers of one function.
pub(crate) struct Choosers {
    /// Made when first used. None begins with the verdict of the class beside it: that would be
    /// judged by one copy, and the first copy of a buffer is a slow one.
    classes: [Option<Box<Chooser>>; CLASSES],
    paces: [Pace; CLASSES],
}

/// How often calls of a size class are measured.
#[derive(Clone, Copy, Default)]
struct Pace {
    /// Calls until the next measured one, which uses mechanism `next`.
    left: u8,
    next: u8,
    /// Calls from this measured one to the one after.
    interval: u8,
    /// Calls measured so far, up to [`FIRST_MEASURED`].
    measured: u8,
}

impl Choosers {
    fn new() -> Choosers {
        Choosers {
            classes: Default::default(),
            paces: Default::default(),
        }
    }

    fn chooser(&mut self, class: usize) -> &mut Chooser {
        let new = || Box::new(Chooser::new(NAMES.len()));
        self.classes[class].get_or_insert_with(new)
    }

    /// Returns the mechanism of a class that is not on trial.
    pub(crate) fn kept(&mut self, class: usize) -> usize {
        self.chooser(class).kept()
    }

    /// Returns the mechanism of the next call of a class, and whether it is measured.
    pub(crate) fn next(&mut self, class: usize) -> (usize, bool) {
        if self.paces[class].left > 0 {
            self.paces[class].left -= 1;
            return (self.kept(class), false);
        }
        (usize::from(self.paces[class].next), true)
    }

    /// Records the mean time of a measured call.
    pub(crate) fn record(
        &mut self,
        class: usize,
        mechanism: usize,
        bytes: usize,
        nanoseconds: u64,
    ) {
        let mut pace = self.paces[class];
        let chooser = self.chooser(class);
        chooser.skip(u32::from(pace.interval.saturating_sub(1)));
        chooser.record(mechanism, bytes, nanoseconds);
        pace.measured = (pace.measured + 1).min(FIRST_MEASURED);
        pace.interval = match pace.measured < FIRST_MEASURED {
            true => 1,
            false => pace.interval.saturating_mul(2).min(INTERVAL_MAX),
        };
        pace.next = chooser.choose() as u8;
        pace.left = match usize::from(pace.next) == chooser.kept() {
            true => pace.interval - 1,
            false => 0,
        };
        self.paces[class] = pace;
    }
}

/// The rule and the choosers that decide whether a call's data is copied by the kernel.
pub(crate) struct Carriage {
    pub(crate) rule: Copies,
    functions: [Option<Box<Choosers>>; FUNCTIONS],
}

impl Carriage {
    /// `crowded` ranks take turns on the cores, and a time says nothing: there the kernel copies
    /// what would need more turns than one by slots of `slot_bytes`.
    pub(crate) fn new(copies: Copies, crowded: bool, slot_bytes: usize) -> Carriage {
        let rule = match copies {
            Copies::Measured if crowded => Copies::From(slot_bytes * DEPTH as usize),
            rule => rule,
        };
        Carriage {
            rule,
            functions: Default::default(),
        }
    }

    /// Returns the choosers of a function.
    pub(crate) fn choosers(&mut self, kind: u8) -> &mut Choosers {
        let place = &mut self.functions[usize::from(kind) % FUNCTIONS];
        place.get_or_insert_with(|| Box::new(Choosers::new()))
    }
}

#[cfg(test)]
mod tests;
