//! Sending: the frames of the peers' queues, replies, and the order in which messages are handled.

use ::memory::{Payload, UserBuf};
use base::PeerId;

use crate::operation::Operation;
use crate::outbox::{
    is_answer, Body, Content, Data, Frame, Item, Peer, QueuedReply, Reply, ANSWERS_MAX,
    AWAITED_MAX, EARLY_MAX, SPARE_BYTES_MAX, SPARE_MAX, WITH_HEADER_MAX,
};
use crate::wire::{status, violation, Header, Violation, HEADER_BYTES};
use crate::Osc;

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
        if let Some(sequence) = self.clear_for_reply(peer) {
            return self.leave_reply(peer, sequence, header, Data::NONE);
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
        match self.clear_for_reply(peer) {
            Some(sequence) => self.leave_reply(peer, sequence, header, data),
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
        state.answers.push_back(QueuedReply { header, data, at });
        self.list(peer);
        Ok(())
    }

    /// Queues a reply to a peer before those in its queue, of which nothing has been offered.
    pub(crate) fn answer_first(&mut self, peer: PeerId, header: Header, data: Vec<u8>) {
        let state = self.peer(peer);
        if state.failed.is_none() {
            state.answers_bytes += HEADER_BYTES + data.len();
            let at = 0;
            state.answers.push_front(QueuedReply { header, data, at });
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
        self.reply.is_some() || !self.ready.is_empty()
    }

    /// Returns the peer at an index of the list of those that something may be sent to.
    pub fn ready_peer(&mut self, at: usize) -> Option<PeerId> {
        self.queue_reply();
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
            Body::Reply(len) => {
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
            Body::Reply(len)
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
            Body::Reply(len) => {
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

    /// Returns the number of a message to a peer that may wait for the driver
    /// ([`Osc::leave_reply`]); `None` where it has to wait in a queue.
    #[inline]
    pub(crate) fn clear_for_reply(&self, peer: PeerId) -> Option<u32> {
        let known = self.peers.get(peer.index());
        known.filter(|_| self.reply.is_none())?.clear()
    }

    /// Leaves a message for the driver, ahead of the queues.
    #[inline(always)]
    pub(crate) fn leave_reply(&mut self, peer: PeerId, sequence: u32, answer: Header, data: Data) {
        let bytes = match answer.status {
            status::OK => data.len() as u64,
            _ => answer.bytes,
        };
        let header = Header {
            sequence,
            bytes,
            ..answer
        };
        // Built in place: words that were just stored are not to be copied by vectors at once.
        let reply = self.reply.insert(Reply {
            peer,
            data: Data::NONE,
            part: 0,
            head: [0; HEADER_BYTES + WITH_HEADER_MAX],
            with_header: 0,
        });
        reply.head[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
        match data {
            Data::Now(there) => there.read(0, reply.behind_header(there.len())),
            Data::Read(read) if read.len() <= WITH_HEADER_MAX => {
                reply.behind_header(read.len()).copy_from_slice(&read);
                self.keep_room(read);
            }
            data => {
                reply.part = data.len();
                reply.data = data;
            }
        }
    }

    /// Whether a message waits for the driver.
    #[inline]
    pub fn has_reply(&self) -> bool {
        self.reply.is_some()
    }

    /// Returns the message that waits for the driver, once the lanes are free. The sender reports
    /// its fate before anything else happens.
    #[inline]
    pub fn reply(&self) -> Option<&Reply> {
        self.reply.as_ref()
    }

    /// Cuts the message that waits for the driver to `max` bytes, more than a header, if it is a
    /// reply out of memory; the rest waits then, once this part is sent.
    pub fn cut_reply(&mut self, max: usize) {
        let Some(reply) = &mut self.reply else {
            return;
        };
        if reply.len() > max && matches!(reply.data, Data::Memory(_)) {
            let sequence = self.peers[reply.peer.index()].sent();
            reply.cut(max - HEADER_BYTES, sequence, 0);
        }
    }

    /// Records that the lane has taken the message ahead of the queues.
    #[inline]
    pub fn reply_sent(&mut self) {
        let Some(reply) = &mut self.reply else {
            return;
        };
        let known = &mut self.peers[reply.peer.index()];
        known.passed();
        match &mut reply.data {
            Data::Memory(there) if reply.part < there.len() => {
                let begun = reply.part;
                *there = there.from(begun);
                let left = there.len();
                reply.cut(left, known.sent(), begun);
                return;
            }
            _ => {}
        }
        if let Some(Data::Read(room)) = self.reply.take().map(|reply| reply.data) {
            self.keep_room(room);
        }
    }

    /// Moves the message ahead of the queues into its peer's queue, before later ones: the lane has
    /// not taken it, or nobody sends it.
    #[inline]
    pub fn queue_reply(&mut self) {
        if self.reply.is_some() {
            self.wait_in_turn();
        }
    }

    #[cold]
    fn wait_in_turn(&mut self) {
        let Some(reply) = self.reply.take() else {
            return;
        };
        let with_header = reply.head()[HEADER_BYTES..].to_vec();
        let Reply {
            peer, data, head, ..
        } = reply;
        let data = match data {
            _ if !with_header.is_empty() => with_header,
            Data::Memory(there) | Data::Now(there) => self.copy(there),
            Data::Read(bytes) => bytes,
        };
        match Header::decode(&Payload::from(&head[..])) {
            Ok(header) if is_answer(header.kind) => self.answer_first(peer, header, data),
            Ok(header) => self.ask_first(peer, header),
            Err(_) => debug_assert!(false, "it is one of this process"),
        }
    }

    /// Copies the reply that waits for the driver: the memory that it reads is about to change.
    #[inline]
    pub(crate) fn keep_read(&mut self) {
        let reply = self.reply.as_ref();
        if reply
            .is_some_and(|reply| matches!(&reply.data, Data::Memory(there) if !there.is_empty()))
        {
            self.queue_reply();
        }
    }

    /// Returns the data of a reply out of memory that changes as soon as it is made.
    #[inline]
    pub(crate) fn before(&mut self, there: UserBuf) -> Data {
        match there.len() {
            ..=WITH_HEADER_MAX => Data::Now(there),
            _ => Data::Read(self.copy(there)),
        }
    }

    /// Returns a copy of bytes of a window.
    pub(crate) fn copy(&mut self, there: UserBuf) -> Vec<u8> {
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.resize(there.len(), 0);
        there.read(0, &mut bytes);
        bytes
    }
}
