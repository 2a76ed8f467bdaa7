//! Sets of ranks.

/// A set of ranks of one communicator, as bits.
///
/// Sets of different lengths compare by their members: trailing zero words are dropped.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ranks(Vec<u64>);

impl Ranks {
    /// Returns the set of all ranks below `count`.
    pub fn below(count: u32) -> Ranks {
        (0..count).collect()
    }

    /// Adds a rank. Returns whether it is new.
    pub fn insert(&mut self, rank: u32) -> bool {
        let (word, bit) = place(rank);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Removes a rank.
    pub fn remove(&mut self, rank: u32) {
        let (word, bit) = place(rank);
        if let Some(bits) = self.0.get_mut(word) {
            *bits &= !bit;
        }
        self.trim();
    }

    /// Returns whether a rank is a member.
    pub fn contains(&self, rank: u32) -> bool {
        let (word, bit) = place(rank);
        self.0.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Returns whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the members of another set.
    pub fn unite(&mut self, other: &Ranks) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, bits) in self.0.iter_mut().zip(&other.0) {
            *own |= bits;
        }
    }

    /// Keeps only what another set has as well.
    pub fn intersect(&mut self, other: &Ranks) {
        self.0.truncate(other.0.len());
        for (own, bits) in self.0.iter_mut().zip(&other.0) {
            *own &= bits;
        }
        self.trim();
    }

    /// Returns whether every member is also in another set.
    pub fn is_subset(&self, other: &Ranks) -> bool {
        self.iter().all(|rank| other.contains(rank))
    }

    /// Returns the members in rising order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64u32)
                .filter(move |bit| bits & (1 << bit) != 0)
                .map(move |bit| word as u32 * 64 + bit)
        })
    }

    /// Returns whether all members are below `size`.
    pub fn are_below(&self, size: u32) -> bool {
        self.iter().last().is_none_or(|last| last < size)
    }

    /// Returns the machine words of the set.
    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    /// Returns the set of these machine words.
    pub(crate) fn of_words(words: Vec<u64>) -> Ranks {
        let mut ranks = Ranks(words);
        ranks.trim();
        ranks
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl FromIterator<u32> for Ranks {
    fn from_iter<I: IntoIterator<Item = u32>>(ranks: I) -> Ranks {
        let mut set = Ranks::default();
        for rank in ranks {
            set.insert(rank);
        }
        set
    }
}

fn place(rank: u32) -> (usize, u64) {
    (rank as usize / 64, 1 << (rank % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_compare_by_their_members() {
        let mut ranks: Ranks = [3, 64, 130].into_iter().collect();
        assert_eq!(ranks.iter().collect::<Vec<_>>(), [3, 64, 130]);
        assert!(!ranks.insert(64) && ranks.contains(130) && !ranks.contains(131));
        ranks.remove(130);
        assert_eq!(ranks, [64, 3].into_iter().collect());
        let mut other: Ranks = [3, 200].into_iter().collect();
        assert!(!ranks.is_subset(&other));
        other.intersect(&ranks);
        assert_eq!(other, [3].into_iter().collect());
        assert!(other.is_subset(&ranks));
        other.unite(&ranks);
        assert_eq!(other, ranks);
        other.intersect(&Ranks::default());
        assert!(other.is_empty());
        assert_eq!(Ranks::below(66).iter().count(), 66);
    }
}
