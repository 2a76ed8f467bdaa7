//! Pseudo-random numbers from a seed, for simulations, tests and jitter.

/// A sequence that its seed determines (SplitMix64). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the sequence of a seed. Neighbouring seeds give unrelated sequences.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// An index below `len`; 0 when `len` is 0.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    #[inline]
    pub fn chance(&mut self, percent: u8) -> bool {
        percent > 0 && self.below(100) < u64::from(percent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_sequence_and_bounds_hold() {
        let take = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.below(7)).collect::<Vec<_>>()
        };
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
        assert!(take(3).iter().all(|&n| n < 7));
        assert!((0..7).all(|n| take(3).contains(&n)));
        let mut random = Random::new(4);
        assert_eq!(random.below(0), 0);
        assert!(!random.chance(0) && random.chance(100));
    }
}
