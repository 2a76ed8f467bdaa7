//! Which of several mechanisms carries the messages of a size class: a choice by measured service
//! times. Pure: no I/O, no clock, no thread.
//!
//! Machines differ. On one the kernel copies at 60 GB/s and two cores are 200 ns apart, on another
//! it copies at 15 GB/s and the cores share a cache. A length at which a mechanism takes over is a
//! constant of one machine, so this module has no such length.
//!
//! # Use
//!
//! A *size class* is a power of two ([`class_of`]). It has a [`Chooser`], held by the side that
//! measures; mechanisms are numbers from 0, which is the one to begin with and to fall back on.
//!
//! * [`Chooser::record`]: a message of this many bytes took this long by a mechanism. Times of
//!   different lengths are compared per byte.
//!   Where reading the clock costs too much, not all messages need be measured ([`Chooser::skip`]).
//! * [`Chooser::refuse`]: a mechanism has turned out not to work; it is not chosen any more.
//! * Where one side measures and decides (a window's origin), [`Chooser::choose`] names the
//!   mechanism of the next message.
//! * Where the receiver measures and the sender decides, the receiver publishes
//!   [`Chooser::wish`], one 32-bit word, and the sender has a [`Follower`], which names the
//!   mechanism of its next message. The sender may see an old wish, and messages may be under way
//!   that followed another: records of any mechanism are welcome at any time.
//!
//! [`Classes`] holds the choosers of all size classes of one path, made when first used.
//!
//! # The rule
//!
//! One mechanism is *kept*; the others are on *trial* now and then, one at a time, in a burst of
//! few messages.
//!
//! | when | bursts |
//! |---|---|
//! | the kept mechanism has carried [`FIRST_MESSAGES`] messages of the class | [`BURST`] messages |
//! | the estimate of the kept one has shifted by more than half of itself | [`BURST`] messages |
//! | every [`PERIOD_MIN`] to [`PERIOD_MAX`] messages, rarer the slower it was | 1, then [`BURST`] |
//!
//! A mechanism that took twice as long is given up after one burst, and one that the class has
//! compared before if it is no faster after two. After [`ENOUGH`] messages the faster one is kept.
//! One message alone does not show the speed of a mechanism in a row: after a copy through shared
//! memory the sender's cache holds what was sent, while a program that sends one buffer again and
//! again has it in the receiver's from the second kernel copy on. After a choice that was close, or
//! that changed, the next trials come sooner. A class whose neighbour has decided clearly begins
//! with its verdict and one message of the others.
//!
//! An estimate is a low quantile of the last [`RECENT`] times: whoever loses its core in the middle
//! of a message makes that one look slow, and nothing makes one look quick.

#[cfg(test)]
mod tests;

/// Most mechanisms of a chooser.
pub const MECHANISMS_MAX: usize = 4;

/// Size classes: from [`CLASS_MIN_BYTES`] by powers of two; the last has no end.
pub const CLASSES: usize = 16;

/// Bytes from which on messages have a size class.
pub const CLASS_MIN_BYTES: usize = 32 << 10;

/// Messages of a class before the first trial: the first ones touch memory for the first time.
const FIRST_MESSAGES: u32 = 4;
/// Messages of a burst: in a row, as a mechanism is used.
const BURST: u8 = 2;
/// Messages of a trial that decide it.
const ENOUGH: u8 = 4;
/// Times of each mechanism that count.
const RECENT: usize = 8;
/// Messages between two trials, at least, once the choice is clear.
const PERIOD_MIN: u32 = 128;
/// Messages between two trials, at most.
const PERIOD_MAX: u32 = 512;
/// Messages until the next trial after a choice that was close or has changed; doubles each time.
const PERIOD_FIRST: u32 = 8;
/// Messages after which a trial ends that no message has followed.
const IGNORED_MAX: u32 = 256;

/// Returns the size class of a message, or `None` for one that is too short to have one.
#[inline]
pub fn class_of(bytes: usize) -> Option<usize> {
    let first = CLASS_MIN_BYTES.trailing_zeros();
    let power = bytes.checked_ilog2()?.checked_sub(first)?;
    Some((power as usize).min(CLASSES - 1))
}

/// The word of the side that measures: the kept mechanism, and a burst of messages by another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wish {
    /// The mechanism of all messages but those of the burst.
    pub kept: u8,
    /// The mechanism on trial.
    pub trial: u8,
    /// Messages of the burst.
    pub burst: u8,
    /// Counts bursts, and wraps: a burst whose number was seen before is over.
    pub turn: u8,
}

