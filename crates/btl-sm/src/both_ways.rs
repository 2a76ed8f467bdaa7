//! The choice of what carries long messages of two processes that both send.
//!
//! The receiver of messages that go one way measures each ([`crate::carriage`]). Where both sides
//! send, that misses what counts: a copy through the ring takes time of the sender as well, which
//! then receives less; and a side that reads gains nothing by itself, but its peer does. So one
//! side, the *leader*, chooses for both directions at once, by what its program feels: the time
//! from its first send to its last receive before the next send, an *episode*. That may be a
//! message and its answer, an exchange with a neighbour, or a window of many.
//!
//! All messages of an episode that counts have one length class and one mechanism. The other side
//! follows the leader's wish as ever. Pure: the caller reads the clock.

use shm::carriage::{Classes, Wish, CLASSES};

/// Messages of a class, in both directions, after which it is decided whether it goes both ways,
/// once a send follows what has come: a window may be long.
const COUNTED: u32 = 16;
/// Messages in one direction alone that show that it does not.
const ALONE: u32 = 512;
/// A class goes both ways where neither direction has more than this many times the messages of
/// the other.
const UNEVEN_MAX: u32 = 2;

/// The choice for one peer, at the side that leads.
pub(crate) struct BothWays {
    choosers: Classes,
    traffic: [Traffic; CLASSES],
    episode: Episode,
}

/// Messages of a class since it was last decided whether it goes both ways.
#[derive(Clone, Copy, Default)]
struct Traffic {
    sent: u32,
    received: u32,
    /// Whether the last message was one that has come.
    comes: bool,
    both: bool,
}

impl Traffic {
    fn sends(&mut self) {
        let (less, more) = (self.sent.min(self.received), self.sent.max(self.received));
        if self.comes && less + more >= COUNTED {
            self.decide(more <= less * UNEVEN_MAX);
        }
        self.comes = false;
        self.sent += 1;
        self.check_alone();
    }

    fn receives(&mut self, messages: u32) {
        self.comes = true;
        self.received = self.received.saturating_add(messages);
        self.check_alone();
    }

    fn check_alone(&mut self) {
        if self.sent.min(self.received) == 0 && self.sent.max(self.received) >= ALONE {
            self.decide(false);
        }
    }

    fn decide(&mut self, both: bool) {
        *self = Traffic {
            both,
            ..Traffic::default()
        };
    }
}

/// An episode under way. Times are nanoseconds.
#[derive(Clone, Copy, Default)]
struct Episode {
    class: usize,
    began: u64,
    /// When the last message came; 0 before the first.
    ended: u64,
    /// Bytes sent.
    bytes: usize,
    /// A bit for each mechanism that has carried a message.
    mechanisms: u8,
}

impl BothWays {
    /// Returns a choice among this many mechanisms, none of them measured.
    pub(crate) fn new(mechanisms: usize) -> BothWays {
        BothWays {
            choosers: Classes::new(mechanisms),
            traffic: Default::default(),
            episode: Episode::default(),
        }
    }

    /// Counts a message that is sent now. Returns the mechanism for it; `None` where its class goes
    /// one way.
    pub(crate) fn send(
        &mut self,
        class: usize,
        bytes: usize,
        now: impl FnOnce() -> u64,
    ) -> Option<usize> {
        self.traffic[class].sends();
        if !self.traffic[class].both {
            return None;
        }
        if self.episode.ended != 0 || self.episode.class != class || self.episode.bytes == 0 {
            self.end_episode();
            self.episode = Episode {
                class,
                began: now(),
                ..Episode::default()
            };
        }
        let mechanism = self.choosers.chooser(class).current();
        self.episode.bytes += bytes;
        self.episode.mechanisms |= 1 << mechanism;
        Some(mechanism)
    }

