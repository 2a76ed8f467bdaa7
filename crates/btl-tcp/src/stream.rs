//! The sequence of numbered frames between this process and a peer, across connections.
//!
//! [`Outgoing`] is the log of frames that were accepted and that the peer has not acknowledged.
//! Three positions in it matter, and only move forward, save one:
//!
//! ```text
//!        acknowledged          written             accepted
//! ...........|====================|---------------------|
//!   dropped      may be lost yet      waits for room
//! ```
//!
//! When a connection breaks, the next one begins at the oldest frame that the peer lacks: the write
//! position goes back ([`Outgoing::restart`]). Bytes are copied into the log once and are written
//! from there.
//!
//! [`Incoming`] is the other side: the number that is due, and when to acknowledge it. Each
//! connection brings frames without gaps, so each is either due or a repetition.
//!
//! This module has no input or output.

use std::collections::VecDeque;
use std::fmt;

use memory::UserBuf;

use crate::sys::{Parts, PARTS_MAX};
use crate::wire::{Header, Kind, ACK_AT, HEADER_BYTES};

/// Bytes of the first chunk of a log, and of the usual chunk of one that is busy.
const CHUNK_MIN: usize = 4 << 10;
const CHUNK_MAX: usize = 256 << 10;
/// Spare chunks for the next frames.
const SPARES_MAX: usize = 8;
/// Bytes that come in before they are acknowledged without an occasion.
pub const ACK_BYTES: usize = 256 << 10;

/// The bytes of a message after the layer's header.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// Memory that may be reused when the call returns.
    User(UserBuf),
    /// Bytes of the transport's own.
    Own(&'a [u8]),
}

impl Body<'_> {
    /// Length of the frame in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Body::User(buf) => buf.len(),
            Body::Own(bytes) => bytes.len(),
        }
    }
}

/// The log of frames that are sent and may have to be sent again.
#[derive(Default)]
pub struct Outgoing {
    chunks: VecDeque<Chunk>,
    /// Where each frame ends, counted in bytes since the beginning of the log.
    frames: VecDeque<u64>,
    /// The number of the first of `frames`.
    first: u64,
    /// The frame that the peer says is due; frames below it are released once they are not being
    /// written.
    acked: u64,
    /// Position at which the first of the frames begins.
    oldest: u64,
    /// The position of the first chunk's first byte.
    start: u64,
    /// How far the kernel has accepted the log, as a position and as a position in the chunks.
    written: u64,
    cursor: Cursor,
    /// Index in `frames` of the one written next, or being written.
    current: usize,
    end: u64,
    /// Bytes of copies in the log.
    own_bytes: usize,
    spares: Spares,
}

#[derive(Clone, Copy, Default)]
struct Cursor {
    chunk: usize,
    offset: usize,
}

/// Chunks for the next frames.
#[derive(Default)]
struct Spares {
    /// Bytes of the usual chunk, which grows while the log is busy.
    chunk_bytes: usize,
    free: Vec<Box<[u8]>>,
}

/// Frames, back to back, in the first `len` of these bytes.
struct Chunk {
    bytes: Box<[u8]>,
    len: usize,
}

/// An acknowledgement of frames that were never sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsent {
    /// The number that the peer says is due.
    pub due: u64,
    /// The number of the next frame.
    pub next: u64,
}

impl fmt::Display for Unsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} frames where {} were sent", self.due, self.next)
    }
}

impl Outgoing {
    /// Whether something waits to be written.
    #[inline]
    pub fn has_unwritten(&self) -> bool {
        self.written < self.end
    }

    /// Returns the number of bytes that wait to be written.
    pub fn unwritten_bytes(&self) -> u64 {
        self.end - self.written
    }

    /// Returns how many frames the peer has acknowledged.
    pub fn acked_count(&self) -> u64 {
        self.acked
    }

