//! The debug mode `osc_check`: which accesses of one epoch conflict (MPI 5.0, 12.7).
//!
//! The target of a window records the ranges that others have accessed, until their epoch is known
//! to be over, and compares each access with them. A conflict goes back with the next confirmation,
//! and is an error of the call that waits for that. So each epoch of a checked window has its
//! accesses confirmed, also those that only read.
//!
//! An access carries the epoch that its origin is in ([`Mark`]). It is recorded
//!
//! * in an epoch of a fence until the next fence, whose number comes with whatever follows it;
//! * in one of a group until the target's `MPI_Win_wait`;
//! * in one of a lock until a flush, or the end of the lock. Later accesses may have been put in
//!   order by other means, such as a message.
//!
//! A reading access with a request handle is compared and not recorded: the target cannot know when
//! its origin waited for it. Loads and stores are not seen.
//!
//! Accesses of one origin by one call in one epoch are a [`Group`], whose ranges are in rising
//! order and disjoint: an access is compared with a few groups, and in each with the ranges that it
//! meets, however many accesses the epoch has.

use std::collections::BTreeMap;

use base::wire::{read_u32, read_u64, write_u32, write_u64};
use datatype::Op;
use memory::Payload;

use crate::wire::{Header, Kind, Run};

/// Most ranges recorded of a window, some 32 bytes each: those of the oldest group are forgotten.
const KEPT_MAX: usize = 1 << 20;

/// Bytes of a conflict in a message.
pub(crate) const CONFLICT_BYTES: usize = 2 * PARTY_BYTES;
const PARTY_BYTES: usize = 32;

/// The epoch of an access, in the field `status` of its messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark(pub(crate) u32);

/// The kind of epoch that an access belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Era {
    /// Since `MPI_Win_lock` or `MPI_Win_lock_all`.
    Passive = 1,
    /// Since `MPI_Win_start`.
    Started = 2,
    /// Since `MPI_Win_fence`.
    Fence = 3,
}

impl Mark {
    const ERA: u32 = 3;
    const HANDLE: u32 = 1 << 2;
    const FENCES: u32 = 3;

    /// Makes the mark of an access after `fences` fences; `handle` says whether it has a request.
    pub(crate) fn new(era: Era, handle: bool, fences: u32) -> Mark {
        let handle = if handle { Mark::HANDLE } else { 0 };
        Mark(era as u32 | handle | fences << Mark::FENCES)
    }

    fn is(self, era: Era) -> bool {
        self.0 & Mark::ERA == era as u32
    }

    fn has_handle(self) -> bool {
        self.0 & Mark::HANDLE != 0
    }

    fn fences(self) -> u32 {
        self.0 >> Mark::FENCES
    }
}

/// One of two accesses that conflict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Party {
    /// Its origin.
    pub rank: u32,
    /// The call, with the operation of an accumulate.
    call: AccessCall,
    /// The first byte that both access, and the one behind the last.
    begin: u64,
    end: u64,
}

/// The call that made an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct AccessCall {
    kind: Kind,
    handle: bool,
    op: Option<Op>,
    element: u16,
}

/// Two accesses of one epoch to the same bytes, of which one changes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The earlier access.
    pub first: Party,
    /// The later access.
    pub second: Party,
}

/// An access to be compared.
struct Access {
    rank: u32,
    /// Number of the access, which all of its parts have.
    token: u64,
    mark: Mark,
    call: AccessCall,
    /// In rising order, disjoint.
    ranges: Vec<(u64, u64)>,
}

/// Recorded accesses of one origin by one call in one epoch.
struct Group {
    rank: u32,
    mark: Mark,
    call: AccessCall,
    /// Ends of ranges by their beginnings, each with the token of its access.
    ranges: BTreeMap<u64, (u64, u64)>,
}

/// The recorded accesses to the window of this process.
#[derive(Default)]
pub(crate) struct Check {
    /// Fences that this process has been through.
    pub(crate) fences: u32,
    groups: Vec<Group>,
    /// Ranges of all groups.
    kept: usize,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ranges after {} fences", self.kept, self.fences)
    }
}

