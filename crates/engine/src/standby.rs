//! A thread that takes in what is done to this process's windows while the application computes.
//!
//! It sleeps until a process on the same node has waited for an answer in vain, and so costs
//! nothing as long as answers come: the engine is the application's own until then, and again
//! afterwards ([`sync::Gate::visit`]).
//!
//! ```text
//! origin                                     target
//!                                            the thread: standby = HELPER_ASLEEP, sleeps
//! waits, and nothing comes for 100 us
//! summon: clears standby, wakes it       ->  one turn in the engine, beside the application
//! the answer                             <-
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;
use btl::FutexWord;
use pml::Pml;

use crate::pml::Core;
use crate::{Engine, Waiter};

/// How long who tests looks in vain before peers are summoned, and how long who waits yields: where
/// there is a core for each process it has spun as long by then, and elsewhere those that do not
/// answer may be waiting for one.
const TESTS: Duration = Duration::from_micros(100);
const YIELDS: Duration = Duration::ZERO;
const YIELDS_CROWDED: Duration = Duration::from_millis(1);
/// The pause before they are summoned again, each twice as long as the one before: what is waited
/// for may be a lock that another holds.
const PAUSE_MIN: Duration = Duration::from_micros(100);
const PAUSE_MAX: Duration = Duration::from_millis(20);
/// Looks in vain between two looks at the clock.
const LOOKS_PER_CLOCK: u32 = 64;
/// Looks in vain after which a turn ends: transports leave out some of what is silent.
const IDLE_LOOKS: usize = 32;
/// Most looks of a turn, so that the application has its own.
const LOOKS_MAX: usize = 1024;

/// When peers are summoned that do not answer.
#[derive(Default)]
pub(crate) struct Summons {
    due: Option<(Instant, Duration)>,
    looks: u32,
}

impl Summons {
    /// Something has happened, or a wait begins.
    #[inline]
    pub(crate) fn restart(&mut self) {
        *self = Summons::default();
    }

    /// Whether they are to be now, as nothing has happened since the first of these looks for as
    /// long as the caller's `patience`.
    fn is_due(&mut self, now: Instant, patience: Duration) -> bool {
        let (due, pause) = *self.due.get_or_insert((now + patience, PAUSE_MIN));
        if now < due {
            return false;
        }
        self.due = Some((now + pause, (2 * pause).min(PAUSE_MAX)));
        true
    }

    /// A look in vain of somebody who looks again and again (`MPI_Test`).
    #[inline]
    fn look(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        self.looks.is_multiple_of(LOOKS_PER_CLOCK)
    }
}

impl Core {
    /// Whether peers that share memory with this process owe it answers to its accesses.
    pub(crate) fn awaits_accesses(&self) -> bool {
        let Some(lanes) = self.lanes() else {
            return false;
        };
        let (osc, bml) = (&lanes.osc, &lanes.bml);
        let shares = |peer| bml.caps(peer).is_some_and(|caps| caps.shares_memory);
        osc.open_windows() > 0 && osc.awaited().any(shares)
    }

    /// A look in vain: summons those who owe answers, once it is due.
    #[cold]
    fn summon(&mut self, summons: &mut Summons, patience: Duration) {
        let Some(lanes) = self.lanes_mut() else {
            return;
        };
        if lanes.osc.open_windows() > 0 && summons.is_due(Instant::now(), patience) {
            lanes
                .osc
                .awaited()
                .for_each(|peer| lanes.bml.wake_helper(peer));
        }
    }

    /// The same for who has looked in vain and may do so again at once.
    #[inline]
    pub(crate) fn looked_in_vain(&mut self) {
        if self.osc().open_windows() > 0 && self.summons.look() {
            let mut summons = std::mem::take(&mut self.summons);
            self.summon(&mut summons, TESTS);
            self.summons = summons;
        }
    }
}

impl Waiter<'_> {
    /// Summons who is waited for, after a look in vain that the wait yields after.
    #[cold]
    pub(crate) fn summon(&mut self, core: &mut Core) {
        let patience = match self.engine.spins() {
            true => YIELDS,
            false => YIELDS_CROWDED,
        };
        core.summon(&mut self.summons, patience);
    }
}

impl Engine {
    /// The word on which a thread may stand by; see [`btl::Presence::helper_word`].
    pub fn standby(&self) -> Option<Arc<dyn FutexWord>> {
        self.enter().lanes_mut()?.bml.helper_word()
    }

    /// Whether a peer may summon the thread that stands by here.
    pub fn may_be_summoned_by(&self, peer: PeerId) -> bool {
        self.enter().shares_memory(peer)
    }

    /// One turn of the thread that stands by: moves everything that can move, whether or not the
    /// gate is shared. It arms no bell: another thread may be asleep on it.
    pub fn stand_in(&self) {
        let mut core = self.gate.visit();
        let (mut looks, mut idle) = (0, 0);
        while idle < IDLE_LOOKS && looks < LOOKS_MAX {
            looks += 1;
            idle = match core.progress_all() {
                0 => idle + 1,
                _ => 0,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_is_summoned_again_and_again_but_ever_more_rarely() {
        let mut summons = Summons::default();
        let began = Instant::now();
        let step = PAUSE_MIN / 10;
        let due = (0..20_000).filter(|at| summons.is_due(began + *at * step, TESTS));
        let due: Vec<u32> = due.collect();
        assert_eq!(due[0], 10);
        let pauses: Vec<u32> = due.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(pauses.windows(2).all(|two| two[0] <= two[1]));
        assert_eq!((pauses[0], pauses[1]), (10, 20));
        assert_eq!(PAUSE_MIN / 10 * *pauses.last().unwrap(), PAUSE_MAX);
        summons.restart();
        assert!(!summons.is_due(began + PAUSE_MAX, TESTS));
    }

    #[test]
    fn who_tests_looks_at_the_clock_now_and_then() {
        let mut summons = Summons::default();
        let looks = (0..LOOKS_PER_CLOCK * 3).filter(|_| summons.look());
        assert_eq!(looks.count(), 3);
    }
}
