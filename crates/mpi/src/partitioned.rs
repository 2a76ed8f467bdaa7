//! Partitioned communication (MPI 5.0, chapter 4): parts that travel as they become ready.
//!
//! Which receive a send belongs to: "the order in which the local initialization calls are
//! performed" decides (4.2.1), not that of the starts. Both sides count the calls that name the
//! same communicator, partner and tag, and the messages go under tags made of the user's and of
//! that number. Nothing needs to be exchanged.
//!
//! How many partitions the other side has is not known either, and it may be another number. So
//! the bytes, not the partitions, are cut into [`TRANSFERS`] messages, each with a tag of its own:
//! one goes when all partitions that it has a byte of are ready, and a partition is here when all
//! messages that have a byte of it are. A receiver with more room than is sent finds the bytes
//! elsewhere than they belong, and moves them when all are here.

use std::collections::HashMap;
use std::ops::Range;

use base::Rank;
use datatype::Buffer;
use engine::{Core, Started};
use memory::{Scratch, UserBuf};
use pml::{CommId, Mode, Pattern, RequestId, Status};

use crate::request::Outcome;

/// Bits of a tag on the collective plane that partitioned messages have for themselves.
pub(crate) const TAG_BITS: u32 = 30;

/// Bits of the number of a message among those of one operation.
const TRANSFER_BITS: u32 = 4;

/// Into how many messages the bytes are cut.
const TRANSFERS: usize = 1 << TRANSFER_BITS;

/// Bits that tell requests apart.
const LABEL_BITS: u32 = TAG_BITS - TRANSFER_BITS;

/// Bits of the number of a request; it starts again from zero. As many requests for one partner
/// and tag would have to be there at once for two to be taken for each other.
const NUMBER_BITS: u32 = 11;
/// User's tags below this many bits are told apart in full, with every number.
const PLAIN_BITS: u32 = LABEL_BITS - 1 - NUMBER_BITS;

/// One of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Of `MPI_Psend_init`.
    Send,
    /// Of `MPI_Precv_init`.
    Recv,
}

/// How many requests a communicator has seen for each partner and tag.
#[derive(Debug, Default)]
pub(crate) struct Counts(HashMap<(Side, Rank, i32), u32>);

impl Counts {
    /// The tag, of [`TAG_BITS`] bits, for the first message of the next request. Those of the
    /// others follow it.
    pub(crate) fn next(&mut self, side: Side, partner: Rank, tag: i32) -> i32 {
        let count = self.0.entry((side, partner, tag)).or_default();
        let number = *count;
        *count = (*count + 1) % (1 << NUMBER_BITS);
        (label(tag as u32, number) << TRANSFER_BITS) as i32
    }
}

/// The upper half of the labels is for user's tags that are larger than those of all but a few
/// programs. There two pairs of tag and number may have one label; the first request of each tag
/// below 2^25 has its own.
fn label(tag: u32, number: u32) -> u32 {
    const LARGE: u32 = 1 << (LABEL_BITS - 1);
    if tag < 1 << PLAIN_BITS {
        return number << PLAIN_BITS | tag;
    }
    LARGE | (tag ^ number.wrapping_mul(0x9e37_79b1)) & (LARGE - 1)
}

/// Where the messages of a partitioned operation go, or come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// Whose messages they are.
    pub(crate) plane: CommId,
    /// The partner.
    pub(crate) partner: Rank,
    /// The tag of the first one.
    pub(crate) label: i32,
}

/// The messages of a partitioned operation that was started.
pub struct Transfers {
    all: Vec<Transfer>,
    /// The user's tag, where they are received.
    tag: Option<i32>,
    /// The elements. Elements with gaps are cut as packed bytes.
    buffer: Buffer,
    /// The packed bytes of elements with gaps.
    packed: Option<Scratch>,
    /// Whether everything is here and lies where it belongs.
    over: bool,
}

/// A message of a partitioned operation.
enum Transfer {
    /// So many partitions that it has bytes of are not ready.
    Waits(usize),
    /// Under way.
    Started(RequestId),
    /// How it ended.
    Ended(pml::Outcome),
}

/// Where transfer `index` of `len` bytes begins. The one past the last begins at the end. What does
/// not come out even goes to the first ones, so that none gets shorter as `len` grows.
fn begin(len: usize, index: usize) -> usize {
    index * (len / TRANSFERS) + index.min(len % TRANSFERS)
}

/// The transfer of `len` bytes that has byte `at`.
fn holder(len: usize, at: usize) -> usize {
    let (each, longer) = (len / TRANSFERS, len % TRANSFERS);
    match at < longer * (each + 1) {
        true => at / (each + 1),
        false => longer + (at - longer * (each + 1)) / each,
    }
}

/// The transfers of `len` bytes that have one of partition `part` of `parts`. Those without bytes
/// belong to the last one; where no transfer has any, they are shared out.
fn touched(len: usize, part: usize, parts: usize) -> Range<usize> {
    let each = len / parts;
    if each == 0 {
        return part * TRANSFERS / parts..((part + 1) * TRANSFERS).div_ceil(parts);
    }
    let last = match part + 1 == parts {
        true => TRANSFERS - 1,
        false => holder(len, (part + 1) * each - 1),
    };
    holder(len, part * each)..last + 1
}

