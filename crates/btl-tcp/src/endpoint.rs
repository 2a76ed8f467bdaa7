//! The send side: one peer's endpoint, its connection and the queue in front of it.
//!
//! While nothing is queued a message goes from the caller's memory to the kernel at once. What
//! the kernel does not take waits in the queue, in order: copied, or, for a zero-copy send, by
//! reference. The queue is bounded; beyond the bound a send is `Busy`. Messages for a peer that
//! is not connected yet wait in the same queue.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::time::Instant;

use base::{Key, PeerId};
use btl::{Error, Sink, Token};
use memory::UserBuf;

use crate::pairing::Rail;
use crate::progress::Receiver;
use crate::rma::{Answer, Source, PIECE_BYTES};
use crate::sys::{self, Parts, PARTS_MAX};
use crate::wire::{Header, Kind, HEADER_BYTES};

/// Most zero-copy sends that one queue holds.
const LENT_MAX: usize = 256;
/// Copies are joined in chunks of at least this many bytes.
const CHUNK_BYTES: usize = 64 << 10;

/// A peer, and the way to it.
pub struct Endpoint {
    /// The peer.
    pub peer: PeerId,
    /// Where to connect to, best first; empty before it was introduced.
    pub candidates: Vec<Rail>,
    /// The connection, or why there is none.
    pub link: Link,
    /// What waits for the connection.
    pub queue: Queue,
    /// What the peer asked for. It leaves piece by piece whenever the queue is empty.
    pub owed: VecDeque<Answer>,
    next_seq: u64,
}

/// The state of the way to a peer (the table is in the crate's documentation).
pub enum Link {
    /// No message has been sent yet.
    Idle,
    /// This process connects.
    Connecting(Dialing),
    /// The peer connects too and goes first: its connection is on its way since this moment.
    Awaiting(Instant),
    /// Connected.
    Up(Lane),
    /// The peer has left in good order.
    Left,
    /// The peer is gone, for this reason.
    Failed(Error),
}

/// How far connecting has come.
pub struct Dialing {
    /// The attempt under way; `None` until the next tick, which retries.
    pub attempt: Option<Key>,
    /// Which of the candidates is tried.
    pub candidate: usize,
    /// How often this candidate has been retried.
    pub retries: u32,
}

/// A connection that has passed the handshake.
pub struct Lane {
    /// The socket.
    pub stream: TcpStream,
    /// What has been read so far.
    pub receiver: Receiver,
    /// Whether the epoll set watches for room to write.
    pub watches_write: bool,
    /// Whether writing has failed; reading goes on until the end, which tells why.
    pub broken: bool,
}

/// What the transport reports when it next progresses.
pub enum Report {
    /// A zero-copy send is complete.
    Done(Token, Result<(), Error>),
    /// A peer is gone.
    Failed(PeerId, Error),
}

/// The bytes of a message after the layer's header.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// Memory that may be reused when the call returns.
    User(UserBuf),
    /// The same, of our own.
    Own(&'a [u8]),
    /// Memory that stays untouched until the token is reported.
    Lent(UserBuf, Token),
    /// Registered memory, until the registration is withdrawn.
    Exported(Source),
}

impl Report {
    /// Hands the report up.
    pub fn emit(self, sink: &mut dyn Sink) {
        match self {
            Report::Done(token, outcome) => sink.done(token, outcome),
            Report::Failed(peer, error) => sink.peer_failed(peer, error),
        }
    }
}

impl Body<'_> {
    fn len(&self) -> usize {
        match self {
            Body::User(buf) | Body::Lent(buf, _) => buf.len(),
            Body::Exported(source) => source.rest.len(),
            Body::Own(bytes) => bytes.len(),
        }
    }
}

impl Endpoint {
    /// A peer without a connection.
    pub fn new(peer: PeerId) -> Endpoint {
        Endpoint {
            peer,
            candidates: Vec::new(),
            link: Link::Idle,
            queue: Queue::default(),
            owed: VecDeque::new(),
            next_seq: 0,
        }
    }

    /// Forgets an earlier connection: the peer has left and comes back.
    pub fn reopen(&mut self) {
        let candidates = std::mem::take(&mut self.candidates);
        *self = Endpoint {
            candidates,
            ..Endpoint::new(self.peer)
        };
    }

    /// Why nothing can be sent, where that is so.
    pub fn check_usable(&self) -> Result<(), Error> {
        let how = match &self.link {
            Link::Failed(error) => return Err(error.clone()),
            Link::Left => "it has left in good order",
            Link::Up(lane) if lane.broken => "its connection broke",
            Link::Idle if self.candidates.is_empty() => {
                return Err(Error::Unreachable { peer: self.peer })
            }
            _ => return Ok(()),
        };
        Err(Error::PeerGone {
            peer: self.peer,
            how: how.into(),
        })
    }

