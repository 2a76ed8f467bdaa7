//! Factoring a number of processes into the sides of a grid (`MPI_Dims_create`).

use std::collections::HashSet;

use crate::{Class, Error};

/// Fills in the zeros of `dims` so that the product of all is `nodes`. What is filled in does
/// not increase, and is as even as can be: the largest is as small as possible, then the next,
/// and so on (MPI 5.0, 8.5.2).
///
/// # Errors
/// `Dims` for negative dimensions and for fixed ones that do not divide `nodes`, `Arg` for
/// `nodes` below 1.
pub fn dims_create(nodes: i32, dims: &mut [i32]) -> Result<(), Error> {
    if nodes < 1 {
        let text = format!("nnodes is {nodes}; it has to be at least 1");
        return Err(Error::new(Class::Arg, text));
    }
    let mut fixed: i64 = 1;
    for &dim in dims.iter() {
        if dim < 0 {
            let text = format!("a dimension is {dim}, below zero");
            return Err(Error::new(Class::Dims, text));
        }
        fixed = fixed.saturating_mul(i64::from(dim.max(1)));
    }
    let free = dims.iter().filter(|dim| **dim == 0).count();
    if i64::from(nodes) % fixed != 0 || (free == 0 && fixed != i64::from(nodes)) {
        let text = format!("{nodes} processes cannot fill a grid with a side of {fixed}");
        return Err(Error::new(Class::Dims, text));
    }
    let mut sides = even_factors(i64::from(nodes) / fixed, free).into_iter();
    for dim in dims.iter_mut().filter(|dim| **dim == 0) {
        *dim = sides.next().unwrap_or(1) as i32;
    }
    Ok(())
}

/// `count` factors of `n`, not increasing; the first of all such in lexicographic order.
fn even_factors(n: i64, count: usize) -> Vec<i64> {
    // A factor above 1 is at least 2, so there are no more of them than bits.
    let useful = count.min(64 - n.leading_zeros() as usize);
    let mut search = Search {
        divisors: divisors(n),
        hopeless: HashSet::new(),
        factors: Vec::with_capacity(count),
    };
    let found = search.fill(n, useful, n);
    debug_assert!(found, "n and ones are factors of n");
    search.factors.resize(count, 1);
    search.factors
}

struct Search {
    divisors: Vec<i64>,
    /// Numbers, counts and bounds that were tried in vain.
    hopeless: HashSet<(i64, usize, i64)>,
    factors: Vec<i64>,
}

impl Search {
    /// Appends `count` factors of `n` of at most `limit`, if there are any.
    fn fill(&mut self, n: i64, count: usize, limit: i64) -> bool {
        if count == 0 {
            return n == 1;
        }
        if self.hopeless.contains(&(n, count, limit)) {
            return false;
        }
        let start = self
            .divisors
            .partition_point(|side| !reaches(*side, count, n));
        for at in start..self.divisors.len() {
            let side = self.divisors[at];
            if side > limit {
                break;
            }
            if n % side != 0 {
                continue;
            }
            self.factors.push(side);
            if self.fill(n / side, count - 1, side) {
                return true;
            }
            self.factors.pop();
        }
        self.hopeless.insert((n, count, limit));
        false
    }
}

/// Whether `side` to the power of `count` is at least `n`.
fn reaches(side: i64, count: usize, n: i64) -> bool {
    let mut power: i64 = 1;
    for _ in 0..count {
        power = power.saturating_mul(side);
        if power >= n {
            return true;
        }
    }
    power >= n
}

/// All divisors, rising.
fn divisors(n: i64) -> Vec<i64> {
    let small: Vec<i64> = (1..)
        .take_while(|d| d * d <= n)
        .filter(|d| n % d == 0)
        .collect();
    let large = small.iter().rev().map(|d| n / d);
    let mut all: Vec<i64> = small.iter().copied().chain(large).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(nodes: i32, dims: &[i32]) -> Result<Vec<i32>, Class> {
        let mut dims = dims.to_vec();
        dims_create(nodes, &mut dims).map_err(|error| error.class)?;
        Ok(dims)
    }

    /// The same by trying every way, largest side first.
    fn by_trying(n: i32, count: usize, limit: i32) -> Option<Vec<i32>> {
        if count == 0 {
            return (n == 1).then(Vec::new);
        }
        (1..=limit.min(n))
            .filter(|side| n % side == 0)
            .find_map(|side| {
                let mut rest = by_trying(n / side, count - 1, side)?;
                rest.insert(0, side);
                Some(rest)
            })
    }

    #[test]
    fn the_examples_of_the_standard_hold() {
        assert_eq!(filled(6, &[0, 0]), Ok(vec![3, 2]));
        assert_eq!(filled(7, &[0, 0]), Ok(vec![7, 1]));
        assert_eq!(filled(6, &[0, 3, 0]), Ok(vec![2, 3, 1]));
        assert_eq!(filled(7, &[0, 3, 0]), Err(Class::Dims));
    }

    #[test]
    fn small_grids_are_as_even_as_any() {
        for n in 1..=240 {
            for count in 1..=5 {
                assert_eq!(
                    filled(n, &vec![0; count]).ok(),
                    by_trying(n, count, n),
                    "{n} {count}"
                );
            }
        }
    }

    #[test]
    fn large_numbers_take_no_time() {
        assert_eq!(filled(1 << 30, &[0; 10]), Ok(vec![8; 10]));
        assert_eq!(filled(i32::MAX, &[0, 0]), Ok(vec![i32::MAX, 1]));
        assert_eq!(filled(223_092_870, &[0; 5]), Ok(vec![77, 65, 51, 38, 23]));
        assert_eq!(
            filled(4, &[0; 1000]).map(|dims| dims[..3].to_vec()),
            Ok(vec![2, 2, 1])
        );
    }

    #[test]
    fn impossible_grids_are_told() {
        assert_eq!(filled(0, &[0]), Err(Class::Arg));
        assert_eq!(filled(6, &[-1, 0]), Err(Class::Dims));
        assert_eq!(filled(6, &[2, 2]), Err(Class::Dims));
        assert_eq!(filled(6, &[]), Err(Class::Dims));
        assert_eq!(filled(1, &[]), Ok(vec![]));
        assert_eq!(filled(6, &[i32::MAX, i32::MAX, i32::MAX]), Err(Class::Dims));
    }
}
