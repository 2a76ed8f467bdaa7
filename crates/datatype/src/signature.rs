//! Type signatures: the basic elements of a datatype, in type map order.
//!
//! The signature is what two matching messages have in common (MPI 5.0, 5.1), what
//! `MPI_Get_elements` counts and what external32 converts. Like the layout it keeps repetition
//! as a loop, and finds a byte position by division and binary search.

use std::sync::Arc;

use crate::basic::Basic;

/// Most parts of a sequence up to which others are copied into it instead of nested.
const INLINE_PARTS: usize = 4096;

/// A type signature as a program.
#[derive(Clone, Debug)]
pub(crate) enum Signature {
    /// No elements.
    Empty,
    /// `count` elements of one kind.
    Run { basic: &'static Basic, count: i64 },
    /// `count` times a sequence of different runs.
    Repeat { count: i64, item: Arc<Sequence> },
}

/// A sequence of parts.
#[derive(Debug)]
pub(crate) struct Sequence {
    parts: Vec<SignaturePart>,
    bytes: i64,
    elements: i64,
}

#[derive(Debug)]
struct SignaturePart {
    /// Packed bytes before the part.
    start: i64,
    /// Elements before the part.
    first: i64,
    signature: Signature,
}

impl Signature {
    /// Returns this signature repeated `times` times. The caller has checked that the size fits.
    pub(crate) fn repeat(&self, times: i64) -> Signature {
        match self {
            _ if times == 0 => Signature::Empty,
            Signature::Empty => Signature::Empty,
            Signature::Run { basic, count } => Signature::Run {
                basic,
                count: count * times,
            },
            Signature::Repeat { count, item } => Signature::Repeat {
                count: count * times,
                item: item.clone(),
            },
        }
    }

    /// Returns the number of packed bytes.
    pub(crate) fn bytes(&self) -> i64 {
        match self {
            Signature::Empty => 0,
            Signature::Run { basic, count } => basic.size * count,
            Signature::Repeat { count, item } => count * item.bytes,
        }
    }

    /// Returns the number of basic elements.
    pub(crate) fn elements(&self) -> i64 {
        match self {
            Signature::Empty => 0,
            Signature::Run { count, .. } => *count,
            Signature::Repeat { count, item } => count * item.elements,
        }
    }

    /// Returns the sum of `weight` over all elements; `None` on overflow.
    pub(crate) fn weigh(&self, weight: &dyn Fn(&Basic) -> i64) -> Option<i64> {
        match self {
            Signature::Empty => Some(0),
            Signature::Run { basic, count } => weight(basic).checked_mul(*count),
            Signature::Repeat { count, item } => {
                let mut weights = item.parts.iter().map(|part| part.signature.weigh(weight));
                let sum = weights.try_fold(0i64, |sum, more| sum.checked_add(more?))?;
                sum.checked_mul(*count)
            }
        }
    }

    /// Returns the number of whole basic elements in the first `bytes` packed bytes, and the bytes
    /// left over.
    pub(crate) fn elements_in(&self, bytes: i64) -> (i64, i64) {
        match self {
            Signature::Empty => (0, bytes),
            Signature::Run { basic, count } => {
                let whole = (bytes / basic.size).min(*count);
                (whole, bytes - whole * basic.size)
            }
            Signature::Repeat { count, item } => {
                let whole = (bytes / item.bytes).min(*count);
                let left = bytes - whole * item.bytes;
                if whole == *count {
                    return (whole * item.elements, left);
                }
                let (more, left) = item.elements_in(left);
                (whole * item.elements + more, left)
            }
        }
    }

    /// Calls `visit` with the runs of elements from packed byte `from` on, at which an element
    /// begins, in order, until it returns false.
    pub(crate) fn runs(
        &self,
        from: i64,
        visit: &mut dyn FnMut(&'static Basic, i64) -> bool,
    ) -> bool {
        match self {
            Signature::Empty => true,
            Signature::Run { basic, count } => {
                let left = count - from / basic.size;
                left == 0 || visit(basic, left)
            }
            Signature::Repeat { count, item } => {
                let first = from / item.bytes;
                let mut begin = from % item.bytes;
                (first..*count).all(|_| item.runs(std::mem::take(&mut begin), visit))
            }
        }
    }
}

impl Sequence {
    fn elements_in(&self, bytes: i64) -> (i64, i64) {
        let at = self
            .parts
            .partition_point(|part| part.start <= bytes)
            .saturating_sub(1);
        let part = &self.parts[at];
        let (elements, left) = part.signature.elements_in(bytes - part.start);
        (part.first + elements, left)
    }

    fn runs(&self, from: i64, visit: &mut dyn FnMut(&'static Basic, i64) -> bool) -> bool {
        let at = self
            .parts
            .partition_point(|part| part.start <= from)
            .saturating_sub(1);
        let mut begin = from - self.parts[at].start;
        self.parts[at..]
            .iter()
            .all(|part| part.signature.runs(std::mem::take(&mut begin), visit))
    }
}

/// Concatenates signatures, and merges equal neighbours.
#[derive(Default)]
pub(crate) struct Joiner {
    parts: Vec<Signature>,
}

impl Joiner {
    /// Appends `signature`.
    pub(crate) fn push(&mut self, signature: &Signature) {
        let room = INLINE_PARTS.saturating_sub(self.parts.len());
        match (self.parts.last_mut(), signature) {
            (_, Signature::Empty) => {}
            (
                Some(Signature::Run { basic: a, count }),
                Signature::Run {
                    basic: b,
                    count: more,
                },
            ) if std::ptr::eq(*a, *b) => {
                *count += more;
            }
            (
                Some(Signature::Repeat { item: a, count }),
                Signature::Repeat {
                    item: b,
                    count: more,
                },
            ) if Arc::ptr_eq(a, b) => *count += more,
            (_, Signature::Repeat { count: 1, item }) if item.parts.len() <= room => {
                item.parts
                    .iter()
                    .for_each(|part| self.push(&part.signature));
            }
            _ => self.parts.push(signature.clone()),
        }
    }

    /// Returns the smallest program for the appended signatures.
    pub(crate) fn finish(mut self) -> Signature {
        if self.parts.len() <= 1 {
            return self.parts.pop().unwrap_or(Signature::Empty);
        }
        let (mut start, mut first) = (0, 0);
        let place = |signature: Signature| {
            let part = SignaturePart {
                start,
                first,
                signature,
            };
            start += part.signature.bytes();
            first += part.signature.elements();
            part
        };
        let parts = self.parts.into_iter().map(place).collect();
        let item = Arc::new(Sequence {
            parts,
            bytes: start,
            elements: first,
        });
        Signature::Repeat { count: 1, item }
    }
}
