//! The state of a peer: send queues, message numbers, early messages, and its failure.

use std::collections::{BTreeMap, VecDeque};

use ::memory::{Slot, UserBuf};
use base::{Key, PeerId};

use crate::ahead::Data;
use crate::operation::{Operation, Queued};
use crate::wire::{status, violation, Header, Kind, Violation, HEADER_BYTES};
use crate::Osc;

/// Most bytes of replies that an origin waits for before it requests more.
pub(crate) const AWAITED_MAX: usize = 1 << 20;
/// Most bytes of replies queued for one peer; a correct peer causes far fewer.
const ANSWERS_MAX: usize = 64 << 20;
/// Most reply buffers kept for reuse, and the largest: an origin waits for no more together.
const SPARE_MAX: usize = 16;
const SPARE_BYTES_MAX: usize = 128 << 10;
/// Most messages buffered because they overtook another.
const EARLY_MAX: usize = 1 << 12;

/// The state of a peer that all windows share.
#[derive(Default)]
pub(crate) struct Peer {
    /// Replies, which go before requests: they wait for nothing.
    answers: VecDeque<Answer>,
    answers_bytes: usize,
    pub(crate) requests: VecDeque<Item>,
    /// The message offered to the lane and not accepted yet, and its header.
    current: Option<Body>,
    header: Vec<u8>,
    /// Bytes requested from the peer that have not arrived.
    pub(crate) awaited: usize,
    sent: u32,
    expected: u32,
    early: BTreeMap<u32, Vec<u8>>,
    pub(crate) failed: Option<String>,
    /// Whether the peer is in the list of those that something may be sent to.
    listed: bool,
}

/// An entry of the request queue of a peer.
#[derive(Debug)]
pub(crate) enum Item {
    Operation(Key),
    Control(Header),
}

struct Answer {
    header: Header,
    data: Vec<u8>,
    /// Bytes of the data already sent.
    at: usize,
}

#[derive(Clone, Copy)]
enum Body {
    /// The first request, a control message.
    Control,
    /// This many bytes of the first reply.
    Answer(usize),
    /// A piece of the first request, an operation: `data` bytes from packed byte `at` on; `bytes`
    /// packed bytes of the operation are done with once it is sent.
    Operation {
        key: Key,
        at: usize,
        data: usize,
        bytes: usize,
    },
}

/// A message for a lane.
pub struct Frame<'a> {
    /// The header.
    pub header: &'a [u8],
    /// Bytes that follow the header.
    pub len: usize,
    content: Content<'a>,
}

enum Content<'a> {
    Bytes(&'a [u8]),
    Operation(&'a Queued, usize),
}

impl Peer {
    /// Returns the state of a failed peer.
    pub(crate) fn gone(why: &str) -> Peer {
        Peer {
            failed: Some(why.to_string()),
            ..Peer::default()
        }
    }

    /// Returns the number of the next message, where nothing is queued before it; `None` elsewhere,
    /// and when the peer has failed.
    #[inline]
    pub(crate) fn clear(&self) -> Option<u32> {
        let clear = self.is_idle() && self.current.is_none() && self.failed.is_none();
        clear.then_some(self.sent)
    }

    /// Returns how many messages were sent to it; wraps.
    pub(crate) fn sent(&self) -> u32 {
        self.sent
    }

    /// Whether `number` of its messages have been handled.
    #[inline]
    pub(crate) fn has_handled(&self, number: u32) -> bool {
        self.expected.wrapping_sub(number) as i32 >= 0
    }

    /// Counts a message that has bypassed the queues.
    #[inline]
    pub(crate) fn passed(&mut self) {
        self.sent = self.sent.wrapping_add(1);
    }

    #[inline]
    fn is_idle(&self) -> bool {
        self.answers.is_empty() && self.requests.is_empty()
    }

    /// Withdraws the message of an operation from the lane.
    pub(crate) fn drop_offer(&mut self, operation: Key) {
        let offered = &self.current;
        if matches!(offered, Some(Body::Operation { key, .. }) if *key == operation) {
            self.current = None;
        }
    }
}

impl Frame<'_> {
    /// Returns what follows the header, where it is empty or one contiguous run of the caller's
    /// memory.
    pub fn contiguous(&self) -> Option<UserBuf> {
        match self.content {
            _ if self.len == 0 => Some(UserBuf::EMPTY),
            Content::Bytes(_) => None,
            Content::Operation(queued, at) => queued.contiguous(at, self.len),
        }
    }

    /// Writes the data behind the header.
    pub fn pack(&self, slot: &mut Slot<'_>) {
        match self.content {
            Content::Bytes(bytes) => slot.write(0, bytes),
            Content::Operation(queued, at) => queued.pack(at, slot),
        }
    }
}

impl Osc {
    pub(crate) fn peer(&mut self, peer: PeerId) -> &mut Peer {
        if peer.index() >= self.peers.len() {
            self.peers.resize_with(peer.index() + 1, Peer::default);
        }
        &mut self.peers[peer.index()]
    }

