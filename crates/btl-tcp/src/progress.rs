//! The receive side: from a socket's bytes to whole messages.
//!
//! A [`Receiver`] reads ahead into its cache and lends the messages that are complete, in place.
//! A message that cannot fit in the cache is read into a pooled buffer of its own, the answer to
//! a `get` into the memory that it is for. While that goes on, only a little is read ahead behind
//! it, so that of the next large frame next to nothing has to be moved from the cache.
//!
//! What came before by another connection is read to nowhere. That is looked at again before each
//! read into a user's memory, and when a message is complete: meanwhile the same may have come
//! over another connection.

use std::collections::VecDeque;
use std::io::{self, IoSliceMut, Read as _};
use std::net::TcpStream;

use base::wire::read_u64;
use base::{AmTag, PeerId};
use btl::{Arrival, Sink};
use memory::{Payload, UserBuf};

use crate::endpoint::Report;
use crate::pool::Pool;
use crate::rma::{
    Answer, Exports, Place, Reads, Request, OPERATION_BYTES, PLACE_BYTES, READS_MAX, REQUEST_BYTES,
};
use crate::seal::Sealed;
use crate::stream::{Incoming, Turn};
use crate::sys;
use crate::wire::{Header, Kind, Malformed, HEADER_BYTES};

/// Most reads of one connection before the others have their turn.
const FILLS_MAX: usize = 4;
/// Bytes read ahead behind a frame that has its own place.
const LOOK_AHEAD_BYTES: usize = 4 << 10;
/// Bytes of the smallest cache: a request fits.
const CACHE_MIN: usize = 128;

const _: () = assert!(HEADER_BYTES + REQUEST_BYTES <= CACHE_MIN);

/// Why a connection delivers nothing any more.
#[derive(Debug)]
pub enum End {
    /// The peer has said goodbye.
    Goodbye,
    /// The connection ended without a goodbye.
    Closed,
    /// Reading failed.
    Broken(io::Error),
    /// A frame that is none.
    Malformed(Malformed),
    /// A frame out of its place.
    Sequence {
        /// The number that was due.
        due: u64,
        /// The number that came.
        came: u64,
    },
    /// Something that nobody asked for: one clause.
    Unasked(&'static str),
}

/// What has been read of one connection.
pub struct Receiver {
    from: PeerId,
    cache: Box<[u8]>,
    /// The part of the cache that has been read and not yet delivered. Empty while `large`
    /// is being filled.
    start: usize,
    end: usize,
    large: Option<Large>,
    /// Answers that have begun to come, that have come, and of which the peer knows.
    answers_begun: u64,
    answers: u64,
    answers_told: u64,
    /// Largest frame that the peer announced to send.
    frame_max: usize,
}

struct Large {
    room: Room,
    len: usize,
    have: usize,
}

/// Where a large frame's bytes go.
enum Room {
    /// A message, with its number: to a pooled buffer.
    Message(u64, AmTag, Vec<u8>),
    /// A piece of an answer, with its operation and place: to where it was asked for.
    Answer(u64, u64, UserBuf),
    /// Nowhere. Whether it is an answer.
    Nowhere(bool),
}

/// Where what comes in goes.
pub struct Inbound<'a> {
    /// Messages.
    pub sink: &'a mut dyn Sink,
    /// Buffers for large ones.
    pub pool: &'a mut Pool,
    /// Answers.
    pub reads: &'a mut Reads,
    /// What requests are answered from.
    pub exports: &'a Exports,
    /// What is owed to the peer.
    pub owed: &'a mut VecDeque<Answer>,
    /// What has come of the peer's numbered frames.
    pub incoming: &'a mut Incoming,
    /// What the peer says has come of ours.
    pub heard: &'a mut Heard,
    /// Reads that are complete.
    pub reports: &'a mut VecDeque<Report>,
}

/// What a peer has told about what it received.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Heard {
    /// The number of the frame that is due there.
    pub ack: u64,
    /// Answers that it has had over this connection.
    pub answers: u64,
}

/// What a pump has brought.
pub struct Pumped {
    /// Messages delivered.
    pub delivered: usize,
    /// Whether anything was read.
    pub moved: bool,
    /// The end, if it has come.
    pub end: Option<End>,
}