    /// Counts messages that have come, the last one by `mechanism` and just now. Returns what the
    /// peer is to do; `None` where the class goes one way.
    pub(crate) fn receive(
        &mut self,
        class: usize,
        mechanism: usize,
        messages: u32,
        now: impl FnOnce() -> u64,
    ) -> Option<Wish> {
        self.traffic[class].receives(messages);
        if !self.traffic[class].both {
            return None;
        }
        let episode = &mut self.episode;
        if episode.class == class && episode.bytes > 0 {
            episode.ended = now().max(1);
            episode.mechanisms |= 1 << mechanism;
        }
        let current = self.choosers.chooser(class).current() as u8;
        Some(Wish {
            kept: current,
            trial: current,
            ..Wish::default()
        })
    }

    /// Records what the episode has shown, if anything.
    fn end_episode(&mut self) {
        let Episode {
            class,
            began,
            ended,
            bytes,
            mechanisms,
        } = self.episode;
        if ended > began && mechanisms.is_power_of_two() {
            let mechanism = mechanisms.trailing_zeros() as usize;
            let chooser = self.choosers.chooser(class);
            chooser.record(mechanism, bytes, ended - began);
        }
    }

    /// Gives up a mechanism.
    pub(crate) fn refuse(&mut self, mechanism: usize) {
        self.choosers.refuse(mechanism);
    }

    /// Returns the choosers of the classes that go both ways.
    pub(crate) fn used(&self) -> impl Iterator<Item = (usize, &shm::carriage::Chooser)> {
        let both = |(class, _): &(usize, _)| self.traffic[*class].both;
        self.choosers.used().filter(both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: usize = 0;
    const READ: usize = 1;
    const CLASS: usize = 3;

    fn new() -> BothWays {
        BothWays::new(2)
    }

    /// Exchanges of `window` messages each way, which take these times by the ring and by reading;
    /// returns the share of messages that the leader sent by reading in the second half.
    fn exchange(both: &mut BothWays, window: u32, times: [u64; 2]) -> f64 {
        let mut clock = 1000;
        let (mut read, mut all) = (0, 0);
        let mut wish = None;
        for round in 0..2000 {
            let mut carried = RING;
            for _ in 0..window {
                let sent = both.send(CLASS, 1 << 18, || clock);
                carried = sent.unwrap_or(RING);
                if round >= 1000 {
                    read += u32::from(carried == READ);
                    all += 1;
                }
            }
            for _ in 0..window {
                clock += times[carried];
                let follows = wish.map_or(RING, |wish: Wish| usize::from(wish.kept));
                let mechanism = if wish.is_some() { follows } else { carried };
                wish = both.receive(CLASS, mechanism, 1, || clock);
            }
            // The program computes.
            clock += 1_000_000;
        }
        f64::from(read) / f64::from(all)
    }

    #[test]
    fn both_directions_take_what_the_program_feels_to_be_faster() {
        for window in [1, 4, 64] {
            let read = exchange(&mut new(), window, [4000, 2500]);
            assert!(read > 0.95, "window {window}: {read}");
            let read = exchange(&mut new(), window, [2500, 4000]);
            assert!(read < 0.05, "window {window}: {read}");
        }
    }

    #[test]
    fn what_changes_is_noticed() {
        let mut both = new();
        assert!(exchange(&mut both, 8, [4000, 2500]) > 0.95);
        assert!(exchange(&mut both, 8, [2000, 6000]) < 0.05);
        assert!(exchange(&mut both, 8, [6000, 2000]) > 0.95);
    }

    #[test]
    fn messages_one_way_are_left_alone() {
        let mut both = new();
        for _ in 0..100 {
            assert_eq!(both.send(CLASS, 1 << 18, || panic!("no clock")), None);
        }
        assert_eq!(both.used().count(), 0);
        for _ in 0..100 {
            both.receive(CLASS, RING, 1, || 1);
            both.send(CLASS, 1 << 18, || 1);
        }
        assert!(both.send(CLASS, 1 << 18, || 1).is_some());
    }
}
