//! The wire format of the emulation. Integers are little-endian.
//!
//! ```text
//! request   0 kind u8, 1 operation u8, 2 width u8, 3 zero, 4 length u32, 8 operation id u64,
//!           16 handle u64, 24 offset in the memory u64, 32 place in the operation u64,
//!           40 length of the operation u64, 48 operand u64, 56 comparand u64;
//!           behind a PUT its bytes
//! reply     0 kind u8, 1 reason u8, 2 zero u16, 4 length u32, 8 operation id u64,
//!           16 offset in the operation, or the word u64; behind DATA the bytes
//! ```

use base::wire::{read_u32, read_u64, write_u32, write_u64};
use btl::{Atomic, AtomicOp, Width};
use memory::Payload;

/// Bytes of a request, without the payload of a PUT.
pub(super) const REQUEST_BYTES: usize = 64;

/// Bytes of a reply, without the bytes of DATA.
pub(super) const ANSWER_BYTES: usize = 24;

const GET: u8 = 1;
const PUT: u8 = 2;
const ATOMIC: u8 = 3;
const DATA: u8 = 0x81;
const DONE: u8 = 0x82;
const REFUSED: u8 = 0x83;

/// A decoded message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frame {
    Request(Request),
    Answer(Answer),
}

/// A part of an operation, small enough for one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) what: RequestKind,
    /// The origin's name of the operation, handed back.
    pub(super) operation: u64,
    /// The target's memory, and where in it.
    pub(super) handle: u64,
    pub(super) offset: u64,
    /// Where the part begins in the operation, handed back.
    pub(super) at: u64,
    /// Bytes of the operation as a whole: all of it lies in the memory, or none is touched.
    pub(super) whole: u64,
    pub(super) len: u32,
}

/// The operation of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequestKind {
    Get,
    Put,
    Atomic(Atomic),
}

/// The target's reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) what: ReplyKind,
    pub(super) operation: u64,
    pub(super) len: u32,
}

/// The result in a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplyKind {
    /// Bytes, and their offset in the operation.
    Data { at: u64 },
    /// The word as it was; 0 after a put.
    Done { word: u64 },
    /// Nothing was touched.
    Refused(Reason),
}

/// Why nothing was touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// The handle names nothing, not all of the range lies in what it names, or the access was
    /// not allowed.
    Outside = 1,
    /// The word lies at no multiple of its size.
    Unaligned = 2,
}

/// The operations, by their numbers on the wire.
const OPS: [AtomicOp; 9] = [
    AtomicOp::Add,
    AtomicOp::And,
    AtomicOp::Or,
    AtomicOp::Xor,
    AtomicOp::Min,
    AtomicOp::Max,
    AtomicOp::Swap,
    AtomicOp::CompareSwap(0),
    AtomicOp::Read,
];

fn number_of(op: AtomicOp) -> (u8, u64) {
    match op {
        AtomicOp::Add => (0, 0),
        AtomicOp::And => (1, 0),
        AtomicOp::Or => (2, 0),
        AtomicOp::Xor => (3, 0),
        AtomicOp::Min => (4, 0),
        AtomicOp::Max => (5, 0),
        AtomicOp::Swap => (6, 0),
        AtomicOp::CompareSwap(expected) => (7, expected),
        AtomicOp::Read => (8, 0),
    }
}

impl Request {
    pub(super) fn encode(&self) -> [u8; REQUEST_BYTES] {
        let mut bytes = [0; REQUEST_BYTES];
        bytes[0] = match self.what {
            RequestKind::Get => GET,
            RequestKind::Put => PUT,
            RequestKind::Atomic(atomic) => {
                let (number, expected) = number_of(atomic.op);
                bytes[1] = number;
                bytes[2] = atomic.width.bytes() as u8;
                write_u64(&mut bytes, 48, atomic.operand);
                write_u64(&mut bytes, 56, expected);
                ATOMIC
            }
        };
        write_u32(&mut bytes, 4, self.len);
        write_u64(&mut bytes, 8, self.operation);
        write_u64(&mut bytes, 16, self.handle);
        write_u64(&mut bytes, 24, self.offset);
        write_u64(&mut bytes, 32, self.at);
        write_u64(&mut bytes, 40, self.whole);
        bytes
    }

    /// `None` where the bytes are no request, or bring other than what they say.
    fn decode(bytes: &[u8], body: usize) -> Option<Request> {
        let len = read_u32(bytes, 4)?;
        let what = match bytes[0] {
            GET => RequestKind::Get,
            PUT => RequestKind::Put,
            ATOMIC => RequestKind::Atomic(atomic(bytes)?),
            _ => return None,
        };
        let brings = match what {
            RequestKind::Put => len as usize,
            RequestKind::Get | RequestKind::Atomic(_) => 0,
        };
        (body == brings).then_some(Request {
            what,
            operation: read_u64(bytes, 8)?,
            handle: read_u64(bytes, 16)?,
            offset: read_u64(bytes, 24)?,
            at: read_u64(bytes, 32)?,
            whole: read_u64(bytes, 40)?,
            len,
        })
    }
}

