//! The receive side: from a socket's bytes to whole messages.
//!
//! A [`Receiver`] reads ahead into its cache and lends the messages that are complete, in place.
//! A message that cannot fit in the cache is read into a pooled buffer of its own, the answer to
//! a `get` into the memory that it is for. While that goes on, only a little is read ahead behind
//! it, so that of the next large frame next to nothing has to be moved from the cache.

use std::collections::VecDeque;
use std::io::{self, IoSliceMut, Read as _};
use std::net::TcpStream;

use base::wire::read_u64;
use base::{AmTag, PeerId};
use btl::{Arrival, Sink};
use memory::{Payload, UserBuf};

use crate::endpoint::Report;
use crate::pool::Pool;
use crate::rma::{Answer, Exports, Reads, Request, OPERATION_BYTES, READS_MAX, REQUEST_BYTES};
use crate::sys;
use crate::wire::{Header, Kind, Malformed, HEADER_BYTES};

/// Most reads of one connection before the others have their turn.
const FILLS_MAX: usize = 4;
/// Bytes read ahead behind a frame that has its own place.
const LOOK_AHEAD_BYTES: usize = 4 << 10;
/// Bytes of the smallest cache: a request fits.
const CACHE_MIN: usize = 64;

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
    next_seq: u64,
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
    /// A message: to a pooled buffer.
    Message(AmTag, Vec<u8>),
    /// The answer of an operation: to where it was asked for.
    Answer(u64, UserBuf),
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
    /// Reads that are complete.
    pub reports: &'a mut VecDeque<Report>,
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
        let next_seq = 0;
        Receiver {
            from,
            cache,
            start: 0,
            end: 0,
            large: None,
            next_seq,
            frame_max,
        }
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
            let (asked, got) = match self.fill(stream) {
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

    /// One read; tells how much was asked for, and how much came (0 only at the end).
    #[inline]
    fn fill(&mut self, stream: &mut impl Stream) -> io::Result<(usize, usize)> {
        let Some(large) = &mut self.large else {
            let room = &mut self.cache[self.end..];
            let got = stream.read(room)?;
            let asked = room.len();
            self.end += got;
            return Ok((asked, got));
        };
        let len = self.cache.len().min(LOOK_AHEAD_BYTES);
        let ahead = &mut self.cache[..len];
        let got = match &mut large.room {
            Room::Message(_, buffer) => {
                stream.read_ahead(&mut buffer[large.have..large.len], ahead)?
            }
            Room::Answer(_, room) => stream.read_user(room.from(large.have), ahead)?,
        };
        let wanted = large.len - large.have;
        let ours = got.min(wanted);
        large.have += ours;
        (self.start, self.end) = (0, got - ours);
        Ok((wanted + len, got))
    }

    /// Hands on every frame that is complete.
    fn deliver(&mut self, inbound: &mut Inbound<'_>, delivered: &mut usize) -> Result<(), End> {
        if let Some(large) = self.large.take_if(|large| large.have == large.len) {
            *delivered += finish(self.from, large, inbound);
        }
        // While a large frame is incomplete, nothing behind it has been read.
        while let Some(bytes) = self.cache[self.start..self.end].first_chunk::<HEADER_BYTES>() {
            let header = self.check(bytes)?;
            let Kind::Data(tag) = header.kind else {
                if self.is_served(header, inbound)? {
                    continue;
                }
                break;
            };
            let body = self.start + HEADER_BYTES;
            let next = body + header.len as usize;
            if next > self.end {
                self.begin(tag, header.len as usize, inbound.pool);
                break;
            }
            let payload = Payload::from(&self.cache[body..next]);
            inbound.sink.deliver(Arrival {
                from: self.from,
                tag,
                payload,
            });
            *delivered += 1;
            self.pass(next);
        }
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else {
            self.make_room(HEADER_BYTES);
        }
        Ok(())
    }

    #[inline]
    fn check(&self, bytes: &[u8; HEADER_BYTES]) -> Result<Header, End> {
        let header = Header::decode(bytes, self.frame_max).map_err(End::Malformed)?;
        if header.seq != self.next_seq {
            return Err(End::Sequence {
                due: self.next_seq,
                came: header.seq,
            });
        }
        Ok(header)
    }

    /// Serves a frame that is no message. False when a part of it is missing.
    fn is_served(&mut self, header: Header, inbound: &mut Inbound<'_>) -> Result<bool, End> {
        let fixed = match header.kind {
            Kind::Data(_) | Kind::Goodbye => return Err(End::Goodbye),
            Kind::Request => REQUEST_BYTES,
            Kind::Answer | Kind::Refusal => OPERATION_BYTES,
        };
        let body = self.start + HEADER_BYTES;
        let Some(bytes) = self.cache[body..self.end].get(..fixed) else {
            self.make_room(HEADER_BYTES + fixed);
            return Ok(false);
        };
        let operation = read_u64(bytes, 0).unwrap_or_default();
        match header.kind {
            Kind::Answer => {
                let len = header.len as usize - OPERATION_BYTES;
                return self.answered(operation, body + fixed, len, inbound);
            }
            Kind::Request => {
                let request = Request::decode(bytes.first_chunk().expect("its length"));
                if inbound.owed.len() >= READS_MAX {
                    return Err(End::Unasked("more requests than may wait"));
                }
                inbound.owed.push_back(inbound.exports.answer(&request));
            }
            _ => {
                if !inbound.reads.refused(self.from, operation, inbound.reports) {
                    return Err(End::Unasked("a refusal of what was not asked for"));
                }
            }
        }
        self.pass(body + fixed);
        Ok(true)
    }

    /// Takes the piece of an answer whose bytes begin at `at`.
    fn answered(
        &mut self,
        operation: u64,
        at: usize,
        len: usize,
        inbound: &mut Inbound<'_>,
    ) -> Result<bool, End> {
        let room = inbound.reads.room(self.from, operation, len);
        let room = room.ok_or(End::Unasked("an answer that was not asked for"))?;
        let have = len.min(self.end - at);
        room.write(0, &self.cache[at..at + have]);
        self.pass(at + have);
        if have < len {
            self.large = Some(Large {
                room: Room::Answer(operation, room),
                len,
                have,
            });
            return Ok(false);
        }
        inbound.reads.arrived(operation, len, inbound.reports);
        Ok(true)
    }

    /// Makes room for the message at `start`, of which a part is missing: in the cache, or in a
    /// buffer of its own.
    fn begin(&mut self, tag: AmTag, len: usize, pool: &mut Pool) {
        if HEADER_BYTES + len <= self.cache.len() {
            return self.make_room(HEADER_BYTES + len);
        }
        let mut buffer = pool.take(len);
        let here = &self.cache[self.start + HEADER_BYTES..self.end];
        let have = here.len();
        buffer[..have].copy_from_slice(here);
        self.large = Some(Large {
            room: Room::Message(tag, buffer),
            len,
            have,
        });
        self.pass(self.end);
    }

    /// Goes on to the next frame, which begins at `next`.
    #[inline]
    fn pass(&mut self, next: usize) {
        self.next_seq += 1;
        self.start = next;
    }

    /// Sees to it that `len` bytes from `start` on fit in the cache.
    fn make_room(&mut self, len: usize) {
        if self.start + len > self.cache.len() {
            self.cache.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
    }
}

/// Hands on a large frame that is complete; the number of messages that it was.
fn finish(from: PeerId, large: Large, inbound: &mut Inbound<'_>) -> usize {
    match large.room {
        Room::Message(tag, buffer) => {
            let payload = Payload::from(&buffer[..large.len]);
            inbound.sink.deliver(Arrival { from, tag, payload });
            inbound.pool.put(buffer);
            1
        }
        Room::Answer(operation, _) => {
            inbound.reads.arrived(operation, large.len, inbound.reports);
            0
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::FRAME_MAX;
    use btl::{Error, Token};
    use memory::Scratch;
    use proptest::prelude::*;

    #[derive(Default)]
    struct Inbox(Vec<(AmTag, Vec<u8>)>);

    impl Sink for Inbox {
        fn deliver(&mut self, arrival: Arrival<'_>) {
            self.0.push((arrival.tag, arrival.payload.to_vec()));
        }
        fn done(&mut self, _: Token, _: Result<(), Error>) {}
        fn peer_failed(&mut self, _: PeerId, _: Error) {}
    }

    /// A socket that gives its bytes in pieces of the given sizes.
    struct Pieces {
        bytes: Vec<u8>,
        at: usize,
        sizes: std::vec::IntoIter<usize>,
    }

    impl Stream for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.read_ahead(into, &mut [])
        }

        fn read_user(&mut self, into: UserBuf, ahead: &mut [u8]) -> io::Result<usize> {
            let mut here = vec![0; into.len()];
            let got = self.read_ahead(&mut here, ahead)?;
            into.write(0, &here[..got.min(into.len())]);
            Ok(got)
        }

        fn read_ahead(&mut self, into: &mut [u8], ahead: &mut [u8]) -> io::Result<usize> {
            let mut piece = self.sizes.next().unwrap_or(usize::MAX);
            if piece == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let start = self.at;
            for slice in [into, ahead] {
                let len = slice.len().min(piece).min(self.bytes.len() - self.at);
                slice[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
                self.at += len;
                piece -= len;
            }
            Ok(self.at - start)
        }
    }

    fn frame(seq: u64, tag: u8, body: &[u8]) -> Vec<u8> {
        let header = Header {
            kind: Kind::Data(AmTag(tag)),
            len: body.len() as u32,
            seq,
        };
        [&header.encode()[..], body].concat()
    }

    /// Runs a stream to its end, with one read of 10,000 bytes under way (operation returned by
    /// `Reads::start` on a fresh table) and one registration of the same memory.
    struct Run {
        inbox: Inbox,
        end: End,
        memory: Scratch,
        owed: VecDeque<Answer>,
        reports: VecDeque<Report>,
    }

    fn first_operation() -> u64 {
        let range = (0, 0);
        Reads::default()
            .start(PeerId(1), UserBuf::EMPTY, range, Token(0))
            .operation
    }

    fn run(bytes: Vec<u8>, sizes: Vec<usize>, cache: usize, max: usize) -> Run {
        let memory = Scratch::new(10_000);
        let (mut reads, mut exports) = (Reads::default(), Exports::default());
        reads.start(PeerId(1), memory.buf(), (0, 0), Token(7));
        exports.register(
            memory.buf(),
            btl::Access {
                read: true,
                write: false,
            },
        );
        let mut receiver = Receiver::new(PeerId(1), cache, max);
        let settings = crate::Settings::default();
        let (mut inbox, mut pool) = (Inbox::default(), Pool::new(settings.free_list));
        let (mut owed, mut reports) = (VecDeque::new(), VecDeque::new());
        let mut pieces = Pieces {
            bytes,
            at: 0,
            sizes: sizes.into_iter(),
        };
        loop {
            let mut inbound = Inbound {
                sink: &mut inbox,
                pool: &mut pool,
                reads: &mut reads,
                exports: &exports,
                owed: &mut owed,
                reports: &mut reports,
            };
            if let Some(end) = receiver.pump(&mut pieces, &mut inbound).end {
                return Run {
                    inbox,
                    end,
                    memory,
                    owed,
                    reports,
                };
            }
        }
    }

    fn control(seq: u64, kind: Kind, body: &[u8]) -> Vec<u8> {
        let header = Header {
            kind,
            len: body.len() as u32,
            seq,
        };
        [&header.encode()[..], body].concat()
    }

    proptest! {
        /// However the stream is cut, and whatever the cache holds, the messages are the same.
        #[test]
        fn messages_survive_any_cuts(
            lens in proptest::collection::vec(prop_oneof![0usize..60, 0usize..9000], 0..20),
            sizes in proptest::collection::vec(0usize..5000, 0..100),
            cache in prop_oneof![32usize..64, 64usize..10000],
        ) {
            let bodies: Vec<Vec<u8>> = lens.iter().enumerate()
                .map(|(n, len)| (0..*len).map(|at| (at * 31 + n) as u8).collect())
                .collect();
            let mut bytes = Vec::new();
            let (mut seq, mut left, mut asked) = (0, 10_000, 0);
            let operation = first_operation();
            let request = Request { operation: 9, export: operation, offset: 5, len: 50 };
            for (n, body) in bodies.iter().enumerate() {
                bytes.extend(frame(seq, n as u8, body));
                // A piece of the answer after each message, as long as the message, and a request.
                let piece = body.len().min(left);
                if piece > 0 {
                    let data: Vec<u8> = (10_000 - left..).take(piece).map(|at| at as u8).collect();
                    let data = [&operation.to_le_bytes()[..], &data].concat();
                    bytes.extend(control(seq + 1, Kind::Answer, &data));
                    bytes.extend(control(seq + 2, Kind::Request, &request.encode()));
                    left -= piece;
                    seq += 2;
                    asked += 1;
                }
                seq += 1;
            }
            bytes.extend(control(seq, Kind::Goodbye, &[]));
            let Run { inbox, end, memory, owed, reports } = run(bytes, sizes, cache, 9000);
            prop_assert!(matches!(end, End::Goodbye), "{end:?}");
            prop_assert_eq!(inbox.0.len(), bodies.len());
            for (n, (tag, body)) in inbox.0.iter().enumerate() {
                prop_assert_eq!(*tag, AmTag(n as u8));
                prop_assert_eq!(body, &bodies[n]);
            }
            let mut read = vec![0; 10_000];
            memory.buf().read(0, &mut read);
            for (at, byte) in read.iter().enumerate() {
                prop_assert_eq!(*byte, if at < 10_000 - left { at as u8 } else { 0 });
            }
            prop_assert_eq!(owed.len(), asked);
            prop_assert!(owed.iter().all(|answer| answer.source.is_some()));
            prop_assert_eq!(reports.len(), usize::from(left == 0));
        }

        #[test]
        fn garbage_ends_the_connection_and_never_panics(
            bytes in proptest::collection::vec(any::<u8>(), 0..3000),
            sizes in proptest::collection::vec(0usize..500, 0..50),
            good in 0usize..5,
        ) {
            let mut stream = Vec::new();
            for n in 0..good { stream.extend(frame(n as u64, 1, &[7; 100])); }
            stream.extend(bytes);
            let run = run(stream, sizes, 256, 1000);
            prop_assert!(run.inbox.0.len() >= good);
        }
    }

    #[test]
    fn a_frame_is_checked_before_memory_is_allocated_for_it() {
        let announced = Header {
            kind: Kind::Data(AmTag(1)),
            len: u32::MAX,
            seq: 0,
        }
        .encode();
        let end = run(announced.to_vec(), vec![], 4096, FRAME_MAX).end;
        assert!(
            matches!(end, End::Malformed(Malformed::Long { len: u32::MAX, .. })),
            "{end:?}"
        );
    }

    #[test]
    fn a_repeated_or_lost_frame_is_noticed() {
        let repeated = [frame(0, 1, b"a"), frame(0, 1, b"a")].concat();
        let Run { inbox, end, .. } = run(repeated, vec![], 4096, 100);
        assert_eq!(inbox.0.len(), 1);
        assert!(matches!(end, End::Sequence { due: 1, came: 0 }), "{end:?}");
        let end = run(frame(1, 1, b"a"), vec![], 4096, 100).end;
        assert!(matches!(end, End::Sequence { due: 0, came: 1 }), "{end:?}");
    }

    #[test]
    fn an_end_inside_a_frame_is_no_goodbye() {
        let mut cut = frame(0, 1, &[9; 50]);
        cut.truncate(40);
        let Run { inbox, end, .. } = run(cut, vec![], 4096, 100);
        assert!(inbox.0.is_empty());
        assert!(matches!(end, End::Closed), "{end:?}");
    }

    #[test]
    fn answers_and_refusals_that_nobody_asked_for_end_the_connection() {
        let ours = first_operation().to_le_bytes();
        let piece = |operation: [u8; 8], len| [&operation[..], &vec![1; len]].concat();
        for bytes in [
            control(0, Kind::Answer, &piece([9; 8], 100)),
            control(0, Kind::Answer, &piece(ours, 10_001)),
            control(0, Kind::Answer, &piece(ours, 0)),
            control(0, Kind::Refusal, &[9; 8]),
        ] {
            let Run {
                end,
                memory,
                reports,
                ..
            } = run(bytes, vec![], 4096, 100);
            assert!(matches!(end, End::Unasked(_)), "{end:?}");
            let mut read = [0; 100];
            memory.buf().read(0, &mut read);
            assert_eq!(read, [0; 100], "memory was written");
            assert!(reports.is_empty());
        }
        let Run { reports, .. } = run(control(0, Kind::Refusal, &ours), vec![], 4096, 100);
        assert!(matches!(
            reports[0],
            Report::Done(Token(7), Err(Error::OutOfRange { .. }))
        ));
    }

    #[test]
    fn requests_are_limited() {
        let request = Request {
            operation: 9,
            export: 1 << 32,
            offset: 0,
            len: 1,
        };
        let ask = |seq| control(seq, Kind::Request, &request.encode());
        let Run { end, owed, .. } = run((0..300).flat_map(ask).collect(), vec![], 4096, 100);
        assert!(matches!(end, End::Unasked(_)), "{end:?}");
        assert_eq!(owed.len(), READS_MAX);
    }
}