impl Wish {
    /// Returns the wish as a word to share. 0 is the wish for mechanism 0 and no burst.
    pub fn to_word(self) -> u32 {
        u32::from_le_bytes([self.kept, self.trial, self.burst, self.turn])
    }

    /// Returns the wish that a word says, if both its mechanisms are below `mechanisms`: a peer
    /// wrote it.
    pub fn from_word(word: u32, mechanisms: usize) -> Option<Wish> {
        let [kept, trial, burst, turn] = word.to_le_bytes();
        let known = usize::from(kept.max(trial)) < mechanisms;
        known.then_some(Wish {
            kept,
            trial,
            burst,
            turn,
        })
    }
}

/// The sender's side of a size class: follows the wishes of the side that measures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Follower {
    turn: u8,
    left: u8,
}

impl Follower {
    /// Returns the mechanism of the next message.
    #[inline]
    pub fn follow(&mut self, wish: Wish) -> usize {
        if wish.turn != self.turn {
            self.turn = wish.turn;
            self.left = wish.burst;
        }
        if self.left == 0 || wish.trial == wish.kept {
            return usize::from(wish.kept);
        }
        self.left -= 1;
        usize::from(wish.trial)
    }
}

/// The latest times of a mechanism, in picoseconds per KiB.
#[derive(Clone, Copy, Default, Debug)]
struct Times {
    recent: [u32; RECENT],
    count: u8,
    next: u8,
}

impl Times {
    fn push(&mut self, time: u32) {
        self.recent[usize::from(self.next)] = time;
        self.next = (self.next + 1) % RECENT as u8;
        self.count = (self.count + 1).min(RECENT as u8);
    }

    /// Returns the least of few times, or the second of many.
    fn estimate(&self) -> Option<u32> {
        let (mut least, mut second) = (u32::MAX, u32::MAX);
        for &time in &self.recent[..usize::from(self.count)] {
            second = second.min(time.max(least));
            least = least.min(time);
        }
        match usize::from(self.count) {
            0 => None,
            RECENT.. => Some(second),
            _ => Some(least),
        }
    }
}

/// A trial under way.
#[derive(Clone, Copy, Debug)]
struct Trial {
    mechanism: u8,
    /// Messages that it may still ask for.
    left: u8,
    /// Messages of it that have been measured.
    seen: u8,
    /// Messages of others since its last burst.
    waited: u32,
}

/// Chooses the mechanism of one size class.
#[derive(Clone, Debug)]
pub struct Chooser {
    mechanisms: u8,
    /// A bit for each mechanism that does not work.
    refused: u8,
    wish: Wish,
    times: [Times; MECHANISMS_MAX],
    trial: Option<Trial>,
    /// A bit for each mechanism that is to be tried as soon as no other is.
    due: u8,
    /// Messages until the next trial.
    until: u32,
    /// Messages between two trials, while that still doubles.
    period: u32,
    /// Whether every mechanism has been compared with the kept one: a trial begins with one
    /// message.
    is_settled: bool,
    /// The kept mechanism's estimate when the last trial ended.
    reference: Option<u32>,
    follower: Follower,
}

impl Chooser {
    /// Returns a chooser among this many mechanisms, which begins with the first.
    ///
    /// # Panics
    /// Without a mechanism, and with more than [`MECHANISMS_MAX`].
    pub fn new(mechanisms: usize) -> Chooser {
        assert!((1..=MECHANISMS_MAX).contains(&mechanisms));
        Chooser {
            mechanisms: mechanisms as u8,
            refused: 0,
            wish: Wish::default(),
            times: Default::default(),
            trial: None,
            due: 0,
            until: FIRST_MESSAGES,
            period: 0,
            is_settled: false,
            reference: None,
            follower: Follower::default(),
        }
    }

    /// Returns a chooser that begins with the verdict of a neighbouring size class where that is
    /// clear, and like a new one where it is not.
    pub fn beside(neighbour: &Chooser) -> Chooser {
        let mut chooser = Chooser::new(usize::from(neighbour.mechanisms));
        chooser.refused = neighbour.refused;
        chooser.wish.kept = neighbour.wish.kept;
        if neighbour.period >= PERIOD_MIN {
            chooser.period = neighbour.period;
            chooser.is_settled = true;
        }
        chooser
    }

