//! Groups: ordered sets of processes (MPI 5.0, 7.3).
//!
//! A group is immutable and cheap to copy. Ranks come from the program, so they are checked;
//! processes ([`PeerId`]) come from the layers below and are not.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use base::{PeerId, Rank};

use crate::bsend::BsendBuffer;
use crate::{Class, Error};

/// An ordered set of processes.
#[derive(Clone, Debug)]
pub struct Group(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    peers: Vec<PeerId>,
    /// Process to rank; made at the first search in a group that is not a run of processes.
    ranks: OnceLock<HashMap<PeerId, Rank>>,
    /// The processes follow each other, so that the rank is the distance from the first.
    run: bool,
    /// Buffer of the session whose process set the group comes from.
    bsend: Option<Arc<BsendBuffer>>,
}

/// Result of comparing two groups, or two communicators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The very same: `MPI_IDENT`.
    Identical,
    /// Different communicators over one group: `MPI_CONGRUENT`.
    Congruent,
    /// Equal processes in another order: `MPI_SIMILAR`.
    Similar,
    /// Different processes: `MPI_UNEQUAL`.
    Unequal,
}

/// Ranks `first, first + stride, ...` up to `last`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The three numbers of MPI's range triplets.
pub struct Range {
    pub first: i32,
    pub last: i32,
    pub stride: i32,
}

impl Group {
    /// The group of these processes, which are all different.
    pub fn new(peers: Vec<PeerId>) -> Group {
        Group::made(peers, None)
    }

    /// Returns the group of these processes out of a process set of a session, which has a place
    /// for a buffer. Groups made of this one have it as well.
    pub(crate) fn of_session(peers: Vec<PeerId>, bsend: &Arc<BsendBuffer>) -> Group {
        Group::made(peers, Some(bsend.clone()))
    }

    /// A group of other processes that comes from where this one comes from.
    pub(crate) fn related(&self, peers: Vec<PeerId>) -> Group {
        Group::made(peers, self.0.bsend.clone())
    }

    fn made(peers: Vec<PeerId>, bsend: Option<Arc<BsendBuffer>>) -> Group {
        let run = peers
            .windows(2)
            .all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
        Group(Arc::new(Inner {
            peers,
            ranks: OnceLock::new(),
            run,
            bsend,
        }))
    }

    /// The group without processes (`MPI_GROUP_EMPTY`).
    pub fn empty() -> Group {
        Group::new(Vec::new())
    }

    /// Returns the buffer of its session; `None` for a group of the world model.
    pub(crate) fn session_bsend(&self) -> Option<&BsendBuffer> {
        self.0.bsend.as_deref()
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.0.peers.len()
    }

    /// The processes by rank.
    pub fn peers(&self) -> &[PeerId] {
        &self.0.peers
    }

    /// The process at a rank, `None` past the end.
    pub fn peer(&self, rank: Rank) -> Option<PeerId> {
        self.0.peers.get(rank.index()).copied()
    }

    /// The rank of a process, `None` when it is not a member.
    pub fn rank(&self, peer: PeerId) -> Option<Rank> {
        let peers = &self.0.peers;
        if self.0.run {
            let distance = peer.0.checked_sub(peers.first()?.0)?;
            return ((distance as usize) < peers.len()).then_some(Rank(distance));
        }
        let ranked = || {
            peers
                .iter()
                .enumerate()
                .map(|(rank, peer)| (*peer, Rank(rank as u32)))
        };
        self.0
            .ranks
            .get_or_init(|| ranked().collect())
            .get(&peer)
            .copied()
    }

    /// Whether a process is a member.
    pub fn contains(&self, peer: PeerId) -> bool {
        self.rank(peer).is_some()
    }

    /// The processes at `ranks`, in that order.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist or comes twice.
    pub fn incl(&self, ranks: &[i32]) -> Result<Group, Error> {
        let ranks = self.distinct(ranks.iter().copied())?;
        Ok(self.related(ranks.iter().map(|rank| self.0.peers[*rank]).collect()))
    }

    /// The processes but those at `ranks`, in the old order.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist or comes twice.
    pub fn excl(&self, ranks: &[i32]) -> Result<Group, Error> {
        let out = self.distinct(ranks.iter().copied())?;
        Ok(self.without(&out))
    }

