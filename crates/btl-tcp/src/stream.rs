//! The numbered frames between this process and a peer, whatever becomes of connections.
//!
//! [`Outgoing`] is the log of frames that were accepted and that the peer has not acknowledged.
//! Three places in it matter, and only move forward, save one:
//!
//! ```text
//!        acknowledged          written             accepted
//! ...........|====================|---------------------|
//!   dropped      may be lost yet      waits for room
//! ```
//!
//! When a connection breaks, the next one begins at the oldest frame that the peer lacks: the
//! place of writing goes back ([`Outgoing::restart`]). Bytes are copied into the log once and are
//! written from there; memory that a caller lends stays with the caller, who hears of its end
//! when the peer has acknowledged the frame.
//!
//! [`Incoming`] is the other side: the number that is due, and when to tell it. Each connection
//! brings frames without gaps, so what comes is either due or a repetition.
//!
//! No input or output here.

use std::collections::VecDeque;
use std::fmt;

use btl::Token;
use memory::UserBuf;

use crate::endpoint::Body;
use crate::sys::{Parts, PARTS_MAX};
use crate::wire::{Header, Kind, ACK_AT, HEADER_BYTES};

/// Most zero-copy sends that the peer has not acknowledged.
const LENT_MAX: usize = 256;
/// Bytes of the first chunk of a log, and of the usual chunk of one that is busy.
const CHUNK_MIN: usize = 4 << 10;
const CHUNK_MAX: usize = 256 << 10;
/// Chunks that are kept for the next frames.
const SPARES_MAX: usize = 8;
/// Bytes that come in before they are acknowledged without an occasion.
pub const ACK_BYTES: usize = 256 << 10;

/// What is sent and may have to be sent again.
#[derive(Default)]
pub struct Outgoing {
    chunks: VecDeque<Chunk>,
    /// Where each frame ends, counted in bytes since the beginning of the log.
    frames: VecDeque<u64>,
    /// The number of the first of them.
    first: u64,
    /// What the peer says is due; frames below it go as soon as they are not being written.
    acked: u64,
    /// Where the first of the frames begins.
    oldest: u64,
    /// The position of the first chunk's first byte.
    start: u64,
    /// How far the kernel has taken the log, as a position and as a place in the chunks.
    written: u64,
    cursor: Cursor,
    /// Which of `frames` is written next, or is being written.
    current: usize,
    end: u64,
    /// Bytes of copies in the log.
    own_bytes: usize,
    lent: usize,
    chunk_bytes: usize,
    spares: Vec<Box<[u8]>>,
}

#[derive(Clone, Copy, Default)]
struct Cursor {
    chunk: usize,
    offset: usize,
}

enum Chunk {
    Own { bytes: Box<[u8]>, len: usize },
    Lent { memory: UserBuf, token: Token },
}

impl Chunk {
    #[inline]
    fn len(&self) -> usize {
        match self {
            Chunk::Own { len, .. } => *len,
            Chunk::Lent { memory, .. } => memory.len(),
        }
    }
}

/// An acknowledgement of what was never sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsent {
    /// The number that the peer says is due.
    pub told: u64,
    /// The number of the next frame.
    pub next: u64,
}

impl fmt::Display for Unsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} frames where {} were sent", self.told, self.next)
    }
}

impl Outgoing {
    /// Whether something waits to be written.
    #[inline]
    pub fn has_unwritten(&self) -> bool {
        self.written < self.end
    }

    /// Bytes that wait to be written.
    pub fn unwritten_bytes(&self) -> u64 {
        self.end - self.written
    }

    /// How many frames the peer has acknowledged.
    pub fn acked_count(&self) -> u64 {
        self.acked
    }

    /// Whether the peer has not acknowledged everything.
    #[inline]
    pub fn is_unacked(&self) -> bool {
        !self.frames.is_empty()
    }