    /// Sends a frame, or queues what the kernel does not take.
    /// The caller has checked [`Endpoint::check_usable`] and [`Queue::has_room`].
    pub fn send(
        &mut self,
        kind: Kind,
        header: &[u8],
        body: Body<'_>,
        reports: &mut VecDeque<Report>,
    ) -> Result<(), Error> {
        let len = (header.len() + body.len()) as u32;
        let frame = Header {
            kind,
            len,
            seq: self.next_seq,
        }
        .encode();
        let mut taken = 0;
        if let (Link::Up(lane), true) = (&mut self.link, self.queue.is_empty()) {
            taken = write(lane, &frame, header, body).map_err(|error| gone(self.peer, &error))?;
        }
        self.next_seq += 1;
        if taken < HEADER_BYTES + len as usize {
            self.queue.push(&frame, header, body, taken);
        } else if let Body::Lent(_, token) = body {
            reports.push_back(Report::Done(token, Ok(())));
        }
        Ok(())
    }

    /// Queues the last frame, whatever the queue holds.
    pub fn say_goodbye(&mut self) {
        let frame = Header {
            kind: Kind::Goodbye,
            len: 0,
            seq: self.next_seq,
        }
        .encode();
        self.next_seq += 1;
        self.queue.push(&frame, &[], Body::Own(&[]), 0);
    }

    /// Writes what the kernel takes of the queue, and then of what is owed. A failure is noted in
    /// the lane.
    pub fn flush(&mut self, reports: &mut VecDeque<Report>) -> Result<(), Error> {
        loop {
            let Link::Up(lane) = &mut self.link else {
                return Ok(());
            };
            if lane.broken {
                return Ok(());
            }
            if self.queue.is_empty() {
                match self.owed.pop_front() {
                    Some(answer) => self.answer(answer, reports)?,
                    None => return Ok(()),
                }
                continue;
            }
            let mut parts = Parts::new();
            let offered = self.queue.gather(&mut parts);
            let taken = send(lane, &parts).map_err(|error| gone(self.peer, &error))?;
            self.queue.advance(taken, reports);
            if taken < offered {
                return Ok(());
            }
        }
    }

    /// Sends a piece of what is owed; the rest waits until the others had their turn.
    fn answer(&mut self, answer: Answer, reports: &mut VecDeque<Report>) -> Result<(), Error> {
        let Answer { operation, source } = answer;
        let name = operation.to_le_bytes();
        let Some(Source { export, rest }) = source else {
            return self.send(Kind::Refusal, &name, Body::Own(&[]), reports);
        };
        let piece = rest.part(0, rest.len().min(PIECE_BYTES));
        let rest = rest.from(piece.len());
        if !rest.is_empty() {
            let source = Some(Source { export, rest });
            self.owed.push_back(Answer { operation, source });
        }
        let body = Body::Exported(Source {
            export,
            rest: piece,
        });
        self.send(Kind::Answer, &name, body, reports)
    }

    /// Lets go of registered memory: what is being sent of it is copied, the rest refused.
    pub fn release(&mut self, export: Key) {
        for answer in &mut self.owed {
            answer.source = answer.source.filter(|source| source.export != export);
        }
        self.queue.release(export);
    }
}

/// Writes a whole message straight from the caller's memory; tells how much the kernel took.
#[inline]
fn write(lane: &mut Lane, frame: &[u8], header: &[u8], body: Body<'_>) -> io::Result<usize> {
    let mut parts = Parts::new();
    parts.add(frame);
    parts.add(header);
    match body {
        Body::User(buf) | Body::Lent(buf, _) => parts.add_user(buf),
        Body::Exported(source) => parts.add_user(source.rest),
        Body::Own(bytes) => parts.add(bytes),
    }
    send(lane, &parts)
}

/// Sends parts; a full socket takes 0 bytes. A failure marks the lane: the other direction may
/// still hold what the peer sent before, so the lane is given up only when that has been read.
#[inline]
fn send(lane: &mut Lane, parts: &Parts<'_>) -> io::Result<usize> {
    match sys::send(&lane.stream, parts) {
        Ok(taken) => Ok(taken),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(0),
            _ => {
                lane.broken = true;
                Err(error)
            }
        },
    }
}

fn gone(peer: PeerId, error: &io::Error) -> Error {
    Error::PeerGone {
        peer,
        how: format!("writing to it failed: {error}"),
    }
}

/// What waits to be written, in order.
#[derive(Default)]
pub struct Queue {
    chunks: VecDeque<Chunk>,
    /// Bytes of `Own` chunks that wait.
    own_bytes: usize,
    lent: usize,
    /// A chunk's memory, kept for the next one.
    spare: Vec<u8>,
}