    /// As [`Group::incl`], with the ranks given as ranges.
    ///
    /// # Errors
    /// `Rank` as there, `Arg` for a stride of 0 or one that leads away from the end.
    pub fn range_incl(&self, ranges: &[Range]) -> Result<Group, Error> {
        let ranks = self.distinct(self.expand(ranges)?)?;
        Ok(self.related(ranks.iter().map(|rank| self.0.peers[*rank]).collect()))
    }

    /// As [`Group::excl`], with the ranks given as ranges.
    ///
    /// # Errors
    /// As [`Group::range_incl`].
    pub fn range_excl(&self, ranges: &[Range]) -> Result<Group, Error> {
        let out = self.distinct(self.expand(ranges)?)?;
        Ok(self.without(&out))
    }

    /// The members, followed by those of `other` that are not among them.
    pub fn union(&self, other: &Group) -> Group {
        let more = other.0.peers.iter().filter(|peer| !self.contains(**peer));
        let peers = self.0.peers.iter().chain(more).copied().collect();
        match self.0.bsend {
            Some(_) => self.related(peers),
            None => other.related(peers),
        }
    }

    /// The members that are also in `other`.
    pub fn intersection(&self, other: &Group) -> Group {
        let both = self.0.peers.iter().filter(|peer| other.contains(**peer));
        self.related(both.copied().collect())
    }

    /// The members that are not in `other`.
    pub fn difference(&self, other: &Group) -> Group {
        let rest = self.0.peers.iter().filter(|peer| !other.contains(**peer));
        self.related(rest.copied().collect())
    }

    /// The ranks in `other` of the processes at `ranks`; `None` for those that it lacks.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist.
    pub fn translate(&self, rank: i32, other: &Group) -> Result<Option<Rank>, Error> {
        Ok(other.rank(self.0.peers[self.index(rank)?]))
    }

    /// Compares the processes and their order: never `Congruent`.
    pub fn compare(&self, other: &Group) -> Comparison {
        if Arc::ptr_eq(&self.0, &other.0) || self.0.peers == other.0.peers {
            return Comparison::Identical;
        }
        let same =
            self.size() == other.size() && self.0.peers.iter().all(|peer| other.contains(*peer));
        if same {
            Comparison::Similar
        } else {
            Comparison::Unequal
        }
    }

    fn index(&self, rank: i32) -> Result<usize, Error> {
        let index = usize::try_from(rank)
            .ok()
            .filter(|index| *index < self.size());
        index.ok_or_else(|| {
            let text = format!("rank {rank} in a group of {} processes", self.size());
            Error::new(Class::Rank, text)
        })
    }

    fn distinct(&self, ranks: impl IntoIterator<Item = i32>) -> Result<Vec<usize>, Error> {
        let mut seen = HashSet::new();
        let mut indices = Vec::new();
        for rank in ranks {
            let index = self.index(rank)?;
            if !seen.insert(index) {
                return Err(Error::new(
                    Class::Rank,
                    format!("rank {rank} is given twice"),
                ));
            }
            indices.push(index);
        }
        Ok(indices)
    }

    fn without(&self, out: &[usize]) -> Group {
        let out: HashSet<usize> = out.iter().copied().collect();
        let rest = self
            .0
            .peers
            .iter()
            .enumerate()
            .filter(|(index, _)| !out.contains(index));
        self.related(rest.map(|(_, peer)| *peer).collect())
    }

    /// The ranks of the ranges. Each end is checked first, so that a range is no longer than the
    /// group.
    fn expand(&self, ranges: &[Range]) -> Result<Vec<i32>, Error> {
        let mut ranks = Vec::new();
        for &Range {
            first,
            last,
            stride,
        } in ranges
        {
            let away = (last > first && stride < 0) || (last < first && stride > 0);
            if stride == 0 || away {
                let text = format!("stride {stride} does not lead from rank {first} to {last}");
                return Err(Error::new(Class::Arg, text));
            }
            self.index(first)?;
            let steps = i64::from(last.abs_diff(first)) / i64::from(stride.unsigned_abs());
            let reached = i64::from(first) + steps * i64::from(stride);
            self.index(i32::try_from(reached).unwrap_or(last))?;
            ranks.extend((0..=steps).map(|step| first + step as i32 * stride));
        }
        Ok(ranks)
    }
}

impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.compare(other) == Comparison::Identical
    }
}

impl Eq for Group {}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(peers: &[u32]) -> Group {
        Group::new(peers.iter().copied().map(PeerId).collect())
    }

    fn peers(group: &Group) -> Vec<u32> {
        group.peers().iter().map(|peer| peer.0).collect()
    }

    #[test]
    fn ranks_are_found_in_runs_and_in_any_order() {
        let (run, mixed) = (group(&[4, 5, 6]), group(&[9, 2, 7]));
        assert_eq!(run.rank(PeerId(6)), Some(Rank(2)));
        assert_eq!((run.rank(PeerId(3)), run.rank(PeerId(7))), (None, None));
        assert_eq!(mixed.rank(PeerId(7)), Some(Rank(2)));
        assert_eq!(mixed.rank(PeerId(4)), None);
        assert_eq!(Group::empty().rank(PeerId(0)), None);
        assert_eq!(mixed.translate(0, &group(&[2, 9])), Ok(Some(Rank(1))));
        assert_eq!(mixed.translate(2, &run), Ok(None));
        assert_eq!(mixed.translate(3, &run).unwrap_err().class, Class::Rank);
    }

    #[test]
    fn members_are_chosen_by_rank_and_by_range() {
        let all = group(&[10, 11, 12, 13, 14, 15, 16]);
        assert_eq!(peers(&all.incl(&[3, 0]).unwrap()), [13, 10]);
        assert_eq!(peers(&all.excl(&[6, 0, 1]).unwrap()), [12, 13, 14, 15]);
        let triplet = |first, last, stride| Range {
            first,
            last,
            stride,
        };
        let some = all
            .range_incl(&[triplet(5, 0, -2), triplet(6, 6, 9)])
            .unwrap();
        assert_eq!(peers(&some), [15, 13, 11, 16]);
        let rest = all.range_excl(&[triplet(0, 6, 3)]).unwrap();
        assert_eq!(peers(&rest), [11, 12, 14, 15]);
        // The end of a range need not be hit, so it may lie past the last rank.
        assert_eq!(all.range_incl(&[triplet(0, 7, 3)]).unwrap().size(), 3);
    }

    #[test]
    fn bad_ranks_are_refused() {
        let all = group(&[0, 1, 2]);
        let triplet = |first, last, stride| Range {
            first,
            last,
            stride,
        };
        assert_eq!(all.incl(&[0, 0]).unwrap_err().class, Class::Rank);
        assert_eq!(all.excl(&[-1]).unwrap_err().class, Class::Rank);
        for bad in [triplet(0, 2, 0), triplet(0, 2, -1), triplet(2, 0, 1)] {
            assert_eq!(all.range_incl(&[bad]).unwrap_err().class, Class::Arg);
        }
        let long = [triplet(0, i32::MAX, 1)];
        assert_eq!(all.range_incl(&long).unwrap_err().class, Class::Rank);
        let extreme = [triplet(2, i32::MIN, i32::MIN)];
        assert_eq!(all.range_excl(&extreme).unwrap_err().class, Class::Rank);
        let one = [triplet(2, 0, i32::MIN)];
        assert_eq!(all.range_excl(&one).map(|g| peers(&g)), Ok(vec![0, 1]));
    }

    #[test]
    fn sets_keep_the_order_of_the_first() {
        let (a, b) = (group(&[3, 1, 2]), group(&[2, 5, 3]));
        assert_eq!(peers(&a.union(&b)), [3, 1, 2, 5]);
        assert_eq!(peers(&a.intersection(&b)), [3, 2]);
        assert_eq!(peers(&a.difference(&b)), [1]);
        assert_eq!(a.compare(&group(&[1, 2, 3])), Comparison::Similar);
        assert_eq!(a.compare(&group(&[3, 1, 2])), Comparison::Identical);
        assert_eq!(a.compare(&b), Comparison::Unequal);
        assert_eq!(
            Group::empty().compare(&Group::empty()),
            Comparison::Identical
        );
    }
}
