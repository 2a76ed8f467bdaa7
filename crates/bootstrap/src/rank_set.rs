//! A set of ranks, as users write it: `all`, or numbers and ranges, `0,4-7`.

/// A set of ranks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RankSet {
    /// Every rank.
    All,
    /// The ranks in these ranges, both ends included.
    Some(Vec<(u32, u32)>),
}

impl RankSet {
    /// Reads a set; `None` where the text is not one.
    pub fn parse(text: &str) -> Option<RankSet> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        if words.contains(&"all") {
            return Some(RankSet::All);
        }
        let range = |word: &&str| {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            let range = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (range.0 <= range.1).then_some(range)
        };
        let ranges = words.iter().map(range).collect::<Option<_>>()?;
        Some(RankSet::Some(ranges))
    }

    /// Whether a rank is one of them.
    pub fn contains(&self, rank: u32) -> bool {
        match self {
            RankSet::All => true,
            RankSet::Some(ranges) => {
                let mut ranges = ranges.iter();
                ranges.any(|(first, last)| (*first..=*last).contains(&rank))
            }
        }
    }

    /// Returns the highest rank that the set names; `None` where it names all.
    pub fn highest(&self) -> Option<u32> {
        match self {
            RankSet::All => None,
            RankSet::Some(ranges) => ranges.iter().map(|(_, last)| *last).max(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read() {
        let some = RankSet::parse("0, 4-6").unwrap();
        let of = |set: &RankSet| {
            (0..9)
                .filter(|rank| set.contains(*rank))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&some), [0, 4, 5, 6]);
        assert_eq!(some.highest(), Some(6));
        assert_eq!(RankSet::parse("1,all"), Some(RankSet::All));
        for wrong in ["", "x", "3-1", "1,,2", "-1", "1-"] {
            assert_eq!(RankSet::parse(wrong), None, "{wrong}");
        }
    }
}
