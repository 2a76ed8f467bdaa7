//! Matching: which receive gets which message (MPI 5.0, 3.5).
//!
//! One [`Matching`] per communicator. Receives wait in a list per source, those for any source
//! in a list of their own; unexpected messages wait in a list per source. Each entry
//! carries a number in order of posting or arrival, so that of two candidates the older one
//! wins, wherever it waits:
//!
//! * a message takes the oldest receive that accepts it (its source's list against the wild one);
//! * a receive takes the oldest message that it accepts (one source's list, or the front
//!   candidates of all sources that have any).
//!
//! However many wait, an entry is found by its tag without a walk past all others
//! ([`crate::queue`]).
//!
//! Messages of one sender are matched in the order of their sequence numbers; those that
//! overtook others on the way wait in `early`.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Counters, Key, PeerId, Rank, RemoteKey};
use pml::{Context, Received, Tag};

use crate::queue::{Queue, Tagged};
use crate::wire::Envelope;

/// Bytes of unexpected messages of a process from which on the heap's free pages are given back to
/// the system once all that a communicator has are received: so much is worth the time.
const BACKLOG: u64 = 32 << 20;

/// Bytes that an unexpected message takes beside its own, about.
const ENTRY_BYTES: u64 = std::mem::size_of::<Unexpected>() as u64 + 16;

/// A posted receive.
struct Posted {
    number: u64,
    tag: Option<Tag>,
    request: Key,
}

impl Tagged for Posted {
    #[inline]
    fn tag(&self) -> Option<Tag> {
        self.tag
    }
}

/// An unexpected message.
pub(crate) struct Unexpected {
    number: u64,
    pub(crate) envelope: Envelope,
    pub(crate) from: PeerId,
    pub(crate) held: UnexpectedData,
}

impl Tagged for Unexpected {
    fn tag(&self) -> Option<Tag> {
        Some(self.envelope.tag)
    }
}

impl Unexpected {
    /// Returns a message that waits outside of any queue.
    pub(crate) fn new(envelope: Envelope, from: PeerId, held: UnexpectedData) -> Unexpected {
        Unexpected {
            number: 0,
            envelope,
            from,
            held,
        }
    }
}

/// The content received so far of an unexpected message.
pub(crate) enum UnexpectedData {
    /// All of it; its send is complete.
    Eager { bytes: Vec<u8> },
    /// All of it; its sender waits until it is matched.
    EagerAck { bytes: Vec<u8>, sender: Key },
    /// Its RTS, and its eager prefix.
    Rts {
        prefix: Vec<u8>,
        sender: Key,
        total: u64,
        key: Option<RemoteKey>,
    },
    /// Its parts, which gather under this key.
    Pipelined { key: Key, total: u64 },
    /// Nothing: its sender withdrew it before it was next in order.
    Withdrawn,
    /// Nothing: its sender has died, and its next life will send the message again.
    Lost { total: u64 },
    /// Messages up to a number, which an earlier life of this process has received and which are
    /// not sent again.
    Past { until: u64 },
}

impl UnexpectedData {
    /// Returns the length of the message in bytes.
    pub(crate) fn len(&self) -> u64 {
        match self {
            UnexpectedData::Eager { bytes } | UnexpectedData::EagerAck { bytes, .. } => {
                bytes.len() as u64
            }
            UnexpectedData::Rts { total, .. }
            | UnexpectedData::Pipelined { total, .. }
            | UnexpectedData::Lost { total } => *total,
            UnexpectedData::Withdrawn | UnexpectedData::Past { .. } => 0,
        }
    }

    /// Returns the bytes of the message that are buffered here, as they were when it came.
    fn buffered(&self) -> u64 {
        match self {
            UnexpectedData::Eager { bytes } | UnexpectedData::EagerAck { bytes, .. } => {
                bytes.len() as u64
            }
            UnexpectedData::Rts { prefix, .. } => prefix.len() as u64,
            UnexpectedData::Pipelined { total, .. } => *total,
            UnexpectedData::Withdrawn
            | UnexpectedData::Lost { .. }
            | UnexpectedData::Past { .. } => 0,
        }
    }