impl Check {
    /// Counts a fence that this process is through.
    pub(crate) fn fenced(&mut self) {
        self.fences = self.fences.wrapping_add(1) & (u32::MAX >> Mark::FENCES);
    }

    fn retain(&mut self, keep: impl Fn(&Group) -> bool) {
        self.groups.retain(keep);
        self.kept = self.groups.iter().map(|group| group.ranges.len()).sum();
    }

    /// Forgets the accesses of a rank under its lock, which are complete.
    pub(crate) fn flushed(&mut self, rank: u32) {
        self.retain(|group| group.rank != rank || !group.mark.is(Era::Passive));
    }

    /// Forgets the accesses of a group to this process's exposure, which are complete.
    pub(crate) fn withdrawn(&mut self, has: impl Fn(u32) -> bool) {
        self.retain(|group| !has(group.rank) || !group.mark.is(Era::Started));
    }

    /// Forgets all accesses of a rank.
    pub(crate) fn forget(&mut self, rank: u32) {
        self.retain(|group| group.rank != rank);
    }

    /// Compares and records an access, found to lie in the window. Returns what it conflicts with.
    pub(crate) fn access(&mut self, rank: u32, header: &Header, runs: &[Run]) -> Option<Conflict> {
        let mark = Mark(header.status);
        let outdated =
            |group: &Group| group.mark.is(Era::Fence) && group.mark.fences() != mark.fences();
        if self.groups.iter().any(outdated) {
            self.retain(|group| !outdated(group));
        }
        let call = AccessCall {
            kind: header.kind,
            handle: mark.has_handle(),
            op: header.op,
            element: header.element,
        };
        let access = Access {
            rank,
            token: header.token,
            mark,
            call,
            ranges: ranges(runs),
        };
        let conflict = self.groups.iter().find_map(|group| group.meets(&access));
        if !(mark.has_handle() && call.reads_only()) {
            self.keep(&access);
        }
        conflict
    }

    fn keep(&mut self, access: &Access) {
        let known = self.groups.iter().position(|group| group.has(access));
        let at = known.unwrap_or(self.groups.len());
        if known.is_none() {
            self.groups.push(Group::of(access));
        }
        let group = &mut self.groups[at];
        self.kept -= group.ranges.len();
        group.insert(access);
        self.kept += group.ranges.len();
        while self.kept > KEPT_MAX {
            let oldest = &mut self.groups[0];
            self.kept -= usize::from(oldest.ranges.pop_first().is_some());
            if oldest.ranges.is_empty() {
                self.groups.remove(0);
            }
        }
    }
}

impl Group {
    /// Returns an empty group that an access belongs to.
    fn of(access: &Access) -> Group {
        Group {
            rank: access.rank,
            mark: access.mark,
            call: access.call,
            ranges: BTreeMap::new(),
        }
    }

    fn has(&self, access: &Access) -> bool {
        (self.rank, self.mark, self.call) == (access.rank, access.mark, access.call)
    }

    /// Returns where an access conflicts with this group. The parts of one access do not.
    fn meets(&self, access: &Access) -> Option<Conflict> {
        let same_origin = self.rank == access.rank;
        if !self.call.conflicts(&access.call, same_origin) {
            return None;
        }
        let is_part = |token: u64| same_origin && token == access.token;
        let common = |(begin, end): (u64, u64)| {
            let mut near = self.near(begin, end);
            near.find_map(|(known, known_end, token)| {
                let (begin, end) = (begin.max(known), end.min(known_end));
                (begin < end && !is_part(token)).then_some((begin, end))
            })
        };
        let (begin, end) = access.ranges.iter().copied().find_map(common)?;
        let party = |rank: u32, call: AccessCall| Party {
            rank,
            call,
            begin,
            end,
        };
        Some(Conflict {
            first: party(self.rank, self.call),
            second: party(access.rank, access.call),
        })
    }

