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

use shm::carriage::{Chooser, CLASSES, CLASS_MIN_BYTES};

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

    /// Describes what carries each class that was measured, and the rate of each mechanism.
    fn account(&self, function: &str) -> Vec<String> {
        let used = self.classes.iter().enumerate();
        let used = used.filter_map(|(class, one)| Some((class, one.as_deref()?)));
        let rate = |chooser: &Chooser, mechanism: usize| match chooser.rate(mechanism) {
            Some(rate) => format!("{} {:.1} GB/s", NAMES[mechanism], rate as f64 / 1000.0),
            None => format!("{} not tried", NAMES[mechanism]),
        };
        let describe = |(class, chooser): (usize, &Chooser)| {
            let (from, kept) = ((CLASS_MIN_BYTES >> 10) << class, NAMES[chooser.kept()]);
            let rates = [rate(chooser, 0), rate(chooser, COPIES)].join(", ");
            format!("{function} of {from} KiB by {kept} ({rates})")
        };
        used.map(describe).collect()
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
    /// Why the rule is another one than to measure: one clause.
    reason: &'static str,
    functions: [Option<Box<Choosers>>; FUNCTIONS],
}

impl Carriage {
    /// `allowed`: whether each rank may read every other's memory. `crowded` ranks take turns on
    /// the cores, and a time says nothing: there the kernel copies what would need more turns than
    /// one by slots of `slot_bytes`.
    pub(crate) fn new(wanted: Copies, allowed: bool, crowded: bool, slot_bytes: usize) -> Carriage {
        let (rule, reason) = match wanted {
            Copies::Never => (Copies::Never, "parameters forbid kernel copies"),
            _ if !allowed => (Copies::Never, "not every rank may read the others' memory"),
            Copies::From(_) => (wanted, "forced by parameters"),
            Copies::Measured if crowded => (
                Copies::From(slot_bytes * DEPTH as usize),
                "more ranks than cores",
            ),
            Copies::Measured => (Copies::Measured, ""),
        };
        Carriage {
            rule,
            reason,
            functions: Default::default(),
        }
    }

    /// Gives up copies by the kernel, for all later calls.
    pub(crate) fn give_up_copies(&mut self, reason: &'static str) {
        self.rule = Copies::Never;
        self.reason = reason;
    }

    /// Describes what carries long data, and why; `None` before the first long data. `name` returns
    /// the name of the function of a kind.
    pub(crate) fn account(&self, name: impl Fn(u8) -> Option<&'static str>) -> Option<String> {
        match self.rule {
            Copies::Never => Some(format!("all by slots ({})", self.reason)),
            Copies::From(least) => Some(format!(
                "{} KiB and more by kernel copies ({})",
                least >> 10,
                self.reason
            )),
            Copies::Measured => {
                let kinds = self.functions.iter().zip(0..);
                let accounts = kinds
                    .filter_map(|(choosers, kind)| Some(choosers.as_ref()?.account(name(kind)?)));
                let accounts: Vec<String> = accounts.flatten().collect();
                (!accounts.is_empty()).then(|| accounts.join("; "))
            }
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