    /// Lists a peer among those that something may be sent to.
    pub(crate) fn list(&mut self, peer: PeerId) {
        let state = self.peer(peer);
        if !state.listed && state.failed.is_none() {
            state.listed = true;
            self.ready.push(peer);
        }
    }

    /// Sends a control message to a peer, after all requests before it.
    pub(crate) fn ask(&mut self, peer: PeerId, header: Header) {
        if let Some(sequence) = self.way_ahead(peer) {
            return self.go_ahead(peer, sequence, header, Data::NONE);
        }
        let state = self.peer(peer);
        if state.failed.is_none() {
            state.requests.push_back(Item::Control(header));
            self.list(peer);
        }
    }

    /// Returns the data of a message as bytes of their own.
    fn in_full(&mut self, data: Data) -> Vec<u8> {
        match data {
            Data::Memory(there) | Data::Now(there) if there.is_empty() => Vec::new(),
            Data::Memory(there) | Data::Now(there) => self.copy(there),
            Data::Read(bytes) => bytes,
        }
    }

    /// Replies to a peer. Inlined: the header is built in place from what the callers know.
    #[inline(always)]
    pub(crate) fn answer(
        &mut self,
        peer: PeerId,
        header: Header,
        data: Data,
    ) -> Result<(), Violation> {
        match self.way_ahead(peer) {
            Some(sequence) => self.go_ahead(peer, sequence, header, data),
            None => return self.answer_in_turn(peer, header, data),
        }
        Ok(())
    }

    /// Queues a reply to a peer.
    #[inline(never)]
    fn answer_in_turn(
        &mut self,
        peer: PeerId,
        header: Header,
        data: Data,
    ) -> Result<(), Violation> {
        let data = self.in_full(data);
        let state = self.peer(peer);
        if state.failed.is_some() {
            return Ok(());
        }
        state.answers_bytes += HEADER_BYTES + data.len();
        if state.answers_bytes > ANSWERS_MAX {
            return violation("more questions than it takes answers to");
        }
        let at = 0;
        state.answers.push_back(Answer { header, data, at });
        self.list(peer);
        Ok(())
    }

    /// Queues a reply to a peer before those in its queue, of which nothing has been offered.
    pub(crate) fn answer_first(&mut self, peer: PeerId, header: Header, data: Vec<u8>) {
        let state = self.peer(peer);
        if state.failed.is_none() {
            state.answers_bytes += HEADER_BYTES + data.len();
            let at = 0;
            state.answers.push_front(Answer { header, data, at });
            self.list(peer);
        }
    }

    /// Queues a control message before all queued requests.
    pub(crate) fn ask_first(&mut self, peer: PeerId, header: Header) {
        let state = self.peer(peer);
        if state.failed.is_none() {
            state.requests.push_front(Item::Control(header));
            self.list(peer);
        }
    }

    /// Whether anything may be sent.
    #[inline]
    pub fn has_frames(&self) -> bool {
        self.ahead.is_some() || !self.ready.is_empty()
    }

    /// Returns the peer at an index of the list of those that something may be sent to.
    pub fn ready_peer(&mut self, at: usize) -> Option<PeerId> {
        self.put_off();
        self.ready.get(at).copied()
    }