fn atomic(bytes: &[u8]) -> Option<Atomic> {
    let op = match *OPS.get(usize::from(bytes[1]))? {
        AtomicOp::CompareSwap(_) => AtomicOp::CompareSwap(read_u64(bytes, 56)?),
        op => op,
    };
    let width = match bytes[2] {
        4 => Width::Four,
        8 => Width::Eight,
        _ => return None,
    };
    let operand = read_u64(bytes, 48)?;
    Some(Atomic { op, width, operand })
}

impl Answer {
    pub(super) fn encode(&self) -> [u8; ANSWER_BYTES] {
        let mut bytes = [0; ANSWER_BYTES];
        let (kind, last) = match self.what {
            ReplyKind::Data { at } => (DATA, at),
            ReplyKind::Done { word } => (DONE, word),
            ReplyKind::Refused(reason) => {
                bytes[1] = reason as u8;
                (REFUSED, 0)
            }
        };
        bytes[0] = kind;
        write_u32(&mut bytes, 4, self.len);
        write_u64(&mut bytes, 8, self.operation);
        write_u64(&mut bytes, 16, last);
        bytes
    }

    fn decode(bytes: &[u8], body: usize) -> Option<Answer> {
        let len = read_u32(bytes, 4)?;
        let last = read_u64(bytes, 16)?;
        let what = match (bytes[0], bytes[1]) {
            (DATA, _) => ReplyKind::Data { at: last },
            (DONE, _) => ReplyKind::Done { word: last },
            (REFUSED, 1) => ReplyKind::Refused(Reason::Outside),
            (REFUSED, 2) => ReplyKind::Refused(Reason::Unaligned),
            _ => return None,
        };
        let brings = match what {
            ReplyKind::Data { .. } => len as usize,
            ReplyKind::Done { .. } | ReplyKind::Refused(_) => 0,
        };
        (body == brings).then_some(Answer {
            what,
            operation: read_u64(bytes, 8)?,
            len,
        })
    }
}

/// Decodes a message, and returns the bytes behind it; `None` where it is malformed.
pub(super) fn decode(payload: Payload<'_>) -> Option<(Frame, Payload<'_>)> {
    let kind = payload.head::<1>()?[0];
    if kind < DATA {
        let head = payload.head::<REQUEST_BYTES>()?;
        let (_, body) = payload.split(REQUEST_BYTES)?;
        Some((Frame::Request(Request::decode(&head, body.len())?), body))
    } else {
        let head = payload.head::<ANSWER_BYTES>()?;
        let (_, body) = payload.split(ANSWER_BYTES)?;
        Some((Frame::Answer(Answer::decode(&head, body.len())?), body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    #[test]
    fn requests_and_answers_survive_the_way() {
        let mut random = Random::new(3);
        for op in OPS.into_iter().chain([AtomicOp::CompareSwap(77)]) {
            for width in [Width::Four, Width::Eight] {
                let operand = random.bits();
                for what in [
                    RequestKind::Get,
                    RequestKind::Put,
                    RequestKind::Atomic(Atomic { op, width, operand }),
                ] {
                    let len = random.below(50) as u32;
                    let request = Request {
                        what,
                        operation: random.bits(),
                        handle: random.bits(),
                        offset: random.bits(),
                        at: random.bits(),
                        whole: random.bits(),
                        len,
                    };
                    let mut bytes = request.encode().to_vec();
                    if what == RequestKind::Put {
                        bytes.resize(REQUEST_BYTES + len as usize, 9);
                    }
                    let (frame, body) = decode(Payload::from(&bytes[..])).expect("a request");
                    assert_eq!(frame, Frame::Request(request));
                    assert_eq!(body.len(), bytes.len() - REQUEST_BYTES);
                }
            }
        }
        let refusals = [Reason::Outside, Reason::Unaligned].map(ReplyKind::Refused);
        for what in refusals.into_iter().chain([ReplyKind::Done { word: 5 }]) {
            let answer = Answer {
                what,
                operation: 8,
                len: 9,
            };
            let bytes = answer.encode();
            let decoded = decode(Payload::from(&bytes[..]));
            assert_eq!(decoded.map(|(frame, _)| frame), Some(Frame::Answer(answer)));
        }
    }

    #[test]
    fn what_is_none_is_refused_whatever_it_is() {
        let mut random = Random::new(11);
        let mut good = 0;
        for _ in 0..100_000 {
            let len = random.index(120);
            let mut bytes: Vec<u8> = (0..len).map(|_| random.bits() as u8).collect();
            if let Some(kind) = bytes.first_mut() {
                *kind = [GET, PUT, ATOMIC, DATA, DONE, REFUSED, 0, 4][random.index(8)];
            }
            if random.chance(50) {
                bytes.iter_mut().skip(4).take(4).for_each(|byte| *byte = 0);
            }
            good += usize::from(decode(Payload::from(&bytes[..])).is_some());
        }
        assert!(good > 0 && good < 50_000, "{good}");
        assert_eq!(decode(Payload::from(&[][..])).map(|(frame, _)| frame), None);
    }
}
