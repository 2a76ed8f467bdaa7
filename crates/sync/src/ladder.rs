//! The wait ladder: spin, then yield, then sleep.
//!
//! The time on each rung depends on the cores of the process and the number of ranks on its node
//! ([`Patience`]): with more ranks than cores nobody spins. Whether the core really belongs to the
//! process is observed while running ([`crate::Contention`]), since other programs want cores as
//! well and the scheduler moves ranks as it likes.

use std::time::{Duration, Instant};

/// How long each rung of the ladder is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// Time to spin before the first yield.
    pub spin: Duration,
    /// Time from the beginning of the wait to sleep.
    pub awake: Duration,
    /// Threads of a process that may wait awake at the same time.
    pub threads: usize,
    /// Processes that share a core, rounded up.
    pub sharers: usize,
}

impl Patience {
    /// Returns the patience that suits `ranks` waiting processes on `cores` cores: with a core for
    /// each, polling costs nobody anything; with fewer, every poll takes time from a process that
    /// has work to do.
    pub fn measure(ranks: usize, cores: usize) -> Patience {
        let sharers = ranks.div_ceil(cores.max(1)).max(1);
        if ranks <= cores {
            Patience {
                spin: Duration::from_micros(100),
                awake: Duration::from_millis(10),
                threads: cores / ranks.max(1),
                sharers,
            }
        } else {
            Patience {
                spin: Duration::ZERO,
                awake: CROWDED_AWAKE,
                threads: 1,
                sharers,
            }
        }
    }
}

/// How long a wait yields where there are more ranks than cores: some turns of the peers that share
/// the core. If each slept at once, each message would take a wake-up, which costs more than the
/// polls between such turns.
const CROWDED_AWAKE: Duration = Duration::from_micros(300);

/// The step before the next poll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Poll again at once.
    Spin,
    /// Let others run, then poll again.
    Yield,
    /// Sleep until woken.
    Sleep,
}

/// Polls between two reads of the clock while spinning.
const POLLS_PER_CLOCK_READ: u32 = 16;

/// One wait: climbed a step per empty poll.
pub struct Ladder {
    patience: Patience,
    turns: u32,
    began: Option<Instant>,
    /// The last look at the clock.
    looked: Option<Instant>,
    /// When it sleeps whatever its patience, where that has changed.
    deadline: Option<Instant>,
}

impl Ladder {
    /// Begins a wait.
    #[inline]
    pub fn new(patience: Patience) -> Ladder {
        Ladder {
            patience,
            turns: 0,
            began: None,
            looked: None,
            deadline: None,
        }
    }

    /// Goes on with another patience, whose times count from now. Yet the wait sleeps once it has
    /// taken as long as the longest of them: patience may change more often than it ends, where
    /// other programs take the core now and then.
    #[cold]
    pub fn change(&mut self, patience: Patience) {
        let longest = self.patience.awake.max(patience.awake);
        if let Some(began) = self.began.take() {
            self.deadline.get_or_insert(began + longest);
        }
        self.patience = patience;
        self.turns = 0;
    }

    /// Goes back to the lowest rung: something happened, though not the awaited event.
    #[inline]
    pub fn restart(&mut self) {
        self.turns = 0;
        self.began = None;
        self.deadline = None;
    }

    /// Returns when it last looked at the clock, which it does every few steps.
    #[inline]
    pub fn looked(&self) -> Option<Instant> {
        self.looked
    }

    /// Whether it spins before it yields or sleeps.
    #[inline]
    pub fn spins(&self) -> bool {
        !self.patience.spin.is_zero()
    }

    /// Returns the step to take after an empty poll.
    #[inline]
    pub fn step(&mut self) -> Step {
        self.turns = self.turns.wrapping_add(1);
        if self.spins() && !self.turns.is_multiple_of(POLLS_PER_CLOCK_READ) {
            return Step::Spin;
        }
        self.look_at_the_clock()
    }

    #[cold]
    fn look_at_the_clock(&mut self) -> Step {
        let now = Instant::now();
        self.looked = Some(now);
        let waited = now - *self.began.get_or_insert(now);
        let is_over = self.deadline.is_some_and(|deadline| now >= deadline);
        if is_over || waited >= self.patience.awake {
            Step::Sleep
        } else if waited >= self.patience.spin {
            // Every poll from now on reads the clock.
            self.turns = POLLS_PER_CLOCK_READ - 1;
            Step::Yield
        } else {
            Step::Spin
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_in_sleep_and_starts_over_after_an_event() {
        // Long enough that a machine under load does not keep the thread from its core throughout.
        let patience = Patience {
            spin: Duration::from_millis(20),
            awake: Duration::from_millis(200),
            threads: 1,
            sharers: 1,
        };
        let mut ladder = Ladder::new(patience);
        assert_eq!(ladder.step(), Step::Spin);
        let mut seen = vec![];
        while seen.last() != Some(&Step::Sleep) {
            let step = ladder.step();
            if seen.last() != Some(&step) {
                seen.push(step);
            }
        }
        assert_eq!(seen, [Step::Spin, Step::Yield, Step::Sleep]);
        ladder.restart();
        assert_eq!(ladder.step(), Step::Spin);
    }

    #[test]
    fn a_wait_whose_patience_changes_all_the_time_ends_in_sleep() {
        let own = Patience {
            spin: Duration::from_micros(100),
            awake: Duration::from_millis(20),
            threads: 1,
            sharers: 1,
        };
        let contended = Patience {
            awake: Duration::from_millis(10),
            ..own
        };
        let end = Instant::now() + Duration::from_secs(60);
        let mut changes = [contended, own].into_iter().cycle();
        let mut ladder = Ladder::new(own);
        // A loaded machine may keep the core for as long as the first patience, which then ends.
        while ladder.deadline.is_none() {
            ladder = Ladder::new(own);
            let mut changed_at = Instant::now();
            while ladder.step() != Step::Sleep {
                // Long before either patience ends.
                if changed_at.elapsed() > Duration::from_millis(1) {
                    changed_at = Instant::now();
                    assert!(changed_at < end, "it never sleeps");
                    ladder.change(changes.next().expect("an endless cycle"));
                }
            }
        }
        // It stays so until something happens, with a few polls between sleeps.
        ladder.change(own);
        assert!((0..POLLS_PER_CLOCK_READ).any(|_| ladder.step() == Step::Sleep));
        ladder.restart();
        assert_eq!(ladder.step(), Step::Spin);
    }

    #[test]
    fn with_more_ranks_than_cores_nobody_spins() {
        let mut ladder = Ladder::new(Patience::measure(8, 2));
        assert_eq!(ladder.step(), Step::Yield);
    }
}
