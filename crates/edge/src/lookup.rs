//! Handles of predefined objects, found by either of their two values in constant time.

/// Slots of a table: enough that a factor without collisions is soon found.
const SLOTS: usize = 2048;
/// The mark of a slot without an object.
const EMPTY: u8 = u8::MAX;

/// Pairs of an interface's handle and the standard's, with a table of slots for each direction.
pub struct Lookup {
    pairs: &'static [(i32, usize)],
    by_native: Slots,
    by_standard: Slots,
}

/// Positions of pairs, by a hash of the key that has no collisions.
struct Slots {
    factor: u32,
    positions: [u8; SLOTS],
}

impl Lookup {
    /// Makes the tables. Where several pairs have one key, the first is found.
    pub const fn new(pairs: &'static [(i32, usize)]) -> Lookup {
        assert!(pairs.len() < EMPTY as usize);
        Lookup {
            pairs,
            by_native: Slots::new(pairs, true),
            by_standard: Slots::new(pairs, false),
        }
    }

    /// Returns the standard's handle.
    #[inline(always)]
    pub fn standard(&self, native: i32) -> Option<usize> {
        let at = self.by_native.at(native as u32);
        let (known, standard) = *self.pairs.get(usize::from(at))?;
        (known == native).then_some(standard)
    }

    /// Returns the interface's handle.
    #[inline(always)]
    pub fn native(&self, standard: usize) -> Option<i32> {
        let at = self.by_standard.at(standard as u32);
        let (native, known) = *self.pairs.get(usize::from(at))?;
        (known == standard).then_some(native)
    }
}

const fn key((native, standard): (i32, usize), is_native: bool) -> u32 {
    match is_native {
        true => native as u32,
        false => standard as u32,
    }
}

const fn slot(key: u32, factor: u32) -> usize {
    (key.wrapping_mul(factor) >> (u32::BITS - SLOTS.trailing_zeros())) as usize
}

impl Slots {
    const fn new(pairs: &[(i32, usize)], is_native: bool) -> Slots {
        let mut factor = 0x9E37_79B1_u32;
        loop {
            if let Some(positions) = Slots::placed(pairs, is_native, factor) {
                return Slots { factor, positions };
            }
            factor = factor.wrapping_mul(0x2C1B_3C6D) | 1;
        }
    }

    /// Returns the table for a factor, unless two keys meet in a slot.
    const fn placed(pairs: &[(i32, usize)], is_native: bool, factor: u32) -> Option<[u8; SLOTS]> {
        let mut positions = [EMPTY; SLOTS];
        let mut at = 0;
        while at < pairs.len() {
            let own = key(pairs[at], is_native);
            let slot = slot(own, factor);
            let there = positions[slot];
            if there == EMPTY {
                positions[slot] = at as u8;
            } else if key(pairs[there as usize], is_native) != own {
                return None;
            }
            at += 1;
        }
        Some(positions)
    }

    #[inline(always)]
    fn at(&self, key: u32) -> u8 {
        self.positions[slot(key, self.factor)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::values::{DATATYPE_FORTRAN, DATATYPE_HANDLES};

    #[test]
    fn each_pair_is_found_by_both_values_and_nothing_else_is() {
        static LOOKUPS: [Lookup; 2] =
            [Lookup::new(DATATYPE_HANDLES), Lookup::new(DATATYPE_FORTRAN)];
        for lookup in &LOOKUPS {
            for (native, standard) in lookup.pairs {
                let first = |of: &&(i32, usize)| of.0 == *native;
                let expected = lookup.pairs.iter().find(first).map(|pair| pair.1);
                assert_eq!(lookup.standard(*native), expected);
                let first = |of: &&(i32, usize)| of.1 == *standard;
                let expected = lookup.pairs.iter().find(first).map(|pair| pair.0);
                assert_eq!(lookup.native(*standard), expected);
            }
            for native in (-5000..5000).chain(1 << 26..(1 << 26) + 5000) {
                let known = lookup.pairs.iter().any(|(of, _)| *of == native);
                assert_eq!(lookup.standard(native).is_some(), known, "{native}");
            }
        }
    }
}
