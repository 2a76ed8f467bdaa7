//! Reads of a peer's memory, made of a request and a reply with the bytes.
//!
//! TCP cannot reach a peer's memory by itself, so the peer's transport replies while it makes
//! progress, without the layers above. The gain over messages is that no byte is copied on the
//! path: the reply is written from the registered memory and read into the local memory.
//!
//! The reader keeps a [`Reads`] entry per `get`; its key travels as the name of the operation. The
//! owner keeps [`Exports`], and per peer the [`Answer`]s that it owes. A reply is cut into pieces
//! of the size that the reader asked for, so that messages are not held up behind a long one, that
//! several readers are served in turn, and that several connections share the load.
//!
//! **Pieces carry their offset and come in any order.** One that came already, or whose operation
//! is over, is discarded: the owner resends pieces that were on a connection that broke, whether
//! they had arrived or not.

use base::wire::{read_u32, read_u64, write_u32, write_u64};
use base::{Key, PeerId, Slab};
use btl::{Access, Error, Registration, RemoteKey, Token};
use memory::UserBuf;

use crate::report::{Report, Reports};
use crate::wire::{PIECE_BYTES, REQUEST_BYTES};

/// Most bytes of one `get`: more than any memory, and sums do not overflow.
pub const GET_BYTES_MAX: usize = 1 << 46;
/// Most `get`s of one process in flight; a peer that asks more breaks the protocol.
pub const READS_MAX: usize = 256;
/// Fewest bytes of a piece that a reader may ask for.
const PIECE_BYTES_MIN: usize = 4 << 10;
/// Fewest bytes of a piece where several connections share the load.
const PIECE_BYTES_SHARED: usize = 64 << 10;
/// Pieces for each connection of those that share a load: enough for the quick to help the slow.
const PIECES_EACH: usize = 16;

/// Bytes of a remote key: the registration and its length.
const KEY_BYTES: usize = 16;

/// The `get`s of this process in flight.
#[derive(Default)]
pub struct Reads {
    all: Slab<Pending>,
}

struct Pending {
    peer: PeerId,
    token: Token,
    local: UserBuf,
    /// The range's beginning in the registration.
    offset: u64,
    piece: usize,
    /// Pieces that have not come.
    missing: usize,
    /// One bit for each piece that has come; none where there is one piece.
    have: Vec<u64>,
}

/// Destination of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceDestination {
    /// This memory.
    Here(UserBuf),
    /// None: the piece has come already, or its operation is over.
    Nowhere,
    /// The piece was not requested in this shape: the peer breaks the protocol.
    Wrong,
}

/// The memory that peers may read.
#[derive(Default)]
pub struct Exports {
    all: Slab<UserBuf>,
}

/// A reply that a peer asked for and that has not been sent in full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The reader's name for the operation.
    pub operation: u64,
    /// The memory that is read; `None` where the request is refused.
    pub source: Option<Source>,
}

/// Registered memory that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The registration.
    pub export: Key,
    /// Memory that has not been sent.
    pub rest: UserBuf,
    /// Offset of its first byte in the operation.
    pub at: u64,
    /// Bytes of a piece.
    pub piece: usize,
}

/// A piece of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplyPiece {
    /// The reader's name for the operation.
    pub operation: u64,
    /// Offset of its first byte in the operation.
    pub at: u64,
    /// The registration; `None` once it has been withdrawn.
    pub export: Option<Key>,
    /// The bytes.
    pub data: UserBuf,
}

/// A request on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The reader's name for the operation.
    pub operation: u64,
    /// The registration.
    pub export: u64,
    /// Bytes from its start.
    pub offset: u64,
    /// Bytes to read.
    pub len: u64,
    /// Bytes of each piece but the last.
    pub piece: u32,
}

impl Request {
    /// Encodes the request.
    pub fn encode(&self) -> [u8; REQUEST_BYTES] {
        let mut bytes = [0; REQUEST_BYTES];
        let fields = [self.operation, self.export, self.offset, self.len];
        for (at, field) in fields.iter().enumerate() {
            write_u64(&mut bytes, 8 * at, *field);
        }
        write_u32(&mut bytes, 32, self.piece);
        bytes
    }