    /// Returns the request of a sender that waits for the message to be matched.
    pub(crate) fn sender(&self) -> Option<Key> {
        match self {
            UnexpectedData::EagerAck { sender, .. } | UnexpectedData::Rts { sender, .. } => {
                Some(*sender)
            }
            UnexpectedData::Eager { .. }
            | UnexpectedData::Pipelined { .. }
            | UnexpectedData::Withdrawn
            | UnexpectedData::Lost { .. } => None,
            UnexpectedData::Past { .. } => None,
        }
    }
}

#[derive(Default)]
struct Source {
    /// The sequence number of the message that is next in order.
    expected: u64,
    posted: Queue<Posted>,
    unexpected: Queue<Unexpected>,
    /// Messages that overtook others, by sequence number.
    early: BTreeMap<u64, Unexpected>,
}

/// Position of a message in the order of its sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrivalOrder {
    Next,
    Early,
    /// Its number was used before: the peer breaks the protocol.
    Duplicate,
}

/// The matching state of one communicator.
pub(crate) struct Matching {
    pub(crate) context: Context,
    pub(crate) rank: Rank,
    /// The peers that ranks stand for; of the remote group in an inter-communicator.
    pub(crate) peers: Box<[PeerId]>,
    /// Whether the communicator was freed; it is dropped once no receive waits in it.
    pub(crate) closed: bool,
    /// A member that has failed, which receives from any source may wait for, until
    /// the application has acknowledged it.
    pub(crate) unacked: Option<(PeerId, Arc<str>)>,
    sources: Vec<Source>,
    any_source: Queue<Posted>,
    /// Sources with unexpected messages, in no order: searched by receives from any source.
    waiting: Vec<u32>,
    /// How many unexpected messages have a negative tag: most often none, which ends a search.
    negative: usize,
    /// Sequence numbers of the next messages to each rank.
    next: Vec<u64>,
    /// Description of the elements of the next messages of this process; see
    /// [`pml::Status::mark`].
    pub(crate) mark: u16,
    numbers: u64,
    posted: usize,
    /// Whether there was a backlog ([`BACKLOG`]) since the last time that none was unexpected.
    has_backlog: bool,
    counters: Arc<Counters>,
}

impl Matching {
    pub(crate) fn new(
        context: Context,
        rank: Rank,
        peers: Vec<PeerId>,
        counters: Arc<Counters>,
    ) -> Matching {
        Matching {
            context,
            rank,
            closed: false,
            unacked: None,
            sources: peers.iter().map(|_| Source::default()).collect(),
            any_source: Queue::default(),
            waiting: Vec::new(),
            negative: 0,
            next: vec![0; peers.len()],
            mark: 0,
            numbers: 0,
            posted: 0,
            has_backlog: false,
            counters,
            peers: peers.into(),
        }
    }

    /// Returns the envelope of the next message to a rank, and uses up its sequence number.
    #[inline]
    pub(crate) fn envelope_to(&mut self, to: Rank, tag: Tag) -> Envelope {
        let next = &mut self.next[to.index()];
        let sequence = *next;
        *next += 1;
        Envelope {
            context: self.context,
            source: self.rank,
            tag,
            sequence,
            mark: self.mark,
        }
    }

    /// Returns the envelope of the next message to a rank, without using up its number.
    pub(crate) fn next_envelope(&self, to: Rank, tag: Tag) -> Envelope {
        Envelope {
            context: self.context,
            source: self.rank,
            tag,
            sequence: self.next[to.index()],
            mark: self.mark,
        }
    }

    /// Returns whether a message is its sender's next, and if so counts it.
    #[inline]
    pub(crate) fn turn(&mut self, envelope: &Envelope) -> ArrivalOrder {
        let source = &mut self.sources[envelope.source.index()];
        match envelope.sequence.cmp(&source.expected) {
            std::cmp::Ordering::Equal => {
                source.expected += 1;
                ArrivalOrder::Next
            }
            std::cmp::Ordering::Greater => ArrivalOrder::Early,
            std::cmp::Ordering::Less => ArrivalOrder::Duplicate,
        }
    }

    /// Takes the oldest receive posted for a peer, if it accepts this message, the message is its
    /// sender's next, and no other queue matters. Otherwise nothing is done.
    #[inline]
    pub(crate) fn take_next(&mut self, from: PeerId, envelope: &Envelope) -> Option<Key> {
        let rank = envelope.source.index();
        let source = self.sources.get_mut(rank)?;
        let plain = self.any_source.is_empty() && source.early.is_empty() && !self.closed;
        let next = source.expected == envelope.sequence && self.peers.get(rank) == Some(&from);
        let first = source.posted.front()?;
        let accepts = first.tag.is_none_or(|wanted| wanted == envelope.tag);
        if !(plain && next && accepts) {
            return None;
        }
        source.expected += 1;
        self.posted -= 1;
        self.counters.receives_matched.add(1);
        source.posted.pop_front().map(|posted| posted.request)
    }