impl Transfers {
    /// Those of a send with no partition ready. Without any partition, they go at once.
    pub(crate) fn send(core: &mut Core, path: Path, buffer: &Buffer, partitions: usize) -> Self {
        let mut waits = [0; TRANSFERS];
        for partition in 0..partitions {
            for index in touched(buffer.len(), partition, partitions) {
                waits[index] += 1;
            }
        }
        let mut made = Transfers::of(buffer, waits.map(Transfer::Waits).into(), None);
        if partitions == 0 {
            (0..TRANSFERS).for_each(|index| made.send_one(core, path, index));
        }
        made
    }

    /// Those of a receive, which all start.
    pub(crate) fn recv(core: &mut Core, path: Path, buffer: &Buffer, tag: i32) -> Self {
        let mut made = Transfers::of(buffer, Vec::new(), Some(tag));
        for index in 0..TRANSFERS {
            let pattern = Pattern {
                source: Some(path.partner),
                tag: Some(path.label + index as i32),
            };
            let part = made.part(index);
            let started = core.start_recv(path.plane, pattern, part);
            made.all.push(Transfer::Started(started));
        }
        made
    }

    fn of(buffer: &Buffer, all: Vec<Transfer>, tag: Option<i32>) -> Self {
        let with_gaps = buffer.contiguous().is_none();
        Transfers {
            all,
            tag,
            packed: with_gaps.then(|| Scratch::new(buffer.len())),
            buffer: buffer.clone(),
            over: false,
        }
    }

    /// The bytes of one transfer.
    fn part(&self, index: usize) -> Buffer {
        let bytes = match &self.packed {
            Some(packed) => packed.buf(),
            None => self.buffer.contiguous().unwrap_or(UserBuf::EMPTY),
        };
        let at = begin(bytes.len(), index);
        Buffer::bytes(bytes.part(at, begin(bytes.len(), index + 1) - at))
    }

    /// Sends what waited for partition `partition` of `partitions` last.
    pub(crate) fn ready(
        &mut self,
        core: &mut Core,
        path: Path,
        partition: usize,
        partitions: usize,
    ) {
        for index in touched(self.buffer.len(), partition, partitions) {
            let Transfer::Waits(left) = &mut self.all[index] else {
                continue;
            };
            *left -= 1;
            if *left == 0 {
                self.send_one(core, path, index);
            }
        }
    }

    fn send_one(&mut self, core: &mut Core, path: Path, index: usize) {
        let part = self.part(index);
        if let (Some(_), Some(bytes)) = (&self.packed, part.contiguous()) {
            self.buffer
                .pack_to_user(begin(self.buffer.len(), index), bytes);
        }
        let tag = path.label + index as i32;
        let started = core.start_send(path.plane, path.partner, tag, part, Mode::Standard);
        self.all[index] = match started {
            Started::Pending(request) => Transfer::Started(request),
            Started::Complete => Transfer::Ended(pml::Outcome {
                status: Status::EMPTY,
                result: Ok(()),
            }),
        };
    }

    /// Whether all transfers have ended.
    pub(crate) fn are_over(&mut self, core: &mut Core) -> bool {
        if self.over {
            return true;
        }
        (0..TRANSFERS).for_each(|index| self.look(core, index));
        self.over = (self.all.iter()).all(|one| matches!(one, Transfer::Ended(_)));
        if self.over && self.tag.is_some() {
            self.move_home();
        }
        self.over
    }

    /// Sees whether a transfer has ended, and unpacks what it brought.
    fn look(&mut self, core: &mut Core, index: usize) {
        let Transfer::Started(request) = self.all[index] else {
            return;
        };
        let Some(outcome) = core.pml.outcome(request) else {
            return;
        };
        self.all[index] = Transfer::Ended(outcome);
        let part = self.part(index);
        if let (Some(_), Some(_), Some(bytes)) = (self.tag, &self.packed, part.contiguous()) {
            self.buffer
                .unpack_from_user(begin(self.buffer.len(), index), bytes);
        }
    }

    /// Bytes that came with transfer `index`; `None` while it is under way.
    fn came(&self, index: usize) -> Option<usize> {
        match &self.all[index] {
            Transfer::Ended(outcome) => Some(outcome.status.bytes as usize),
            _ => None,
        }
    }

    /// Puts the bytes of a message that is shorter than the buffer where they belong.
    fn move_home(&mut self) {
        let room = self.buffer.len();
        let total = (0..TRANSFERS).filter_map(|index| self.came(index)).sum();
        if total == room || self.failure().is_some() {
            return;
        }
        let copy = Scratch::new(room);
        self.buffer.pack_to_user(0, copy.buf());
        for index in 0..TRANSFERS {
            let part = copy.buf().from(begin(room, index));
            let len = self.came(index).unwrap_or(0).min(part.len());
            self.buffer
                .unpack_from_user(begin(total, index), part.part(0, len));
        }
    }