    /// Decodes a peer's request. Any bytes are one; [`Exports::answer`] judges them.
    pub fn decode(bytes: &[u8; REQUEST_BYTES]) -> Request {
        let field = |at: usize| read_u64(bytes, 8 * at).unwrap_or_default();
        Request {
            operation: field(0),
            export: field(1),
            offset: field(2),
            len: field(3),
            piece: read_u32(bytes, 32).unwrap_or_default(),
        }
    }
}

impl ReplyPiece {
    /// Forgets the memory, where it is of a registration that is withdrawn.
    pub fn withdraw(&mut self, export: Key) {
        if self.export == Some(export) {
            (self.export, self.data) = (None, UserBuf::EMPTY);
        }
    }
}

impl Answer {
    /// Returns the next piece, and the rest of the reply after it. `None` for a refusal.
    pub fn split(self) -> Option<(ReplyPiece, Option<Answer>)> {
        let source = self.source?;
        let data = source.rest.part(0, source.rest.len().min(source.piece));
        let piece = ReplyPiece {
            operation: self.operation,
            at: source.at,
            export: Some(source.export),
            data,
        };
        let rest = source.rest.from(data.len());
        let rest = (!rest.is_empty()).then_some(Answer {
            operation: self.operation,
            source: Some(Source {
                rest,
                at: source.at + data.len() as u64,
                ..source
            }),
        });
        Some((piece, rest))
    }
}

/// Returns the size of pieces for a read of `len` bytes over `connections` connections.
pub fn piece_bytes(len: usize, connections: usize) -> usize {
    if connections < 2 {
        return PIECE_BYTES;
    }
    let even = len.div_ceil(connections * PIECES_EACH);
    even.next_multiple_of(PIECE_BYTES_MIN)
        .clamp(PIECE_BYTES_SHARED, PIECE_BYTES)
}

impl Exports {
    /// Makes memory readable.
    pub fn register(&mut self, memory: UserBuf, _access: Access) -> Registration {
        let export = self.all.insert(memory);
        let mut key = [0; KEY_BYTES];
        write_u64(&mut key, 0, export.bits());
        write_u64(&mut key, 8, memory.len() as u64);
        let key = RemoteKey::new(&key).expect("16 bytes are few enough");
        Registration {
            memory,
            key,
            id: export.bits(),
        }
    }

    /// Withdraws a registration; returns its key, unless it had been withdrawn before.
    pub fn deregister(&mut self, registration: &Registration) -> Option<Key> {
        let export = Key::from_bits(registration.id);
        self.all.remove(export).map(|_| export)
    }

    /// Returns the reply to a request; a refusal where the range is not inside a registration.
    pub fn answer(&self, request: &Request) -> Answer {
        let export = Key::from_bits(request.export);
        let piece = request.piece as usize;
        let source = self.all.get(export).and_then(|memory| {
            let (offset, len) = (
                usize::try_from(request.offset).ok()?,
                request.len.try_into().ok()?,
            );
            let end = offset.checked_add(len)?;
            let fits = 0 < len && end <= memory.len();
            let sound = (PIECE_BYTES_MIN..=PIECE_BYTES).contains(&piece);
            (fits && sound).then(|| Source {
                export,
                rest: memory.part(offset, len),
                at: 0,
                piece,
            })
        });
        Answer {
            operation: request.operation,
            source,
        }
    }
}

impl Reads {
    /// Whether no more may start.
    pub fn is_full(&self) -> bool {
        self.all.len() >= READS_MAX
    }

    /// Returns the number of reads from a peer.
    pub fn count(&self, peer: PeerId) -> usize {
        self.all
            .iter()
            .filter(|(_, read)| read.peer == peer)
            .count()
    }

    /// Returns the number of pieces that have not come from a peer.
    pub fn missing(&self, peer: PeerId) -> usize {
        let of_peer = self.all.iter().filter(|(_, read)| read.peer == peer);
        of_peer.map(|(_, read)| read.missing).sum()
    }

    /// Records a read that starts, in pieces of `piece` bytes; returns its request.
    pub fn start(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        (export, offset): (u64, u64),
        piece: usize,
        token: Token,
    ) -> Request {
        let pieces = local.len().div_ceil(piece);
        let operation = self
            .all
            .insert(Pending {
                peer,
                token,
                local,
                offset,
                piece,
                missing: pieces,
                have: match pieces {
                    0 | 1 => Vec::new(),
                    _ => vec![0; pieces.div_ceil(64)],
                },
            })
            .bits();
        Request {
            operation,
            export,
            offset,
            len: local.len() as u64,
            piece: piece as u32,
        }
    }

