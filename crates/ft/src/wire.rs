//! Messages between members, as bytes.

use base::wire::{read_u32, read_u64};

use crate::value::{Answer, Ballot, Value};
use crate::Ranks;

/// A message of one member of a communicator to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// The communicator is revoked.
    Revoke,
    /// The receiver of a revocation does not know the communicator.
    Stranger,
    /// A message of an agreement.
    Agree {
        /// The number of the agreement: members count alike.
        number: u32,
        /// Its content.
        act: Act,
    },
}

/// A message of an agreement; see [`crate::agreement`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Votes that the sender has, in a round of the exchange without a coordinator.
    Gather(u32, Value),
    /// The sender, and the members that it knows of, have all votes; in a round.
    Complete(u32),
    /// A coordinator asks these members what they know.
    Query(Ballot, Ranks),
    /// The reply of a member and of those below it.
    Reply(Ballot, Answer),
    /// A coordinator proposes a value.
    Propose(Ballot, Value),
    /// A member and those below it have accepted the proposed value.
    Accept(Ballot),
    /// The decision, which goes to these members.
    Decide(Ranks, Value),
}

/// Most ranks of a communicator in a message: more are taken for damage.
const RANKS_MAX: u32 = 1 << 24;

impl Message {
    /// Returns the bytes of the message of `from` in the communicator of a context.
    pub fn encode(&self, context: u64, from: u32) -> Vec<u8> {
        let mut out = Vec::with_capacity(64);
        out.extend(context.to_le_bytes());
        out.extend(from.to_le_bytes());
        match self {
            Message::Revoke => put(&mut out, 0),
            Message::Stranger => put(&mut out, 1),
            Message::Agree { number, act } => put_act(&mut out, *number, act),
        }
        out
    }

    /// Returns the context, the sender's rank and the message; `None` when the bytes are malformed.
    pub fn decode(bytes: &[u8]) -> Option<(u64, u32, Message)> {
        let (context, from) = (read_u64(bytes, 0)?, read_u32(bytes, 8)?);
        let mut input = Input { bytes, at: 12 };
        let message = match input.number()? {
            0 => Message::Revoke,
            1 => Message::Stranger,
            kind => Message::Agree {
                number: input.number()?,
                act: input.act(kind)?,
            },
        };
        (input.at == bytes.len()).then_some((context, from, message))
    }
}

impl Message {
    /// Returns whether the message names only members of a communicator of `size`.
    pub(crate) fn is_among(&self, size: u32) -> bool {
        let of_value = |value: &Value| {
            let sets = [&value.failed, &value.acked];
            sets.iter().all(|ranks| ranks.are_below(size)) && value.offer.0 < size
        };
        match self {
            Message::Revoke | Message::Stranger => true,
            Message::Agree { act, .. } => match act {
                Act::Gather(_, value) | Act::Propose(_, value) => of_value(value),
                Act::Complete(_) | Act::Accept(_) => true,
                Act::Query(_, living) => living.are_below(size),
                Act::Reply(_, answer) => of_value(&answer.value),
                Act::Decide(living, value) => living.are_below(size) && of_value(value),
            },
        }
    }
}

