//! The receive side: turns a socket's bytes into messages and delivers them.
//!
//! A [`Receiver`] reads ahead into its cache and delivers the messages that are complete, in place.
//! A message that cannot fit in the cache is read into a pooled buffer of its own, the reply to a
//! `get` into the memory that it is for. While that goes on, only a little is read ahead behind it,
//! so that next to nothing of the next large frame has to be moved from the cache.
//!
//! Frames that came before by another connection are discarded. That is checked again before each
//! read into a user's memory, and when a message is complete: meanwhile the same frame may have
//! come over another connection.

use std::io::{self, IoSliceMut, Read as _};
use std::net::TcpStream;

use base::wire::read_u64;
use base::{AmTag, PeerId};
use btl::{Arrival, Sink};
use memory::{Payload, UserBuf};

use crate::pool::Pool;
use crate::replies::Replies;
use crate::report::Reports;
use crate::rma::{Exports, PieceDestination, Reads, Request, READS_MAX};
use crate::seal::Sealed;
use crate::stream::{FrameOrder, Incoming};
use crate::sys;
use crate::wire::{
    Header, Kind, Malformed, HEADER_BYTES, OPERATION_BYTES, POSITION_BYTES, REQUEST_BYTES,
};

/// Most reads of one connection before the others have their turn.
const FILLS_MAX: usize = 4;
/// Bytes read ahead behind a frame that has its own buffer.
const LOOK_AHEAD_BYTES: usize = 4 << 10;
/// Bytes of the smallest cache: a request fits.
const CACHE_MIN: usize = 128;

const _: () = assert!(HEADER_BYTES + REQUEST_BYTES <= CACHE_MIN);

/// The reason that a connection delivers nothing any more.
#[derive(Debug)]
pub enum End {
    /// The peer has sent its shutdown message.
    Goodbye,
    /// The connection ended without a shutdown message.
    Closed,
    /// Reading failed.
    Broken(io::Error),
    /// A malformed frame.
    Malformed(Malformed),
    /// A frame out of sequence.
    Sequence {
        /// The number that was due.
        due: u64,
        /// The number that came.
        came: u64,
    },
    /// A reply without a request, or the like: one clause.
    Unasked(&'static str),
    /// An acknowledgement of what was never sent.
    Unsent,
}

/// The reading side of one connection: bytes read, and the frames in them.
pub struct Receiver {
    from: PeerId,
    cache: Box<[u8]>,
    /// The part of the cache that has been read and not yet delivered. Empty while `large`
    /// is being filled.
    start: usize,
    end: usize,
    large: Option<Large>,
    /// Replies that have begun to come, that have come, and that the peer knows to have come.
    answers_begun: u64,
    answers: u64,
    answers_acked: u64,
    /// Largest frame that the peer announced to send.
    frame_max: usize,
}

struct Large {
    room: FrameTarget,
    len: usize,
    have: usize,
}

/// Destination of a large frame's bytes.
enum FrameTarget {
    /// A pooled buffer, for a message with its number.
    Message(u64, AmTag, Vec<u8>),
    /// The reader's memory, for a piece of a reply with its operation and offset.
    Answer(u64, u64, UserBuf),
    /// None: the bytes are dropped. Whether the frame is a reply.
    Nowhere(bool),
}

/// The destinations of input.
pub struct Inbound<'a> {
    /// Receives messages.
    pub sink: &'a mut dyn Sink,
    /// Buffers for large ones.
    pub pool: &'a mut Pool,
    /// Receives replies.
    pub reads: &'a mut Reads,
    /// Registered memory, from which requests are answered.
    pub exports: &'a Exports,
    /// Replies owed to the peer.
    pub replies: &'a mut Replies,
    /// The state of the peer's numbered frames.
    pub incoming: &'a mut Incoming,
    /// The peer's acknowledgements.
    pub acknowledged: &'a mut Acknowledged,
    /// Reads that are complete.
    pub reports: &'a mut Reports,
}

/// A peer's report of what it received.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Acknowledged {
    /// The number of the frame that is due there.
    pub ack: u64,
    /// Replies that it has had over this connection.
    pub answers: u64,
}

/// The result of a pump.
pub struct Pumped {
    /// Messages delivered.
    pub delivered: usize,
    /// Whether anything was read.
    pub moved: bool,
    /// The end, if it has come.
    pub end: Option<End>,
}

