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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(flags: u32, acked: &[u32]) -> Value {
        Value {
            flags,
            failed: Ranks::default(),
            acked: acked.iter().copied().collect(),
            offer: (flags, 0),
            low: flags,
        }
    }

    fn answer(is_decided: bool, attempt: Option<u32>, value: Value) -> Answer {
        let ballot = |attempt| Ballot {
            coordinator: 1,
            attempt,
        };
        Answer {
            is_decided,
            accepted: attempt.map(ballot),
            value,
        }
    }

    #[test]
    fn a_failure_is_acknowledged_when_every_voter_has() {
        let mut votes = value(7, &[1, 2]);
        votes.merge(&value(6, &[2, 3]));
        assert_eq!(votes.acked, [2].into_iter().collect());
        assert_eq!((votes.flags, votes.offer, votes.low), (6, (6, 0), 6));
    }

    /// A coordinator must propose what may have been decided: the value that was accepted last.
    #[test]
    fn a_decision_outweighs_the_value_accepted_last_and_that_outweighs_votes() {
        let votes = answer(false, None, value(1, &[]));
        let early = answer(false, Some(0), value(2, &[]));
        let late = answer(false, Some(3), value(4, &[]));
        let decided = answer(true, None, value(8, &[]));
        let rising = [votes, early, late, decided];
        for (at, lower) in rising.iter().enumerate() {
            for higher in &rising[at..] {
                for (first, second) in [(lower, higher), (higher, lower)] {
                    let mut merged = first.clone();
                    merged.merge(second);
                    assert_eq!(merged, *higher);
                }
            }
        }
    }
}
