//! An access to the memory of a target: what it does, and to which bytes.
//!
//! An [`Access`] is a value. It does not say how it reaches its target: [`choose`](crate::choose)
//! names the carrier, and the driver has it started there ([`crate::Osc`]). One of a single
//! contiguous run is made without allocation, and its carrier mostly takes it at once.

use ::memory::UserBuf;
use btl::{AtomicOp, Width};
use datatype::{Basic, Buffer, Op};

use crate::wire::{comparand, Header, Kind};
use crate::words::{at_once, load, operand, width_of, TargetWord};

/// Pieces examined before it is clear whether an access is worth a lane.
const EXAMINED: usize = 8;

/// An access to the memory of a target. Buffers stay valid until it is complete.
#[derive(Clone, Debug)]
pub struct Access {
    /// The act, and the origin's side.
    pub verb: Verb,
    /// The target's bytes.
    pub place: TargetBytes,
}

/// The act of an access, and the origin's side of it.
#[derive(Clone, Debug)]
pub enum Verb {
    /// Writes.
    Put {
        /// The data to write.
        from: Buffer,
    },
    /// Reads.
    Get {
        /// The destination.
        into: Buffer,
    },
    /// Combines.
    Accumulate {
        /// The operation.
        op: Op,
        /// The only predefined datatype in both sides' datatypes.
        element: &'static Basic,
        /// The operand; empty for `MPI_NO_OP`.
        from: Buffer,
        /// The destination of the previous content.
        before: Option<Buffer>,
    },
    /// Replaces one element where it equals another.
    CompareAndSwap {
        /// The element's datatype.
        element: &'static Basic,
        /// The element to compare with.
        compare: UserBuf,
        /// The element to write.
        new: UserBuf,
        /// The destination of the previous content.
        before: Buffer,
    },
}

/// The bytes of the target that an access reads or changes.
#[derive(Clone, Debug)]
pub enum TargetBytes {
    /// One contiguous run, in elements without gaps.
    Contiguous {
        /// Bytes from the beginning of the target's window to the first.
        offset: u64,
        /// Number of bytes.
        len: usize,
    },
    /// Elements by their displacements in the target's window (in a dynamic window by their
    /// addresses there). **Only their addresses are used; nothing is read or written.**
    Layout(Buffer),
}

/// Bytes that a lane moves in one act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The local source or destination.
    pub local: UserBuf,
    /// Offset from the beginning of the target's window, in bytes.
    pub offset: u64,
}

/// Layout of an element in its datatype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grain {
    /// Blocks of any length, but whole elements of this size.
    Whole(usize),
    /// Elements of this size with gaps in them: each is a block of its own.
    Apart(usize),
}

/// The parts of an access that fits one message: contiguous runs of equal length on both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contiguous {
    pub(crate) offset: u64,
    pub(crate) len: usize,
    /// The data that goes to the target; empty for an access that only reads.
    pub(crate) data: UserBuf,
    /// The destination of the reply, where there is one.
    pub(crate) result: Option<UserBuf>,
}

impl TargetBytes {
    /// Returns the number of bytes, without gaps.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            TargetBytes::Contiguous { len, .. } => *len,
            TargetBytes::Layout(elements) => elements.len(),
        }
    }

    /// Whether the target accesses no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the offset of the first byte and the number of bytes, where these are contiguous.
    #[inline]
    pub fn contiguous(&self) -> Option<(u64, usize)> {
        match self {
            TargetBytes::Contiguous { offset, len } => Some((*offset, *len)),
            TargetBytes::Layout(elements) => {
                let bytes = elements.contiguous()?;
                Some((bytes.address().addr() as u64, bytes.len()))
            }
        }
    }
}

impl Verb {
    #[inline]
    fn kind(&self) -> Kind {
        match self {
            Verb::Put { .. } => Kind::Put,
            Verb::Get { .. } => Kind::Get,
            Verb::Accumulate { before: None, .. } => Kind::Accumulate,
            Verb::Accumulate { .. } => Kind::GetAccumulate,
            Verb::CompareAndSwap { .. } => Kind::CompareAndSwap,
        }
    }

