//! Grouping of many ranks into levels, so that each reads only a few others' slots.
//!
//! `radix` consecutive ranks form a group, `radix` consecutive groups form a group of the next
//! level, and so on. In level 0 a rank reads the slots of its group. In level 1 it reads one rank
//! of each other group in its group of groups; that rank has by then the result of its whole group.
//! Ranks next to each other mostly share caches, so most lines travel short distances. Groups are
//! ranges of ranks in order, so that operators that do not commute are served. All ranks compute
//! equal sums of equal operands.

/// The levels, as seen by one rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    pub(crate) rank: u32,
    pub(crate) size: u32,
    pub(crate) radix: u32,
}

impl Tree {
    /// Number of levels, after which every rank has data of every other.
    pub(crate) fn levels(&self) -> u32 {
        let (mut levels, mut width) = (0, 1u64);
        while width < u64::from(self.size) {
            width *= u64::from(self.radix);
            levels += 1;
        }
        levels
    }

    /// Returns one rank of each block of a level, in order, this rank for its own block.
    pub(crate) fn peers(&self, level: u32) -> impl DoubleEndedIterator<Item = u32> {
        let Tree { rank, size, radix } = *self;
        let width = radix.pow(level);
        let group = rank / width / radix;
        let first = group * radix;
        let inside = rank % width;
        let blocks = size.div_ceil(width);
        (first..(first + radix).min(blocks)).map(move |block| {
            let start = block * width;
            let members = width.min(size - start);
            start + inside.min(members - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn after_the_last_level_every_rank_has_data_of_every_other() {
        for radix in [2, 3, 8] {
            for size in 1..70 {
                let tree = |rank| Tree { rank, size, radix };
                let mut known: Vec<BTreeSet<u32>> = (0..size).map(|r| [r].into()).collect();
                for level in 0..tree(0).levels() {
                    let before = known.clone();
                    for rank in 0..size {
                        let peers: Vec<u32> = tree(rank).peers(level).collect();
                        assert!(peers.contains(&rank), "{rank} of {size}, radix {radix}");
                        // In order and without overlap.
                        let known_by_peers = peers.iter().flat_map(|p| before[*p as usize].iter());
                        let known_by_peers: Vec<u32> = known_by_peers.copied().collect();
                        assert!(
                            known_by_peers.windows(2).all(|pair| pair[0] < pair[1]),
                            "{known_by_peers:?}"
                        );
                        known[rank as usize] = known_by_peers.into_iter().collect();
                    }
                }
                assert!(known.iter().all(|of| of.len() == size as usize));
            }
        }
    }
}
