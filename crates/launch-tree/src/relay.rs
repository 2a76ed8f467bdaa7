//! Combines messages from a daemon and those below it on the way to `mpirun`. No I/O.
//!
//! Each daemon sends one message for a fence, when all ranks here and below have entered; one for a
//! meeting, when all its members here and below have; and one for the readiness of hosts. So an
//! exchange among thousands of ranks costs each host one message up and one down.
//!
//! The delay must not hide anything. When some rank of the job has exited, a fence may never become
//! complete, and `mpirun` needs to know which ranks wait: it sends [`Down::Hurry`], after which
//! everything is forwarded immediately. Delayed messages are also forwarded when a rank here exits.

use std::collections::{BTreeMap, HashSet};

use crate::wire::{Down, Gathering, Host, Up};
use launch_job::Event;

/// The keeper of one daemon.
pub struct Relay {
    /// How many hosts there are from here down.
    hosts: usize,
    /// The processes from here down, and their fences, by the number of their part's first process.
    parts: BTreeMap<u32, PartBelow>,
    hurried: bool,
    ready: Vec<Host>,
    meetings: Vec<Gathering>,
}

/// The processes of one part from here down.
struct PartBelow {
    numbers: HashSet<u32>,
    /// Those that have entered the fence, with their entries.
    fence: Vec<(u32, Vec<u8>)>,
}

impl Relay {
    /// Returns the relay of a daemon with this many hosts from here down.
    pub fn new(hosts: usize) -> Relay {
        Relay {
            hosts,
            parts: BTreeMap::new(),
            hurried: false,
            ready: Vec::new(),
            meetings: Vec::new(),
        }
    }

    /// Which processes of a part will be here and below.
    pub fn expect(&mut self, first: u32, numbers: impl IntoIterator<Item = u32>) {
        let numbers = numbers.into_iter().collect();
        let fence = Vec::new();
        self.parts.insert(first, PartBelow { numbers, fence });
    }

    /// Takes a message in from here or from below; returns what is to go up now.
    pub fn up(&mut self, message: Up) -> Vec<Up> {
        match message {
            Up::Ready(hosts) => {
                self.ready.extend(hosts);
                match self.ready.len() >= self.hosts {
                    true => vec![Up::Ready(std::mem::take(&mut self.ready))],
                    false => Vec::new(),
                }
            }
            Up::Fence(entries) => self.fence(entries),
            Up::Meet(gathering) => self.meet(gathering),
            Up::Event(Event::Started { .. } | Event::Hello { .. } | Event::Finalize { .. })
            | Up::Output { .. }
            | Up::Request { .. }
            | Up::Recording { .. }
            | Up::Log { .. }
            | Up::InputAccepted(_)
            | Up::InputClosed
            | Up::Say(_)
            | Up::Bye
            | Up::Signal { .. }
            | Up::Beat => vec![message],
            Up::Event(_) | Up::Failed { .. } | Up::Lost { .. } => {
                // The hosts from here down will never be complete, so each is reported alone.
                self.hosts = 0;
                let mut messages = self.release();
                messages.push(message);
                messages
            }
        }
    }

