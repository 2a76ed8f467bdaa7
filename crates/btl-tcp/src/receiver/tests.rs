//! Tests of the receive side with streams that are cut anywhere, repeated, damaged or invented.

use super::*;
use crate::report::Report;
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
    control(seq, Kind::Data(AmTag(tag)), body)
}

fn control(seq: u64, kind: Kind, body: &[u8]) -> Vec<u8> {
    let header = Header {
        kind,
        len: body.len() as u32,
        seq,
        ack: 0,
    };
    [&header.encode()[..], body].concat()
}

/// Piece number `n` of the read that [`run`] has under way.
fn piece(seq: u64, n: usize, operation: u64) -> Vec<u8> {
    let at = n * PIECE;
    let data: Vec<u8> = (at..READ_BYTES.min(at + PIECE))
        .map(|at| at as u8)
        .collect();
    let place = [operation.to_le_bytes(), (at as u64).to_le_bytes()].concat();
    control(seq, Kind::Answer, &[&place[..], &data].concat())
}

/// The read that is under way, and its pieces.
const READ_BYTES: usize = 10_000;
const PIECE: usize = 4096;

/// Runs a stream to its end, with one read of 10,000 bytes under way (operation returned by
/// `Reads::start` on a fresh table) and one registration of the same memory.
struct Run {
    inbox: Inbox,
    end: End,
    memory: Scratch,
    replies: Replies,
    reports: Reports,
}

fn first_operation() -> u64 {
    let range = (0, 0);
    Reads::default()
        .start(PeerId(1), UserBuf::EMPTY, range, PIECE, Token(0))
        .operation
}

fn run(bytes: Vec<u8>, sizes: Vec<usize>, cache: usize, max: usize) -> Run {
    let memory = Scratch::new(READ_BYTES);
    let (mut reads, mut exports) = (Reads::default(), Exports::default());
    reads.start(PeerId(1), memory.buf(), (0, 0), PIECE, Token(7));
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
    let (mut replies, mut reports) = (Replies::default(), Reports::new());
    let (mut incoming, mut acknowledged) = (Incoming::default(), Acknowledged::default());
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
            replies: &mut replies,
            incoming: &mut incoming,
            acknowledged: &mut acknowledged,
            reports: &mut reports,
        };
        if let Some(end) = receiver.pump(&mut pieces, &mut inbound).end {
            return Run {
                inbox,
                end,
                memory,
                replies,
                reports,
            };
        }
    }
}