    /// Records an access. Ranges that overlap become one, since a conflict between them was
    /// reported already. Ranges that touch do too, where their accesses need not be distinguished.
    fn insert(&mut self, access: &Access) {
        let token = match self.call.conflicts(&self.call, true) {
            true => access.token,
            false => 0,
        };
        for &(mut begin, mut end) in &access.ranges {
            let joins = |(known, known_end, other): &(u64, u64, u64)| {
                (*known < end && begin < *known_end) || *other == token
            };
            let joined: Vec<_> = self.near(begin, end).filter(joins).collect();
            for (known, known_end, _) in joined {
                self.ranges.remove(&known);
                begin = begin.min(known);
                end = end.max(known_end);
            }
            self.ranges.insert(begin, (end, token));
        }
    }

    /// Returns the ranges that overlap or touch one, with their tokens.
    fn near(&self, begin: u64, end: u64) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let before = self.ranges.range(..begin).next_back();
        let before = before.filter(|(_, (known_end, _))| *known_end >= begin);
        let all = before.into_iter().chain(self.ranges.range(begin..=end));
        all.map(|(begin, (end, token))| (*begin, *end, *token))
    }
}

impl AccessCall {
    fn combines(&self) -> bool {
        !matches!(self.kind, Kind::Put | Kind::Get)
    }

    fn reads_only(&self) -> bool {
        self.kind == Kind::Get || self.op == Some(Op::NoOp)
    }

    /// Whether two accesses to the same bytes may not be of one epoch. Accumulates of one datatype
    /// may, where they have one operation, or none, and those of one origin are in order
    /// (MPI 5.0, 12.7.1 and 12.7.2).
    fn conflicts(&self, other: &AccessCall, same_origin: bool) -> bool {
        if self.reads_only() && other.reads_only() {
            return false;
        }
        if !self.combines() || !other.combines() {
            return true;
        }
        let mixed = match (self.op, other.op) {
            (Some(Op::NoOp), _) | (_, Some(Op::NoOp)) => false,
            // A swap goes with every operation.
            (None, _) | (_, None) => false,
            (one, another) => one != another,
        };
        self.element != other.element || (mixed && !same_origin)
    }
}

/// Returns the bytes of runs in rising order, merged where they touch.
fn ranges(runs: &[Run]) -> Vec<(u64, u64)> {
    let mut all = Vec::new();
    for run in runs {
        if run.count == 1 || run.stride == run.len as i64 {
            all.push((run.offset, run.offset + run.len * run.count));
            continue;
        }
        let begin = |index: u64| run.offset.wrapping_add((index as i64 * run.stride) as u64);
        all.extend((0..run.count).map(|index| (begin(index), begin(index) + run.len)));
    }
    all.sort_unstable();
    all.dedup_by(|next, last| {
        let touches = next.0 <= last.1;
        if touches {
            last.1 = last.1.max(next.1);
        }
        touches
    });
    all
}

impl Conflict {
    /// Encodes it for a message.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; CONFLICT_BYTES];
        for (party, bytes) in [self.first, self.second]
            .iter()
            .zip(bytes.chunks_mut(PARTY_BYTES))
        {
            write_u32(bytes, 0, party.rank);
            bytes[4] = party.call.kind as u8;
            bytes[5] = u8::from(party.call.handle);
            bytes[6] = party.call.op.map_or(0, |op| op.handle() as u8);
            write_u32(bytes, 8, u32::from(party.call.element));
            write_u64(bytes, 16, party.begin);
            write_u64(bytes, 24, party.end);
        }
        bytes
    }

    /// Decodes a conflict; `None` when it is malformed.
    pub(crate) fn decode(payload: &Payload<'_>) -> Option<Conflict> {
        let bytes = payload.head::<CONFLICT_BYTES>()?;
        let party = |bytes: &[u8]| {
            Some(Party {
                rank: read_u32(bytes, 0)?,
                call: AccessCall {
                    kind: Kind::from_byte(bytes[4]).filter(|kind| *kind as u8 <= 5)?,
                    handle: bytes[5] != 0,
                    op: Op::from_handle(u32::from(bytes[6])),
                    element: u16::try_from(read_u32(bytes, 8)?).ok()?,
                },
                begin: read_u64(bytes, 16)?,
                end: read_u64(bytes, 24)?,
            })
        };
        Some(Conflict {
            first: party(&bytes[..PARTY_BYTES])?,
            second: party(&bytes[PARTY_BYTES..])?,
        })
    }
}

