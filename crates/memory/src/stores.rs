//! Chooses the faster kind of stores to fill memory that another core reads repeatedly.
//!
//! The lines that the reader has read are in its cache, and an ordinary store has to fetch them
//! from there first. Between cores that share a cache that is fast, and the reader then finds the
//! line in the shared cache. Between other cores it is several times slower than stores that bypass
//! the caches, after which the reader gets its lines from memory. The system places processes on
//! cores and may move them. So the time of copies by both kinds is measured: by the chosen one at
//! every copy, by the other one now and then.

/// Bytes of a copy from which on there is a choice. Shorter ones wait for memory, not for lines.
const CHOICE_MIN: usize = 4096;

/// Copies past the caches are begun where they are this much quicker, since their reader is slower;
/// and left where that is no longer so by a good deal.
const BETTER: f32 = 2.0;
const STILL_BETTER: f32 = 1.6;

/// Copies between two trials of the other stores: few at first, and twice as many after each trial
/// that changed nothing.
const TRIAL_AFTER: u32 = 16;
const TRIAL_AFTER_MAX: u32 = 512;

/// The part of a new value in a mean.
const WEIGHT: f32 = 0.25;
/// A value counts as no more than this many times the mean: a longer copy was interrupted, or the
/// next ones will say so as well.
const INTERRUPTED: f32 = 2.0;

/// The stores of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stores {
    #[default]
    /// As the C library copies.
    Cached = 0,
    /// Past the caches.
    Past = 1,
}

/// The measured cost of both kinds of stores, and the one in use: one for each reader's memory.
#[derive(Debug)]
pub struct Choice {
    /// Ticks that a byte takes, by kind; 0 while that is not known.
    cost: [f32; 2],
    chosen: Stores,
    /// Copies until the next trial.
    left: u32,
    /// Copies between the next trial and the one after it.
    interval: u32,
}

impl Default for Choice {
    /// Returns a choice without measurements; copies begin as usual.
    fn default() -> Choice {
        Choice {
            cost: [0.0; 2],
            chosen: Stores::Cached,
            left: TRIAL_AFTER,
            interval: TRIAL_AFTER,
        }
    }
}

impl Choice {
    /// Has `bytes` bytes copied, and times that where there is a choice.
    #[inline]
    pub fn copy<R>(&mut self, bytes: usize, copy: impl FnOnce(Stores) -> R) -> R {
        if bytes < CHOICE_MIN || !HAS_CHOICE {
            return copy(Stores::Cached);
        }
        let (stores, begun) = (self.next(), ticks());
        let result = copy(stores);
        self.took(stores, bytes, ticks().saturating_sub(begun));
        result
    }

    /// Returns the stores of the next copy.
    #[inline]
    fn next(&self) -> Stores {
        match (self.left, self.chosen) {
            (0, Stores::Cached) => Stores::Past,
            (0, Stores::Past) => Stores::Cached,
            (_, chosen) => chosen,
        }
    }

    /// Records the time of the copy of `bytes` bytes by the stores that [`Choice::next`] returned.
    #[inline]
    fn took(&mut self, stores: Stores, bytes: usize, ticks: u64) {
        let mean = &mut self.cost[stores as usize];
        let cost = ticks as f32 / bytes as f32;
        *mean = match *mean {
            0.0 => cost,
            mean => mean + WEIGHT * (cost.min(INTERRUPTED * mean) - mean),
        };
        let before = self.chosen;
        self.choose();
        if self.chosen != before {
            (self.left, self.interval) = (TRIAL_AFTER, TRIAL_AFTER);
        } else if self.left == 0 {
            self.interval = (2 * self.interval).min(TRIAL_AFTER_MAX);
            self.left = self.interval;
        } else {
            self.left -= 1;
        }
    }

    #[inline]
    fn choose(&mut self) {
        let [cached, past] = self.cost;
        let better = match self.chosen {
            Stores::Cached => BETTER,
            Stores::Past => STILL_BETTER,
        };
        self.chosen = match past > 0.0 && cached > better * past {
            true => Stores::Past,
            false => Stores::Cached,
        };
    }
}

/// A count that goes up with time, where there are two ways to choose from.
#[inline]
fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has the counter, and the system lets processes read it; where it does
    // not, it stands in for it.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    #[cfg(not(target_arch = "x86_64"))]
    0
}

/// Whether there are stores past the caches.
const HAS_CHOICE: bool = cfg!(target_arch = "x86_64");

#[cfg(test)]
mod tests;