    #[inline]
    pub(crate) fn element(&self) -> Option<&'static Basic> {
        match self {
            Verb::Put { .. } | Verb::Get { .. } => None,
            Verb::Accumulate { element, .. } | Verb::CompareAndSwap { element, .. } => {
                Some(element)
            }
        }
    }

    #[inline]
    fn op(&self) -> Option<Op> {
        match self {
            Verb::Accumulate { op, .. } => Some(*op),
            _ => None,
        }
    }

    /// Whether data goes to the target.
    pub(crate) fn sends(&self) -> bool {
        match self {
            Verb::Get { .. } => false,
            Verb::Accumulate { op, .. } => *op != Op::NoOp,
            _ => true,
        }
    }

    /// Returns the destination of the target's reply, where the access has one.
    pub(crate) fn result(&self) -> Option<&Buffer> {
        match self {
            Verb::Put { .. } => None,
            Verb::Get { into } => Some(into),
            Verb::Accumulate { before, .. } => before.as_ref(),
            Verb::CompareAndSwap { before, .. } => Some(before),
        }
    }

    /// Whether the target replies with data.
    #[inline]
    pub(crate) fn reads(&self) -> bool {
        self.result().is_some()
    }

    /// Returns whether a put (true) or a get (false); `None` for all others.
    #[inline]
    pub fn puts(&self) -> Option<bool> {
        match self {
            Verb::Put { .. } => Some(true),
            Verb::Get { .. } => Some(false),
            Verb::Accumulate { .. } | Verb::CompareAndSwap { .. } => None,
        }
    }

    /// Returns how its elements may be cut.
    pub(crate) fn grain(&self) -> Grain {
        match self {
            // All of its one element is in one message.
            Verb::CompareAndSwap { element, .. } => Grain::Whole(element.size as usize),
            _ => grain(self.element()),
        }
    }
}

fn grain(element: Option<&'static Basic>) -> Grain {
    let Some(element) = element else {
        return Grain::Whole(1);
    };
    let size = element.size as usize;
    let gap = datatype::predefined(element.handle)
        .is_some_and(|datatype| datatype.true_extent() as usize != size);
    match gap {
        true => Grain::Apart(size),
        false => Grain::Whole(size),
    }
}

impl Access {
    /// Returns the number of packed bytes at the target. The data may be shorter than the target's
    /// buffer, as in a message.
    pub(crate) fn len(&self) -> usize {
        match &self.verb {
            Verb::Put { from } => from.len().min(self.place.len()),
            Verb::Accumulate { from, .. } if self.verb.sends() => from.len().min(self.place.len()),
            _ => self.place.len(),
        }
    }

    /// Returns the access's parts, where one message can carry it, if that is not too long.
    #[inline]
    pub(crate) fn contiguous(&self) -> Option<Contiguous> {
        let (offset, len) = self.place.contiguous()?;
        let whole = |data: UserBuf| (data.len() == len).then_some(data);
        let (data, result) = match &self.verb {
            Verb::Put { from } => (whole(from.contiguous()?)?, None),
            Verb::Get { into } => (UserBuf::EMPTY, Some(into.contiguous()?)),
            Verb::Accumulate {
                op, from, before, ..
            } => {
                let data = match op {
                    Op::NoOp => UserBuf::EMPTY,
                    _ => whole(from.contiguous()?)?,
                };
                let result = match before {
                    Some(before) => Some(before.contiguous()?),
                    None => None,
                };
                (data, result)
            }
            Verb::CompareAndSwap { new, before, .. } => (whole(*new)?, Some(before.contiguous()?)),
        };
        if len == 0 || result.is_some_and(|result| result.len() < len) {
            return None;
        }
        if matches!(&self.place, TargetBytes::Layout(_))
            && matches!(self.verb.grain(), Grain::Apart(_))
        {
            return None;
        }
        Some(Contiguous {
            offset,
            len,
            data,
            result,
        })
    }

    /// Returns the header of a message, for the target's name of the window; its position is that
    /// of the first of its `bytes` bytes, except for a swap.
    #[inline]
    pub(crate) fn header(&self, name: u64, position: u64, bytes: u64) -> Header {
        let verb = &self.verb;
        Header {
            op: verb.op(),
            element: verb.element().map_or(0, |element| element.handle as u16),
            position,
            bytes,
            ..Header::new(verb.kind(), name)
        }
    }

    /// Returns the position in the header of an access in one message: the comparand of a swap,
    /// `None` where that does not fit, and else 0.
    #[inline]
    pub(crate) fn whole_position(&self) -> Option<u64> {
        match &self.verb {
            Verb::CompareAndSwap { compare, .. } => comparand(*compare),
            _ => Some(0),
        }
    }