impl Receiver {
    /// Nothing has been read.
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
            answers_told: 0,
            frame_max,
        }
    }

    /// Answers that have come and of which the peer has not been told.
    #[inline]
    pub fn answers_untold(&self) -> u64 {
        self.answers - self.answers_told
    }

    /// How many answers have come, to be told.
    #[inline]
    pub fn tell_answers(&mut self) -> u64 {
        self.answers_told = self.answers;
        self.answers
    }

    /// Reads what is there, within limits, and delivers everything that is complete.
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

    /// The same for a protected connection, of which nothing that was read may be left.
    pub fn pump_all(&mut self, stream: &mut Opened<'_>, inbound: &mut Inbound<'_>) -> Pumped {
        let mut all = self.pump(stream, inbound);
        while all.end.is_none() && stream.1.holds() {
            let pumped = self.pump(stream, inbound);
            all.delivered += pumped.delivered;
            all.moved |= pumped.moved;
            all.end = pumped.end;
        }
        all
    }

    /// One read; tells how much was asked for, and how much came (0 only at the end).
    #[inline]
    fn fill(&mut self, stream: &mut impl Stream, reads: &Reads) -> io::Result<(usize, usize)> {
        let Some(large) = &mut self.large else {
            let room = &mut self.cache[self.end..];
            let got = stream.read(room)?;
            let asked = room.len();
            self.end += got;
            return Ok((asked, got));
        };
        if matches!(large.room, Room::Answer(operation, ..) if !reads.is_pending(operation)) {
            // It is over, and the memory belongs to the application again.
            large.room = Room::Nowhere(true);
        }
        let wanted = large.len - large.have;
        if let Room::Nowhere(_) = large.room {
            let room = self.cache.len().min(wanted);
            let got = stream.read(&mut self.cache[..room])?;
            large.have += got;
            (self.start, self.end) = (0, 0);
            return Ok((room, got));
        }
        let len = self.cache.len().min(LOOK_AHEAD_BYTES);
        let ahead = &mut self.cache[..len];
        let got = match &mut large.room {
            Room::Message(_, _, buffer) => {
                stream.read_ahead(&mut buffer[large.have..large.len], ahead)?
            }
            Room::Answer(_, _, room) => stream.read_user(room.from(large.have), ahead)?,
            Room::Nowhere(_) => 0,
        };
        let ours = got.min(wanted);
        large.have += ours;
        (self.start, self.end) = (0, got - ours);
        Ok((wanted + len, got))
    }

    /// Hands on every frame that is complete.
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
            inbound.heard.ack = inbound.heard.ack.max(header.ack);
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
                Turn::Due if next > self.end => {
                    self.begin(seq, tag, len, inbound.pool);
                    break;
                }
                Turn::Due => {
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
                Turn::Repeated => self.skip(len, false),
                Turn::Early => return Err(early(inbound.incoming.next(), seq)),
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
            Kind::Answer => PLACE_BYTES,
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
            inbound.heard.answers = inbound.heard.answers.max(header.seq);
            self.start = body;
            return Ok(true);
        }
        if header.kind == Kind::Answer {
            return self.answered(header, body, inbound).map(|()| true);
        }
        match inbound.incoming.turn(header.seq) {
            Turn::Due => inbound.incoming.take(fixed),
            Turn::Repeated => {
                self.start = body + fixed;
                return Ok(true);
            }
            Turn::Early => return Err(early(inbound.incoming.next(), header.seq)),
        }
        let bytes = &self.cache[body..body + fixed];
        match header.kind {
            Kind::Goodbye => return Err(End::Goodbye),
            Kind::Request => {
                let request = Request::decode(bytes.first_chunk().expect("its length"));
                if inbound.owed.len() >= READS_MAX {
                    return Err(End::Unasked("more requests than may wait"));
                }
                inbound.owed.push_back(inbound.exports.answer(&request));
            }
            _ => {
                let operation = read_u64(bytes, 0).unwrap_or_default();
                inbound.reads.refused(self.from, operation, inbound.reports);
            }
        }
        self.start = body + fixed;
        Ok(true)
    }

    /// Takes a piece of an answer.
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
        let len = header.len as usize - PLACE_BYTES;
        let room = match inbound.reads.place(self.from, operation, place, len) {
            Place::Here(room) => room,
            Place::Nowhere => {
                self.answers_begun += 1;
                self.skip(header.len as usize, true);
                return Ok(());
            }
            Place::Wrong => return Err(End::Unasked("a reply to no request")),
        };
        self.answers_begun += 1;
        let at = body + PLACE_BYTES;
        let have = len.min(self.end - at);
        room.write(0, &self.cache[at..at + have]);
        self.start = at + have;
        let large = Large {
            room: Room::Answer(operation, place, room),
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
            room: Room::Message(seq, tag, buffer),
            len,
            have,
        });
        self.start = self.end;
    }

    /// Passes over the frame at `start`, of `len` bytes after its header. `answer`: it is one.
    fn skip(&mut self, len: usize, answer: bool) {
        let body = self.start + HEADER_BYTES;
        let have = len.min(self.end - body);
        self.start = body + have;
        if have < len {
            self.large = Some(Large {
                room: Room::Nowhere(answer),
                len,
                have,
            });
        } else {
            self.answers += u64::from(answer);
        }
    }

    /// Hands on a large frame that is complete; the number of messages that it was.
    fn finish(&mut self, large: Large, inbound: &mut Inbound<'_>) -> usize {
        match large.room {
            Room::Message(seq, tag, buffer) => {
                let due = inbound.incoming.turn(seq) == Turn::Due;
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
            Room::Answer(operation, place, _) => {
                self.answers += 1;
                inbound.reads.arrived(operation, place, inbound.reports);
                0
            }
            Room::Nowhere(answer) => {
                self.answers += u64::from(answer);
                0
            }
        }
    }

    /// Sees to it that `len` bytes from `start` on fit in the cache.
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

/// What is read from: a socket, or what a test makes of it. Reads tell how many bytes came, 0 only
/// at the end.
pub trait Stream {
    /// Reads into one place.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize>;

    /// Reads into one place, and what follows into another.
    fn read_ahead(&mut self, into: &mut [u8], ahead: &mut [u8]) -> io::Result<usize>;

    /// The same, where the first place is the application's memory.
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
pub struct Opened<'a>(pub &'a TcpStream, pub &'a mut Sealed);

impl Stream for Opened<'_> {
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