    /// The number of the next frame.
    #[inline]
    pub fn next(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// Whether a message of `len` bytes may join, where `limit` bytes of copies may be held. A
    /// log without copies takes any message.
    #[inline]
    pub fn has_room(&self, len: usize, limit: usize) -> bool {
        (self.own_bytes == 0 || self.own_bytes + len <= limit) && self.lent < LENT_MAX
    }

    /// The header of the next frame. `ack` is what this side tells along with it.
    #[inline]
    pub fn head(&self, kind: Kind, header: &[u8], body: Body<'_>, ack: u64) -> [u8; HEADER_BYTES] {
        Header {
            kind,
            // Whoever lends wants its memory back.
            answer_now: matches!(body, Body::Lent(..)),
            len: (header.len() + body.len()) as u32,
            seq: self.next(),
            ack,
        }
        .encode()
    }

    /// Accepts a frame. `ack` is what this side tells along with it.
    #[inline]
    pub fn append(&mut self, kind: Kind, header: &[u8], body: Body<'_>, ack: u64) {
        let frame = self.head(kind, header, body, ack);
        let lent = matches!(body, Body::Lent(..));
        let copied = match body {
            Body::Lent(..) => 0,
            _ => body.len(),
        };
        let room = self.room(HEADER_BYTES + header.len() + copied, lent);
        let (head, room) = room.split_at_mut(HEADER_BYTES);
        head.copy_from_slice(&frame);
        let (head, room) = room.split_at_mut(header.len());
        head.copy_from_slice(header);
        match body {
            Body::User(buf) => buf.read(0, room),
            Body::Own(bytes) => room.copy_from_slice(bytes),
            Body::Lent(memory, token) => {
                self.lent += 1;
                self.chunks.push_back(Chunk::Lent { memory, token });
            }
        }
        self.end += (HEADER_BYTES + header.len() + body.len()) as u64;
        self.frames.push_back(self.end);
    }

    /// Room for a copy of `len` bytes at the end. `alone`: nothing will be put behind it.
    #[inline]
    fn room(&mut self, len: usize, alone: bool) -> &mut [u8] {
        self.own_bytes += len;
        let fits = match self.chunks.back() {
            Some(Chunk::Own { bytes, len: used }) => bytes.len() - used >= len,
            _ => false,
        };
        if !fits {
            self.add_chunk(len, alone);
        }
        match self.chunks.back_mut() {
            Some(Chunk::Own { bytes, len: used }) => {
                let from = *used;
                *used += len;
                &mut bytes[from..from + len]
            }
            _ => unreachable!("one of our own was added"),
        }
    }

    fn add_chunk(&mut self, len: usize, alone: bool) {
        if self.chunks.is_empty() {
            self.cursor = Cursor::default();
        } else if !alone {
            self.chunk_bytes *= 2;
        }
        let usual = self.chunk_bytes.clamp(CHUNK_MIN, CHUNK_MAX);
        let bytes = if alone {
            vec![0; len].into_boxed_slice()
        } else {
            self.chunk_bytes = usual.max(len.next_power_of_two()).min(CHUNK_MAX);
            self.spares.retain(|spare| spare.len() >= self.chunk_bytes);
            let spare = match len <= self.chunk_bytes {
                true => self.spares.pop(),
                false => None,
            };
            spare.unwrap_or_else(|| vec![0; len.max(self.chunk_bytes)].into_boxed_slice())
        };
        self.chunks.push_back(Chunk::Own { bytes, len: 0 });
    }

    /// Has the next frame that is not begun tell what is due, instead of what was when it was
    /// accepted. False where none waits.
    pub fn renew_ack(&mut self, ack: u64) -> bool {
        let next = self.current + usize::from(self.is_inside_frame());
        if next >= self.frames.len() {
            return false;
        }
        let mut at = (self.begin_of(next) - self.written) as usize + self.cursor.offset;
        for chunk in self.chunks.range_mut(self.cursor.chunk..) {
            let len = chunk.len();
            match chunk {
                // A header lies in one chunk, and in one of our own.
                Chunk::Own { bytes, .. } if at < len => {
                    let field = &mut bytes[at + ACK_AT..][..8];
                    field.copy_from_slice(&ack.to_le_bytes());
                    return true;
                }
                _ if at < len => return false,
                _ => at -= len,
            }
        }
        false
    }

    /// Names what waits to be written, from the front; tells how many bytes that is.
    #[inline]
    pub fn gather<'a>(&'a self, parts: &mut Parts<'a>) -> usize {
        let mut len = 0;
        let mut offset = self.cursor.offset;
        for chunk in self.chunks.range(self.cursor.chunk..).take(PARTS_MAX) {
            match chunk {
                Chunk::Own { bytes, len: used } => {
                    parts.add(&bytes[offset..*used]);
                    len += used - offset;
                }
                Chunk::Lent { memory, .. } => {
                    parts.add_user(memory.from(offset));
                    len += memory.len() - offset;
                }
            }
            offset = 0;
        }
        len
    }