    /// Whether the peer has not acknowledged everything.
    #[inline]
    pub fn is_unacked(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Returns the number of the next frame.
    #[inline]
    pub fn next(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// Whether a message of `len` bytes may join, where `limit` bytes of copies may be held. A
    /// log without copies takes any message.
    #[inline]
    pub fn has_room(&self, len: usize, limit: usize) -> bool {
        self.own_bytes == 0 || self.own_bytes + len <= limit
    }

    /// Returns the header of the next frame. `ack` is the acknowledgement in it.
    #[inline]
    pub fn head(&self, kind: Kind, header: &[u8], body: Body<'_>, ack: u64) -> [u8; HEADER_BYTES] {
        Header {
            kind,
            len: (header.len() + body.len()) as u32,
            seq: self.next(),
            ack,
        }
        .encode()
    }

    /// Accepts a frame. `ack` is the acknowledgement in it.
    #[inline]
    pub fn append(&mut self, kind: Kind, header: &[u8], body: Body<'_>, ack: u64) {
        let frame = self.head(kind, header, body, ack);
        let room = self.room(HEADER_BYTES + header.len() + body.len());
        let (head, room) = room.split_at_mut(HEADER_BYTES);
        head.copy_from_slice(&frame);
        let (head, room) = room.split_at_mut(header.len());
        head.copy_from_slice(header);
        match body {
            Body::User(buf) => buf.read(0, room),
            Body::Own(bytes) => room.copy_from_slice(bytes),
        }
        self.end += (HEADER_BYTES + header.len() + body.len()) as u64;
        self.frames.push_back(self.end);
    }

    /// Returns room for a copy of `len` bytes at the end.
    #[inline]
    fn room(&mut self, len: usize) -> &mut [u8] {
        self.own_bytes += len;
        let fits = |chunk: &Chunk| chunk.bytes.len() - chunk.len >= len;
        if !self.chunks.back().is_some_and(fits) {
            self.add_chunk(len);
        }
        let chunk = self.chunks.back_mut().expect("a chunk with room was added");
        let from = chunk.len;
        chunk.len += len;
        &mut chunk.bytes[from..chunk.len]
    }

    fn add_chunk(&mut self, len: usize) {
        if self.chunks.is_empty() {
            self.cursor = Cursor::default();
        } else {
            self.spares.chunk_bytes *= 2;
        }
        let bytes = self.spares.take(len);
        self.chunks.push_back(Chunk { bytes, len: 0 });
    }

    /// Updates the acknowledgement in the next frame that is not begun, from what it was when the
    /// frame was accepted. False where no frame waits.
    pub fn renew_ack(&mut self, ack: u64) -> bool {
        let next = self.current + usize::from(self.is_inside_frame());
        if next >= self.frames.len() {
            return false;
        }
        let mut at = (self.begin_of(next) - self.written) as usize + self.cursor.offset;
        for chunk in self.chunks.range_mut(self.cursor.chunk..) {
            // A header lies in one chunk.
            if at < chunk.len {
                let field = &mut chunk.bytes[at + ACK_AT..][..8];
                field.copy_from_slice(&ack.to_le_bytes());
                return true;
            }
            at -= chunk.len;
        }
        false
    }

    /// Adds the bytes that wait to be written, from the front; returns how many these are.
    #[inline]
    pub fn gather<'a>(&'a self, parts: &mut Parts<'a>) -> usize {
        let mut len = 0;
        let mut offset = self.cursor.offset;
        for chunk in self.chunks.range(self.cursor.chunk..).take(PARTS_MAX) {
            parts.add(&chunk.bytes[offset..chunk.len]);
            len += chunk.len - offset;
            offset = 0;
        }
        len
    }

    /// Records that `taken` of the bytes that [`Outgoing::gather`] added were written.
    #[inline]
    pub fn advance(&mut self, mut taken: usize) {
        self.written += taken as u64;
        while self.cursor.chunk < self.chunks.len() {
            let len = self.chunks[self.cursor.chunk].len;
            let step = taken.min(len - self.cursor.offset);
            self.cursor.offset += step;
            taken -= step;
            let is_last = self.cursor.chunk + 1 == self.chunks.len();
            if self.cursor.offset < len || is_last {
                break;
            }
            self.cursor = Cursor {
                chunk: self.cursor.chunk + 1,
                offset: 0,
            };
        }
        while self
            .frames
            .get(self.current)
            .is_some_and(|end| *end <= self.written)
        {
            self.current += 1;
        }
        if self.first < self.acked {
            self.trim();
        }
    }

    /// Records that the peer has everything below number `due`.
    ///
    /// # Errors
    /// When the peer acknowledges more than was ever accepted.
    #[inline]
    pub fn acked(&mut self, due: u64) -> Result<(), Unsent> {
        if due <= self.acked {
            return Ok(());
        }
        let next = self.next();
        if due > next {
            return Err(Unsent { due, next });
        }
        self.acked = due;
        self.trim();
        Ok(())
    }

    /// Drops acknowledged frames. One that is being written is dropped afterwards.
    fn trim(&mut self) {
        let mut skipped = false;
        while self.first < self.acked {
            if self.current == 0 && self.is_inside_frame() {
                break;
            }
            let Some(end) = self.frames.pop_front() else {
                break;
            };
            self.first += 1;
            self.oldest = end;
            if self.current > 0 {
                self.current -= 1;
            } else {
                // It came by an earlier connection after all: not to be written again.
                self.written = end;
                skipped = true;
            }
        }
        while let Some(chunk) = self.chunks.front() {
            let len = chunk.len;
            if self.start + len as u64 > self.oldest {
                break;
            }
            self.start += len as u64;
            self.cursor = match self.cursor.chunk {
                0 => Cursor::default(),
                chunk => Cursor {
                    chunk: chunk - 1,
                    ..self.cursor
                },
            };
            if let Some(Chunk { bytes, len }) = self.chunks.pop_front() {
                self.own_bytes -= len;
                self.spares.put(bytes);
            }
        }
        if skipped {
            self.cursor = self.locate(self.written);
        }
    }

    /// Whether a frame has been written in part.
    #[inline]
    pub fn is_inside_frame(&self) -> bool {
        self.has_unwritten() && self.written != self.begin_of(self.current)
    }

    /// Returns the position at which a frame of the log begins.
    fn begin_of(&self, frame: usize) -> u64 {
        match frame {
            0 => self.oldest,
            _ => self.frames[frame - 1],
        }
    }

    fn locate(&self, position: u64) -> Cursor {
        let mut offset = (position - self.start) as usize;
        for (chunk, here) in self.chunks.iter().enumerate() {
            if offset < here.len || chunk + 1 == self.chunks.len() {
                return Cursor { chunk, offset };
            }
            offset -= here.len;
        }
        Cursor::default()
    }

    /// Starts a new connection with the oldest frame that the peer lacks, which says which one is
    /// due.
    ///
    /// # Errors
    /// When the peer acknowledges more than was ever accepted.
    pub fn restart(&mut self, due: u64) -> Result<(), Unsent> {
        self.written = self.oldest;
        self.current = 0;
        self.cursor = self.locate(self.oldest);
        self.acked(due)?;
        // Frames that an unfinished one of the connection before has held back.
        self.trim();
        Ok(())
    }

    /// Drops everything that was accepted.
    pub fn give_up(&mut self) {
        *self = Outgoing::default();
    }

    /// Releases memory that an idle log keeps for the next frames.
    pub fn shrink(&mut self) {
        if self.chunks.is_empty() {
            self.spares = Spares::default();
        }
    }
}

impl Spares {
    /// Returns a chunk for at least `len` bytes.
    fn take(&mut self, len: usize) -> Box<[u8]> {
        let usual = self.chunk_bytes.clamp(CHUNK_MIN, CHUNK_MAX);
        self.chunk_bytes = usual.max(len.next_power_of_two()).min(CHUNK_MAX);
        self.free.retain(|spare| spare.len() >= self.chunk_bytes);
        let spare = match len <= self.chunk_bytes {
            true => self.free.pop(),
            false => None,
        };
        spare.unwrap_or_else(|| vec![0; len.max(self.chunk_bytes)].into_boxed_slice())
    }

