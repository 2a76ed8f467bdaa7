//! The receive side: from a socket's bytes to whole messages.
//!
//! A [`Receiver`] reads ahead into its cache and lends the messages that are complete, in place.
//! A frame that cannot fit in the cache is read into a pooled buffer of its own. While that
//! goes on, only a little is read ahead behind it, so that of the next large frame next to
//! nothing has to be moved from the cache to a buffer.

use std::io::{self, IoSliceMut, Read};

use base::{AmTag, PeerId};
use btl::{Arrival, Sink};
use memory::Payload;

use crate::wire::{Header, Kind, Malformed, HEADER_BYTES};

/// Most reads of one connection before the others have their turn.
const READS_MAX: usize = 4;
/// Bytes read ahead behind a frame that has its own buffer.
const LOOK_AHEAD_BYTES: usize = 4 << 10;
/// Most buffers that wait in the pool.
const POOLED_MAX: usize = 8;

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
}

/// Buffers for frames that do not fit in a cache.
#[derive(Default)]
pub struct Pool {
    free: Vec<Vec<u8>>,
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
    tag: AmTag,
    buffer: Vec<u8>,
    len: usize,
    have: usize,
}

impl Receiver {
    /// Nothing has been read.
    pub fn new(from: PeerId, cache_bytes: usize, frame_max: usize) -> Receiver {
        let cache = vec![0; cache_bytes.max(2 * HEADER_BYTES)].into_boxed_slice();
        Receiver {
            from,
            cache,
            start: 0,
            end: 0,
            large: None,
            next_seq: 0,
            frame_max,
        }
    }

    /// Reads what is there, within limits, and delivers every message that is complete.
    /// Returns their number and, if it has come, the end.
    #[inline]
    pub fn pump(
        &mut self,
        stream: &mut impl Read,
        pool: &mut Pool,
        sink: &mut dyn Sink,
    ) -> (usize, Option<End>) {
        let mut delivered = 0;
        for _ in 0..READS_MAX {
            let (asked, got) = match self.fill(stream) {
                Ok((_, 0)) => return (delivered, Some(End::Closed)),
                Ok(lengths) => lengths,
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => break,
                    _ => return (delivered, Some(End::Broken(error))),
                },
            };
            let (count, end) = self.deliver(pool, sink);
            delivered += count;
            if end.is_some() {
                return (delivered, end);
            }
            if got < asked {
                break;
            }
        }
        (delivered, None)
    }

    /// One read; tells how much was asked for, and how much came (0 only at the end).
    #[inline]
    fn fill(&mut self, stream: &mut impl Read) -> io::Result<(usize, usize)> {
        let Some(large) = &mut self.large else {
            let room = &mut self.cache[self.end..];
            let got = stream.read(room)?;
            let asked = room.len();
            self.end += got;
            return Ok((asked, got));
        };
        let missing = &mut large.buffer[large.have..large.len];
        let ahead = self.cache.len().min(LOOK_AHEAD_BYTES);
        let wanted = missing.len();
        let got = stream.read_vectored(&mut [
            IoSliceMut::new(missing),
            IoSliceMut::new(&mut self.cache[..ahead]),
        ])?;
        let ours = got.min(wanted);
        large.have += ours;
        (self.start, self.end) = (0, got - ours);
        Ok((wanted + ahead, got))
    }

    fn deliver(&mut self, pool: &mut Pool, sink: &mut dyn Sink) -> (usize, Option<End>) {
        let mut count = 0;
        if let Some(large) = self.large.take_if(|large| large.have == large.len) {
            let payload = Payload::from(&large.buffer[..large.len]);
            sink.deliver(Arrival {
                from: self.from,
                tag: large.tag,
                payload,
            });
            pool.put(large.buffer);
            count = 1;
        }
        // While a large frame is incomplete, nothing behind it has been read.
        while let Some(bytes) = self.cache[self.start..self.end].first_chunk::<HEADER_BYTES>() {
            let header = match self.check(bytes) {
                Ok(header) => header,
                Err(end) => return (count, Some(end)),
            };
            let Kind::Data(tag) = header.kind else {
                return (count, Some(End::Goodbye));
            };
            let body = self.start + HEADER_BYTES;
            let next = body + header.len as usize;
            if next > self.end {
                self.begin(tag, header.len as usize, pool);
                break;
            }
            let payload = Payload::from(&self.cache[body..next]);
            sink.deliver(Arrival {
                from: self.from,
                tag,
                payload,
            });
            self.next_seq += 1;
            self.start = next;
            count += 1;
        }
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.cache.len() - self.start < HEADER_BYTES {
            self.compact();
        }
        (count, None)
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

    /// Makes room for the frame at `start`, of which a part is missing: in the cache, or in a
    /// buffer of its own.
    fn begin(&mut self, tag: AmTag, len: usize, pool: &mut Pool) {
        if HEADER_BYTES + len <= self.cache.len() {
            if self.start + HEADER_BYTES + len > self.cache.len() {
                self.compact();
            }
            return;
        }
        let mut buffer = pool.take(len);
        let here = &self.cache[self.start + HEADER_BYTES..self.end];
        buffer[..here.len()].copy_from_slice(here);
        self.large = Some(Large {
            tag,
            buffer,
            len,
            have: here.len(),
        });
        self.next_seq += 1;
        (self.start, self.end) = (0, 0);
    }

    fn compact(&mut self) {
        self.cache.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
    }
}