    /// Notes that `taken` of the bytes that [`Outgoing::gather`] named were written.
    #[inline]
    pub fn advance(&mut self, mut taken: usize, done: &mut impl FnMut(Token)) {
        self.written += taken as u64;
        while self.cursor.chunk < self.chunks.len() {
            let len = self.chunks[self.cursor.chunk].len();
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
            self.trim(done);
        }
    }

    /// Notes that the peer has everything below number `told`. Calls `done` for the lent memory
    /// that is not needed any more.
    ///
    /// # Errors
    /// When the peer tells more than was ever accepted.
    #[inline]
    pub fn acked(&mut self, told: u64, done: &mut impl FnMut(Token)) -> Result<(), Unsent> {
        if told <= self.acked {
            return Ok(());
        }
        let next = self.next();
        if told > next {
            return Err(Unsent { told, next });
        }
        self.acked = told;
        self.trim(done);
        Ok(())
    }

    /// Drops acknowledged frames. One that is being written goes when it has been.
    fn trim(&mut self, done: &mut impl FnMut(Token)) {
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
            let len = chunk.len();
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
            match self.chunks.pop_front() {
                Some(Chunk::Own { bytes, len }) => {
                    self.own_bytes -= len;
                    self.keep_spare(bytes);
                }
                Some(Chunk::Lent { token, .. }) => {
                    self.lent -= 1;
                    done(token);
                }
                None => {}
            }
        }
        if skipped {
            self.cursor = self.locate(self.written);
        }
    }

    fn keep_spare(&mut self, bytes: Box<[u8]>) {
        if self.spares.len() < SPARES_MAX && bytes.len() == self.chunk_bytes {
            self.spares.push(bytes);
        }
    }

    /// Whether a frame has been written in part.
    #[inline]
    pub fn is_inside_frame(&self) -> bool {
        self.has_unwritten() && self.written != self.begin_of(self.current)
    }

    /// Where a frame of the log begins.
    fn begin_of(&self, frame: usize) -> u64 {
        match frame {
            0 => self.oldest,
            _ => self.frames[frame - 1],
        }
    }

    fn locate(&self, position: u64) -> Cursor {
        let mut offset = (position - self.start) as usize;
        for (chunk, here) in self.chunks.iter().enumerate() {
            if offset < here.len() || chunk + 1 == self.chunks.len() {
                return Cursor { chunk, offset };
            }
            offset -= here.len();
        }
        Cursor::default()
    }

    /// A new connection begins with the oldest frame that the peer lacks, which says that `told`
    /// is due.
    ///
    /// # Errors
    /// As of [`Outgoing::acked`].
    pub fn restart(&mut self, told: u64, done: &mut impl FnMut(Token)) -> Result<(), Unsent> {
        self.written = self.oldest;
        self.current = 0;
        self.cursor = self.locate(self.oldest);
        self.acked(told, done)?;
        // What an unfinished frame of the connection before has held back.
        self.trim(done);
        Ok(())
    }

    /// Gives everything up. Calls `lost` for lent memory, and says whether it was written.
    pub fn give_up(&mut self, mut lost: impl FnMut(Token, bool)) {
        let mut end = self.start;
        for chunk in &self.chunks {
            end += chunk.len() as u64;
            if let Chunk::Lent { token, .. } = chunk {
                lost(*token, end <= self.written);
            }
        }
        *self = Outgoing::default();
    }

    /// Gives back memory that an idle log keeps for the next frames.
    pub fn shrink(&mut self) {
        if self.chunks.is_empty() {
            self.spares = Vec::new();
            self.chunk_bytes = 0;
        }
    }
}

