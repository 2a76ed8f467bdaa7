//! The memory of a window at its own process, and what requests do to it.
//!
//! **No memory is accessed before every range of a request is checked**, whatever the peer's own
//! library has checked.

use datatype::{Buffer, Combining, Datatype, Op};
use memory::{Payload, Scratch, UserBuf};

use crate::wire::{violation, Header, Run, Violation};

/// The memory that a window opens to its peers.
#[derive(Debug)]
pub enum Memory {
    /// One contiguous block; displacements count from its beginning.
    Fixed(UserBuf),
    /// The regions attached at the moment; displacements are addresses.
    Attached(Vec<UserBuf>),
}

impl Memory {
    /// Returns `len` bytes at a displacement.
    #[inline]
    pub(crate) fn part(&self, offset: u64, len: u64) -> Option<UserBuf> {
        let len = usize::try_from(len).ok()?;
        match self {
            Memory::Fixed(all) => {
                let offset = usize::try_from(offset).ok()?;
                (offset <= all.len() && len <= all.len() - offset).then(|| all.part(offset, len))
            }
            Memory::Attached(regions) => regions.iter().find_map(|region| {
                let offset = offset.checked_sub(region.address().addr() as u64)?;
                let offset = usize::try_from(offset).ok()?;
                let inside = offset <= region.len() && len <= region.len() - offset;
                inside.then(|| region.part(offset, len))
            }),
        }
    }

    /// Calls `each` with the blocks of the runs in order. `None`, and no call, where one of them is
    /// not in the window. Blocks may be cut, between elements of `size` bytes.
    fn each(&self, runs: &[Run], size: usize, mut each: impl FnMut(UserBuf)) -> Option<()> {
        for run in runs {
            self.reach(run, size)?;
        }
        for run in runs {
            for index in 0..run.count {
                self.pieces(block(run, index)?, run.len, size, &mut each)?;
            }
        }
        Some(())
    }

    /// Checks that all blocks of a run lie in the window.
    fn reach(&self, run: &Run, size: usize) -> Option<()> {
        match self {
            // The first and the last one are the outermost.
            Memory::Fixed(_) => {
                self.part(block(run, 0)?, run.len)?;
                self.part(block(run, run.count - 1)?, run.len)?;
            }
            Memory::Attached(_) => {
                for index in 0..run.count {
                    self.pieces(block(run, index)?, run.len, size, &mut |_| {})?;
                }
            }
        }
        Some(())
    }

    /// Calls `each` with a block, in pieces where it goes on from one attached region to the next.
    fn pieces(
        &self,
        mut at: u64,
        mut len: u64,
        size: usize,
        each: &mut impl FnMut(UserBuf),
    ) -> Option<()> {
        if let Some(whole) = self.part(at, len) {
            each(whole);
            return Some(());
        }
        let Memory::Attached(regions) = self else {
            return None;
        };
        while len > 0 {
            let ahead = |region: &UserBuf| at.checked_sub(region.address().addr() as u64);
            let rest = regions.iter().find_map(|region| {
                let rest = (region.len() as u64).checked_sub(ahead(region)?)?;
                (rest > 0).then_some(rest)
            });
            let now = rest?.min(len);
            if now % size as u64 != 0 {
                return None;
            }
            each(self.part(at, now)?);
            (at, len) = (at + now, len - now);
        }
        Some(())
    }

    /// Writes packed bytes to runs that cover as many. `None` where one is not in the window.
    pub(crate) fn put(&self, runs: &[Run], data: Payload<'_>) -> Option<()> {
        let mut at = 0;
        self.each(runs, 1, |block| {
            data.part(at, block.len()).copy_to_user(block);
            at += block.len();
        })
    }

    /// Reads the runs into `into`, whose content is overwritten.
    pub(crate) fn get(&self, runs: &[Run], into: &mut Vec<u8>) -> Option<()> {
        let bytes: u64 = runs.iter().map(|run| run.len * run.count).sum();
        into.resize(usize::try_from(bytes).ok()?, 0);
        let mut at = 0;
        self.each(runs, 1, |block| {
            let end = at + block.len();
            block.read(0, &mut into[at..end]);
            at = end;
        })
    }