    /// Returns what the sender is to do.
    #[inline]
    pub fn wish(&self) -> Wish {
        self.wish
    }

    /// Returns the mechanism that is kept.
    pub fn kept(&self) -> usize {
        usize::from(self.wish.kept)
    }

    /// Returns the mechanism to use now, for a side that decides for all messages and records
    /// whole rows of them: the one on trial until enough of it is recorded, else the kept one.
    pub fn current(&self) -> usize {
        usize::from(self.trial.map_or(self.wish.kept, |trial| trial.mechanism))
    }

    /// Returns whether a mechanism was refused.
    pub fn is_refused(&self, mechanism: usize) -> bool {
        self.refused >> mechanism & 1 != 0
    }

    /// Returns the rate of a mechanism in bytes per microsecond (MB/s) where it has been measured.
    pub fn rate(&self, mechanism: usize) -> Option<u64> {
        let time = self.times.get(mechanism)?.estimate()?;
        Some(1_024_000_000 / u64::from(time.max(1)))
    }

    /// Returns the mechanism of the next message, for a side that both measures and decides.
    #[inline]
    pub fn choose(&mut self) -> usize {
        self.follower.follow(self.wish)
    }

    /// Records that `mechanism` took `nanoseconds` for a message of this many bytes.
    pub fn record(&mut self, mechanism: usize, bytes: usize, nanoseconds: u64) {
        if mechanism >= usize::from(self.mechanisms) {
            return;
        }
        let scaled = nanoseconds.saturating_mul(1_024_000) / bytes.max(1) as u64;
        self.times[mechanism].push(scaled.min(u64::from(u32::MAX)) as u32);
        self.until = self.until.saturating_sub(1);
        match &mut self.trial {
            Some(trial) if usize::from(trial.mechanism) == mechanism => {
                trial.seen += 1;
                trial.left = trial.left.saturating_sub(1);
                if trial.left == 0 {
                    self.judge();
                }
            }
            Some(trial) => {
                trial.waited += 1;
                if trial.waited > IGNORED_MAX {
                    self.trial = None;
                    self.end_trial(PERIOD_MAX);
                }
            }
            None => self.check(),
        }
    }

    /// Counts messages of the kept mechanism that were not measured.
    pub fn skip(&mut self, messages: u32) {
        self.until = self.until.saturating_sub(messages);
    }

    /// Records that a mechanism does not work. The first one always does.
    pub fn refuse(&mut self, mechanism: usize) {
        if mechanism == 0 || mechanism >= usize::from(self.mechanisms) {
            return;
        }
        self.refused |= 1 << mechanism;
        self.due &= !self.refused;
        if self
            .trial
            .is_some_and(|trial| usize::from(trial.mechanism) == mechanism)
        {
            self.trial = None;
            self.end_trial(PERIOD_FIRST);
        }
        if self.kept() == mechanism {
            let works = |other: &u8| self.refused >> other & 1 == 0;
            let estimate = |other: &u8| self.times[usize::from(*other)].estimate();
            let others = (0..self.mechanisms).filter(works);
            let best = others.min_by_key(|other| (estimate(other).unwrap_or(u32::MAX), *other));
            self.keep(best.unwrap_or(0));
        }
        if usize::from(self.wish.trial) == mechanism {
            // What is left of its burst is not sent either.
            self.wish.trial = self.wish.kept;
        }
    }

    /// Begins a trial where one is due.
    fn check(&mut self) {
        let kept = self.times[self.kept()].estimate();
        let shifted = match (kept, self.reference) {
            (Some(now), Some(then)) => {
                let (less, more) = (now.min(then), now.max(then));
                more - less > less / 2
            }
            _ => false,
        };
        if shifted {
            self.due = self.others();
            self.is_settled = false;
            self.reference = None;
        } else if self.until == 0 && self.due == 0 {
            self.due = match self.reference {
                None => self.others(),
                Some(_) => self.next_in_rotation(),
            };
        }
        if self.due != 0 {
            let mechanism = self.due.trailing_zeros() as u8;
            self.due &= self.due - 1;
            self.begin_trial(mechanism);
        } else if self.until == 0 {
            self.until = PERIOD_MAX;
        }
    }

    /// A bit for each mechanism that works and is not kept.
    fn others(&self) -> u8 {
        ((1 << self.mechanisms) - 1) & !self.refused & !(1 << self.wish.kept)
    }