/// What has come in.
#[derive(Default)]
pub struct Incoming {
    next: u64,
    /// What was told last.
    told: u64,
    /// Bytes that have come since.
    bytes: usize,
    /// Whether the peer waits to be told.
    is_asked: bool,
}

/// Where a frame stands among the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// It is the next one.
    Due,
    /// It came before.
    Repeated,
    /// Others should have come before it: the peer breaks the protocol.
    Early,
}

impl Incoming {
    /// The number of the frame that is due.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether a frame is the one that is due.
    #[inline]
    pub fn turn(&self, seq: u64) -> Turn {
        match seq.cmp(&self.next) {
            std::cmp::Ordering::Equal => Turn::Due,
            std::cmp::Ordering::Less => Turn::Repeated,
            std::cmp::Ordering::Greater => Turn::Early,
        }
    }

    /// Notes that the frame that was due is there, with `len` bytes.
    #[inline]
    pub fn take(&mut self, len: usize) {
        self.next += 1;
        self.bytes += HEADER_BYTES + len;
    }

    /// The peer wants to be told as soon as may be, also of what came before.
    #[inline]
    pub fn ask(&mut self) {
        self.is_asked = true;
    }

    /// Whether there is something to tell.
    #[inline]
    pub fn owes(&self) -> bool {
        self.next != self.told || self.is_asked
    }

    /// Whether to tell it now, without an occasion.
    #[inline]
    pub fn is_urgent(&self) -> bool {
        self.bytes >= ACK_BYTES || self.is_asked
    }

    /// What to tell, on whichever occasion.
    #[inline]
    pub fn tell(&mut self) -> u64 {
        self.told = self.next;
        self.bytes = 0;
        self.is_asked = false;
        self.next
    }
}