    /// Combines packed elements of a predefined datatype with the window's, and appends the
    /// previous content to `before`, where it is given.
    ///
    /// # Errors
    /// When the runs do not hold whole elements, or the operation is not defined for them.
    pub(crate) fn accumulate(
        &self,
        (op, datatype): (Op, &Datatype),
        runs: &[Run],
        data: Payload<'_>,
        mut before: Option<&mut Vec<u8>>,
        room: &mut ScratchBuffer,
    ) -> Result<Option<()>, Violation> {
        let elements = Elements::new(op, datatype, runs)?;
        let scratch = room.of(data.len() + elements.gap);
        let mut at = 0;
        let mut act = |block: UserBuf| {
            let packed = block.len() - elements.gap;
            if let Some(before) = &mut before {
                elements.read(block, packed, before);
            }
            if op != Op::NoOp {
                let data = data.part(at, packed);
                elements.combine(data, scratch, block);
            }
            at += packed;
        };
        if elements.gap == 0 {
            return Ok(self.each(runs, elements.size, act));
        }
        // Each run has single elements, with their gaps.
        let spread = |run: &Run| Run {
            len: run.len + elements.gap as u64,
            ..*run
        };
        let spread: Vec<Run> = runs.iter().map(spread).collect();
        Ok(self.each(&spread, elements.size + elements.gap, &mut act))
    }

    /// Swaps one element; appends the previous content.
    pub(crate) fn swap(&self, run: &Run, swap: &Swap, before: &mut Vec<u8>) -> Option<()> {
        let there = self.part(run.offset, run.len)?;
        let at = before.len();
        before.resize(at + there.len(), 0);
        there.read(0, &mut before[at..]);
        swap.run(there);
        Some(())
    }
}

/// The comparand and the new element of a swap, in their first bytes.
pub(crate) struct Swap {
    compare: u128,
    new: u128,
}

impl Swap {
    /// Decodes the swap of a message; see [`crate::wire::comparand`]. `None` where it is not about
    /// one element.
    #[inline]
    pub(crate) fn of(header: &Header, data: &Payload<'_>) -> Option<Swap> {
        let len = usize::try_from(datatype::basic(u32::from(header.element))?.size).ok()?;
        let in_header = len <= size_of_val(&header.position);
        let brings = if in_header { len } else { 2 * len };
        if header.bytes != len as u64 || data.len() != brings {
            return None;
        }
        let operand = |at| {
            let mut bytes = [0; size_of::<u128>()];
            data.part(at, len).copy_to(bytes.get_mut(..len)?);
            Some(u128::from_le_bytes(bytes))
        };
        Some(match in_header {
            true => Swap {
                compare: u128::from(header.position),
                new: operand(0)?,
            },
            false => Swap {
                compare: operand(0)?,
                new: operand(len)?,
            },
        })
    }

    /// Swaps an element that is as long as the operands.
    #[inline]
    pub(crate) fn run(&self, there: UserBuf) {
        let mut found = [0; size_of::<u128>()];
        there.read(0, &mut found[..there.len()]);
        if u128::from_le_bytes(found) == self.compare {
            there.write(0, &self.new.to_le_bytes()[..there.len()]);
        }
    }
}

/// Combines elements that a message brings. They are copied first: a peer may still be writing
/// them.
#[inline]
pub(crate) fn combine(how: Combining, data: Payload<'_>, room: &mut ScratchBuffer, there: UserBuf) {
    if how.op() == Op::Replace {
        return data.copy_to_user(there);
    }
    let source = room.of(there.len());
    data.copy_to_user(source);
    how.run(source, there);
}

/// A buffer for the data of a peer, reused for the next.
#[derive(Default)]
pub(crate) struct ScratchBuffer(Option<Scratch>);

impl ScratchBuffer {
    /// Returns `len` bytes of any content.
    fn of(&mut self, len: usize) -> UserBuf {
        let kept = self.0.take().filter(|kept| kept.buf().len() >= len);
        let kept = kept.unwrap_or_else(|| Scratch::new(len.next_power_of_two()));
        self.0.insert(kept).buf().part(0, len)
    }
}