    /// The bit of the mechanism whose trial is the longest ago.
    fn next_in_rotation(&self) -> u8 {
        let others = self.others();
        let above = others & (u8::MAX << 1 << self.wish.trial);
        let from = if above != 0 { above } else { others };
        from & from.wrapping_neg()
    }

    fn begin_trial(&mut self, mechanism: u8) {
        self.times[usize::from(mechanism)] = Times::default();
        self.trial = Some(Trial {
            mechanism,
            left: 0,
            seen: 0,
            waited: 0,
        });
        self.ask(if self.is_settled { 1 } else { BURST });
    }

    /// Asks for a burst of the mechanism on trial.
    fn ask(&mut self, burst: u8) {
        if let Some(trial) = &mut self.trial {
            trial.left = burst;
            trial.waited = 0;
            self.wish.trial = trial.mechanism;
            self.wish.burst = burst;
            self.wish.turn = self.wish.turn.wrapping_add(1);
        }
    }

    /// Decides after a burst: the trial has failed, goes on, or has found a faster mechanism.
    fn judge(&mut self) {
        let Some(trial) = self.trial else { return };
        let tried = self.times[usize::from(trial.mechanism)].estimate();
        let kept = self.times[self.kept()].estimate();
        let (tried, kept) = (tried.unwrap_or(u32::MAX), kept.unwrap_or(u32::MAX));
        let hopeless = match self.is_settled && trial.seen > 1 {
            true => tried >= kept,
            false => tried / 2 >= kept,
        };
        if !hopeless && trial.seen < ENOUGH {
            return self.ask(BURST.min(ENOUGH - trial.seen));
        }
        self.trial = None;
        if u64::from(tried) * 20 < u64::from(kept) * 19 {
            self.keep(trial.mechanism);
            return self.end_trial(PERIOD_FIRST);
        }
        // So that trials take about a hundredth of the time.
        let wanted = 100 * u64::from(trial.seen) * u64::from(tried.saturating_sub(kept));
        let wanted = wanted / u64::from(kept.max(1));
        let wanted = wanted.clamp(u64::from(PERIOD_MIN), u64::from(PERIOD_MAX)) as u32;
        let clear = tried / 2 >= kept;
        let doubled = (self.period * 2).max(PERIOD_FIRST);
        self.end_trial(match clear || doubled >= PERIOD_MIN {
            true => wanted,
            false => doubled,
        });
    }

    fn keep(&mut self, mechanism: u8) {
        self.wish.kept = mechanism;
        self.reference = None;
    }

    fn end_trial(&mut self, period: u32) {
        self.period = period;
        self.until = period;
        if self.due == 0 {
            self.is_settled = true;
            self.reference = self.times[self.kept()].estimate();
        }
    }
}

/// The choosers of all size classes of one path.
#[derive(Clone, Debug)]
pub struct Classes {
    mechanisms: usize,
    refused: Vec<usize>,
    choosers: [Option<Box<Chooser>>; CLASSES],
}

impl Classes {
    /// Returns choosers among this many mechanisms.
    pub fn new(mechanisms: usize) -> Classes {
        Classes {
            mechanisms,
            refused: Vec::new(),
            choosers: Default::default(),
        }
    }

    /// Returns the chooser of a class, made where it was not used before.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn chooser(&mut self, class: usize) -> &mut Chooser {
        if self.choosers[class].is_none() {
            let below = self.choosers[..class].iter().rev().flatten().next();
            let above = || self.choosers[class..].iter().flatten().next();
            let mut chooser = match below.or_else(above) {
                Some(neighbour) => Chooser::beside(neighbour),
                None => Chooser::new(self.mechanisms),
            };
            self.refused.iter().for_each(|&one| chooser.refuse(one));
            self.choosers[class] = Some(Box::new(chooser));
        }
        self.choosers[class].as_mut().expect("it was just made")
    }

    /// Records that a mechanism does not work, for messages of any class.
    pub fn refuse(&mut self, mechanism: usize) {
        if !self.refused.contains(&mechanism) {
            self.refused.push(mechanism);
            for chooser in self.choosers.iter_mut().flatten() {
                chooser.refuse(mechanism);
            }
        }
    }

    /// Returns the classes that messages have used, with their choosers.
    pub fn used(&self) -> impl Iterator<Item = (usize, &Chooser)> {
        self.choosers
            .iter()
            .enumerate()
            .filter_map(|(class, one)| one.as_deref().map(|chooser| (class, chooser)))
    }
}