    /// Keeps a chunk that is not used any more, where there is room for it.
    fn put(&mut self, bytes: Box<[u8]>) {
        if self.free.len() < SPARES_MAX && bytes.len() == self.chunk_bytes {
            self.free.push(bytes);
        }
    }
}

/// The record of a peer's numbered frames that have arrived.
#[derive(Default)]
pub struct Incoming {
    next: u64,
    /// The number acknowledged last.
    acknowledged: u64,
    /// Bytes that have come since that acknowledgement.
    bytes: usize,
}

/// The position of a frame among the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameOrder {
    /// The frame is the next one.
    Due,
    /// The frame came before.
    Repeated,
    /// Others should have come before it: the peer breaks the protocol.
    Early,
}

impl Incoming {
    /// Returns the number of the frame that is due.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Compares a frame's number with the one that is due.
    #[inline]
    pub fn turn(&self, seq: u64) -> FrameOrder {
        match seq.cmp(&self.next) {
            std::cmp::Ordering::Equal => FrameOrder::Due,
            std::cmp::Ordering::Less => FrameOrder::Repeated,
            std::cmp::Ordering::Greater => FrameOrder::Early,
        }
    }

    /// Records the arrival of the frame that was due, with `len` bytes.
    #[inline]
    pub fn take(&mut self, len: usize) {
        self.next += 1;
        self.bytes += HEADER_BYTES + len;
    }