    /// Returns the source or the destination of a put or a get.
    fn local(&self) -> Option<&Buffer> {
        match &self.verb {
            Verb::Put { from } => Some(from),
            Verb::Get { into } => Some(into),
            Verb::Accumulate { .. } | Verb::CompareAndSwap { .. } => None,
        }
    }

    /// Returns a put or a get as one piece, and whether it puts; `None` where it is not contiguous.
    #[inline]
    pub(crate) fn single_piece(&self) -> Option<(Piece, bool)> {
        let puts = self.verb.puts()?;
        let (local, (offset, len)) = (self.local()?.contiguous()?, self.place.contiguous()?);
        (len > 0 && local.len() == len).then_some((Piece { local, offset }, puts))
    }

    /// Whether a put or a get can be cut into pieces of at least `least` bytes on average, in a
    /// window addressed by offsets.
    pub(crate) fn is_worth_pieces(&self, least: usize) -> bool {
        let Some(local) = self.local() else {
            return false;
        };
        let len = self.place.len();
        if len == 0 || local.len() != len {
            return false;
        }
        if self.single_piece().is_some() {
            return true;
        }
        let least = least.max(1);
        let (mut here, mut there) = (Vec::new(), Vec::new());
        // Data in small pieces is mostly so from the start, and not expanded any further.
        for part in [len.min(least.saturating_mul(EXAMINED)), len] {
            self.expand(local, part, &mut here, &mut there);
            if here.len().max(there.len()) > part / least + 1 {
                return false;
            }
        }
        true
    }

    /// Lists the contiguous runs of the first `part` bytes on both sides.
    fn expand(
        &self,
        local: &Buffer,
        part: usize,
        here: &mut Vec<UserBuf>,
        there: &mut Vec<(u64, usize)>,
    ) {
        here.clear();
        there.clear();
        local.segments(0, part, here);
        match &self.place {
            TargetBytes::Contiguous { offset, .. } => there.push((*offset, part)),
            TargetBytes::Layout(elements) => {
                let mut runs = Vec::new();
                elements.segments(0, part, &mut runs);
                let run = |run: &UserBuf| (run.address().addr() as u64, run.len());
                there.extend(runs.iter().map(run));
            }
        }
    }

    /// Appends the pieces of a put or a get whose sides are equally long.
    pub fn cut(&self, into: &mut Vec<Piece>) {
        if let Some((piece, _)) = self.single_piece() {
            return into.push(piece);
        }
        let Some(local) = self.local() else {
            return;
        };
        let (mut here, mut there) = (Vec::new(), Vec::new());
        self.expand(local, self.place.len(), &mut here, &mut there);
        pair(&here, &there, into);
    }

    /// Returns how many elements it combines with the target's; 0 for a put or a get.
    pub fn combined(&self) -> usize {
        match &self.verb {
            Verb::Put { .. } | Verb::Get { .. } => 0,
            Verb::CompareAndSwap { .. } => 1,
            Verb::Accumulate { element, .. } => self.len() / element.size.max(1) as usize,
        }
    }

    /// Returns the word that it changes, if it is an accumulate of one in a window that begins
    /// `skew` bytes behind a multiple of 8.
    #[inline]
    pub fn word(&self, skew: u64) -> Option<TargetWord> {
        let (element, len) = (self.verb.element()?, self.len());
        let offset = match (self.place.contiguous(), &self.place) {
            (Some((offset, _)), _) => offset,
            (None, TargetBytes::Layout(elements)) => {
                // A word is one element, which is contiguous.
                let mut runs = Vec::new();
                elements.segments(0, len.min(width_of(element)?.bytes()), &mut runs);
                runs.first()?.address().addr() as u64
            }
            (None, TargetBytes::Contiguous { .. }) => return None,
        };
        TargetWord::of(element, offset, len, skew)
    }

    /// Returns the origin's operand as a word.
    pub(crate) fn operand(&self, width: Width) -> u64 {
        match &self.verb {
            Verb::Accumulate { op: Op::NoOp, .. } => 0,
            Verb::Accumulate { from, .. } => operand(from, width),
            Verb::CompareAndSwap { new, .. } => load(*new, width),
            Verb::Put { .. } | Verb::Get { .. } => 0,
        }
    }

    /// Returns the one step by which a lane does an accumulate of a word; `None` where it takes
    /// several.
    #[inline]
    pub(crate) fn single_step(&self, width: Width) -> Option<AtomicOp> {
        match &self.verb {
            Verb::CompareAndSwap { compare, .. } => {
                Some(AtomicOp::CompareSwap(load(*compare, width)))
            }
            Verb::Accumulate { op, element, .. } => at_once(*op, element),
            Verb::Put { .. } | Verb::Get { .. } => None,
        }
    }
}

