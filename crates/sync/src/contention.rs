//! Detects whether other processes want this core, from the effects of yields and spins.
//!
//! Spinning is right where the peer runs on another core, and wrong where it waits for this one; a
//! yield is right where a peer gets the core and yields it again, and wrong where another program
//! keeps it for a slice of the scheduler, thousands of times the latency of a message. Neither can
//! be known beforehand: the scheduler puts processes where it likes. So each process observes:
//!
//! | observed | concluded |
//! |---|---|
//! | a yield longer than an empty one | the core is contended |
//! | several empty yields in a row | the core is this process's own again |
//! | a message comes while a contended wait for it spins | the peer has a core: spin, whoever else wants this one |
//! | it comes while this process is off its core, several times in a row, and a peer was last seen here | the peer needs this core: go to another one; where it may use no other do not spin, yield |
//! | a yield as long as a slice | yields are dear: sleep instead |
//!
//! Beside a program that computes, messages are as fast as ever while both ends have their cores,
//! if both spin for longer than a sleeper takes to wake. If one end sleeps at once, the other waits
//! for its wake-up, and with a shorter spin than that sleeps as well: each message then takes two
//! wake-ups, and the scheduler lets who computes end its slice before it runs who was woken.
//!
//! A conclusion is tried again once the trial costs a few percent of the time at most. On a node
//! with more ranks than cores, the core is contended from the beginning and stays so.
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
/// Where there are more ranks than cores, a yield goes to several peers, and all of them may have a
/// message to handle. Schedulers' slices are longer still.
const DEAR_CROWDED_YIELD: Duration = Duration::from_micros(450);
/// Empty yields in a row after which the core is taken for this process's own.
const EMPTY_YIELDS: u32 = 3;
/// The spin of a contended wait of one of several threads: several times a message between two
/// cores, and little beside the two switches that a sleep takes.
const BRIEF_SPIN: Duration = Duration::from_micros(5);
/// Longest time from a look at the clock to an arrival that was spun for. If it is longer, somebody
/// else had the core meanwhile: two switches and an interrupt take less, a slice of the scheduler
/// more.
const AWAY: Duration = Duration::from_micros(50);
/// Futile spins in a row that make a process doubt whether to spin. One says nothing: beside
/// programs that compute, both ends of an exchange lose their cores at times.
const FUTILE_SPINS: u32 = 4;
/// Where nothing is known, one is enough.
const UNTRIED: u32 = FUTILE_SPINS - 1;
/// How long a contended wait yields before it sleeps, where there is a core for each rank.
const YIELDING: Duration = Duration::from_micros(20);
/// A dear yield and futile spins are followed by this many times their length without any, so that
/// trials cost some three percent of the time.
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
    /// Contended spins in a row that were futile.
    futile_spins: AtomicU32,
    /// Until when contended waits do not spin, in nanoseconds since `began`; 0 where they do.
    no_spins_until: AtomicU64,
    /// Until when futile spins raise no doubt: its answer takes time.
    no_doubt_until: AtomicU64,
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
            futile_spins: AtomicU32::new(UNTRIED),
            no_spins_until: AtomicU64::new(0),
            no_doubt_until: AtomicU64::new(0),
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
        let spin = match self.may_spin() {
            true => self.own().spin,
            false => Duration::ZERO,
        };
        let yielding = match (self.may_yield(), self.is_crowded()) {
            (true, false) => YIELDING,
            (true, true) => self.own().awake,
            (false, _) => Duration::ZERO,
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
            true if self.is_contended() => Patience {
                spin: patience.spin.min(BRIEF_SPIN),
                ..self.own()
            },
            true => patience,
            false => Patience {
                awake: self.own().spin,
                ..self.own()
            },
        }
    }

    /// Whether yields are cheap, as far as is known.
    pub fn may_yield(&self) -> bool {
        self.is_past(&self.no_yields_until)
    }

    /// Whether a contended wait spins: what it is for comes meanwhile, as far as is known.
    pub fn may_spin(&self) -> bool {
        !self.is_crowded() && self.is_past(&self.no_spins_until)
    }

    fn is_past(&self, moment: &AtomicU64) -> bool {
        let moment = moment.load(Relaxed);
        moment == 0 || self.began.elapsed().as_nanos() as u64 >= moment
    }

    /// Returns a point in time after a pause that is long beside `length`.
    fn after_pause(&self, length: Duration) -> u64 {
        (self.began.elapsed() + DEAR_PAUSE * length).as_nanos() as u64
    }

    /// A contended wait that has spun is over. It was futile where what it waited for had not come
    /// by its end.
    pub fn note_spin(&self, futile: bool) {
        match futile {
            true => {
                let futile = self.futile_spins.load(Relaxed) + 1;
                self.futile_spins.store(futile.min(FUTILE_SPINS), Relaxed);
            }
            false => self.spin_on(),
        }
    }

    /// Whether spins have been futile so often that it matters why: the caller finds out whether a
    /// peer needs this core, and then calls [`Contention::settle`].
    pub fn is_in_doubt(&self) -> bool {
        self.is_contended()
            && self.futile_spins.load(Relaxed) >= FUTILE_SPINS
            && self.may_spin()
            && self.is_past(&self.no_doubt_until)
    }

    /// Ends a doubt, which took this long: contended waits spin on, or do not but for a trial after
    /// a while.
    pub fn settle(&self, spins: bool, took: Duration) {
        self.no_doubt_until.store(self.after_pause(took), Relaxed);
        match spins {
            true => self.spin_on(),
            false => {
                // A trial on a core that a peer needs takes a slice, whatever the spin.
                let until = self.after_pause(self.own().awake);
                self.no_spins_until.store(until, Relaxed);
                self.futile_spins.store(UNTRIED, Relaxed);
            }
        }
    }

    fn spin_on(&self) {
        self.futile_spins.store(0, Relaxed);
        self.no_spins_until.store(0, Relaxed);
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
        let dear = match self.is_crowded() {
            true => DEAR_CROWDED_YIELD,
            false => DEAR_YIELD,
        };
        let until = match away > dear {
            true => self.after_pause(away),
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
            self.futile_spins.store(UNTRIED, Relaxed);
            self.no_spins_until.store(0, Relaxed);
        }
    }
}

