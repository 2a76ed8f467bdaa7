//! Reading a peer's memory: a request, and the bytes as an answer.
//!
//! TCP cannot reach a peer's memory by itself, so the peer's transport answers while it makes
//! progress, without the layers above. What is gained over messages is that no byte is copied on
//! the way: the answer is written from the registered memory and read into the local memory.
//!
//! The reader keeps a [`Reads`] entry per `get`; its key travels as the name of the operation,
//! and an answer is checked against it: from the right peer, in order, and no longer than what
//! is still missing. The owner keeps [`Exports`], and per peer the [`Answer`]s that it owes. An
//! answer is cut into pieces, so that messages are not held up behind a long one, and so that
//! several readers are served in turn.

use std::collections::VecDeque;

use base::wire::{read_u64, write_u64};
use base::{Key, PeerId, Slab};
use btl::{Access, Error, Registration, RemoteKey, Token};
use memory::UserBuf;

use crate::endpoint::Report;

/// Most bytes of one `get`: more than any memory, and sums do not overflow.
pub const GET_BYTES_MAX: usize = 1 << 46;
/// Most `get`s of one process that are under way; a peer that asks more breaks the protocol.
pub const READS_MAX: usize = 256;
/// Bytes of an answer after which others have their turn.
pub const PIECE_BYTES: usize = 512 << 10;

/// Bytes of a request after its frame's header: operation, registration, offset and length.
pub const REQUEST_BYTES: usize = 32;
/// Bytes before the data of an answer: the operation.
pub const OPERATION_BYTES: usize = 8;

/// Bytes of a remote key: the registration and its length.
const KEY_BYTES: usize = 16;

/// The `get`s of this process that are under way.
#[derive(Default)]
pub struct Reads {
    all: Slab<Pending>,
}

struct Pending {
    peer: PeerId,
    token: Token,
    /// What is missing.
    rest: UserBuf,
    offset: u64,
}

/// The memory that peers may read.
#[derive(Default)]
pub struct Exports {
    all: Slab<UserBuf>,
}

/// What a peer asked for and has not been sent.
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
    /// What has not been sent.
    pub rest: UserBuf,
}

/// A request as it travels.
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
}

impl Request {
    /// The request as bytes.
    pub fn encode(&self) -> [u8; REQUEST_BYTES] {
        let mut bytes = [0; REQUEST_BYTES];
        for (at, field) in [self.operation, self.export, self.offset, self.len]
            .iter()
            .enumerate()
        {
            write_u64(&mut bytes, 8 * at, *field);
        }
        bytes
    }

    /// A request that a peer sent. Any bytes are one; [`Exports::answer`] judges them.
    pub fn decode(bytes: &[u8; REQUEST_BYTES]) -> Request {
        let field = |at: usize| read_u64(bytes, 8 * at).expect("four fields");
        Request {
            operation: field(0),
            export: field(1),
            offset: field(2),
            len: field(3),
        }
    }
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

    /// Withdraws a registration; its key, unless it had been withdrawn before.
    pub fn deregister(&mut self, registration: &Registration) -> Option<Key> {
        let export = Key::from_bits(registration.id);
        self.all.remove(export).map(|_| export)
    }

