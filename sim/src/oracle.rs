//! The oracle: MPI's matching rules in their simplest form, two ordered lists that are searched
//! from the front. One [`Board`] per rank and communicator.

use std::collections::{BTreeMap, HashMap, HashSet};

use pml::{Pattern, Tag};

use crate::tap::ObservedMessage;

/// Names a receive of a rank, in order of posting.
pub(crate) type RecvId = u64;

/// A message as matching sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Message {
    pub(crate) source: usize,
    pub(crate) tag: Tag,
    pub(crate) sequence: u64,
    pub(crate) len: u64,
    pub(crate) eager: bool,
}

/// Pending receives and messages of one communicator of one rank, and their matches.
pub(crate) struct Board {
    posted: Vec<(RecvId, Pattern)>,
    unexpected: Vec<Message>,
    /// By source: the number of its next message, and those that came before their turn.
    turns: Vec<(u64, BTreeMap<u64, Message>)>,
    met: HashMap<RecvId, Message>,
    /// By source: messages that met a receive.
    taken: Vec<HashSet<u64>>,
    /// Receives that the loss of a peer ended.
    ended: HashSet<RecvId>,
}

impl Board {
    pub(crate) fn new(ranks: usize) -> Board {
        Board {
            posted: Vec::new(),
            unexpected: Vec::new(),
            turns: (0..ranks).map(|_| Default::default()).collect(),
            met: HashMap::new(),
            taken: vec![HashSet::new(); ranks],
            ended: HashSet::new(),
        }
    }

    /// A message came in, perhaps before its turn.
    pub(crate) fn arrive(&mut self, observed: &ObservedMessage) -> Result<(), String> {
        let message = Message {
            source: observed.envelope.source.index(),
            tag: observed.envelope.tag,
            sequence: observed.envelope.sequence,
            len: observed.len,
            eager: observed.eager,
        };
        let (next, early) = &mut self.turns[message.source];
        let again = message.sequence < *next || early.insert(message.sequence, message).is_some();
        if again {
            return Err(format!("{message:?} came twice"));
        }
        loop {
            let (next, early) = &mut self.turns[message.source];
            let Some(message) = early.remove(next) else {
                return Ok(());
            };
            *next += 1;
            self.meet(message);
        }
    }

    fn meet(&mut self, message: Message) {
        match self
            .posted
            .iter()
            .position(|(_, pattern)| accepts(pattern, &message))
        {
            Some(at) => {
                let (id, _) = self.posted.remove(at);
                self.note(id, message);
            }
            None => self.unexpected.push(message),
        }
    }

    /// A receive was posted.
    pub(crate) fn post(&mut self, id: RecvId, pattern: Pattern) {
        if !self.take(id, pattern) {
            self.posted.push((id, pattern));
        }
    }

    /// Takes the oldest message for a receive; false if no message matches.
    pub(crate) fn take(&mut self, id: RecvId, pattern: Pattern) -> bool {
        let Some(at) = self.unexpected.iter().position(|m| accepts(&pattern, m)) else {
            return false;
        };
        let message = self.unexpected.remove(at);
        self.note(id, message);
        true
    }

    fn note(&mut self, id: RecvId, message: Message) {
        self.met.insert(id, message);
        self.taken[message.source].insert(message.sequence);
    }

    /// Returns the message that a receive would match.
    pub(crate) fn probe(&self, pattern: Pattern) -> Option<&Message> {
        self.unexpected
            .iter()
            .find(|message| accepts(&pattern, message))
    }

    /// Takes a receive back; false when it does not wait.
    pub(crate) fn cancel(&mut self, id: RecvId) -> bool {
        let before = self.posted.len();
        self.posted.retain(|(posted, _)| *posted != id);
        self.posted.len() < before
    }

    /// A peer was lost: the receives from it end. Those from any source go on.
    pub(crate) fn lose(&mut self, source: usize) {
        let ended = &mut self.ended;
        self.posted.retain(|(id, pattern)| {
            let hopeless = pattern
                .source
                .is_some_and(|wanted| wanted.index() == source);
            if hopeless {
                ended.insert(*id);
            }
            !hopeless
        });
    }

    /// A receive was posted for a peer that was lost before: it ends unless it met a message.
    pub(crate) fn end_if_waiting(&mut self, id: RecvId) {
        if self.cancel(id) {
            self.ended.insert(id);
        }
    }

    pub(crate) fn met(&self, id: RecvId) -> Option<Message> {
        self.met.get(&id).copied()
    }

    pub(crate) fn has_ended(&self, id: RecvId) -> bool {
        self.ended.contains(&id)
    }

    pub(crate) fn is_waiting(&self, id: RecvId) -> bool {
        self.posted.iter().any(|(posted, _)| *posted == id)
    }

    pub(crate) fn is_taken(&self, source: usize, sequence: u64) -> bool {
        self.taken[source].contains(&sequence)
    }

    pub(crate) fn taken_of(&self, source: usize) -> usize {
        self.taken[source].len()
    }

    /// Bytes of eager messages of a source that wait here.
    pub(crate) fn eager_bytes_of(&self, source: usize) -> u64 {
        let early = self.turns[source].1.values();
        let waiting = self
            .unexpected
            .iter()
            .filter(|m| m.source == source)
            .chain(early);
        waiting
            .filter(|message| message.eager)
            .map(|message| message.len)
            .sum()
    }

    pub(crate) fn unexpected_len(&self) -> usize {
        self.unexpected.len()
    }
}

fn accepts(pattern: &Pattern, message: &Message) -> bool {
    let source = pattern
        .source
        .is_none_or(|source| source.index() == message.source);
    source && pattern.tag.is_none_or(|tag| tag == message.tag)
}