/// Whether this process, which looks at the clock all the time, has been off its core since a look.
pub fn was_away_since(looked: Instant) -> bool {
    looked.elapsed() > AWAY
}

/// Returns the processor that the calling thread is on, as the system numbers them.
pub fn processor() -> Option<usize> {
    // Not by `rustix`, which looks for the kernel's function in memory that valgrind does not map.
    // SAFETY: it has no argument, and touches no memory of the caller.
    let number = unsafe { libc::sched_getcpu() };
    usize::try_from(number).ok()
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
    fn a_yield_that_somebody_took_makes_the_next_wait_sleep_earlier_and_empty_ones_end_that() {
        let core = alone();
        core.note_yield(EMPTY);
        assert_eq!(core.patience(), Patience::measure(2, 2));
        core.note_yield(SWITCHED);
        let (contended, own) = (core.patience(), Patience::measure(2, 2));
        assert_eq!(
            (contended.spin, contended.awake),
            (own.spin, own.spin + YIELDING)
        );
        for _ in 0..EMPTY_YIELDS {
            assert!(core.is_contended());
            core.note_yield(EMPTY);
        }
        assert_eq!(core.patience(), own);
    }

    /// Where ranks share cores a yield goes to several of them, and its length says nothing yet.
    #[test]
    fn only_a_slice_ends_yields_on_a_crowded_node() {
        let patience = Patience::measure(8, 2);
        let core = Contention::new(patience);
        let several = 2 * DEAR_YIELD;
        for away in [EMPTY, SWITCHED, several] {
            core.note_yield(away);
            assert_eq!(core.patience(), patience, "after {away:?}");
        }
        core.note_yield(SLICE);
        assert!(core.patience().awake.is_zero());
        let other = alone();
        other.note_yield(several);
        assert!(!other.may_yield());
    }

    #[test]
    fn futile_spins_are_doubted_and_tried_again_after_a_pause() {
        let core = alone();
        core.note_spin(true);
        assert!(!core.is_in_doubt(), "nobody wants the core");
        core.note_yield(SWITCHED);
        let spins = || !core.patience().spin.is_zero();
        for _ in 0..2 {
            assert!(spins() && core.is_in_doubt());
            core.settle(false, Duration::ZERO);
            assert!(!spins() && !core.is_in_doubt());
            core.no_spins_until.store(1, Relaxed);
            assert!(spins() && !core.is_in_doubt());
            core.note_spin(true);
        }
        core.note_spin(false);
        // Once one has paid, several have to be futile.
        for _ in 0..FUTILE_SPINS {
            assert!(spins() && !core.is_in_doubt());
            core.note_spin(true);
        }
        assert!(core.is_in_doubt());
        core.settle(true, SLICE);
        for _ in 0..FUTILE_SPINS {
            assert!(spins() && !core.is_in_doubt());
            core.note_spin(true);
        }
        assert!(!core.is_in_doubt(), "to find out took long");
        core.no_doubt_until.store(1, Relaxed);
        assert!(core.is_in_doubt());
    }

    #[test]
    fn a_process_that_looks_at_the_clock_late_was_off_its_core() {
        assert!(was_away_since(Instant::now() - SLICE));
        // Not at once only where a loaded machine takes the core.
        assert!((0..1000).any(|_| !was_away_since(Instant::now())));
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
