//! Factors a number of processes into the sides of a grid (`MPI_Dims_create`).

use std::collections::HashSet;

use crate::{Class, Error};

/// Fills in the zeros of `dims` so that the product of all is `nodes`. What is filled in does
/// not increase, and is as even as can be: the largest and the smallest differ least
/// (MPI 5.0, 8.5.2).
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

/// `count` factors of `n`, not increasing, the first and the last of which differ least; of several
/// such those with the largest last factor, then with the largest one before it, and so on.
fn even_factors(n: i64, count: usize) -> Vec<i64> {
    // A factor above 1 is at least 2, so there are no more of them than bits; the others are 1.
    let useful = count.min(64 - n.leading_zeros() as usize);
    let mut best = vec![1; count];
    let Some(first) = best.first_mut() else {
        return best;
    };
    *first = n;
    let divisors = divisors(n);
    for &top in divisors.iter().filter(|side| reaches(**side, useful, n)) {
        // What is as narrow as the best has a larger last factor.
        let spread = best[0] - best[count - 1];
        let lowest = (top - spread).max(1);
        if spread == 0 || reaches(lowest, useful - 1, n / top + 1) || (count > useful && lowest > 1)
        {
            return best;
        }
        let mut search = Search {
            divisors: &divisors,
            top,
            hopeless: HashSet::new(),
            factors: Vec::new(),
        };
        if search.fill(n / top, useful - 1, lowest) {
            search.factors.push(top);
            search.factors.reverse();
            search.factors.resize(count, 1);
            best = search.factors;
        }
    }
    best
}

struct Search<'a> {
    divisors: &'a [i64],
    /// The most that a factor may be.
    top: i64,
    /// Numbers, counts and bounds that are known to fail.
    hopeless: HashSet<(i64, usize, i64)>,
    /// Rising.
    factors: Vec<i64>,
}

impl Search<'_> {
    /// Appends `count` factors of `n` of at least `lowest`, the first as large as can be, if there
    /// are any.
    fn fill(&mut self, n: i64, count: usize, lowest: i64) -> bool {
        if count == 0 {
            return n == 1;
        }
        if !reaches(self.top, count, n) || self.hopeless.contains(&(n, count, lowest)) {
            return false;
        }
        let divisors = self.divisors;
        let small_enough = |side: &i64| *side <= self.top && !reaches(*side, count, n + 1);
        let end = divisors.partition_point(small_enough);
        for &side in divisors[..end]
            .iter()
            .rev()
            .take_while(|side| **side >= lowest)
        {
            if n % side != 0 {
                continue;
            }
            self.factors.push(side);
            if self.fill(n / side, count - 1, side) {
                return true;
            }
            self.factors.pop();
        }
        self.hopeless.insert((n, count, lowest));
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

/// Returns all divisors, in ascending order.
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
    use std::cmp::Reverse;

    use super::*;

    fn filled(nodes: i32, dims: &[i32]) -> Result<Vec<i32>, Class> {
        let mut dims = dims.to_vec();
        dims_create(nodes, &mut dims).map_err(|error| error.class)?;
        Ok(dims)
    }

    /// Returns every factorization of `n`, not increasing, in lexicographic order.
    fn every_way(n: i32, count: usize, limit: i32) -> Vec<Vec<i32>> {
        if count == 0 {
            return if n == 1 { vec![vec![]] } else { vec![] };
        }
        let mut ways = Vec::new();
        for side in (1..=limit.min(n)).filter(|side| n % side == 0) {
            for rest in every_way(n / side, count - 1, side) {
                ways.push([&[side], &rest[..]].concat());
            }
        }
        ways
    }

    fn by_trying(n: i32, count: usize) -> Option<Vec<i32>> {
        let ways = every_way(n, count, n);
        ways.into_iter().min_by_key(|way| {
            let smallest_first: Vec<i32> = way.iter().rev().copied().collect();
            (way[0] - way[count - 1], Reverse(smallest_first))
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
                    by_trying(n, count),
                    "{n} {count}"
                );
            }
        }
    }

    #[test]
    fn the_smallest_side_counts_as_well_as_the_largest() {
        assert_eq!(filled(24_624, &[0; 3]), Ok(vec![38, 27, 24]));
        assert_eq!(filled(34_425, &[0; 3]), Ok(vec![51, 27, 25]));
    }

    /// As the test suite of MPICH wants it.
    #[test]
    fn of_grids_as_even_the_one_with_the_largest_small_sides_is_taken() {
        assert_eq!(filled(5_040, &[0; 3]), Ok(vec![21, 16, 15]));
        assert_eq!(filled(712_656, &[0; 5]), Ok(vec![101, 14, 9, 8, 7]));
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
    fn impossible_grids_are_refused() {
        assert_eq!(filled(0, &[0]), Err(Class::Arg));
        assert_eq!(filled(6, &[-1, 0]), Err(Class::Dims));
        assert_eq!(filled(6, &[2, 2]), Err(Class::Dims));
        assert_eq!(filled(6, &[]), Err(Class::Dims));
        assert_eq!(filled(1, &[]), Ok(vec![]));
        assert_eq!(filled(6, &[i32::MAX, i32::MAX, i32::MAX]), Err(Class::Dims));
    }
}