/// Returns the offset of a block of a run.
fn block(run: &Run, index: u64) -> Option<u64> {
    let moved = i128::from(run.offset) + i128::from(run.stride) * i128::from(index);
    u64::try_from(moved).ok()
}

/// Elements that an operation combines.
struct Elements<'a> {
    op: Op,
    datatype: &'a Datatype,
    size: usize,
    /// Bytes that an element lacks in the packed form: those of pairs are apart.
    gap: usize,
}

impl Elements<'_> {
    fn new<'a>(op: Op, datatype: &'a Datatype, runs: &[Run]) -> Result<Elements<'a>, Violation> {
        if !op.one_sided_only() && !datatype::allowed(op, datatype) {
            return violation("an operation that its datatype does not support");
        }
        let size = datatype.size() as usize;
        let gap = datatype.true_extent() as usize - size;
        let whole = |run: &Run| match gap {
            0 => run.len.is_multiple_of(size as u64),
            _ => run.len == size as u64,
        };
        match runs.iter().all(whole) {
            true => Ok(Elements {
                op,
                datatype,
                size,
                gap,
            }),
            false => violation("runs that do not hold whole elements"),
        }
    }

    /// Returns one element with gaps as a buffer; those without are bytes.
    fn spread(&self, room: UserBuf) -> Option<Buffer> {
        let datatype = datatype::predefined(self.datatype.predefined()?.handle)?;
        Buffer::over(room, 1, datatype).ok()
    }

    fn read(&self, block: UserBuf, packed: usize, into: &mut Vec<u8>) {
        let at = into.len();
        into.resize(at + packed, 0);
        if self.gap == 0 {
            block.read(0, &mut into[at..]);
        } else if let Some(element) = self.spread(block) {
            element.pack_into(0, &mut into[at..]);
        }
    }

    /// Combines data with elements. The data is copied first: a peer may still be writing it.
    fn combine(&self, data: Payload<'_>, scratch: UserBuf, into: UserBuf) {
        let (source, count) = (scratch.part(0, into.len()), data.len() / self.size);
        if self.gap == 0 {
            data.copy_to_user(source);
            if self.op == Op::Replace {
                return into.copy_from(&source);
            }
        } else if self.op == Op::Replace {
            if let Some(element) = self.spread(into) {
                element.unpack(0, data);
            }
            return;
        } else if let Some(element) = self.spread(source) {
            element.unpack(0, data);
        }
        let done = datatype::reduce(self.op, self.datatype, source, into, count);
        debug_assert!(done.is_ok(), "checked before: {done:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(offset: u64, len: u64, stride: i64, count: u64) -> Run {
        Run {
            offset,
            len,
            stride,
            count,
        }
    }

    fn content(memory: &Memory) -> Vec<u8> {
        let Memory::Fixed(all) = memory else { panic!() };
        let mut bytes = vec![0; all.len()];
        all.read(0, &mut bytes);
        bytes
    }

    #[test]
    fn data_goes_to_its_runs_and_comes_back() {
        let scratch = Scratch::new(16);
        let memory = Memory::Fixed(scratch.buf());
        memory
            .put(&[run(0, 16, 0, 1)], (&[0u8; 16][..]).into())
            .unwrap();
        let runs = [run(12, 2, -4, 3), run(0, 1, 0, 1)];
        let data = [1u8, 2, 3, 4, 5, 6, 7];
        memory.put(&runs, (&data[..]).into()).unwrap();
        let expected = [7, 0, 0, 0, 5, 6, 0, 0, 3, 4, 0, 0, 1, 2, 0, 0];
        assert_eq!(content(&memory), expected);
        let mut found = Vec::new();
        memory.get(&runs, &mut found).unwrap();
        assert_eq!(found, data);
    }

    #[test]
    fn a_request_that_leaves_the_window_changes_nothing() {
        let scratch = Scratch::new(16);
        let memory = Memory::Fixed(scratch.buf());
        memory
            .put(&[run(0, 16, 0, 1)], (&[9u8; 16][..]).into())
            .unwrap();
        for bad in [
            run(14, 4, 0, 1),
            run(0, 4, 8, 3),
            run(8, 4, -8, 3),
            run(u64::MAX - 1, 4, 0, 1),
            run(0, 4, i64::MAX, 2),
            run(17, 4, -1, 1),
        ] {
            let data = [1u8; 64];
            let bytes = 4 + (bad.len * bad.count) as usize;
            let runs = [run(0, 4, 0, 1), bad];
            assert_eq!(memory.put(&runs, (&data[..bytes]).into()), None, "{bad:?}");
            assert_eq!(memory.get(&runs, &mut Vec::new()), None);
            assert_eq!(content(&memory), [9; 16]);
        }
    }

    #[test]
    fn attached_memory_is_reached_by_address() {
        let (one, two) = (Scratch::new(8), Scratch::new(8));
        let memory = Memory::Attached(vec![one.buf(), two.buf()]);
        let at = two.buf().address().addr() as u64;
        memory
            .put(&[run(at + 4, 4, 0, 1)], (&[1u8, 2, 3, 4][..]).into())
            .unwrap();
        let mut found = [0; 4];
        two.buf().read(4, &mut found);
        assert_eq!(found, [1, 2, 3, 4]);
        assert_eq!(memory.get(&[run(at + 5, 4, 0, 1)], &mut Vec::new()), None);
        let halves = Memory::Attached(vec![two.buf().part(4, 4), two.buf().part(0, 4)]);
        let data = [9u8, 8, 7, 6];
        halves
            .put(&[run(at + 2, 4, 0, 1)], (&data[..]).into())
            .unwrap();
        let mut across = Vec::new();
        halves.get(&[run(at, 8, 0, 1)], &mut across).unwrap();
        assert_eq!(across, [0, 0, 9, 8, 7, 6, 3, 4]);
        assert_eq!(halves.get(&[run(at + 2, 7, 0, 1)], &mut across), None);
        assert_eq!(memory.get(&[run(0, 4, 0, 1)], &mut Vec::new()), None);
    }

    /// `short` and `int` have a gap between them, `double` and `int` behind: the last element may
    /// end with its data.
    #[test]
    fn pairs_with_gaps_are_combined_one_by_one() {
        let pair = datatype::predefined(
            datatype::BASICS
                .iter()
                .find(|row| row.name == "MPI_SHORT_INT")
                .unwrap()
                .handle,
        )
        .unwrap();
        let scratch = Scratch::new(16);
        let memory = Memory::Fixed(scratch.buf());
        memory
            .put(&[run(0, 16, 0, 1)], (&[0x55u8; 16][..]).into())
            .unwrap();
        let data = [3u8, 0, 7, 0, 0, 0, 4, 0, 8, 0, 0, 0];
        let runs = [run(0, 6, 8, 2)];
        let act = |op, before: Option<&mut Vec<u8>>| {
            memory.accumulate(
                (op, pair),
                &runs,
                (&data[..]).into(),
                before,
                &mut ScratchBuffer::default(),
            )
        };
        act(Op::Replace, None).unwrap().unwrap();
        let expected = [3, 0, 0x55, 0x55, 7, 0, 0, 0, 4, 0, 0x55, 0x55, 8, 0, 0, 0];
        assert_eq!(content(&memory), expected);
        let mut before = Vec::new();
        act(Op::Maxloc, Some(&mut before)).unwrap().unwrap();
        assert_eq!(before, data);
        assert!(act(Op::Sum, None).is_err());
    }

    #[test]
    fn only_what_equals_is_swapped() {
        let scratch = Scratch::new(8);
        let memory = Memory::Fixed(scratch.buf());
        memory
            .put(&[run(0, 8, 0, 1)], (&[1u8, 0, 0, 0, 2, 0, 0, 0][..]).into())
            .unwrap();
        let swap = Swap {
            compare: 2,
            new: 0x0707_0707,
        };
        let mut before = Vec::new();
        memory.swap(&run(4, 4, 0, 1), &swap, &mut before).unwrap();
        memory.swap(&run(0, 4, 0, 1), &swap, &mut before).unwrap();
        assert_eq!(before, [2, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(content(&memory), [1, 0, 0, 0, 7, 7, 7, 7]);
    }
}