proptest! {
    /// However the stream is cut, and whatever the cache holds, the messages are the same.
    #[test]
    fn messages_survive_any_cuts(
        lens in proptest::collection::vec(prop_oneof![0usize..60, 0usize..9000], 0..20),
        sizes in proptest::collection::vec(0usize..5000, 0..100),
        cache in prop_oneof![128usize..160, 128usize..10000],
        repeats in proptest::collection::vec(any::<bool>(), 20),
    ) {
        let bodies: Vec<Vec<u8>> = lens.iter().enumerate()
            .map(|(n, len)| (0..*len).map(|at| (at * 31 + n) as u8).collect())
            .collect();
        let mut bytes = Vec::new();
        let (mut seq, mut answers) = (0, 0);
        let operation = first_operation();
        let request =
            Request { operation: 9, export: operation, offset: 5, len: 50, piece: 4096 };
        for (n, body) in bodies.iter().enumerate() {
            let message = frame(seq, n as u8, body);
            bytes.extend(&message);
            let request = control(seq + 1, Kind::Request, &request.encode());
            bytes.extend(&request);
            // A piece of the answer after each message, the last one first.
            let due = [2, 0, 1].get(n).map(|place| vec![*place]).unwrap_or_default();
            // What came before by another connection comes again, pieces too.
            let again = if repeats[n] { vec![message, request] } else { Vec::new() };
            bytes.extend(again.concat());
            for place in due.iter().chain(due.iter().filter(|_| repeats[n])) {
                bytes.extend(piece(answers, *place, operation));
                answers += 1;
            }
            bytes.extend(control(answers, Kind::Ack, &[]));
            seq += 2;
        }
        bytes.extend(control(seq, Kind::Goodbye, &[]));
        let Run { inbox, end, memory, mut replies, reports } = run(bytes, sizes, cache, 9000);
        prop_assert!(matches!(end, End::Goodbye), "{end:?}");
        prop_assert_eq!(inbox.0.len(), bodies.len());
        for (n, (tag, body)) in inbox.0.iter().enumerate() {
            prop_assert_eq!(*tag, AmTag(n as u8));
            prop_assert_eq!(body, &bodies[n]);
        }
        let mut read = vec![0; READ_BYTES];
        memory.buf().read(0, &mut read);
        let came = [2 * PIECE..READ_BYTES, 0..PIECE, PIECE..2 * PIECE];
        for range in came.into_iter().take(bodies.len()) {
            for at in range { prop_assert_eq!(read[at], at as u8); }
        }
        prop_assert_eq!(replies.owed(), bodies.len());
        prop_assert!(replies.take_refused().is_empty());
        prop_assert_eq!(reports.len(), usize::from(bodies.len() >= 3));
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
    let mut announced = frame(0, 1, &[]);
    announced[..4].copy_from_slice(&u32::MAX.to_le_bytes());
    let end = run(announced, vec![], 4096, FRAME_MAX).end;
    assert!(
        matches!(end, End::Malformed(Malformed::Long { len: u32::MAX, .. })),
        "{end:?}"
    );
}

#[test]
fn a_repeated_frame_is_passed_over_and_a_lost_one_noticed() {
    let repeated = [frame(0, 1, b"a"), frame(0, 1, b"a"), frame(1, 1, b"b")].concat();
    let Run { inbox, end, .. } = run(repeated, vec![], 4096, 100);
    let acknowledged: Vec<&[u8]> = inbox.0.iter().map(|(_, body)| &body[..]).collect();
    assert_eq!(acknowledged, [b"a", b"b"]);
    assert!(matches!(end, End::Closed), "{end:?}");
    let end = run(frame(1, 1, b"a"), vec![], 4096, 100).end;
    assert!(matches!(end, End::Sequence { due: 0, came: 1 }), "{end:?}");
    let end = run(piece(1, 0, first_operation()), vec![], 4096, 100).end;
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
fn answers_of_another_shape_than_was_asked_for_end_the_connection() {
    let ours = first_operation().to_le_bytes();
    let piece = |at: u64, len| [&ours[..], &at.to_le_bytes(), &vec![1; len]].concat();
    for body in [
        piece(0, PIECE - 1),
        piece(0, PIECE + 1),
        piece(5, PIECE),
        piece(0, 0),
    ] {
        let stream = control(0, Kind::Answer, &body);
        let Run {
            end,
            memory,
            reports,
            ..
        } = run(stream, vec![], 4096, 100);
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

/// Memory belongs to the application again when its operation is over, whatever is still under
/// way to it.
#[test]
fn answers_to_what_is_over_go_nowhere() {
    let ours = first_operation();
    let half = piece(0, 0, ours)[..2000].to_vec();
    let refusal = control(0, Kind::Refusal, &ours.to_le_bytes());
    let message = frame(1, 1, b"and on");
    let rest = [refusal, piece(0, 0, ours), piece(1, 9, 4711), message].concat();
    let Run {
        inbox,
        memory,
        reports,
        ..
    } = run(rest, vec![100; 100], 128, 100);
    let mut read = vec![0; READ_BYTES];
    memory.buf().read(0, &mut read);
    assert!(read.iter().all(|byte| *byte == 0));
    assert_eq!((reports.len(), inbox.0.len()), (1, 1));
    let run = run(half, vec![100; 100], 128, 100);
    assert!(run.reports.is_empty() && matches!(run.end, End::Closed));
}

#[test]
fn requests_are_limited() {
    let request = Request {
        operation: 9,
        export: 1 << 32,
        offset: 0,
        len: 1,
        piece: 4096,
    };
    let ask = |seq| control(seq, Kind::Request, &request.encode());
    let Run { end, replies, .. } = run((0..300).flat_map(ask).collect(), vec![], 4096, 100);
    assert!(matches!(end, End::Unasked(_)), "{end:?}");
    assert_eq!(replies.owed(), READS_MAX);
}
