//! Fuzzing of what a member does with a peer's bytes: called by the fuzz target, and by the test
//! that replays its corpus.

pub use base::fuzz::Target;

use crate::{Message, Ranks, Vote};

/// The fuzz targets.
pub const TARGETS: &[Target] = &[("ft_messages", messages)];

/// Members of the communicator, and this one among them.
const SIZE: u32 = 5;
const ME: u32 = 1;
const CONTEXT: u64 = 77;

/// Feeds a member with events and messages. Each is a byte that says which, and in its upper half
/// which other member; a message follows with its length. What the member sends can be read and
/// goes to other members; what it decides, it keeps.
///
/// # Panics
/// When that is not so.
pub fn messages(mut bytes: &[u8]) {
    let mut member = crate::Member::new(ME, SIZE);
    let mut begun = 0;
    let mut decided = Vec::new();
    while let [what, rest @ ..] = bytes {
        bytes = rest;
        let other = u32::from(what >> 4);
        match what & 3 {
            0 => member.revoke(),
            1 => member.died(other),
            2 => {
                begun = member.begin(vote()) + 1;
                decided.push(None);
            }
            _ => {
                let [len, rest @ ..] = bytes else { return };
                let (message, rest) = rest.split_at(rest.len().min(usize::from(*len)));
                bytes = rest;
                // The sender's place and the context are checked before a member has it.
                if let Some((_, _, message)) = Message::decode(message) {
                    let _ = member.arrived(other, message);
                }
            }
        }
        for (to, message) in member.take_outgoing() {
            assert!(to < SIZE && to != ME, "sent to {to}");
            let back = Message::decode(&message.encode(CONTEXT, ME));
            assert_eq!(back, Some((CONTEXT, ME, message)));
        }
        for number in 0..begun {
            let now = member.decision(number).cloned();
            let before = &mut decided[number as usize];
            assert!(
                before.is_none() || now.is_none() || *before == now,
                "decided twice"
            );
            let value = now.as_ref();
            assert!(value.is_none_or(|value| value.failed.are_below(SIZE)));
            *before = now.or(before.take());
        }
    }
}

fn vote() -> Vote {
    Vote {
        flags: 6,
        acked: Ranks::default(),
        context: CONTEXT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Act, Ballot, Value};

    #[test]
    fn the_corpus_passes() {
        base::fuzz::replay(TARGETS);
    }

    /// A peer's message that names members that there are not is dropped: the layer above looks
    /// ranks up in the communicator.
    #[test]
    fn members_that_there_are_not_are_sent_nothing() {
        let far: Ranks = [ME, 9, 200].into_iter().collect();
        let ballot = Ballot {
            coordinator: 1,
            attempt: u32::MAX,
        };
        let value = Value {
            flags: 0,
            failed: far.clone(),
            acked: Ranks::default(),
            offer: (0, 0),
            low: 0,
        };
        let acts = [
            Act::Query(ballot, far.clone()),
            Act::Decide(far, value.clone()),
            Act::Gather(0, value.clone()),
            Act::Propose(ballot, value),
        ];
        for act in acts {
            let mut member = crate::Member::new(ME, SIZE);
            member.begin(vote());
            member.take_outgoing();
            assert!(!member.arrived(0, Message::Agree { number: 0, act }));
            assert_eq!(member.take_outgoing(), []);
            assert_eq!(member.decision(0), None);
        }
    }

    #[test]
    fn messages_of_each_kind_are_in_the_corpus() {
        let living = Ranks::below(SIZE);
        let ballot = Ballot {
            coordinator: 1,
            attempt: 0,
        };
        let value = Value {
            flags: 5,
            failed: Ranks::default(),
            acked: Ranks::default(),
            offer: (0, CONTEXT),
            low: 0,
        };
        let acts = [
            ("gather", Act::Gather(0, value.clone())),
            ("complete", Act::Complete(0)),
            ("query", Act::Query(ballot, living.clone())),
            ("propose", Act::Propose(ballot, value.clone())),
            ("decide", Act::Decide(living, value)),
        ];
        for (name, act) in acts {
            let message = Message::Agree { number: 0, act };
            let bytes = message.encode(CONTEXT, 0);
            let revoke = Message::Revoke.encode(CONTEXT, 0);
            let mut input = vec![2, 3, bytes.len() as u8];
            input.extend(bytes);
            // The coordinator dies, and somebody revokes.
            input.extend([1, 0x33, revoke.len() as u8]);
            input.extend(revoke);
            base::fuzz::keep("ft_messages", name, &input);
        }
    }
}