/// Cuts two lists of contiguous runs alike.
fn pair(here: &[UserBuf], there: &[(u64, usize)], into: &mut Vec<Piece>) {
    let (mut there, mut used) = (there.iter(), 0);
    let mut run = there.next().copied();
    for local in here {
        let mut at = 0;
        while at < local.len() {
            let Some((offset, room)) = run else { return };
            let len = (local.len() - at).min(room - used);
            into.push(Piece {
                local: local.part(at, len),
                offset: offset + used as u64,
            });
            at += len;
            used += len;
            if used == room {
                (run, used) = (there.next().copied(), 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ::memory::Scratch;

    use super::*;

    #[test]
    fn two_lists_of_runs_are_cut_alike() {
        let memory = Scratch::new(100);
        let part = |&(at, len): &(usize, usize)| memory.buf().part(at, len);
        let here: Vec<UserBuf> = [(0, 10), (20, 5), (40, 15)].iter().map(part).collect();
        let mut pieces = Vec::new();
        pair(&here, &[(50, 12), (0, 18)], &mut pieces);
        let base = memory.buf().address().addr();
        let shown = |piece: &Piece| {
            let at = piece.local.address().addr() - base;
            (at, piece.offset, piece.local.len())
        };
        let shown: Vec<_> = pieces.iter().map(shown).collect();
        let expected = [(0, 50, 10), (20, 60, 2), (22, 0, 3), (40, 3, 15)];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_short_or_in_small_pieces_is_not_worth_a_lane() {
        let memory = Scratch::new(4096);
        let byte = datatype::predefined(0x209).unwrap();
        let vector = datatype::Datatype::vector(64, 1, 4, byte).unwrap();
        let gaps = Buffer::over(memory.buf(), 1, &std::sync::Arc::new(vector)).unwrap();
        let whole = Buffer::bytes(memory.buf().part(0, gaps.len()));
        let put = |place| Access {
            verb: Verb::Put {
                from: whole.clone(),
            },
            place,
        };
        let apart = put(TargetBytes::Layout(gaps));
        assert!(!apart.is_worth_pieces(64) && apart.is_worth_pieces(1));
        let mut pieces = Vec::new();
        apart.cut(&mut pieces);
        assert_eq!(pieces.len(), 64);
        pieces.clear();
        let len = whole.len();
        let together = put(TargetBytes::Contiguous { offset: 8, len });
        assert!(together.is_worth_pieces(1 << 20));
        together.cut(&mut pieces);
        assert_eq!((pieces.len(), pieces[0].offset), (1, 8));
        let short = put(TargetBytes::Contiguous { offset: 8, len: 8 });
        assert!(!short.is_worth_pieces(1), "as long as its origin");
    }

    #[test]
    fn an_access_of_equal_contiguous_runs_fits_one_message() {
        let memory = Scratch::new(64);
        let bytes = |len| Buffer::bytes(memory.buf().part(0, len));
        let place = |len| TargetBytes::Contiguous { offset: 16, len };
        let fits = |verb, len| {
            let access = Access {
                verb,
                place: place(len),
            };
            let parts = access.contiguous();
            parts.map(|parts| {
                (
                    parts.offset,
                    parts.len,
                    parts.data.len(),
                    parts.result.is_some(),
                )
            })
        };
        let put = |len| Verb::Put { from: bytes(len) };
        assert_eq!(fits(put(8), 8), Some((16, 8, 8, false)));
        assert_eq!(fits(put(8), 16), None, "shorter than its place");
        assert_eq!(fits(put(0), 0), None);
        let get = |len| Verb::Get { into: bytes(len) };
        assert_eq!(fits(get(16), 8), Some((16, 8, 0, true)));
        assert_eq!(fits(get(4), 8), None, "no room for the reply");
        let element = datatype::predefined(0x209).unwrap().predefined().unwrap();
        let sum = |op, from, before| Verb::Accumulate {
            op,
            element,
            from: bytes(from),
            before,
        };
        assert_eq!(fits(sum(Op::Sum, 8, None), 8), Some((16, 8, 8, false)));
        let fetch = sum(Op::NoOp, 0, Some(bytes(8)));
        assert_eq!(fits(fetch, 8), Some((16, 8, 0, true)));
    }
}