impl Receiver {
    /// Creates a receiver that has read nothing.
    pub fn new(from: PeerId, cache_bytes: usize, frame_max: usize) -> Receiver {
        let cache = vec![0; cache_bytes.max(CACHE_MIN)].into_boxed_slice();
        Receiver {
            from,
            cache,
            start: 0,
            end: 0,
            large: None,
            answers_begun: 0,
            answers: 0,
            answers_acked: 0,
            frame_max,
        }
    }

    /// Whether a large frame has come in part.
    #[inline]
    pub fn is_amid(&self) -> bool {
        self.large.is_some()
    }

    /// Returns the number of replies that have come and are not acknowledged.
    #[inline]
    pub fn unacknowledged_answers(&self) -> u64 {
        self.answers - self.answers_acked
    }

    /// Returns the number of replies to acknowledge, and records it as acknowledged.
    #[inline]
    pub fn acknowledge_answers(&mut self) -> u64 {
        self.answers_acked = self.answers;
        self.answers
    }

    /// Reads available bytes, within limits, and delivers everything that is complete.
    #[inline]
    pub fn pump(&mut self, stream: &mut impl Stream, inbound: &mut Inbound<'_>) -> Pumped {
        let mut pumped = Pumped {
            delivered: 0,
            moved: false,
            end: None,
        };
        for _ in 0..FILLS_MAX {
            let (asked, got) = match self.fill(stream, inbound.reads) {
                Ok((_, 0)) => {
                    pumped.end = Some(End::Closed);
                    break;
                }
                Ok(lengths) => lengths,
                Err(error) => {
                    let passes = [io::ErrorKind::WouldBlock, io::ErrorKind::Interrupted];
                    if !passes.contains(&error.kind()) {
                        pumped.end = Some(End::Broken(error));
                    }
                    break;
                }
            };
            pumped.moved = true;
            pumped.end = self.deliver(inbound, &mut pumped.delivered).err();
            if pumped.end.is_some() || got < asked {
                break;
            }
        }
        pumped
    }

    /// Pumps a protected connection until nothing that was read is left in it.
    pub fn pump_all(&mut self, stream: &mut SealedStream<'_>, inbound: &mut Inbound<'_>) -> Pumped {
        let mut all = self.pump(stream, inbound);
        while all.end.is_none() && stream.1.holds() {
            let pumped = self.pump(stream, inbound);
            all.delivered += pumped.delivered;
            all.moved |= pumped.moved;
            all.end = pumped.end;
        }
        all
    }

    /// Does one read; returns how much was asked for, and how much came (0 only at the end).
    #[inline]
    fn fill(&mut self, stream: &mut impl Stream, reads: &Reads) -> io::Result<(usize, usize)> {
        let Some(large) = &mut self.large else {
            let room = &mut self.cache[self.end..];
            let got = stream.read(room)?;
            let asked = room.len();
            self.end += got;
            return Ok((asked, got));
        };
        if matches!(large.room, FrameTarget::Answer(operation, ..) if !reads.is_pending(operation))
        {
            // It is over, and the memory belongs to the application again.
            large.room = FrameTarget::Nowhere(true);
        }
        let wanted = large.len - large.have;
        if let FrameTarget::Nowhere(_) = large.room {
            let room = self.cache.len().min(wanted);
            let got = stream.read(&mut self.cache[..room])?;
            large.have += got;
            (self.start, self.end) = (0, 0);
            return Ok((room, got));
        }
        let len = self.cache.len().min(LOOK_AHEAD_BYTES);
        let ahead = &mut self.cache[..len];
        let got = match &mut large.room {
            FrameTarget::Message(_, _, buffer) => {
                stream.read_ahead(&mut buffer[large.have..large.len], ahead)?
            }
            FrameTarget::Answer(_, _, room) => stream.read_user(room.from(large.have), ahead)?,
            FrameTarget::Nowhere(_) => 0,
        };
        let ours = got.min(wanted);
        large.have += ours;
        (self.start, self.end) = (0, got - ours);
        Ok((wanted + len, got))
    }