/// The header of an acknowledgement that travels alone. `answers`: how many answers have come in
/// over the connection.
pub fn bare_ack(ack: u64, answers: u64) -> [u8; HEADER_BYTES] {
    Header {
        kind: Kind::Ack,
        answer_now: false,
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
                    Turn::Due => {
                        self.incoming.take(body.len());
                        self.got.push(body);
                    }
                    Turn::Repeated => {}
                    Turn::Early => panic!("frame {} before its turn", header.seq),
                }
            }
        }
    }

    fn write(log: &mut Outgoing, most: usize, done: &mut Vec<u64>) -> Vec<u8> {
        let mut parts = Parts::new();
        let offered = log.gather(&mut parts);
        let mut bytes = vec![0; most.min(offered)];
        let taken = parts.copy_to(0, &mut bytes);
        assert_eq!(taken, bytes.len());
        log.advance(taken, &mut |token| done.push(token.0));
        bytes
    }

    #[derive(Clone, Debug)]
    enum Act {
        Send(usize, usize, u8),
        Write(usize),
        /// Bytes of the present connection reach the peer.
        Arrive(usize),
        Ack,
        /// The next frame tells something else.
        Renew(u64),
        /// The connection breaks; what is under way is lost, but for so many bytes.
        Cut(usize, bool),
    }

    fn act() -> impl Strategy<Value = Act> {
        let size = prop_oneof![0usize..50, 0usize..3000, 0usize..40_000];
        prop_oneof![
            4 => (size, 0usize..40, 0u8..3).prop_map(|(len, head, n)| Act::Send(len, head, n)),
            4 => (0usize..30_000).prop_map(Act::Write),
            4 => (0usize..30_000).prop_map(Act::Arrive),
            2 => Just(Act::Ack),
            1 => (0u64..1000).prop_map(Act::Renew),
            1 => (0usize..50_000, any::<bool>()).prop_map(|(late, heard)| Act::Cut(late, heard)),
        ]
    }

    proptest! {
        /// Whatever is written when, and wherever connections break: every frame arrives once and
        /// in order, and lent memory is given back once, after its frame has arrived.
        #[test]
        fn nothing_is_lost_doubled_or_out_of_order(
            acts in proptest::collection::vec(act(), 1..200),
        ) {
            let memory = Scratch::new(80_000);
            let mut seed = vec![0u8; 80_000];
            for (at, byte) in seed.iter_mut().enumerate() { *byte = (at * 7 + at / 251) as u8; }
            memory.buf().write(0, &seed);
            let (mut log, mut peer, mut way) = (Outgoing::default(), Peer::default(), Vec::new());
            let (mut sent, mut lent, mut done) = (Vec::new(), Vec::new(), Vec::new());
            let mut told = 0;
            // In the end all that waits is written, arrives and is acknowledged.
            let end = [Act::Write(usize::MAX), Act::Arrive(usize::MAX), Act::Ack];
            let end = end.iter().cloned().cycle().take(3000);
            for act in acts.into_iter().chain(end) {
                match act {
                    Act::Send(len, head, kind) => {
                        let n = sent.len();
                        let header = vec![n as u8; head];
                        let part = memory.buf().part(n % 1000, len);
                        let body = match kind {
                            0 => Body::User(part),
                            1 => Body::Own(&seed[n % 1000..n % 1000 + len]),
                            _ => Body::Lent(part, Token(n as u64)),
                        };
                        if kind == 2 { lent.push(n as u64); }
                        log.append(Kind::Data(AmTag(1)), &header, body, 0);
                        sent.push([&header[..], &seed[n % 1000..n % 1000 + len]].concat());
                    }
                    Act::Renew(ack) => {
                        let begun = log.current + usize::from(log.is_inside_frame());
                        prop_assert_eq!(log.renew_ack(ack), begun < log.frames.len());
                    }
                    Act::Write(most) => way.extend(write(&mut log, most, &mut done)),
                    Act::Arrive(most) => {
                        let most = most.min(way.len());
                        let bytes: Vec<u8> = way.drain(..most).collect();
                        peer.receive(&bytes);
                    }
                    Act::Ack => {
                        told = peer.incoming.tell();
                        log.acked(told, &mut |token| done.push(token.0)).unwrap();
                    }
                    Act::Cut(late, heard) => {
                        let told_then = peer.incoming.next();
                        // Some of it is read from the old connection only afterwards.
                        let late: Vec<u8> = way.drain(..late.min(way.len())).collect();
                        peer.receive(&late);
                        peer.bytes.clear();
                        way.clear();
                        let told = if heard { told_then } else { told };
                        log.restart(told, &mut |token| done.push(token.0)).unwrap();
                    }
                }
                for token in &done { prop_assert!((*token as usize) < peer.got.len()); }
                prop_assert!(log.own_bytes <= sent.iter().map(|m| m.len() + HEADER_BYTES).sum());
            }
            prop_assert_eq!(peer.got.len(), sent.len());
            prop_assert!(peer.got == sent);
            prop_assert_eq!(done, lent);
            prop_assert!(!log.is_unacked() && !log.has_unwritten());
            prop_assert_eq!((log.own_bytes, log.lent, log.chunks.len()), (0, 0, 0));
        }
    }

    #[test]
    fn what_was_never_sent_is_not_acknowledged() {
        let mut log = Outgoing::default();
        log.append(Kind::Data(AmTag(1)), b"x", Body::Own(&[]), 0);
        assert_eq!(log.acked(2, &mut |_| ()), Err(Unsent { told: 2, next: 1 }));
        assert_eq!(log.acked(1, &mut |_| ()), Ok(()));
        assert!(!log.is_unacked());
    }

    #[test]
    fn a_log_that_is_given_up_tells_all_that_was_lent() {
        let memory = Scratch::new(64);
        let mut log = Outgoing::default();
        for n in 0..3 {
            log.append(
                Kind::Data(AmTag(1)),
                &[],
                Body::Lent(memory.buf(), Token(n)),
                0,
            );
        }
        log.advance(HEADER_BYTES + 64, &mut |_| ());
        let mut lost = Vec::new();
        log.give_up(|token, written| lost.push((token.0, written)));
        assert_eq!(lost, [(0, true), (1, false), (2, false)]);
        assert!(log.has_room(1 << 30, 0));
    }
}