enum Chunk {
    Own { bytes: Vec<u8>, sent: usize },
    Lent { rest: UserBuf, owner: Owner },
}

/// Who must hear when lent memory is not needed any more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Whoever started the send.
    Sender(Token),
    /// Nobody, but the registration may be withdrawn.
    Export(Key),
}

impl Queue {
    /// Whether nothing waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Bytes that wait, for messages.
    pub fn bytes(&self) -> usize {
        let lent = |chunk: &Chunk| match chunk {
            Chunk::Own { .. } => 0,
            Chunk::Lent { rest, .. } => rest.len(),
        };
        self.own_bytes + self.chunks.iter().map(lent).sum::<usize>()
    }

    /// Whether a message of `len` bytes may join, where `limit` bytes may wait. An empty queue
    /// takes any message.
    #[inline]
    pub fn has_room(&self, len: usize, limit: usize) -> bool {
        self.is_empty() || (self.own_bytes + len <= limit && self.lent < LENT_MAX)
    }

    /// Appends a frame without its first `taken` bytes.
    fn push(&mut self, frame: &[u8], header: &[u8], body: Body<'_>, mut taken: usize) {
        for bytes in [frame, header] {
            let skip = taken.min(bytes.len());
            taken -= skip;
            self.push_own(bytes.len() - skip, |room| {
                room.copy_from_slice(&bytes[skip..])
            });
        }
        match body {
            Body::User(buf) => {
                let rest = buf.from(taken);
                self.push_own(rest.len(), |room| rest.read(0, room));
            }
            Body::Own(bytes) => {
                let rest = &bytes[taken..];
                self.push_own(rest.len(), |room| room.copy_from_slice(rest));
            }
            Body::Lent(buf, token) => self.push_lent(buf.from(taken), Owner::Sender(token)),
            Body::Exported(Source { export, rest }) => {
                self.push_lent(rest.from(taken), Owner::Export(export));
            }
        }
    }

    fn push_lent(&mut self, rest: UserBuf, owner: Owner) {
        self.lent += 1;
        self.chunks.push_back(Chunk::Lent { rest, owner });
    }

    fn push_own(&mut self, len: usize, fill: impl FnOnce(&mut [u8])) {
        if len == 0 {
            return;
        }
        self.own_bytes += len;
        let fits = |chunk: &Chunk| match chunk {
            Chunk::Own { bytes, .. } => bytes.capacity() - bytes.len() >= len,
            Chunk::Lent { .. } => false,
        };
        if !self.chunks.back().is_some_and(fits) {
            let mut bytes = std::mem::take(&mut self.spare);
            bytes.clear();
            bytes.reserve(len.max(CHUNK_BYTES));
            self.chunks.push_back(Chunk::Own { bytes, sent: 0 });
        }
        if let Some(Chunk::Own { bytes, .. }) = self.chunks.back_mut() {
            let start = bytes.len();
            bytes.resize(start + len, 0);
            fill(&mut bytes[start..]);
        }
    }

