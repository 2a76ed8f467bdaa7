//! The members of a collective, and the trees and pairings that algorithms form of the ranks.

/// The group of an intra-communicator, or the local group of an inter-communicator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Team {
    /// The rank of this process.
    pub rank: u32,
    /// Number of ranks; at least 1.
    pub size: u32,
}

/// The two groups of an inter-communicator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inter {
    /// The rank of this process in its own group.
    pub rank: u32,
    /// The size of the own group; at least 1.
    pub local_size: u32,
    /// The size of the other group; at least 1.
    pub remote_size: u32,
}

/// The root argument of a rooted collective on an inter-communicator (MPI 5.0, 6.2.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterRoot {
    /// This process is the root (`MPI_ROOT`).
    Here,
    /// Another process of this group is the root (`MPI_PROC_NULL`).
    Elsewhere,
    /// That rank of the other group is the root.
    Remote(u32),
}

impl Inter {
    /// The own group alone.
    pub fn local(self) -> Team {
        Team {
            rank: self.rank,
            size: self.local_size,
        }
    }
}

impl Team {
    /// Returns this rank, counted from `root`.
    pub(crate) fn relative(self, root: u32) -> u32 {
        self.minus(root)
    }

    /// Returns the rank that is `relative` positions after `root`.
    pub(crate) fn absolute(self, relative: u32, root: u32) -> u32 {
        ((u64::from(relative) + u64::from(root)) % u64::from(self.size)) as u32
    }

    /// Returns the rank `distance` positions to the right, around the ring.
    pub(crate) fn plus(self, distance: u32) -> u32 {
        self.absolute(self.rank, distance)
    }

    /// Returns the rank `distance` (at most the size) to the left, around the ring.
    pub(crate) fn minus(self, distance: u32) -> u32 {
        self.absolute(self.rank, self.size - distance)
    }

    /// The greatest power of two that is not above the size.
    pub(crate) fn power_of_two(self) -> u32 {
        1 << self.size.ilog2()
    }
}

/// The powers of two below `end`: 1, 2, 4, ...
pub(crate) fn doublings(end: u32) -> impl DoubleEndedIterator<Item = u32> {
    let rounds = if end <= 1 { 0 } else { (end - 1).ilog2() + 1 };
    (0..rounds).map(|round| 1 << round)
}

/// The ranks folded into a power of two.
///
/// The first `2 * extra` ranks form pairs of neighbours; one of each pair sends its data to the
/// other, which stands for both. Neighbours are paired so that a survivor always stands for a
/// contiguous range of ranks: operators that do not commute depend on it. In every pair the even
/// rank survives, except that `favoured` always does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold {
    /// Number of survivors: a power of two.
    pub survivors: u32,
    extra: u32,
    favoured: u32,
}

/// The role of a rank in a [`Fold`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The rank sends its data to a neighbour and waits for the result.
    Folded { into: u32 },
    /// The rank goes on, for itself and perhaps a neighbour.
    Survivor { index: u32, neighbour: Option<u32> },
}

impl Fold {
    pub fn new(team: Team, favoured: u32) -> Fold {
        let survivors = team.power_of_two();
        Fold {
            survivors,
            extra: team.size - survivors,
            favoured,
        }
    }

    pub fn role(&self, rank: u32) -> Role {
        if rank >= 2 * self.extra {
            return Role::Survivor {
                index: rank - self.extra,
                neighbour: None,
            };
        }
        let index = rank / 2;
        let survivor = self.rank(index);
        if rank == survivor {
            Role::Survivor {
                index,
                neighbour: Some(rank ^ 1),
            }
        } else {
            Role::Folded { into: survivor }
        }
    }

    /// The rank of a survivor.
    pub fn rank(&self, index: u32) -> u32 {
        if index >= self.extra {
            return index + self.extra;
        }
        if self.favoured / 2 == index {
            self.favoured
        } else {
            2 * index
        }
    }

    /// The ranks that a survivor stands for, in order.
    pub fn stands_for(&self, index: u32) -> std::ops::Range<u32> {
        if index < self.extra {
            2 * index..2 * index + 2
        } else {
            index + self.extra..index + self.extra + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_stood_for_once_and_in_order() {
        for size in 1..40 {
            for favoured in 0..size {
                let fold = Fold::new(Team { rank: 0, size }, favoured);
                let covered: Vec<u32> = (0..fold.survivors)
                    .flat_map(|index| fold.stands_for(index))
                    .collect();
                assert_eq!(covered, (0..size).collect::<Vec<_>>());
                assert!(matches!(fold.role(favoured), Role::Survivor { .. }));
                for rank in 0..size {
                    match fold.role(rank) {
                        Role::Survivor { index, .. } => assert_eq!(fold.rank(index), rank),
                        Role::Folded { into } => assert_eq!(
                            fold.role(into),
                            Role::Survivor {
                                index: rank / 2,
                                neighbour: Some(rank)
                            }
                        ),
                    }
                }
            }
        }
    }

    #[test]
    fn doublings_stop_before_the_end() {
        assert_eq!(doublings(1).count(), 0);
        assert_eq!(doublings(2).collect::<Vec<_>>(), [1]);
        assert_eq!(doublings(5).collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(doublings(8).collect::<Vec<_>>(), [1, 2, 4]);
    }

    #[test]
    fn the_ring_closes() {
        let team = Team { rank: 2, size: 5 };
        assert_eq!((team.plus(4), team.minus(3), team.minus(5)), (1, 4, 2));
    }
}
