//! The record of a checkpoint, and the cut of the messages that no life needs any more.

use std::collections::BTreeMap;

use base::wire::read_u64;
use base::PeerId;
use pml::{Context, Received};

use crate::account;

/// The state of a communicator at a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommState {
    pub(crate) context: Context,
    /// The number of the next receive.
    pub(crate) receive: u64,
    /// The numbers of the next messages to each rank.
    pub(crate) next: Vec<u64>,
}

/// The content of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Record {
    pub(crate) tag: u64,
    /// Receives from any source, and communicators so far.
    pub(crate) wildcards: u64,
    pub(crate) opened: u64,
    pub(crate) comms: Vec<CommState>,
    /// By peer: what was received in the prologue, and the cut.
    pub(crate) prologue: Vec<Vec<Received>>,
    pub(crate) cut: Vec<Vec<Received>>,
    pub(crate) payload: Vec<u64>,
    /// StableWords of the layers above.
    pub(crate) library: Vec<u64>,
}

impl Record {
    pub(crate) fn encode(&self) -> Vec<u64> {
        let mut words = vec![self.tag, self.wildcards, self.opened];
        words.push(self.comms.len() as u64);
        for comm in &self.comms {
            words.extend([comm.context.0, comm.receive]);
            push(&mut words, &comm.next);
        }
        words.push(self.cut.len() as u64);
        for received in self.prologue.iter().chain(&self.cut) {
            push(&mut words, &account::words(received));
        }
        push(&mut words, &self.payload);
        push(&mut words, &self.library);
        words
    }

    pub(crate) fn decode(words: &[u64]) -> Option<Record> {
        let words = &mut &words[..];
        let mut record = Record {
            tag: one(words)?,
            wildcards: one(words)?,
            opened: one(words)?,
            ..Record::default()
        };
        for _ in 0..one(words)? {
            record.comms.push(CommState {
                context: Context(one(words)?),
                receive: one(words)?,
                next: several(words)?.to_vec(),
            });
        }
        let peers = one(words)?;
        for _ in 0..peers {
            record.prologue.push(account::of_words(several(words)?)?);
        }
        for _ in 0..peers {
            record.cut.push(account::of_words(several(words)?)?);
        }
        record.payload = several(words)?.to_vec();
        record.library = several(words)?.to_vec();
        words.is_empty().then_some(record)
    }
}

/// Adds words behind their number.
fn push(to: &mut Vec<u64>, words: &[u64]) {
    to.push(words.len() as u64);
    to.extend_from_slice(words);
}

fn one(words: &mut &[u64]) -> Option<u64> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    Some(*first)
}

fn several<'a>(words: &mut &'a [u64]) -> Option<&'a [u64]> {
    let count = one(words)? as usize;
    let (these, rest) = words.split_at_checked(count)?;
    *words = rest;
    Some(these)
}

/// Returns what was received, but for what was received in the prologue.
pub(crate) fn without(taken: Vec<Received>, prologue: &[Received]) -> Vec<Received> {
    let without = |mut one: Received| {
        let earlier = prologue.iter().filter(|other| other.context == one.context);
        for other in earlier {
            let missing = &other.missing;
            let of_prologue = (0..other.next).filter(|n| missing.binary_search(n).is_err());
            one.missing.extend(of_prologue);
        }
        one.missing.sort_unstable();
        one.missing.dedup();
        one
    };
    let anything = |one: &Received| (one.missing.len() as u64) < one.next;
    taken.into_iter().map(without).filter(anything).collect()
}

/// Returns an address with a cut behind it.
pub(crate) fn with_cut(mut address: Vec<u8>, cut: &[Vec<Received>]) -> Vec<u8> {
    let mut words = Vec::new();
    for received in cut {
        push(&mut words, &account::words(received));
    }
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    address.extend(bytes);
    address.extend((words.len() as u64).to_le_bytes());
    address
}

/// Splits an address. Returns the cut for `me`, which is empty where it has no cut.
pub(crate) fn split(address: &[u8], me: PeerId) -> Option<(&[u8], Vec<Received>)> {
    let (rest, count) = address.split_at_checked(address.len().checked_sub(8)?)?;
    let bytes = (read_u64(count, 0)? as usize).checked_mul(8)?;
    let (address, bytes) = rest.split_at_checked(rest.len().checked_sub(bytes)?)?;
    let words = bytes.chunks_exact(8).map_while(|word| read_u64(word, 0));
    let words: Vec<u64> = words.collect();
    let words = &mut &words[..];
    if words.is_empty() {
        return Some((address, Vec::new()));
    }
    for _ in 0..me.0 {
        several(words)?;
    }
    Some((address, account::of_words(several(words)?)?))
}

/// State of a process for its checkpoints.
#[derive(Default)]
pub(crate) struct Checkpoints {
    /// The record that this life begins with, until it jumps.
    pub(crate) start: Option<Record>,
    /// Whether the program has asked whether it was restarted.
    pub(crate) has_asked: bool,
    /// The communicators at the end of the prologue, in order.
    pub(crate) comms: Vec<Context>,
    /// By peer, what was received in the prologue, and the cut of the last checkpoint.
    pub(crate) prologue: Vec<Vec<Received>>,
    pub(crate) cut: Vec<Vec<Received>>,
    /// The numbers of the next messages, by peer, in communicators that were closed before a jump.
    pub(crate) closed: BTreeMap<(Context, PeerId), u64>,
    /// Checkpoints so far.
    pub(crate) count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(context: u64, next: u64, missing: &[u64]) -> Received {
        Received {
            context: Context(context),
            next,
            missing: missing.to_vec(),
        }
    }

    #[test]
    fn a_record_comes_back_and_a_cut_one_does_not() {
        let record = Record {
            tag: 7,
            wildcards: 8,
            opened: 9,
            comms: vec![CommState {
                context: Context(4),
                receive: 5,
                next: vec![1, 2, 3],
            }],
            prologue: vec![vec![], vec![received(4, 2, &[0])]],
            cut: vec![vec![received(4, 9, &[1, 3])], vec![]],
            payload: vec![11, 12],
            library: vec![13],
        };
        let words = record.encode();
        assert_eq!(Record::decode(&words), Some(record));
        for len in 0..words.len() {
            assert_eq!(Record::decode(&words[..len]), None, "{len} words");
        }
    }

    #[test]
    fn the_cut_is_what_was_received_behind_the_prologue() {
        let prologue = [received(1, 4, &[2]), received(3, 1, &[])];
        let taken = vec![
            received(1, 9, &[7]),
            received(2, 2, &[]),
            received(3, 1, &[]),
        ];
        let cut = without(taken, &prologue);
        assert_eq!(cut, [received(1, 9, &[0, 1, 3, 7]), received(2, 2, &[])]);
    }

    #[test]
    fn the_cut_stands_behind_the_address() {
        let cut = [vec![], vec![received(1, 9, &[7])], vec![]];
        let address = with_cut(vec![1, 2, 3], &cut);
        for (me, expected) in cut.iter().enumerate() {
            let (before, found) = split(&address, PeerId(me as u32)).expect("an address");
            assert_eq!((before, &found), (&[1, 2, 3][..], expected));
        }
        assert_eq!(split(&address, PeerId(3)), None);
        assert_eq!(
            split(&with_cut(vec![], &[]), PeerId(1)),
            Some((&[][..], vec![]))
        );
        assert_eq!(split(&address[1..9], PeerId(0)), None);
    }
}