    /// Takes the oldest receive that accepts a message of a peer, if it is its sender's next.
    /// Otherwise nothing is done.
    pub(crate) fn take_in_turn(&mut self, from: PeerId, envelope: &Envelope) -> Option<Key> {
        let rank = envelope.source.index();
        let source = self.sources.get(rank)?;
        let next = source.expected == envelope.sequence && source.early.is_empty();
        if !next || self.closed || self.peers.get(rank) != Some(&from) {
            return None;
        }
        let request = self.take_posted(envelope.source, envelope.tag)?;
        self.sources[rank].expected += 1;
        Some(request)
    }

    /// Returns the keys of pipelined messages that are gathered here.
    pub(crate) fn gathered(&self) -> Vec<Key> {
        let sources = self.sources.iter();
        let messages = sources.flat_map(|s| s.unexpected.iter().chain(s.early.values()));
        let keys = messages.filter_map(|message| match message.held {
            UnexpectedData::Pipelined { key, .. } => Some(key),
            _ => None,
        });
        keys.collect()
    }

    /// Returns whether an early message has this sequence number.
    pub(crate) fn has_early_sequence(&self, envelope: &Envelope) -> bool {
        let early = &self.sources[envelope.source.index()].early;
        early.contains_key(&envelope.sequence)
    }

    /// Adds a message that waits until those before it have arrived.
    pub(crate) fn add_early(&mut self, envelope: Envelope, from: PeerId, held: UnexpectedData) {
        let early = &mut self.sources[envelope.source.index()].early;
        let message = Unexpected::new(envelope, from, held);
        early.insert(envelope.sequence, message);
    }

    /// Takes the early message that has become its sender's next.
    pub(crate) fn next_in_turn(&mut self, source: Rank) -> Option<Unexpected> {
        let source = &mut self.sources[source.index()];
        loop {
            let message = source.early.remove(&source.expected)?;
            if let UnexpectedData::Past { until } = message.held {
                source.expected = until;
                continue;
            }
            source.expected += 1;
            return Some(message);
        }
    }

    /// Notes which messages of a rank an earlier life of this process has got, before anything of
    /// this one has come.
    pub(crate) fn set_received(&mut self, rank: Rank, received: &Received) {
        let (context, from) = (self.context, self.peers[rank.index()]);
        let source = &mut self.sources[rank.index()];
        let mut begin = 0;
        for end in received.missing.iter().copied().chain([received.next]) {
            if begin < end {
                let envelope = Envelope {
                    context,
                    source: rank,
                    tag: 0,
                    sequence: begin,
                    mark: 0,
                };
                let past = Unexpected::new(envelope, from, UnexpectedData::Past { until: end });
                source.early.insert(begin, past);
            }
            begin = end + 1;
        }
        if let Some(first) = source.early.remove(&0) {
            if let UnexpectedData::Past { until } = first.held {
                source.expected = until;
            }
        }
    }

    /// Returns which messages of a rank this process has: all before a number, but for some. Those
    /// that overtook others do not count.
    pub(crate) fn received(&self, rank: Rank) -> (u64, Vec<u64>) {
        let source = &self.sources[rank.index()];
        let (mut next, mut missing) = (source.expected, Vec::new());
        for (begin, message) in &source.early {
            if let UnexpectedData::Past { until } = message.held {
                missing.extend(next..*begin);
                next = until;
            }
        }
        (next, missing)
    }