    /// Delivers every frame that is complete.
    fn deliver(&mut self, inbound: &mut Inbound<'_>, delivered: &mut usize) -> Result<(), End> {
        if let Some(large) = self.large.take_if(|large| large.have == large.len) {
            *delivered += self.finish(large, inbound);
        }
        // While a large frame is incomplete, nothing behind it has been read.
        while self.large.is_none() {
            let bytes = &self.cache[self.start..self.end];
            let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
                break;
            };
            let header = Header::decode(bytes, self.frame_max).map_err(End::Malformed)?;
            inbound.acknowledged.ack = inbound.acknowledged.ack.max(header.ack);
            let (seq, len) = (header.seq, header.len as usize);
            let body = self.start + HEADER_BYTES;
            let next = body + len;
            let Kind::Data(tag) = header.kind else {
                if self.is_served(header, inbound)? {
                    continue;
                }
                break;
            };
            match inbound.incoming.turn(seq) {
                FrameOrder::Due if next > self.end => {
                    self.begin(seq, tag, len, inbound.pool);
                    break;
                }
                FrameOrder::Due => {
                    let payload = Payload::from(&self.cache[body..next]);
                    inbound.incoming.take(len);
                    inbound.sink.deliver(Arrival {
                        from: self.from,
                        tag,
                        payload,
                    });
                    *delivered += 1;
                    self.start = next;
                }
                FrameOrder::Repeated => self.skip(len, false),
                FrameOrder::Early => return Err(early(inbound.incoming.next(), seq)),
            }
        }
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else {
            self.make_room(HEADER_BYTES);
        }
        Ok(())
    }

    /// Serves a frame that is no message; false where more of it has to come first.
    fn is_served(&mut self, header: Header, inbound: &mut Inbound<'_>) -> Result<bool, End> {
        let fixed = match header.kind {
            Kind::Answer => POSITION_BYTES,
            Kind::Request => REQUEST_BYTES,
            Kind::Refusal => OPERATION_BYTES,
            Kind::Data(_) | Kind::Goodbye | Kind::Ack => 0,
        };
        let body = self.start + HEADER_BYTES;
        if body + fixed > self.end {
            self.make_room(HEADER_BYTES + fixed);
            return Ok(false);
        }
        if header.kind == Kind::Ack {
            inbound.acknowledged.answers = inbound.acknowledged.answers.max(header.seq);
            self.start = body;
            return Ok(true);
        }
        if header.kind == Kind::Answer {
            return self.answered(header, body, inbound).map(|()| true);
        }
        match inbound.incoming.turn(header.seq) {
            FrameOrder::Due => inbound.incoming.take(fixed),
            FrameOrder::Repeated => {
                self.start = body + fixed;
                return Ok(true);
            }
            FrameOrder::Early => return Err(early(inbound.incoming.next(), header.seq)),
        }
        let bytes = &self.cache[body..body + fixed];
        match header.kind {
            Kind::Goodbye => return Err(End::Goodbye),
            Kind::Request => {
                let request = Request::decode(bytes.first_chunk().expect("its length"));
                if inbound.replies.owed() >= READS_MAX {
                    return Err(End::Unasked("more requests than may wait"));
                }
                inbound.replies.push(inbound.exports.answer(&request));
            }
            _ => {
                let operation = read_u64(bytes, 0).unwrap_or_default();
                inbound.reads.refused(self.from, operation, inbound.reports);
            }
        }
        self.start = body + fixed;
        Ok(true)
    }

    /// Handles a piece of a reply.
    fn answered(
        &mut self,
        header: Header,
        body: usize,
        inbound: &mut Inbound<'_>,
    ) -> Result<(), End> {
        if header.seq != self.answers_begun {
            return Err(early(self.answers_begun, header.seq));
        }
        let field = |at| read_u64(&self.cache, body + at).unwrap_or_default();
        let (operation, place) = (field(0), field(8));
        let len = header.len as usize - POSITION_BYTES;
        let room = match inbound.reads.place(self.from, operation, place, len) {
            PieceDestination::Here(room) => room,
            PieceDestination::Nowhere => {
                self.answers_begun += 1;
                self.skip(header.len as usize, true);
                return Ok(());
            }
            PieceDestination::Wrong => return Err(End::Unasked("a reply to no request")),
        };
        self.answers_begun += 1;
        let at = body + POSITION_BYTES;
        let have = len.min(self.end - at);
        room.write(0, &self.cache[at..at + have]);
        self.start = at + have;
        let large = Large {
            room: FrameTarget::Answer(operation, place, room),
            len,
            have,
        };
        if have < len {
            self.large = Some(large);
        } else {
            self.finish(large, inbound);
        }
        Ok(())
    }

    /// Makes room for the message at `start`, of which a part is missing: in the cache, or in a
    /// buffer of its own.
    fn begin(&mut self, seq: u64, tag: AmTag, len: usize, pool: &mut Pool) {
        if HEADER_BYTES + len <= self.cache.len() {
            return self.make_room(HEADER_BYTES + len);
        }
        let mut buffer = pool.take(len);
        let here = &self.cache[self.start + HEADER_BYTES..self.end];
        let have = here.len();
        buffer[..have].copy_from_slice(here);
        self.large = Some(Large {
            room: FrameTarget::Message(seq, tag, buffer),
            len,
            have,
        });
        self.start = self.end;
    }

    /// Skips the frame at `start`, of `len` bytes after its header. `answer`: it is a reply.
    fn skip(&mut self, len: usize, answer: bool) {
        let body = self.start + HEADER_BYTES;
        let have = len.min(self.end - body);
        self.start = body + have;
        if have < len {
            self.large = Some(Large {
                room: FrameTarget::Nowhere(answer),
                len,
                have,
            });
        } else {
            self.answers += u64::from(answer);
        }
    }

    /// Delivers a large frame that is complete; returns the number of messages that it was.
    fn finish(&mut self, large: Large, inbound: &mut Inbound<'_>) -> usize {
        match large.room {
            FrameTarget::Message(seq, tag, buffer) => {
                let due = inbound.incoming.turn(seq) == FrameOrder::Due;
                if due {
                    inbound.incoming.take(large.len);
                    let payload = Payload::from(&buffer[..large.len]);
                    inbound.sink.deliver(Arrival {
                        from: self.from,
                        tag,
                        payload,
                    });
                }
                inbound.pool.put(buffer);
                usize::from(due)
            }
            FrameTarget::Answer(operation, place, _) => {
                self.answers += 1;
                inbound.reads.arrived(operation, place, inbound.reports);
                0
            }
            FrameTarget::Nowhere(answer) => {
                self.answers += u64::from(answer);
                0
            }
        }
    }

    /// Makes `len` bytes from `start` on fit in the cache.
    fn make_room(&mut self, len: usize) {
        if self.start + len > self.cache.len() {
            self.cache.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
    }
}

