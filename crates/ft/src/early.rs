//! Messages for communicators that this process has not opened yet.
//!
//! Nothing is dropped, since members assume that messages arrive, and what is kept is bounded by
//! the protocol: until this process votes, no agreement is decided, so a sender has at most
//! [`WINDOW`] of them under way, and of each only its votes and its latest query can come.

use std::collections::{BTreeMap, HashMap};

use base::PeerId;

use crate::wire::{Act, Message};
use crate::WINDOW;

/// Kinds of messages; of each that a sender has sent one is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Revoke,
    Gather(u32),
    Query(u32),
}

/// Messages of a communicator, each with the rank that its sender names as its own.
type Messages = BTreeMap<(PeerId, Kind), (u32, Message)>;

/// The messages that wait for communicators.
#[derive(Default, Debug)]
pub struct Early {
    comms: HashMap<u64, Messages>,
    count: usize,
}

impl Early {
    /// Returns how many messages are kept.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether no message is kept.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Keeps a message for the communicator of a context. Returns false for one that no member
    /// sends before this process has opened the communicator: it was for one that is freed, or is
    /// malformed.
    pub fn keep(&mut self, context: u64, from: PeerId, rank: u32, message: Message) -> bool {
        let kind = match &message {
            Message::Revoke => Kind::Revoke,
            Message::Agree { number, act } if *number < WINDOW => match act {
                Act::Gather(..) => Kind::Gather(*number),
                Act::Query(..) => Kind::Query(*number),
                _ => return false,
            },
            _ => return false,
        };
        let messages = self.comms.entry(context).or_default();
        let before = messages.get(&(from, kind)).map(|(_, message)| message);
        match before {
            None => self.count += 1,
            Some(before) if is_later(before, &message) => return true,
            Some(_) => {}
        }
        messages.insert((from, kind), (rank, message));
        true
    }

    /// Takes out the messages for a communicator that is open from now on: senders, the ranks that
    /// they name as their own, and messages.
    pub fn take(&mut self, context: u64) -> impl Iterator<Item = (PeerId, u32, Message)> {
        let messages = self.comms.remove(&context).unwrap_or_default();
        self.count -= messages.len();
        let of = |((from, _), (rank, message))| (from, rank, message);
        messages.into_iter().map(of)
    }
}

/// Returns whether the first message is a query of a later ballot than the second.
fn is_later(before: &Message, message: &Message) -> bool {
    let ballot = |message: &Message| match message {
        Message::Agree {
            act: Act::Query(ballot, _),
            ..
        } => Some(*ballot),
        _ => None,
    };
    ballot(before) > ballot(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Ballot;
    use crate::Ranks;

    #[test]
    fn of_queries_the_latest_is_kept_and_what_cannot_be_early_is_not() {
        let mut early = Early::default();
        let query = |attempt| Message::Agree {
            number: 3,
            act: Act::Query(
                Ballot {
                    coordinator: 1,
                    attempt,
                },
                Ranks::below(4),
            ),
        };
        for attempt in [1, 5, 2] {
            assert!(early.keep(7, PeerId(9), 0, query(attempt)));
        }
        assert!(early.keep(7, PeerId(9), 0, Message::Revoke));
        assert!(!early.keep(7, PeerId(9), 0, Message::Stranger));
        let complete = |number| Message::Agree {
            number,
            act: Act::Complete(0),
        };
        assert!(!early.keep(7, PeerId(9), 0, complete(0)));
        assert_eq!(early.len(), 2);
        assert_eq!(early.take(8).count(), 0);
        let taken: Vec<_> = early.take(7).collect();
        let expected = [(PeerId(9), 0, Message::Revoke), (PeerId(9), 0, query(5))];
        assert_eq!(taken, expected);
        assert!(early.is_empty());
    }
}