    /// Names what waits, from the front; tells how many bytes that is.
    fn gather<'a>(&'a self, parts: &mut Parts<'a>) -> usize {
        let mut len = 0;
        for chunk in self.chunks.iter().take(PARTS_MAX) {
            match chunk {
                Chunk::Own { bytes, sent } => {
                    parts.add(&bytes[*sent..]);
                    len += bytes.len() - sent;
                }
                Chunk::Lent { rest, .. } => {
                    parts.add_user(*rest);
                    len += rest.len();
                }
            }
        }
        len
    }

    /// Drops what was written from the front, and reports the sends that it completes.
    fn advance(&mut self, mut taken: usize, reports: &mut VecDeque<Report>) {
        while let Some(chunk) = self.chunks.front_mut() {
            match chunk {
                Chunk::Own { bytes, sent } => {
                    let step = taken.min(bytes.len() - *sent);
                    *sent += step;
                    taken -= step;
                    self.own_bytes -= step;
                    if *sent < bytes.len() {
                        return;
                    }
                    // Kept only where it has the usual size, so that memory goes back.
                    if bytes.capacity() <= 2 * CHUNK_BYTES {
                        self.spare = std::mem::take(bytes);
                    }
                }
                Chunk::Lent { rest, owner } => {
                    let step = taken.min(rest.len());
                    *rest = rest.from(step);
                    taken -= step;
                    if !rest.is_empty() {
                        return;
                    }
                    self.lent -= 1;
                    if let Owner::Sender(token) = owner {
                        reports.push_back(Report::Done(*token, Ok(())));
                    }
                }
            }
            self.chunks.pop_front();
        }
    }

    /// Copies what waits of a registration, so that its memory is not needed any more.
    fn release(&mut self, export: Key) {
        for chunk in &mut self.chunks {
            let Chunk::Lent {
                rest,
                owner: Owner::Export(theirs),
            } = chunk
            else {
                continue;
            };
            if *theirs == export {
                let mut bytes = vec![0; rest.len()];
                rest.read(0, &mut bytes);
                self.own_bytes += bytes.len();
                self.lent -= 1;
                *chunk = Chunk::Own { bytes, sent: 0 };
            }
        }
    }

    /// Gives everything up, and reports the sends that this fails.
    pub fn fail(&mut self, error: &Error, reports: &mut VecDeque<Report>) {
        for chunk in self.chunks.drain(..) {
            if let Chunk::Lent {
                owner: Owner::Sender(token),
                ..
            } = chunk
            {
                reports.push_back(Report::Done(token, Err(error.clone())));
            }
        }
        *self = Queue::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::Scratch;
    use proptest::prelude::*;

    fn content(queue: &Queue) -> Vec<u8> {
        let mut all = Vec::new();
        for chunk in &queue.chunks {
            match chunk {
                Chunk::Own { bytes, sent } => all.extend_from_slice(&bytes[*sent..]),
                Chunk::Lent { rest, .. } => {
                    let mut bytes = vec![0; rest.len()];
                    rest.read(0, &mut bytes);
                    all.extend_from_slice(&bytes);
                }
            }
        }
        all
    }

    proptest! {
        /// Whatever the kernel takes of each write, the bytes leave in order and each lent
        /// body is reported once, after its last byte.
        #[test]
        fn the_queue_keeps_bytes_in_order(
            messages in proptest::collection::vec(
                (0usize..3000, 0usize..40, 0u8..3, 0usize..60),
                1..30,
            ),
            writes in proptest::collection::vec(0usize..9000, 1..100),
        ) {
            let memory = Scratch::new(4096);
            let mut seed = [0u8; 4096];
            for (at, byte) in seed.iter_mut().enumerate() { *byte = (at * 7) as u8; }
            memory.buf().write(0, &seed);
            let (mut queue, mut reports) = (Queue::default(), VecDeque::new());
            let (mut expected, mut ends) = (Vec::new(), Vec::new());
            for (n, (len, head, kind, taken)) in messages.into_iter().enumerate() {
                let frame = [n as u8; HEADER_BYTES];
                let header = vec![0xee; head];
                let body = match kind {
                    0 => Body::User(memory.buf().part(n, len)),
                    1 => Body::Own(&seed[n..n + len]),
                    _ => Body::Lent(memory.buf().part(n, len), Token(n as u64)),
                };
                let whole = [&frame[..], &header[..], &seed[n..n + len]].concat();
                // Only the first message may have been taken in part.
                let taken = if n == 0 { taken.min(whole.len() - 1) } else { 0 };
                queue.push(&frame, &header, body, taken);
                expected.extend_from_slice(&whole[taken..]);
                if kind == 2 { ends.push((n as u64, expected.len())); }
            }
            prop_assert_eq!(queue.bytes(), expected.len());
            prop_assert_eq!(&content(&queue), &expected);
            let mut written = 0;
            for write in writes.into_iter().chain(std::iter::repeat(1 << 20)) {
                let mut parts = Parts::new();
                let offered = queue.gather(&mut parts);
                let taken = write.min(offered);
                queue.advance(taken, &mut reports);
                written += taken;
                prop_assert_eq!(&content(&queue), &expected[written..]);
                let done = ends.iter().filter(|(_, end)| *end <= written).count();
                prop_assert!(reports.len() <= done, "reported before the last byte was taken");
                if queue.is_empty() { break; }
            }
            let tokens: Vec<u64> = reports.iter().map(|report| match report {
                Report::Done(token, Ok(())) => token.0,
                _ => u64::MAX,
            }).collect();
            prop_assert_eq!(tokens, ends.into_iter().map(|(n, _)| n).collect::<Vec<_>>());
            prop_assert_eq!(queue.own_bytes, 0);
            prop_assert_eq!(queue.lent, 0);
        }
    }

    #[test]
    fn a_failed_queue_reports_every_lent_body() {
        let memory = Scratch::new(64);
        let (mut queue, mut reports) = (Queue::default(), VecDeque::new());
        for n in 0..3 {
            queue.push(
                &[0; HEADER_BYTES],
                &[],
                Body::Lent(memory.buf(), Token(n)),
                0,
            );
        }
        queue.fail(&Error::Unreachable { peer: PeerId(1) }, &mut reports);
        assert_eq!(reports.len(), 3);
        assert!(queue.is_empty() && queue.has_room(1 << 30, 0));
    }
}
