//! Votes of members, and their combinations.

use crate::Ranks;

/// A vote, or several combined. Combining is idempotent: the order of votes does not matter, nor
/// how often one is counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Bitwise AND of the voters' flags.
    pub flags: u32,
    /// Members that any voter knows to have failed, or that have no vote.
    pub failed: Ranks,
    /// Failures that every voter has acknowledged.
    pub acked: Ranks,
    /// The lowest voter, and the context that it offers for a new communicator.
    pub offer: (u32, u64),
    /// The lowest number of an agreement that some voter has not finished.
    pub low: u32,
}

impl Value {
    /// Combines another vote with this one.
    pub fn merge(&mut self, other: &Value) {
        self.flags &= other.flags;
        self.failed.unite(&other.failed);
        self.acked.intersect(&other.acked);
        self.offer = self.offer.min(other.offer);
        self.low = self.low.min(other.low);
    }
}

/// Proposer of a value, and its attempt: a later one counts for more. A coordinator follows
/// one that has failed, and has a higher rank. Zero is the exchange without a coordinator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Ballot {
    /// The coordinator's rank plus 1.
    pub coordinator: u32,
    /// Its attempt.
    pub attempt: u32,
}

/// Answer of one member, or of several combined, to a coordinator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Whether somebody has decided; `value` is the decision then.
    pub is_decided: bool,
    /// The ballot of the value that somebody has accepted, the latest one; `value` is that value.
    pub accepted: Option<Ballot>,
    /// The decision, the accepted value, or the votes combined.
    pub value: Value,
}

impl Answer {
    /// Combines another answer with this one: a decision counts for more than an accepted value,
    /// and that for more than votes.
    pub fn merge(&mut self, other: &Answer) {
        let weight = |answer: &Answer| (answer.is_decided, answer.accepted);
        match weight(self).cmp(&weight(other)) {
            std::cmp::Ordering::Less => *self = other.clone(),
            std::cmp::Ordering::Equal if !self.is_decided && self.accepted.is_none() => {
                self.value.merge(&other.value);
            }
            _ => {}
        }
    }
}