impl std::fmt::Display for AccessCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match (self.kind, self.handle) {
            (Kind::Put, false) => "MPI_Put",
            (Kind::Put, true) => "MPI_Rput",
            (Kind::Get, false) => "MPI_Get",
            (Kind::Get, true) => "MPI_Rget",
            (Kind::Accumulate, false) => "MPI_Accumulate",
            (Kind::Accumulate, true) => "MPI_Raccumulate",
            (Kind::CompareAndSwap, _) => "MPI_Compare_and_swap",
            (_, false) => "MPI_Get_accumulate (or MPI_Fetch_and_op)",
            (_, true) => "MPI_Rget_accumulate",
        };
        f.write_str(name)?;
        if let Some(op) = self.op {
            write!(f, " with {}", op.name())?;
        }
        match datatype::predefined(u32::from(self.element)).and_then(|known| known.predefined()) {
            Some(basic) if self.combines() => write!(f, " of {}", basic.name),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Conflict { first, second } = self;
        write!(
            f,
            "{} by rank {} conflicts with {} by rank {} in the same epoch: both access bytes {} \
             to {}",
            second.call, second.rank, first.call, first.rank, first.begin, first.end
        )
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

    fn put(token: u64, mark: Mark) -> Header {
        Header {
            token,
            status: mark.0,
            ..Header::new(Kind::Put, 0)
        }
    }

    #[test]
    fn columns_meet_where_they_have_bytes_in_common() {
        let column = ranges(&[run(4, 4, 16, 3), run(60, 4, 0, 1)]);
        assert_eq!(column, [(4, 8), (20, 24), (36, 40), (60, 64)]);
        assert_eq!(ranges(&[run(36, 4, -4, 3)]), [(28, 40)]);
        let mark = Mark::new(Era::Fence, false, 0);
        let mut check = Check::default();
        let mut meets = |token, runs: &[Run]| {
            let found = check.access(2, &put(token, mark), runs);
            found.map(|found| (found.first.begin, found.first.end))
        };
        assert_eq!(meets(1, &[run(4, 4, 16, 3), run(60, 4, 0, 1)]), None);
        assert_eq!(
            meets(1, &[run(4, 4, 16, 1)]),
            None,
            "a part of the same access"
        );
        assert_eq!(meets(2, &[run(8, 12, 16, 3)]), None);
        let two = [run(0, 2, 0, 1), run(39, 1, 0, 1)];
        assert_eq!(meets(3, &two), Some((39, 40)));
        assert_eq!(meets(4, &[run(63, 1, 0, 1)]), Some((63, 64)));
        assert_eq!(meets(5, &[run(2, 100, 0, 1)]), Some((4, 8)));
    }

    #[test]
    fn an_encoded_conflict_is_decoded() {
        let mut check = Check::default();
        let mark = Mark::new(Era::Fence, false, 0);
        let runs = [run(0, 8, 0, 1)];
        assert_eq!(check.access(2, &put(1, mark), &runs), None);
        let found = check.access(3, &put(1, mark), &[run(4, 8, 0, 1)]).unwrap();
        let bytes = found.encode();
        let decoded = Conflict::decode(&Payload::from(&bytes[..])).unwrap();
        assert_eq!(decoded, found);
        let text = "MPI_Put by rank 3 conflicts with MPI_Put by rank 2 in the same epoch: both \
                    access bytes 4 to 8";
        assert_eq!(decoded.to_string(), text);
        for (at, byte) in [(4, 6), (4, 0), (36, 11)] {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            assert_eq!(Conflict::decode(&Payload::from(&bytes[..])), None);
        }
        assert_eq!(Conflict::decode(&Payload::from(&bytes[1..])), None);
    }

    /// An epoch's accesses are forgotten when it is over, and those of no other.
    #[test]
    fn epochs_that_are_over_conflict_with_nothing() {
        let runs = [run(0, 8, 0, 1)];
        let mut check = Check::default();
        let fenced = |fences| put(1, Mark::new(Era::Fence, false, fences));
        assert_eq!(check.access(2, &fenced(4), &runs), None);
        check.flushed(2);
        assert_eq!(
            check.access(3, &fenced(5), &runs),
            None,
            "a fence lies between"
        );
        assert!(check.access(2, &fenced(5), &runs).is_some());
        let mut check = Check::default();
        let locked = put(1, Mark::new(Era::Passive, false, 0));
        let started = put(1, Mark::new(Era::Started, false, 0));
        assert_eq!(check.access(2, &locked, &runs), None);
        check.withdrawn(|rank| rank == 2);
        check.flushed(3);
        assert!(check.access(3, &locked, &runs).is_some());
        check.flushed(2);
        check.flushed(3);
        assert_eq!(check.access(2, &started, &runs), None);
        check.flushed(2);
        assert!(check.access(3, &started, &runs).is_some());
        check.forget(3);
        check.withdrawn(|rank| rank == 2);
        assert_eq!(check.access(3, &locked, &runs), None);
    }

    /// A request that reads may have been waited for, and conflicts with nothing that comes later.
    #[test]
    fn a_read_with_a_handle_is_not_kept() {
        let runs = [run(0, 8, 0, 1)];
        let mut check = Check::default();
        let held = Mark::new(Era::Passive, true, 0);
        let read = Header {
            kind: Kind::Get,
            ..put(1, held)
        };
        assert_eq!(check.access(2, &read, &runs), None);
        assert_eq!(check.access(2, &put(2, held), &runs), None);
        let found = check
            .access(2, &Header { token: 3, ..read }, &runs)
            .unwrap();
        assert!(found
            .to_string()
            .starts_with("MPI_Rget by rank 2 conflicts with MPI_Rput"));
    }

    #[test]
    fn the_oldest_ranges_are_forgotten() {
        let mut check = Check::default();
        let mark = Mark::new(Era::Passive, false, 0);
        let runs = |token: u64| [run(token << 40, 1, 2, KEPT_MAX as u64 / 8)];
        for token in 0..9 {
            assert_eq!(check.access(1, &put(token, mark), &runs(token)), None);
        }
        assert_eq!(check.kept, KEPT_MAX);
        let mut known = |token| check.access(2, &put(9, mark), &runs(token)).is_some();
        assert!(known(1) && known(8), "kept");
        assert!(!known(0), "forgotten");
    }

    /// An access was compared with every other one of its epoch: a lock that lasts for 100,000
    /// accesses took minutes.
    #[test]
    fn many_accesses_of_an_epoch_are_few_ranges() {
        let mark = Mark::new(Era::Passive, false, 0);
        let mut check = Check::default();
        let add = |token| Header {
            kind: Kind::Accumulate,
            op: Some(Op::Sum),
            element: 0x20a,
            ..put(token, mark)
        };
        for token in 0..100_000 {
            let rank = token as u32 % 4;
            let runs = [run(8 * (token % 3), 8, 0, 1)];
            assert_eq!(check.access(rank, &add(token), &runs), None);
        }
        assert_eq!(check.kept, 4, "of each rank one");
        // Puts side by side, each of its own.
        for token in 0..200_000 {
            let runs = [run(1024 + 8 * token, 8, 0, 1)];
            assert_eq!(check.access(1, &put(token, mark), &runs), None);
        }
        let last = [run(1024 + 8 * 199_999, 8, 0, 1)];
        assert!(check.access(1, &put(200_000, mark), &last).is_some());
        assert!(check.access(2, &add(1), &last).is_some());
    }
}
