//! Detects whether other processes want this core, from the effects of yields and spins.
//!
//! Spinning is right where the peer runs on another core, and wrong where it waits for this one; a
//! yield is right where a peer gets the core and yields it again, and wrong where another program
//! keeps it for a slice of the scheduler, thousands of times the latency of a message. Neither can
//! be known beforehand: the scheduler puts processes where it likes. So each process observes:
//!
//! | observed | concluded |
//! |---|---|
//! | a yield longer than an empty one | the core is contended: spin briefly, then yield |
//! | several empty yields in a row | the core is this process's own again |
//! | brief spins that end without the event | the peer shares the core: do not spin at all |
//! | a yield as long as a slice | yields are dear: sleep instead, which a wake-up ends at once |
//!
//! A conclusion is tried again: a spin after some waits, a yield once it costs a few percent of the
//! time at most. On a node with more ranks than cores, the core is contended from the beginning and
//! stays so.
//!
//! The counters are plain relaxed atomics: threads that lose each other's updates conclude later,
//! and no more.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::Patience;

/// A yield that takes no longer has found nobody who wanted the core.
const EMPTY_YIELD: Duration = Duration::from_micros(2);
/// A yield that takes longer went to somebody who computes: two switches and what a peer does
/// about a message are shorter on any machine, the scheduler's slices are longer.
const DEAR_YIELD: Duration = Duration::from_micros(200);
/// Empty yields in a row after which the core is taken for this process's own.
const EMPTY_YIELDS: u32 = 3;
/// The spin of a contended wait: several times a message between two cores, and little beside
/// the two switches that a sleep takes.
const BRIEF_SPIN: Duration = Duration::from_micros(5);
/// Failed brief spins after which there are none.
const FAILED_SPINS: u32 = 4;
/// How long a contended wait yields before it sleeps.
const YIELDING: Duration = Duration::from_micros(20);
/// Waits until a spin is tried again: on average it then costs less than a tenth of a microsecond.
const WAITS_PER_SPIN: u32 = 64;
/// A dear yield is followed by this many times its length without one, so that trials cost some
/// three percent of the time.
const DEAR_PAUSE: u32 = 32;
/// Rounds of polls from one yield to the next, at most, where nobody wants the core: tens of
/// microseconds, little of a slice.
const ROUNDS_MAX: u32 = 8;

/// The knowledge of a process about its core.
pub struct Contention {
    /// The patience of a wait on a core of one's own: how long it spins and stays awake, in
    /// nanoseconds, and the threads that may.
    spin: AtomicU64,
    awake: AtomicU64,
    threads: AtomicUsize,
    /// Processes that share a core.
    sharers: AtomicUsize,
    /// Whether there are more ranks than cores.
    crowded: AtomicBool,
    contended: AtomicBool,
    /// Empty yields in a row.
    empty: AtomicU32,
    /// Brief spins in a row that ended without the awaited event.
    failed_spins: AtomicU32,
    /// Waits to go without a spin.
    without_spin: AtomicU32,
    /// Until when there are no yields, in nanoseconds since `began`.
    no_yields_until: AtomicU64,
    began: Instant,
}

impl Contention {
    /// Returns the state at the start: `patience` is right for the ranks and cores of this node.
    pub fn new(patience: Patience) -> Contention {
        let this = Contention {
            spin: AtomicU64::new(0),
            awake: AtomicU64::new(0),
            threads: AtomicUsize::new(0),
            sharers: AtomicUsize::new(1),
            crowded: AtomicBool::new(false),
            contended: AtomicBool::new(false),
            empty: AtomicU32::new(0),
            failed_spins: AtomicU32::new(0),
            without_spin: AtomicU32::new(0),
            no_yields_until: AtomicU64::new(0),
            began: Instant::now(),
        };
        this.set_patience(patience);
        this
    }

    /// Begins anew with a patience that is right for the ranks and cores of this node. Waits under
    /// way go on as they began.
    pub fn set_patience(&self, patience: Patience) {
        self.spin.store(patience.spin.as_nanos() as u64, Relaxed);
        self.awake.store(patience.awake.as_nanos() as u64, Relaxed);
        self.threads.store(patience.threads, Relaxed);
        self.sharers.store(patience.sharers, Relaxed);
        let crowded = patience.spin.is_zero();
        self.crowded.store(crowded, Relaxed);
        self.contended.store(crowded, Relaxed);
    }