fn put(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

fn put_act(out: &mut Vec<u8>, number: u32, act: &Act) {
    let kind = match act {
        Act::Gather(..) => 2,
        Act::Complete(_) => 3,
        Act::Query(..) => 4,
        Act::Reply(..) => 5,
        Act::Propose(..) => 6,
        Act::Accept(_) => 7,
        Act::Decide(..) => 8,
    };
    put(out, kind);
    put(out, number);
    match act {
        Act::Gather(round, value) => {
            put(out, *round);
            put_value(out, value);
        }
        Act::Complete(round) => put(out, *round),
        Act::Query(ballot, ranks) => {
            put_ballot(out, *ballot);
            put_ranks(out, ranks);
        }
        Act::Reply(ballot, answer) => {
            put_ballot(out, *ballot);
            put(out, u32::from(answer.is_decided));
            put(out, u32::from(answer.accepted.is_some()));
            put_ballot(out, answer.accepted.unwrap_or_default());
            put_value(out, &answer.value);
        }
        Act::Propose(ballot, value) => {
            put_ballot(out, *ballot);
            put_value(out, value);
        }
        Act::Accept(ballot) => put_ballot(out, *ballot),
        Act::Decide(ranks, value) => {
            put_ranks(out, ranks);
            put_value(out, value);
        }
    }
}

fn put_ballot(out: &mut Vec<u8>, ballot: Ballot) {
    put(out, ballot.coordinator);
    put(out, ballot.attempt);
}

fn put_ranks(out: &mut Vec<u8>, ranks: &Ranks) {
    put(out, ranks.words().len() as u32);
    for word in ranks.words() {
        out.extend(word.to_le_bytes());
    }
}

fn put_value(out: &mut Vec<u8>, value: &Value) {
    put(out, value.flags);
    put(out, value.offer.0);
    out.extend(value.offer.1.to_le_bytes());
    put(out, value.low);
    put_ranks(out, &value.failed);
    put_ranks(out, &value.acked);
}

/// Bytes that are read from the front.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn number(&mut self) -> Option<u32> {
        let number = read_u32(self.bytes, self.at)?;
        self.at += 4;
        Some(number)
    }

    fn long(&mut self) -> Option<u64> {
        let number = read_u64(self.bytes, self.at)?;
        self.at += 8;
        Some(number)
    }

    fn ballot(&mut self) -> Option<Ballot> {
        Some(Ballot {
            coordinator: self.number()?,
            attempt: self.number()?,
        })
    }

    fn ranks(&mut self) -> Option<Ranks> {
        let count = self.number()?;
        if count > RANKS_MAX / 64 || self.bytes.len() - self.at < count as usize * 8 {
            return None;
        }
        let words = (0..count).map(|_| self.long()).collect::<Option<_>>()?;
        Some(Ranks::of_words(words))
    }

    fn value(&mut self) -> Option<Value> {
        Some(Value {
            flags: self.number()?,
            offer: (self.number()?, self.long()?),
            low: self.number()?,
            failed: self.ranks()?,
            acked: self.ranks()?,
        })
    }

    fn act(&mut self, kind: u32) -> Option<Act> {
        Some(match kind {
            2 => Act::Gather(self.number()?, self.value()?),
            3 => Act::Complete(self.number()?),
            4 => Act::Query(self.ballot()?, self.ranks()?),
            5 => Act::Reply(
                self.ballot()?,
                Answer {
                    is_decided: self.number()? != 0,
                    accepted: {
                        let is_some = self.number()? != 0;
                        Some(self.ballot()?).filter(|_| is_some)
                    },
                    value: self.value()?,
                },
            ),
            6 => Act::Propose(self.ballot()?, self.value()?),
            7 => Act::Accept(self.ballot()?),
            8 => Act::Decide(self.ranks()?, self.value()?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> Vec<Message> {
        let ranks: Ranks = [1, 70].into_iter().collect();
        let value = Value {
            flags: 5,
            failed: ranks.clone(),
            acked: Ranks::default(),
            offer: (1, 1 << 50),
            low: 3,
        };
        let ballot = Ballot {
            coordinator: 2,
            attempt: 9,
        };
        let answer = |is_decided, accepted| Answer {
            is_decided,
            accepted,
            value: value.clone(),
        };
        let acts = [
            Act::Gather(3, value.clone()),
            Act::Complete(4),
            Act::Query(ballot, ranks.clone()),
            Act::Reply(ballot, answer(false, None)),
            Act::Reply(ballot, answer(true, Some(ballot))),
            Act::Propose(ballot, value.clone()),
            Act::Accept(ballot),
            Act::Decide(ranks, value.clone()),
        ];
        let agree = acts.map(|act| Message::Agree { number: 7, act });
        [Message::Revoke, Message::Stranger]
            .into_iter()
            .chain(agree)
            .collect()
    }

    #[test]
    fn messages_come_back_as_they_went_and_cut_ones_do_not() {
        for message in every() {
            let bytes = message.encode(1 << 63, 12);
            let back = Message::decode(&bytes);
            assert_eq!(back, Some((1 << 63, 12, message)));
            for len in 0..bytes.len() {
                assert_eq!(Message::decode(&bytes[..len]), None, "{len} bytes");
            }
            let mut longer = bytes.clone();
            longer.push(0);
            assert_eq!(Message::decode(&longer), None);
        }
        let mut absurd = Message::Agree {
            number: 0,
            act: Act::Query(Ballot::default(), Ranks::default()),
        }
        .encode(0, 0);
        let at = absurd.len() - 4;
        absurd[at..].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Message::decode(&absurd), None);
    }
}