    /// Whether there is something to acknowledge.
    #[inline]
    pub fn owes(&self) -> bool {
        self.next != self.acknowledged
    }

    /// Whether to acknowledge it now, without an occasion.
    #[inline]
    pub fn is_urgent(&self) -> bool {
        self.bytes >= ACK_BYTES
    }

    /// Returns the number to acknowledge, and records it as acknowledged.
    #[inline]
    pub fn acknowledge(&mut self) -> u64 {
        self.acknowledged = self.next;
        self.bytes = 0;
        self.next
    }
}

/// Returns the header of an acknowledgement that travels alone. `answers`: how many replies have
/// come in over the connection.
pub fn bare_ack(ack: u64, answers: u64) -> [u8; HEADER_BYTES] {
    Header {
        kind: Kind::Ack,
        len: 0,
        seq: answers,
        ack,
    }
    .encode()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::AmTag;
    use memory::Scratch;
    use proptest::prelude::*;

    /// Reads frames from the bytes of one connection, as the peer would.
    #[derive(Default)]
    struct Peer {
        incoming: Incoming,
        bytes: Vec<u8>,
        got: Vec<Vec<u8>>,
    }

    impl Peer {
        fn receive(&mut self, bytes: &[u8]) {
            self.bytes.extend_from_slice(bytes);
            while let Some(head) = self.bytes.first_chunk::<HEADER_BYTES>() {
                let header = Header::decode(head, 1 << 20).expect("a header");
                let end = HEADER_BYTES + header.len as usize;
                if self.bytes.len() < end {
                    return;
                }
                let body = self.bytes[HEADER_BYTES..end].to_vec();
                self.bytes.drain(..end);
                match self.incoming.turn(header.seq) {
                    FrameOrder::Due => {
                        self.incoming.take(body.len());
                        self.got.push(body);
                    }
                    FrameOrder::Repeated => {}
                    FrameOrder::Early => panic!("frame {} before its turn", header.seq),
                }
            }
        }
    }

    fn write(log: &mut Outgoing, most: usize) -> Vec<u8> {
        let mut parts = Parts::new();
        let offered = log.gather(&mut parts);
        let mut bytes = vec![0; most.min(offered)];
        let taken = parts.copy_to(0, &mut bytes);
        assert_eq!(taken, bytes.len());
        log.advance(taken);
        bytes
    }

    #[derive(Clone, Debug)]
    enum LogStep {
        Send(usize, usize, bool),
        Write(usize),
        /// Bytes of the present connection reach the peer.
        Arrive(usize),
        Ack,
        /// The next frame acknowledges something else.
        Renew(u64),
        /// The connection breaks; all but a number of the bytes in flight are lost.
        Cut(usize, bool),
    }

    fn act() -> impl Strategy<Value = LogStep> {
        let size = prop_oneof![0usize..50, 0usize..3000, 0usize..40_000];
        prop_oneof![
            4 => (size, 0usize..40, any::<bool>())
                .prop_map(|(len, head, own)| LogStep::Send(len, head, own)),
            4 => (0usize..30_000).prop_map(LogStep::Write),
            4 => (0usize..30_000).prop_map(LogStep::Arrive),
            2 => Just(LogStep::Ack),
            1 => (0u64..1000).prop_map(LogStep::Renew),
            1 => (0usize..50_000, any::<bool>())
                .prop_map(|(late, received)| LogStep::Cut(late, received)),
        ]
    }

    proptest! {
        /// Whatever is written when, and wherever connections break: every frame arrives once and
        /// in order.
        #[test]
        fn nothing_is_lost_doubled_or_out_of_order(
            acts in proptest::collection::vec(act(), 1..200),
        ) {
            let memory = Scratch::new(80_000);
            let mut seed = vec![0u8; 80_000];
            for (at, byte) in seed.iter_mut().enumerate() { *byte = (at * 7 + at / 251) as u8; }
            memory.buf().write(0, &seed);
            let (mut log, mut peer, mut way) = (Outgoing::default(), Peer::default(), Vec::new());
            let mut sent: Vec<Vec<u8>> = Vec::new();
            let mut acknowledged = 0;
            // In the end all that waits is written, arrives and is acknowledged.
            let end = [LogStep::Write(usize::MAX), LogStep::Arrive(usize::MAX), LogStep::Ack];
            let end = end.iter().cloned().cycle().take(3000);
            for act in acts.into_iter().chain(end) {
                match act {
                    LogStep::Send(len, head, own) => {
                        let n = sent.len();
                        let header = vec![n as u8; head];
                        let part = memory.buf().part(n % 1000, len);
                        let body = match own {
                            false => Body::User(part),
                            true => Body::Own(&seed[n % 1000..n % 1000 + len]),
                        };
                        log.append(Kind::Data(AmTag(1)), &header, body, 0);
                        sent.push([&header[..], &seed[n % 1000..n % 1000 + len]].concat());
                    }
                    LogStep::Renew(ack) => {
                        let begun = log.current + usize::from(log.is_inside_frame());
                        prop_assert_eq!(log.renew_ack(ack), begun < log.frames.len());
                    }
                    LogStep::Write(most) => way.extend(write(&mut log, most)),
                    LogStep::Arrive(most) => {
                        let most = most.min(way.len());
                        let bytes: Vec<u8> = way.drain(..most).collect();
                        peer.receive(&bytes);
                    }
                    LogStep::Ack => {
                        acknowledged = peer.incoming.acknowledge();
                        log.acked(acknowledged).unwrap();
                    }
                    LogStep::Cut(late, received) => {
                        let received_then = peer.incoming.next();
                        // Some of it is read from the old connection only afterwards.
                        let late: Vec<u8> = way.drain(..late.min(way.len())).collect();
                        peer.receive(&late);
                        peer.bytes.clear();
                        way.clear();
                        let acknowledged = if received { received_then } else { acknowledged };
                        log.restart(acknowledged).unwrap();
                    }
                }
                prop_assert!(log.own_bytes <= sent.iter().map(|m| m.len() + HEADER_BYTES).sum());
            }
            prop_assert_eq!(peer.got.len(), sent.len());
            prop_assert!(peer.got == sent);
            prop_assert!(!log.is_unacked() && !log.has_unwritten());
            prop_assert_eq!((log.own_bytes, log.chunks.len()), (0, 0));
        }
    }

    #[test]
    fn what_was_never_sent_is_not_acknowledged() {
        let mut log = Outgoing::default();
        log.append(Kind::Data(AmTag(1)), b"x", Body::Own(&[]), 0);
        assert_eq!(log.acked(2), Err(Unsent { due: 2, next: 1 }));
        assert_eq!(log.acked(1), Ok(()));
        assert!(!log.is_unacked());
    }

    #[test]
    fn a_log_that_is_given_up_has_room_again() {
        let memory = Scratch::new(64);
        let mut log = Outgoing::default();
        log.append(Kind::Data(AmTag(1)), &[], Body::User(memory.buf()), 0);
        assert!(!log.has_room(1 << 30, 0));
        log.give_up();
        assert!(log.has_room(1 << 30, 0) && !log.has_unwritten());
    }
}