    /// Returns the numbers of the unexpected messages of a rank.
    pub(crate) fn unexpected_numbers(&self, rank: Rank) -> impl Iterator<Item = u64> + '_ {
        let unexpected = self.sources[rank.index()].unexpected.iter();
        unexpected.map(|message| message.envelope.sequence)
    }

    /// Sets the number of the next message to a rank.
    pub(crate) fn set_next(&mut self, to: Rank, next: u64) {
        self.next[to.index()] = next;
    }

    /// Returns whether messages of the source are early.
    #[inline]
    pub(crate) fn has_early(&self, source: Rank) -> bool {
        !self.sources[source.index()].early.is_empty()
    }

    /// Takes the oldest receive that accepts a message.
    #[inline]
    pub(crate) fn take_posted(&mut self, source: Rank, tag: Tag) -> Option<Key> {
        let own = &mut self.sources[source.index()].posted;
        let accepts = |posted: &Posted| posted.tag.is_none_or(|wanted| wanted == tag);
        // Most often the oldest receive is the one, and none is posted for any source.
        if self.any_source.is_empty() && own.front().is_some_and(accepts) {
            self.posted -= 1;
            self.counters.receives_matched.add(1);
            return own.pop_front().map(|posted| posted.request);
        }
        let in_own = own.find_for(tag);
        let in_any_source = self.any_source.find_for(tag);
        let number = |list: &Queue<Posted>, at| list.get(at).map(|posted| posted.number);
        let (list, at) = match (in_own, in_any_source) {
            (None, None) => return None,
            (Some(at), None) => (own, at),
            (None, Some(at)) => (&mut self.any_source, at),
            (Some(a), Some(b)) if number(own, a) < number(&self.any_source, b) => (own, a),
            (Some(_), Some(b)) => (&mut self.any_source, b),
        };
        self.posted -= 1;
        self.counters.receives_matched.add(1);
        list.remove(at).map(|posted| posted.request)
    }

    /// Posts a receive.
    #[inline]
    pub(crate) fn post(&mut self, source: Option<Rank>, tag: Option<Tag>, request: Key) {
        let number = self.number();
        let list = match source {
            Some(source) => &mut self.sources[source.index()].posted,
            None => &mut self.any_source,
        };
        list.push_back(Posted {
            number,
            tag,
            request,
        });
        self.posted += 1;
        self.counters.receives_posted.add(1);
    }

    /// Takes a posted receive out. False when it is not posted any more.
    pub(crate) fn unpost(&mut self, source: Option<Rank>, request: Key) -> bool {
        let list = match source {
            Some(source) => &mut self.sources[source.index()].posted,
            None => &mut self.any_source,
        };
        let Some(at) = list.position(|posted| posted.request == request) else {
            return false;
        };
        list.remove(at);
        self.posted -= 1;
        self.counters.receives_withdrawn.add(1);
        true
    }

    /// Adds an unexpected message.
    pub(crate) fn add_unexpected(
        &mut self,
        envelope: Envelope,
        from: PeerId,
        held: UnexpectedData,
    ) {
        let number = self.number();
        let list = &mut self.sources[envelope.source.index()].unexpected;
        if list.is_empty() {
            self.waiting.push(envelope.source.0);
        }
        self.negative += usize::from(envelope.tag < 0);
        self.counters.unexpected_added.add(1);
        self.counters.unexpected_bytes.add(held.buffered());
        self.has_backlog |= backlog(&self.counters) >= BACKLOG;
        list.push_back(Unexpected {
            number,
            envelope,
            from,
            held,
        });
    }

    /// Returns whether there are unexpected messages.
    #[inline]
    pub(crate) fn has_unexpected(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes the oldest message that a receive accepts.
    pub(crate) fn take_unexpected(
        &mut self,
        source: Option<Rank>,
        tag: Option<Tag>,
    ) -> Option<Unexpected> {
        let (source, at) = self.find_unexpected(source, tag)?;
        let list = &mut self.sources[source.index()].unexpected;
        let message = list.remove(at)?;
        if list.is_empty() {
            self.waiting.retain(|waiting| *waiting != source.0);
        }
        self.negative -= usize::from(message.envelope.tag < 0);
        self.count_taken(&message);
        if self.has_backlog && self.waiting.is_empty() {
            self.has_backlog = false;
            memory::heap::give_back();
        }
        Some(message)
    }

    /// Counts all unexpected messages as unexpected no longer, before the communicator goes.
    pub(crate) fn forget_unexpected(&self) {
        for source in &self.sources {
            source.unexpected.iter().for_each(|m| self.count_taken(m));
        }
    }

    /// Returns the senders that wait for their messages to be matched.
    pub(crate) fn senders(&self) -> Vec<(PeerId, Key)> {
        let sources = self.sources.iter();
        let messages = sources.flat_map(|s| s.unexpected.iter().chain(s.early.values()));
        let waits = |message: &Unexpected| Some((message.from, message.held.sender()?));
        messages.filter_map(waits).collect()
    }

    /// Returns the senders of messages that are buffered here whole, the bytes that each has
    /// charged to its window, and whether the message waits for others before it.
    pub(crate) fn charged(&self) -> Vec<(PeerId, usize, bool)> {
        let charge = |message: &Unexpected, is_early| match &message.held {
            UnexpectedData::Pipelined { .. } => None,
            held => Some((message.from, held.as_incoming().charged()?, is_early)),
        };
        let mut charged = Vec::new();
        for source in &self.sources {
            let early = source.early.values();
            charged.extend(source.unexpected.iter().filter_map(|m| charge(m, false)));
            charged.extend(early.filter_map(|m| charge(m, true)));
        }
        charged
    }

    /// Counts a message that is unexpected no longer.
    fn count_taken(&self, message: &Unexpected) {
        self.counters.unexpected_taken.add(1);
        self.counters.unexpected_bytes.sub(message.held.buffered());
    }

    /// Returns the oldest message that a receive would accept.
    pub(crate) fn peek_unexpected(
        &mut self,
        source: Option<Rank>,
        tag: Option<Tag>,
    ) -> Option<&Unexpected> {
        let (source, at) = self.find_unexpected(source, tag)?;
        self.sources[source.index()].unexpected.get(at)
    }

    /// Returns the oldest unexpected message with a tag for which `is_wanted` is true; a search of
    /// all.
    pub(crate) fn find_by_tag(&self, is_wanted: &dyn Fn(Tag) -> bool) -> Option<&Unexpected> {
        let lists = self
            .waiting
            .iter()
            .map(|source| &self.sources[*source as usize].unexpected);
        let oldest = |list: &'_ Queue<Unexpected>| list.position(|m| is_wanted(m.envelope.tag));
        let found = lists.filter_map(|list| list.get(oldest(list)?));
        found.min_by_key(|message| message.number)
    }

    fn find_unexpected(&mut self, source: Option<Rank>, tag: Option<Tag>) -> Option<(Rank, usize)> {
        if tag.is_some_and(|tag| tag < 0) && self.negative == 0 {
            return None;
        }
        if !self.waiting.is_empty() {
            self.counters.unexpected_searches.add(1);
        }
        let sources = &mut self.sources;
        let mut first_of = |source: Rank| {
            let list = &mut sources[source.index()].unexpected;
            let at = tag.map_or(Some(0), |tag| list.find(tag))?;
            Some((list.get(at)?.number, source, at))
        };
        let found = match source {
            Some(source) => first_of(source),
            None => self
                .waiting
                .iter()
                .filter_map(|source| first_of(Rank(*source)))
                .min(),
        };
        found.map(|(_, source, at)| (source, at))
    }

    /// Takes the message of a peer's request out, if it is unexpected or early.
    pub(crate) fn withdraw(&mut self, from: PeerId, sender: Key) -> Option<UnexpectedData> {
        let is_it = |m: &Unexpected| m.from == from && m.held.sender() == Some(sender);
        for (rank, source) in self.sources.iter_mut().enumerate() {
            if let Some(at) = source.unexpected.position(is_it) {
                let message = source.unexpected.remove(at)?;
                if source.unexpected.is_empty() {
                    self.waiting.retain(|waiting| *waiting as usize != rank);
                }
                self.negative -= usize::from(message.envelope.tag < 0);
                self.count_taken(&message);
                return Some(message.held);
            }
            // Its sequence number is still awaited.
            if let Some(message) = source.early.values_mut().find(|m| is_it(m)) {
                return Some(std::mem::replace(
                    &mut message.held,
                    UnexpectedData::Withdrawn,
                ));
            }
        }
        None
    }

    /// Returns the rank that stands for a peer, if any.
    pub(crate) fn rank_of(&self, peer: PeerId) -> Option<Rank> {
        self.peers
            .iter()
            .position(|p| *p == peer)
            .map(|at| Rank(at as u32))
    }

    /// Returns the numbers of the next messages of all ranks.
    pub(crate) fn all_expected(&self) -> Vec<u64> {
        let ranks = (0..self.sources.len() as u32).map(Rank);
        ranks.map(|rank| self.received(rank).0).collect()
    }

    /// Takes out the messages of a rank that overtook others.
    pub(crate) fn take_early(&mut self, source: Rank) -> impl Iterator<Item = Unexpected> {
        let early = &mut self.sources[source.index()].early;
        let is_past = |message: &Unexpected| matches!(message.held, UnexpectedData::Past { .. });
        let (past, others) = std::mem::take(early)
            .into_iter()
            .partition(|(_, m)| is_past(m));
        *early = past;
        let others: BTreeMap<u64, Unexpected> = others;
        others.into_values()
    }

    /// Does something to each unexpected message of a rank that may change what is held of it.
    pub(crate) fn each_unexpected(&mut self, source: Rank, mut act: impl FnMut(&mut Unexpected)) {
        for message in self.sources[source.index()].unexpected.iter_mut() {
            let before = message.held.buffered();
            act(message);
            let dropped = before.saturating_sub(message.held.buffered());
            self.counters.unexpected_bytes.sub(dropped);
        }
    }

    /// Gives an unexpected message, by its number, other content.
    pub(crate) fn replace(&mut self, source: Rank, sequence: u64, held: UnexpectedData) {
        let mut messages = self.sources[source.index()].unexpected.iter_mut();
        if let Some(message) = messages.find(|m| m.envelope.sequence == sequence) {
            self.counters.unexpected_bytes.add(held.buffered());
            message.held = held;
        }
    }

    /// Begins to count anew with a rank, both ways. Returns what came from it and was not taken.
    pub(crate) fn restart(&mut self, rank: Rank) -> Vec<Unexpected> {
        self.next[rank.index()] = 0;
        let source = &mut self.sources[rank.index()];
        source.expected = 0;
        let mut dropped: Vec<Unexpected> = source.unexpected.drain().collect();
        for message in &dropped {
            self.negative -= usize::from(message.envelope.tag < 0);
            self.count_taken(message);
        }
        self.waiting.retain(|waiting| *waiting != rank.0);
        dropped.extend(self.take_early(rank));
        dropped
    }

    /// Takes out the receives that only a lost peer could have satisfied.
    pub(crate) fn take_posted_for(&mut self, lost: Rank) -> Vec<Key> {
        let list = &mut self.sources[lost.index()].posted;
        self.posted -= list.len();
        self.counters.receives_withdrawn.add(list.len() as u64);
        list.drain().map(|posted| posted.request).collect()
    }

    /// Returns the receives for any source.
    pub(crate) fn posted_for_any(&self) -> Vec<Key> {
        let all = (0..self.any_source.len()).filter_map(|at| self.any_source.get(at));
        all.map(|posted| posted.request).collect()
    }

    /// Takes out all receives.
    pub(crate) fn take_all_posted(&mut self) -> Vec<Key> {
        let ranks = (0..self.sources.len() as u32).map(Rank);
        let mut all: Vec<Key> = ranks.flat_map(|rank| self.take_posted_for(rank)).collect();
        all.extend(self.take_posted_for_any());
        all
    }

    /// Takes out the receives for any source.
    pub(crate) fn take_posted_for_any(&mut self) -> Vec<Key> {
        let lost = self.any_source.len();
        self.posted -= lost;
        self.counters.receives_withdrawn.add(lost as u64);
        self.any_source
            .drain()
            .map(|posted| posted.request)
            .collect()
    }

    /// Returns the tag of a posted receive; `None` for any.
    pub(crate) fn tag_of(&self, request: Key) -> Option<Tag> {
        let lists = self.sources.iter().map(|source| &source.posted);
        let mut posted = lists.chain([&self.any_source]).flat_map(Queue::iter);
        posted.find(|posted| posted.request == request)?.tag
    }

    /// Returns all unexpected messages.
    pub(crate) fn unexpected(&self) -> impl Iterator<Item = &Unexpected> {
        self.sources
            .iter()
            .flat_map(|source| source.unexpected.iter())
    }

    /// Returns whether no receive is posted.
    pub(crate) fn is_idle(&self) -> bool {
        self.posted == 0
    }

    /// Returns how many messages are unexpected.
    pub(crate) fn unexpected_len(&self) -> usize {
        self.waiting
            .iter()
            .map(|s| self.sources[*s as usize].unexpected.len())
            .sum()
    }

    #[inline]
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}

/// Returns about how many bytes all unexpected messages of the process take.
fn backlog(counters: &Counters) -> u64 {
    let added = counters.unexpected_added.get();
    let messages = added.saturating_sub(counters.unexpected_taken.get());
    counters.unexpected_bytes.get() + messages * ENTRY_BYTES
}