impl Pool {
    fn take(&mut self, len: usize) -> Vec<u8> {
        let mut buffer = self.free.pop().unwrap_or_default();
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        buffer
    }

    fn put(&mut self, buffer: Vec<u8>) {
        if self.free.len() < POOLED_MAX {
            self.free.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::FRAME_MAX;
    use btl::{Error, Token};
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

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.read_vectored(&mut [IoSliceMut::new(into)])
        }

        fn read_vectored(&mut self, into: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
            let mut piece = self.sizes.next().unwrap_or(usize::MAX);
            if piece == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let start = self.at;
            for slice in into {
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

    fn run(bytes: Vec<u8>, sizes: Vec<usize>, cache: usize, max: usize) -> (Inbox, End) {
        let mut receiver = Receiver::new(PeerId(1), cache, max);
        let (mut inbox, mut pool) = (Inbox::default(), Pool::default());
        let mut pieces = Pieces {
            bytes,
            at: 0,
            sizes: sizes.into_iter(),
        };
        loop {
            if let (_, Some(end)) = receiver.pump(&mut pieces, &mut pool, &mut inbox) {
                return (inbox, end);
            }
        }
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
            for (n, body) in bodies.iter().enumerate() {
                bytes.extend(frame(n as u64, n as u8, body));
            }
            bytes.extend(Header { kind: Kind::Goodbye, len: 0, seq: lens.len() as u64 }.encode());
            let (inbox, end) = run(bytes, sizes, cache, 9000);
            prop_assert!(matches!(end, End::Goodbye), "{end:?}");
            prop_assert_eq!(inbox.0.len(), bodies.len());
            for (n, (tag, body)) in inbox.0.iter().enumerate() {
                prop_assert_eq!(*tag, AmTag(n as u8));
                prop_assert_eq!(body, &bodies[n]);
            }
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
            let (inbox, _) = run(stream, sizes, 256, 1000);
            prop_assert!(inbox.0.len() >= good);
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
        let (_, end) = run(announced.to_vec(), vec![], 4096, FRAME_MAX);
        assert!(
            matches!(end, End::Malformed(Malformed::Long { len: u32::MAX, .. })),
            "{end:?}"
        );
    }

    #[test]
    fn a_repeated_or_lost_frame_is_noticed() {
        let repeated = [frame(0, 1, b"a"), frame(0, 1, b"a")].concat();
        let (inbox, end) = run(repeated, vec![], 4096, 100);
        assert_eq!(inbox.0.len(), 1);
        assert!(matches!(end, End::Sequence { due: 1, came: 0 }), "{end:?}");
        let (_, end) = run(frame(1, 1, b"a"), vec![], 4096, 100);
        assert!(matches!(end, End::Sequence { due: 0, came: 1 }), "{end:?}");
    }

    #[test]
    fn an_end_inside_a_frame_is_no_goodbye() {
        let mut cut = frame(0, 1, &[9; 50]);
        cut.truncate(40);
        let (inbox, end) = run(cut, vec![], 4096, 100);
        assert!(inbox.0.is_empty());
        assert!(matches!(end, End::Closed), "{end:?}");
    }
}