    /// Whether partition `partition` of `partitions` is here.
    pub(crate) fn has(&mut self, core: &mut Core, partition: usize, partitions: usize) -> bool {
        let len = self.buffer.len();
        let here = touched(len, partition, partitions).all(|index| {
            self.look(core, index);
            self.came(index) == Some(begin(len, index + 1) - begin(len, index))
        });
        here || self.are_over(core)
    }

    fn failure(&self) -> Option<&pml::Outcome> {
        let ended = self.all.iter().filter_map(|one| match one {
            Transfer::Ended(outcome) => Some(outcome),
            _ => None,
        });
        let mut ended = ended.filter(|outcome| outcome.result.is_err());
        ended.next()
    }

    /// How they ended, together.
    pub(crate) fn outcome(&self) -> Outcome {
        let (Some(tag), Some(Transfer::Ended(first))) = (self.tag, self.all.first()) else {
            let empty = pml::Outcome {
                status: Status::EMPTY,
                result: Ok(()),
            };
            return self.failure().cloned().unwrap_or(empty).into();
        };
        let mut outcome = self.failure().unwrap_or(first).clone();
        outcome.status.tag = tag;
        outcome.status.bytes = (0..TRANSFERS)
            .filter_map(|index| self.came(index))
            .sum::<usize>() as u64;
        outcome.into()
    }

    /// Does something to each message that is under way.
    pub(crate) fn each(&self, mut act: impl FnMut(RequestId)) {
        for one in &self.all {
            if let Transfer::Started(request) = one {
                act(*request);
            }
        }
    }
}

impl Drop for Transfers {
    /// Messages that are under way keep the memory that they go from or to.
    fn drop(&mut self) {
        let mut under_way = false;
        self.each(|_| under_way = true);
        if under_way {
            std::mem::forget(self.packed.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn both_sides_count_alike_whatever_the_order_of_the_tags() {
        let (mut send, mut recv) = (Counts::default(), Counts::default());
        let peer = Rank(3);
        let sent = [2, 1, 2, 1].map(|tag| send.next(Side::Send, peer, tag));
        let received = [1, 1, 2, 2].map(|tag| recv.next(Side::Recv, peer, tag));
        assert_eq!(sent, [received[2], received[0], received[3], received[1]]);
    }

    #[test]
    fn tags_partners_and_sides_are_counted_apart() {
        let mut counts = Counts::default();
        let first = counts.next(Side::Send, Rank(0), 7);
        assert_eq!(counts.next(Side::Recv, Rank(0), 7), first);
        assert_eq!(counts.next(Side::Send, Rank(1), 7), first);
        assert_ne!(counts.next(Side::Send, Rank(0), 7), first);
    }

    #[test]
    fn labels_differ_and_fit() {
        let tags = [0, 1, 16_383, 16_384, 1 << 20, (1 << 25) - 1];
        let numbers = [0, 1, 2, 100, (1 << NUMBER_BITS) - 1];
        let pairs = tags
            .iter()
            .flat_map(|tag| numbers.map(|number| (*tag, number)));
        let labels: HashSet<u32> = pairs.map(|(tag, number)| label(tag, number)).collect();
        assert_eq!(labels.len(), tags.len() * numbers.len());
        assert!(labels.iter().all(|label| *label < 1 << LABEL_BITS));
    }

    #[test]
    fn transfers_that_share_a_byte_with_a_partition_are_those_that_it_touches() {
        for (len, parts) in [
            (7, 7),
            (48, 3),
            (1000, 8),
            (1000, 100),
            (96, 32),
            (5, 1),
            (17, 17),
        ] {
            for part in 0..parts {
                let bytes = part * len / parts..(part + 1) * len / parts;
                let touched = touched(len, part, parts);
                for index in 0..TRANSFERS {
                    let (from, to) = (begin(len, index), begin(len, index + 1));
                    let shared = from.max(bytes.start) < to.min(bytes.end);
                    let spare = from == to && part + 1 == parts;
                    let told = touched.contains(&index);
                    assert_eq!(
                        told,
                        shared || spare,
                        "{len} bytes, {part} of {parts}, {index}"
                    );
                }
            }
            assert_eq!(begin(len, TRANSFERS), len);
        }
    }

    #[test]
    fn without_bytes_every_transfer_waits_for_a_partition() {
        for parts in [1, 3, 16, 40] {
            let mut touches = [0; TRANSFERS];
            (0..parts).for_each(|part| touched(0, part, parts).for_each(|at| touches[at] += 1));
            assert!(touches.iter().all(|waits| *waits > 0), "{parts}");
        }
    }

    #[test]
    fn no_transfer_of_a_longer_message_is_shorter() {
        for len in 0..200 {
            let bytes = |len, index| begin(len, index + 1) - begin(len, index);
            assert!((0..TRANSFERS).all(|index| bytes(len, index) <= bytes(len + 1, index)));
        }
    }
}