fn early(due: u64, came: u64) -> End {
    End::Sequence { due, came }
}

/// A source of bytes: a socket, or a test's imitation. Reads return how many bytes came, 0 only at
/// the end.
pub trait Stream {
    /// Reads into one buffer.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize>;

    /// Reads into one buffer, and the bytes that follow into another.
    fn read_ahead(&mut self, into: &mut [u8], ahead: &mut [u8]) -> io::Result<usize>;

    /// Reads into the application's memory, and the bytes that follow into `ahead`.
    fn read_user(&mut self, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize>;
}

impl Stream for &TcpStream {
    #[inline]
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        io::Read::read(self, into)
    }

    #[inline]
    fn read_ahead(&mut self, into: &mut [u8], ahead: &mut [u8]) -> io::Result<usize> {
        self.read_vectored(&mut [IoSliceMut::new(into), IoSliceMut::new(ahead)])
    }

    #[inline]
    fn read_user(&mut self, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize> {
        sys::receive(*self, into, ahead)
    }
}

/// A protected connection.
pub struct SealedStream<'a>(pub &'a TcpStream, pub &'a mut Sealed);

impl Stream for SealedStream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.read_ahead(into, &mut [])
    }

    fn read_ahead(&mut self, into: &mut [u8], ahead: &mut [u8]) -> io::Result<usize> {
        let mut socket = self.0;
        let receive = |room: &mut [u8]| io::Read::read(&mut socket, room);
        self.1.read(into, UserBuf::EMPTY, ahead, receive)
    }

    fn read_user(&mut self, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize> {
        let mut socket = self.0;
        let receive = |room: &mut [u8]| io::Read::read(&mut socket, room);
        self.1.read(&mut [], into, ahead, receive)
    }
}

#[cfg(test)]
mod tests;