    /// Handles a message that goes down. Returns the delayed messages that are to go up because of
    /// it.
    pub fn down(&mut self, message: &Down) -> Vec<Up> {
        match message {
            Down::Hurry => {
                self.hurried = true;
                self.release()
            }
            Down::Forget { first } => {
                self.parts.remove(first);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn fence(&mut self, entries: Vec<(u32, Vec<u8>)>) -> Vec<Up> {
        let first = entries.first().map_or(0, |entry| entry.0);
        let Some((_, part)) = self.parts.range_mut(..=first).next_back() else {
            return vec![Up::Fence(entries)];
        };
        let is_delayed = |rank: u32| part.fence.iter().any(|(delayed, _)| *delayed == rank);
        // A rank that enters twice is an error, which mpirun reports.
        let again = entries.len() == 1 && is_delayed(entries[0].0);
        part.fence.extend(entries);
        match self.hurried || again || part.fence.len() >= part.numbers.len() {
            true => vec![Up::Fence(std::mem::take(&mut part.fence))],
            false => Vec::new(),
        }
    }

    fn meet(&mut self, gathering: Gathering) -> Vec<Up> {
        let has =
            |delayed: &Gathering, rank: u32| delayed.entries.iter().any(|entry| entry.0 == rank);
        let is_it = |delayed: &Gathering| {
            delayed.key == gathering.key
                && delayed.members == gathering.members
                && !gathering.entries.iter().any(|entry| has(delayed, entry.0))
        };
        let at = match self.meetings.iter().position(is_it) {
            Some(at) => {
                self.meetings[at].entries.extend(gathering.entries);
                at
            }
            None => {
                self.meetings.push(gathering);
                self.meetings.len() - 1
            }
        };
        let meeting = &self.meetings[at];
        let is_here = |member: &&u32| {
            let part = self.parts.range(..=*member).next_back();
            part.is_some_and(|(_, part)| part.numbers.contains(member))
        };
        let here = meeting.members.iter().filter(is_here);
        match self.hurried || meeting.entries.len() >= here.count() {
            true => vec![Up::Meet(self.meetings.remove(at))],
            false => Vec::new(),
        }
    }

    fn release(&mut self) -> Vec<Up> {
        let mut messages = Vec::new();
        if !self.ready.is_empty() {
            messages.push(Up::Ready(std::mem::take(&mut self.ready)));
        }
        let waiting = self
            .parts
            .values_mut()
            .filter(|part| !part.fence.is_empty());
        messages.extend(waiting.map(|part| Up::Fence(std::mem::take(&mut part.fence))));
        messages.extend(self.meetings.drain(..).map(Up::Meet));
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use launch_job::How;

    fn relay() -> Relay {
        let mut relay = Relay::new(2);
        relay.expect(4, [4, 5, 6]);
        relay
    }

    fn fence(rank: u32) -> Up {
        Up::Fence(vec![(rank, vec![rank as u8])])
    }

    fn meet(members: &[u32], rank: u32) -> Up {
        Up::Meet(Gathering {
            members: members.to_vec(),
            key: b"k".to_vec(),
            entries: vec![(rank, 7, vec![rank as u8])],
        })
    }

    #[test]
    fn a_fence_goes_up_whole() {
        let mut relay = relay();
        for _ in 0..2 {
            assert_eq!(relay.up(fence(5)), []);
            assert_eq!(relay.up(fence(4)), []);
            let [Up::Fence(all)] = &relay.up(fence(6))[..] else {
                panic!("one word")
            };
            assert_eq!(all.len(), 3);
        }
    }

    #[test]
    fn parts_have_fences_of_their_own() {
        let mut relay = relay();
        relay.expect(9, [10]);
        assert_eq!(relay.up(fence(4)), []);
        assert_eq!(relay.up(fence(10)), [fence(10)]);
        assert_eq!(relay.up(meet(&[4, 10], 10)), []);
        relay.down(&Down::Forget { first: 9 });
        let [Up::Meet(_)] = &relay.up(meet(&[4, 10], 4))[..] else {
            panic!("nobody else of it is here")
        };
    }

    #[test]
    fn what_is_kept_comes_before_an_end_that_could_explain_it() {
        let mut relay = relay();
        relay.up(fence(4));
        let exit = Up::Event(Event::Exited {
            rank: 5,
            how: How::Code(0),
        });
        assert_eq!(relay.up(exit.clone()), [fence(4), exit]);
    }

    #[test]
    fn nothing_is_kept_after_a_hurry() {
        let mut relay = relay();
        relay.up(fence(4));
        relay.up(meet(&[4, 6, 99], 4));
        let messages = relay.down(&Down::Hurry);
        assert_eq!(messages, [fence(4), meet(&[4, 6, 99], 4)]);
        assert_eq!(relay.up(fence(6)), [fence(6)]);
    }

    #[test]
    fn a_meeting_waits_for_its_members_from_here_down_alone() {
        let mut relay = relay();
        assert_eq!(relay.up(meet(&[9, 4, 6], 6)), []);
        // That rank again: the next meeting of that name.
        assert_eq!(relay.up(meet(&[9, 4, 6], 6)), []);
        for _ in 0..2 {
            let [Up::Meet(met)] = &relay.up(meet(&[9, 4, 6], 4))[..] else {
                panic!("one word")
            };
            let ranks: Vec<u32> = met.entries.iter().map(|entry| entry.0).collect();
            assert_eq!(ranks, [6, 4]);
        }
        assert_eq!(relay.up(meet(&[5, 9], 5)), [meet(&[5, 9], 5)]);
    }

    #[test]
    fn hosts_are_reported_together() {
        let host = |vertex| Host {
            vertex,
            name: String::new(),
            topology: Vec::new(),
        };
        let mut relay = relay();
        assert_eq!(relay.up(Up::Ready(vec![host(1)])), []);
        let both = Up::Ready(vec![host(1), host(3)]);
        assert_eq!(relay.up(Up::Ready(vec![host(3)])), [both]);
    }

    #[test]
    fn hosts_beside_a_lost_one_are_reported_alone() {
        let ready = |vertex| {
            Up::Ready(vec![Host {
                vertex,
                name: String::new(),
                topology: Vec::new(),
            }])
        };
        let lost = Up::Lost {
            vertex: 3,
            text: String::new(),
        };
        let mut relay = Relay::new(3);
        assert_eq!(relay.up(ready(1)), []);
        assert_eq!(relay.up(lost.clone()), [ready(1), lost]);
        assert_eq!(relay.up(ready(4)), [ready(4)]);
    }
}