    /// Whether a read is in flight.
    #[inline]
    pub fn is_pending(&self, operation: u64) -> bool {
        self.all.get(Key::from_bits(operation)).is_some()
    }

    /// Returns the destination of the `len` bytes of a reply that belong at `at`.
    pub fn place(&self, peer: PeerId, operation: u64, at: u64, len: usize) -> PieceDestination {
        let Some(read) = self.all.get(Key::from_bits(operation)) else {
            return PieceDestination::Nowhere;
        };
        let piece = read.piece as u64;
        let left = (read.local.len() as u64).saturating_sub(at);
        if read.peer != peer
            || !at.is_multiple_of(piece)
            || len as u64 != left.min(piece)
            || len == 0
        {
            return PieceDestination::Wrong;
        }
        match read.has((at / piece) as usize) {
            true => PieceDestination::Nowhere,
            false => PieceDestination::Here(read.local.part(at as usize, len)),
        }
    }

    /// Records the arrival of a piece for which [`Reads::place`] returned a destination.
    pub fn arrived(&mut self, operation: u64, at: u64, reports: &mut Reports) {
        let key = Key::from_bits(operation);
        let Some(read) = self.all.get_mut(key) else {
            return;
        };
        let piece = (at / read.piece as u64) as usize;
        if read.has(piece) {
            return;
        }
        if let Some(word) = read.have.get_mut(piece / 64) {
            *word |= 1 << (piece % 64);
        }
        read.missing -= 1;
        if read.missing == 0 {
            reports.push_back(Report::Done(read.token, Ok(())));
            self.all.remove(key);
        }
    }

    /// Ends a read that the peer refuses, unless it is over.
    pub fn refused(&mut self, peer: PeerId, operation: u64, reports: &mut Reports) {
        let key = Key::from_bits(operation);
        let Some(read) = self.all.get(key).filter(|read| read.peer == peer) else {
            return;
        };
        let (offset, len) = (read.offset, read.local.len());
        reports.push_back(Report::Done(
            read.token,
            Err(Error::OutOfRange { peer, offset, len }),
        ));
        self.all.remove(key);
    }

    /// Ends the reads of a peer that is gone.
    pub fn fail(&mut self, peer: PeerId, error: &Error, reports: &mut Reports) {
        let lost = self.all.iter().filter(|(_, read)| read.peer == peer);
        let lost: Vec<(Key, Token)> = lost.map(|(key, read)| (key, read.token)).collect();
        for (key, token) in lost {
            self.all.remove(key);
            reports.push_back(Report::Done(token, Err(error.clone())));
        }
    }
}

impl Pending {
    fn has(&self, piece: usize) -> bool {
        let word = self.have.get(piece / 64).copied().unwrap_or(0);
        word & (1 << (piece % 64)) != 0
    }
}