    fn own(&self) -> Patience {
        Patience {
            spin: Duration::from_nanos(self.spin.load(Relaxed)),
            awake: Duration::from_nanos(self.awake.load(Relaxed)),
            threads: self.threads.load(Relaxed),
            sharers: self.sharers(),
        }
    }

    /// Whether the node has more ranks than cores.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.crowded.load(Relaxed)
    }

    /// Returns how many processes share a core of this node, rounded up.
    pub fn sharers(&self) -> usize {
        self.sharers.load(Relaxed)
    }

    /// Whether somebody else wants this core, as far as is known.
    #[inline]
    pub fn is_contended(&self) -> bool {
        self.contended.load(Relaxed)
    }

    /// How long a wait that begins now spins and yields.
    #[inline]
    pub fn patience(&self) -> Patience {
        match self.is_contended() {
            false => self.own(),
            true => self.contended_patience(),
        }
    }

    #[cold]
    fn contended_patience(&self) -> Patience {
        let without = self.without_spin.load(Relaxed);
        self.without_spin.store(without.saturating_sub(1), Relaxed);
        let spins = !self.is_crowded() && without == 0;
        let spin = if spins { BRIEF_SPIN } else { Duration::ZERO };
        let yielding = match self.may_yield() {
            true => YIELDING,
            false => Duration::ZERO,
        };
        Patience {
            spin,
            awake: spin + yielding,
            threads: 1,
            sharers: self.sharers(),
        }
    }

    /// How long a wait spins and yields that begins now, and polls for several threads of this
    /// process. It is they who want its core as a rule, and for as long as they have work: that a
    /// yield takes long is no reason to sleep.
    pub fn patience_of_many(&self) -> Patience {
        let patience = self.patience();
        if self.is_crowded() {
            return patience;
        }
        match self.may_yield() {
            true => Patience {
                spin: patience.spin,
                ..self.own()
            },
            false => Patience {
                awake: self.own().spin,
                ..self.own()
            },
        }
    }

    /// Whether yields are cheap, as far as is known.
    pub fn may_yield(&self) -> bool {
        let until = self.no_yields_until.load(Relaxed);
        until == 0 || self.began.elapsed().as_nanos() as u64 >= until
    }

    /// A contended wait that had a brief spin is over; whether the spin sufficed.
    pub fn note_spin(&self, sufficed: bool) {
        if sufficed {
            return self.failed_spins.store(0, Relaxed);
        }
        let failed = self.failed_spins.load(Relaxed) + 1;
        self.failed_spins.store(failed, Relaxed);
        if failed >= FAILED_SPINS {
            self.without_spin.store(WAITS_PER_SPIN, Relaxed);
        }
    }

    /// Yields, and takes note of how long that took.
    pub fn give_way(&self) -> Duration {
        let since = Instant::now();
        std::thread::yield_now();
        let away = since.elapsed();
        self.note_yield(away);
        away
    }

    fn note_yield(&self, away: Duration) {
        let until = match away > DEAR_YIELD {
            true => (self.began.elapsed() + DEAR_PAUSE * away).as_nanos() as u64,
            false => 0,
        };
        self.no_yields_until.store(until, Relaxed);
        if away > EMPTY_YIELD {
            self.empty.store(0, Relaxed);
            self.contended.store(true, Relaxed);
            return;
        }
        let empty = self.empty.load(Relaxed) + 1;
        self.empty.store(empty.min(EMPTY_YIELDS), Relaxed);
        if empty >= EMPTY_YIELDS && !self.is_crowded() {
            self.contended.store(false, Relaxed);
            self.failed_spins.store(0, Relaxed);
        }
    }
}

/// How often a wait yields on a core of its own: the more rarely, the longer nobody else has
/// wanted the core. A yield takes as long as some polls even then, and what comes meanwhile waits
/// for its end.
pub struct Pace {
    /// Rounds from one yield to the next.
    rounds: u32,
    /// Rounds until the next yield.
    left: u32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { rounds: 1, left: 0 }
    }
}

impl Pace {
    /// Yields, if it is time to.
    pub fn give_way(&mut self, contention: &Contention) {
        if self.is_due() {
            self.note(contention.give_way());
        }
    }

    /// Counts a round; whether a yield follows it.
    fn is_due(&mut self) -> bool {
        let is_due = self.left == 0;
        self.left = self.left.saturating_sub(1);
        is_due
    }