    /// Returns the next message to a peer, of at most `max` bytes, which is 256 or more; unchanged
    /// until [`Osc::frame_sent`]. `None`: the peer is listed no more.
    pub fn next_frame(&mut self, peer: PeerId, max: usize) -> Option<Frame<'_>> {
        if self.peer(peer).current.is_none() && !self.prepare(peer, max) {
            self.unlist(peer);
            return None;
        }
        let state = &self.peers[peer.index()];
        let header = &state.header[..];
        let (len, content) = match state.current? {
            Body::Control => (0, Content::Bytes(&[])),
            Body::Answer(len) => {
                let answer = state.answers.front()?;
                let data = &answer.data[answer.at..answer.at + len];
                (len, Content::Bytes(data))
            }
            Body::Operation { key, at, data, .. } => {
                let queued = self.operations.get(key)?.queued()?;
                (data, Content::Operation(queued, at))
            }
        };
        Some(Frame {
            header,
            len,
            content,
        })
    }

    /// Unlists a peer: nothing may be sent to it now.
    #[inline]
    fn unlist(&mut self, peer: PeerId) {
        self.peers[peer.index()].listed = false;
        match self.ready.last() {
            Some(last) if *last == peer => drop(self.ready.pop()),
            _ => self.ready.retain(|ready| *ready != peer),
        }
    }

    /// Builds the next message. False when nothing can be sent now.
    fn prepare(&mut self, peer: PeerId, max: usize) -> bool {
        let state = &mut self.peers[peer.index()];
        let header = &mut state.header;
        header.clear();
        let body = if let Some(answer) = state.answers.front() {
            let len = (answer.data.len() - answer.at).min(max - HEADER_BYTES);
            let part = Header {
                sequence: state.sent,
                position: answer.header.position + answer.at as u64,
                bytes: match answer.header.status {
                    status::OK => len as u64,
                    _ => answer.header.bytes,
                },
                ..answer.header
            };
            part.encode(&[], header);
            Body::Answer(len)
        } else {
            match state.requests.front() {
                None => return false,
                Some(Item::Control(control)) => {
                    let sequence = state.sent;
                    header.extend_from_slice(
                        &Header {
                            sequence,
                            ..*control
                        }
                        .to_bytes(),
                    );
                    Body::Control
                }
                Some(Item::Operation(key)) => {
                    let known = self.operations.get(*key);
                    let unsent = known.filter(|known| known.is_unsent());
                    let Some((known, queued)) =
                        unsent.and_then(|known| Some((known, known.queued()?)))
                    else {
                        // It failed meanwhile.
                        state.requests.pop_front();
                        return self.prepare(peer, max);
                    };
                    let room = AWAITED_MAX.saturating_sub(state.awaited);
                    let Some(piece) = queued.cut(max, room, &mut self.runs) else {
                        return false;
                    };
                    let last = state.requests.len() == 1 && queued.ends_with(&piece);
                    let confirm = last && !queued.reads() && {
                        let window = self.windows.get_mut(known.window.0);
                        window.is_some_and(|window| window.ask_early(known.target))
                    };
                    let message = Header {
                        sequence: state.sent,
                        token: key.bits(),
                        confirm,
                        ..piece.header
                    };
                    message.encode(&self.runs, header);
                    Body::Operation {
                        key: *key,
                        at: piece.at,
                        data: piece.data,
                        bytes: piece.bytes,
                    }
                }
            }
        };
        state.current = Some(body);
        true
    }

    /// Records that the lane has taken the last frame. Returns whether there may be another one.
    pub fn frame_sent(&mut self, peer: PeerId) -> bool {
        self.count_sent(peer);
        let more = !self.peers[peer.index()].is_idle();
        if !more {
            self.unlist(peer);
        }
        more
    }

    fn count_sent(&mut self, peer: PeerId) {
        let state = &mut self.peers[peer.index()];
        let Some(current) = state.current.take() else {
            return;
        };
        state.passed();
        match current {
            Body::Control => drop(state.requests.pop_front()),
            Body::Answer(len) => {
                let done = state.answers.front_mut().map(|answer| {
                    answer.at += len;
                    (answer.at == answer.data.len()).then_some(answer.at)
                });
                if let Some(Some(bytes)) = done {
                    let answered = state.answers.pop_front();
                    state.answers_bytes -= HEADER_BYTES + bytes;
                    self.keep_room(answered.map_or(Vec::new(), |answered| answered.data));
                }
            }
            Body::Operation { key, bytes, .. } => {
                let known = self.operations.get_mut(key);
                let Some(queued) = known.and_then(Operation::queued_mut) else {
                    return;
                };
                let (all, reads) = (queued.sent(bytes), queued.reads());
                if reads {
                    state.awaited += bytes;
                }
                if all {
                    state.requests.pop_front();
                    if !reads {
                        self.finish(key, Ok(()));
                    }
                }
            }
        }
    }

    /// Keeps a reply's buffer for the next: the system clears each page that it hands out again.
    #[inline]
    pub(crate) fn keep_room(&mut self, room: Vec<u8>) {
        if room.capacity() > 0 && self.spare.len() < SPARE_MAX && room.capacity() <= SPARE_BYTES_MAX
        {
            self.spare.push(room);
        }
    }

    /// Whether a message is the next of its sender. Later ones are buffered.
    pub(crate) fn is_due(
        &mut self,
        from: PeerId,
        header: &Header,
        bytes: impl FnOnce() -> Vec<u8>,
    ) -> Result<bool, Violation> {
        let state = self.peer(from);
        if header.sequence == state.expected {
            state.expected = state.expected.wrapping_add(1);
            return Ok(true);
        }
        let ahead = header.sequence.wrapping_sub(state.expected) as usize;
        if ahead > EARLY_MAX || state.early.contains_key(&header.sequence) {
            return violation("a one-sided message out of order");
        }
        state.early.insert(header.sequence, bytes());
        Ok(false)
    }

    /// Returns the next message of a peer, where it was buffered.
    pub(crate) fn next_early(&mut self, from: PeerId) -> Option<Vec<u8>> {
        let state = self.peer(from);
        if state.early.is_empty() {
            return None;
        }
        let next = state.early.remove(&state.expected)?;
        state.expected = state.expected.wrapping_add(1);
        Some(next)
    }
}

/// Whether a message is a reply.
pub(crate) fn is_answer(kind: Kind) -> bool {
    matches!(kind, Kind::Data | Kind::Ack | Kind::Grant)
}