/// Returns the registration that a remote key names, where the range lies inside it.
pub fn check_range(peer: PeerId, key: &RemoteKey, offset: u64, len: usize) -> Result<u64, Error> {
    let bytes = key.as_bytes();
    let inside = |size: u64| {
        offset
            .checked_add(len as u64)
            .is_some_and(|end| end <= size)
    };
    match (read_u64(bytes, 0), read_u64(bytes, 8)) {
        (Some(export), Some(size)) if bytes.len() == KEY_BYTES && inside(size) => Ok(export),
        _ => Err(Error::OutOfRange { peer, offset, len }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::Scratch;
    use proptest::prelude::*;

    const READ: Access = Access {
        read: true,
        write: false,
    };

    #[test]
    fn only_ranges_inside_a_living_registration_are_answered() {
        let memory = Scratch::new(100);
        let mut exports = Exports::default();
        let registration = exports.register(memory.buf(), READ);
        let asks = |exports: &Exports, offset, len| {
            let export = registration.id;
            exports
                .answer(&Request {
                    operation: 5,
                    export,
                    offset,
                    len,
                    piece: 4096,
                })
                .source
        };
        assert_eq!(
            asks(&exports, 90, 10).unwrap().rest,
            memory.buf().part(90, 10)
        );
        assert_eq!(asks(&exports, 90, 11), None);
        assert_eq!(asks(&exports, u64::MAX, 2), None);
        assert_eq!(asks(&exports, 2, u64::MAX), None);
        assert!(exports.deregister(&registration).is_some());
        assert_eq!(asks(&exports, 0, 1), None);
        assert!(exports.deregister(&registration).is_none());
    }

    #[test]
    fn a_piece_has_its_place_once_and_only_while_it_is_waited_for() {
        let (memory, mut reports) = (Scratch::new(10_000), Reports::new());
        let (me, mut reads) = (PeerId(1), Reads::default());
        let ours = reads
            .start(me, memory.buf(), (7, 0), 4096, Token(3))
            .operation;
        assert_eq!(
            reads.place(PeerId(2), ours, 0, 4096),
            PieceDestination::Wrong
        );
        assert_eq!(
            reads.place(me, ours + 1, 0, 4096),
            PieceDestination::Nowhere
        );
        for (at, len) in [
            (0, 4095),
            (0, 4097),
            (0, 0),
            (1, 4096),
            (8192, 1809),
            (12_288, 1),
        ] {
            assert_eq!(
                reads.place(me, ours, at, len),
                PieceDestination::Wrong,
                "{len} at {at}"
            );
        }
        assert_eq!(
            reads.place(me, ours, u64::MAX - 4095, 4096),
            PieceDestination::Wrong
        );
        let last = PieceDestination::Here(memory.buf().part(8192, 1808));
        assert_eq!(reads.place(me, ours, 8192, 1808), last);
        for at in [8192, 0, 8192] {
            reads.arrived(ours, at, &mut reports);
        }
        assert_eq!(reads.place(me, ours, 8192, 1808), PieceDestination::Nowhere);
        assert!(reports.is_empty());
        reads.arrived(ours, 4096, &mut reports);
        assert!(matches!(reports[0], Report::Done(Token(3), Ok(()))));
        assert_eq!(reads.place(me, ours, 4096, 4096), PieceDestination::Nowhere);
        reads.refused(me, ours, &mut reports);
        assert_eq!(reports.len(), 1, "it is over");
    }

    #[test]
    fn an_answer_comes_apart_into_its_pieces() {
        let memory = Scratch::new(3_000_000);
        let mut exports = Exports::default();
        let export = exports.register(memory.buf(), READ).id;
        for (len, connections) in [(1, 1), (3_000_000, 1), (3_000_000, 2), (600_000, 3)] {
            let piece = piece_bytes(len, connections);
            let len = len as u64;
            let request = Request {
                operation: 5,
                export,
                offset: 0,
                len,
                piece: piece as u32,
            };
            let mut answer = Some(exports.answer(&request));
            let mut due = 0;
            while let Some((piece, rest)) = answer.and_then(Answer::split) {
                assert_eq!((piece.operation, piece.at), (5, due));
                assert_eq!(
                    piece.data.address(),
                    memory.buf().from(due as usize).address()
                );
                due += piece.data.len() as u64;
                answer = rest;
            }
            assert_eq!(due, len);
        }
    }

    proptest! {
        #[test]
        fn any_request_is_answered_inside_or_refused(bytes: [u8; REQUEST_BYTES], plausible: bool) {
            let memory = Scratch::new(1000);
            let mut exports = Exports::default();
            let mut request = Request::decode(&bytes);
            let registration = exports.register(memory.buf(), READ);
            if plausible {
                request.export = registration.id;
                request.offset %= 2000;
                request.len %= 2000;
                request.piece = request.piece % 4096 + 4096;
            }
            prop_assert_eq!(Request::decode(&request.encode()), request);
            let sound = (4096..=512 << 10).contains(&request.piece);
            match exports.answer(&request).source {
                Some(source) => {
                    let end = request.offset + request.len;
                    prop_assert!(end <= 1000);
                    prop_assert_eq!(source.rest.len() as u64, request.len);
                }
                None => prop_assert!(
                    request.export != registration.id
                        || !sound
                        || request.len == 0
                        || request.offset.saturating_add(request.len) > 1000
                ),
            }
        }
    }
}