    /// What is owed to a peer that asked; a refusal where the range is not inside a registration.
    pub fn answer(&self, request: &Request) -> Answer {
        let export = Key::from_bits(request.export);
        let source = self.all.get(export).and_then(|memory| {
            let (offset, len) = (
                usize::try_from(request.offset).ok()?,
                request.len.try_into().ok()?,
            );
            let end = offset.checked_add(len)?;
            (0 < len && end <= memory.len()).then(|| Source {
                export,
                rest: memory.part(offset, len),
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

    /// How many wait for a peer.
    pub fn count(&self, peer: PeerId) -> usize {
        self.all
            .iter()
            .filter(|(_, read)| read.peer == peer)
            .count()
    }

    /// Notes a read that starts; its request.
    pub fn start(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        (export, offset): (u64, u64),
        token: Token,
    ) -> Request {
        let operation = self
            .all
            .insert(Pending {
                peer,
                token,
                rest: local,
                offset,
            })
            .bits();
        Request {
            operation,
            export,
            offset,
            len: local.len() as u64,
        }
    }

    /// Takes back what was started and could not be asked for.
    pub fn forget(&mut self, operation: u64) {
        self.all.remove(Key::from_bits(operation));
    }

    /// Where the next `len` bytes of an answer go; `None` where the peer owes nothing of the kind.
    pub fn room(&self, peer: PeerId, operation: u64, len: usize) -> Option<UserBuf> {
        let read = self.all.get(Key::from_bits(operation))?;
        (read.peer == peer && 0 < len && len <= read.rest.len()).then(|| read.rest.part(0, len))
    }

    /// Notes that the next `len` bytes are there, which [`Reads::room`] gave.
    pub fn arrived(&mut self, operation: u64, len: usize, reports: &mut VecDeque<Report>) {
        let key = Key::from_bits(operation);
        let Some(read) = self.all.get_mut(key) else {
            return;
        };
        read.rest = read.rest.from(len);
        if read.rest.is_empty() {
            reports.push_back(Report::Done(read.token, Ok(())));
            self.all.remove(key);
        }
    }

    /// Ends a read that the peer refuses. False where the peer owes nothing of the kind.
    pub fn refused(
        &mut self,
        peer: PeerId,
        operation: u64,
        reports: &mut VecDeque<Report>,
    ) -> bool {
        let key = Key::from_bits(operation);
        let Some(read) = self.all.get(key).filter(|read| read.peer == peer) else {
            return false;
        };
        let (offset, len) = (read.offset, read.rest.len());
        reports.push_back(Report::Done(
            read.token,
            Err(Error::OutOfRange { peer, offset, len }),
        ));
        self.all.remove(key);
        true
    }

    /// Ends the reads of a peer that is gone.
    pub fn fail(&mut self, peer: PeerId, error: &Error, reports: &mut VecDeque<Report>) {
        let lost = self.all.iter().filter(|(_, read)| read.peer == peer);
        let lost: Vec<(Key, Token)> = lost.map(|(key, read)| (key, read.token)).collect();
        for (key, token) in lost {
            self.all.remove(key);
            reports.push_back(Report::Done(token, Err(error.clone())));
        }
    }
}

/// The registration that a remote key names, where the range lies inside it.
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
    fn an_answer_fits_its_question_or_is_none() {
        let (memory, mut reports) = (Scratch::new(100), VecDeque::new());
        let mut reads = Reads::default();
        let ours = reads
            .start(PeerId(1), memory.buf(), (7, 0), Token(3))
            .operation;
        assert_eq!(reads.room(PeerId(2), ours, 10), None, "another peer");
        assert_eq!(
            reads.room(PeerId(1), ours + 1, 10),
            None,
            "another operation"
        );
        assert_eq!(reads.room(PeerId(1), ours, 101), None, "too long");
        assert_eq!(reads.room(PeerId(1), ours, 0), None, "nothing");
        assert_eq!(
            reads.room(PeerId(1), ours, 40),
            Some(memory.buf().part(0, 40))
        );
        reads.arrived(ours, 40, &mut reports);
        assert_eq!(
            reads.room(PeerId(1), ours, 61),
            None,
            "longer than what is missing"
        );
        assert_eq!(reads.room(PeerId(1), ours, 60), Some(memory.buf().from(40)));
        assert!(reports.is_empty());
        reads.arrived(ours, 60, &mut reports);
        assert!(matches!(reports[0], Report::Done(Token(3), Ok(()))));
        assert!(!reads.refused(PeerId(1), ours, &mut reports), "it is over");
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
            }
            prop_assert_eq!(Request::decode(&request.encode()), request);
            match exports.answer(&request).source {
                Some(source) => {
                    let end = request.offset + request.len;
                    prop_assert!(end <= 1000);
                    prop_assert_eq!(source.rest.len() as u64, request.len);
                }
                None => prop_assert!(
                    request.export != registration.id
                        || request.offset.saturating_add(request.len) > 1000
                ),
            }
        }
    }
}