    /// The core was given away for this long.
    fn note(&mut self, away: Duration) {
        self.rounds = match away <= EMPTY_YIELD {
            true => (2 * self.rounds).min(ROUNDS_MAX),
            false => 1,
        };
        self.left = self.rounds - 1;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const EMPTY: Duration = Duration::from_nanos(400);
    const SWITCHED: Duration = Duration::from_micros(4);
    const SLICE: Duration = Duration::from_millis(3);

    fn alone() -> Contention {
        Contention::new(Patience::measure(2, 2))
    }

    #[test]
    fn yields_become_rare_until_somebody_wants_the_core() {
        let mut pace = Pace::default();
        let mut rounds = |away: u64| {
            let before = (1..).find(|_| pace.is_due());
            pace.note(Duration::from_micros(away));
            before.expect("it yields again")
        };
        let seen = [1, 2, 1, 0, 3, 1, 4000, 4000].map(&mut rounds);
        assert_eq!(seen, [1, 2, 4, 8, 8, 1, 2, 1]);
    }

    #[test]
    fn a_yield_that_somebody_took_makes_the_next_wait_brief_and_empty_ones_end_that() {
        let core = alone();
        core.note_yield(EMPTY);
        assert_eq!(core.patience(), Patience::measure(2, 2));
        core.note_yield(SWITCHED);
        let brief = core.patience();
        assert_eq!(
            (brief.spin, brief.awake),
            (BRIEF_SPIN, BRIEF_SPIN + YIELDING)
        );
        for _ in 0..EMPTY_YIELDS {
            assert!(core.is_contended());
            core.note_yield(EMPTY);
        }
        assert_eq!(core.patience(), Patience::measure(2, 2));
    }

    #[test]
    fn failed_spins_end_and_are_tried_again_rarely() {
        let core = alone();
        core.note_yield(SWITCHED);
        let spun: Vec<u32> = (0..3000)
            .filter(|_| {
                let spins = !core.patience().spin.is_zero();
                if spins {
                    core.note_spin(false);
                }
                spins
            })
            .collect();
        assert_eq!(spun[..4], [0, 1, 2, 3]);
        let pauses: Vec<u32> = spun[3..].windows(2).map(|two| two[1] - two[0]).collect();
        assert!(pauses.iter().all(|pause| *pause == WAITS_PER_SPIN + 1));
        while core.patience().spin.is_zero() {}
        core.note_spin(true);
        assert!((0..FAILED_SPINS).all(|_| {
            let spins = !core.patience().spin.is_zero();
            core.note_spin(false);
            spins
        }));
        assert!(core.patience().spin.is_zero());
    }

    #[test]
    fn a_yield_that_cost_a_slice_is_not_repeated_at_once() {
        for core in [alone(), Contention::new(Patience::measure(8, 2))] {
            core.note_yield(SLICE);
            let patience = core.patience();
            assert!(!core.may_yield() && patience.awake == patience.spin);
            // A trial is due once the pause has passed; its end counts from then on.
            core.no_yields_until.store(1, Relaxed);
            assert!(core.may_yield());
            core.note_yield(SWITCHED);
            assert!(core.may_yield() && core.patience().awake > core.patience().spin);
        }
    }

    #[test]
    fn a_process_that_turns_out_to_have_a_core_of_its_own_spins() {
        let core = Contention::new(Patience::measure(2, 1));
        assert!(core.is_contended() && core.is_crowded());
        core.set_patience(Patience::measure(1, 1));
        assert!(!core.is_contended() && !core.is_crowded());
        assert_eq!(core.patience(), Patience::measure(1, 1));
        core.note_yield(SWITCHED);
        assert!(core.is_contended());
        (0..EMPTY_YIELDS).for_each(|_| core.note_yield(EMPTY));
        assert_eq!(core.patience(), Patience::measure(1, 1));
        core.set_patience(Patience::measure(2, 1));
        assert!(core.is_contended() && core.patience().spin.is_zero());
    }

    #[test]
    fn a_crowded_node_stays_contended_and_nobody_spins() {
        let core = Contention::new(Patience::measure(8, 2));
        (0..100).for_each(|_| core.note_yield(EMPTY));
        assert!(core.is_contended() && core.is_crowded());
        assert_eq!(core.patience(), Patience::measure(8, 2));
    }
}
