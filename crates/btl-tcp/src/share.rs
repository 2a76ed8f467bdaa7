//! The choice of the connection that takes the next piece of a large transfer.
//!
//! A connection that has room takes the next piece, so each carries what it can. Near the end of a
//! transfer that is not enough: a slow connection that takes the last piece delays the whole. So a
//! connection leaves a piece to the others if these would finish all of the rest sooner.

use std::cmp::Ordering;

/// The rate and backlog of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Bytes a second, as measured, or as the interface says while nothing was.
    pub rate: u64,
    /// Bytes that it holds and that have not arrived.
    pub held: u64,
}

/// Whether a connection takes a piece, where `rest` bytes wait in all, the piece among them. At
/// any time at least one does: the one that would be done with the piece first.
pub fn takes(piece: u64, rest: u64, own: Load, others: &[Load]) -> bool {
    let own_end = Time::of(own.held + piece, own.rate);
    let first = others
        .iter()
        .all(|load| own_end <= Time::of(load.held + piece, load.rate));
    let rate: u64 = others.iter().map(|load| load.rate.max(1)).sum();
    let held: u64 = others.iter().map(|load| load.held).sum();
    first || own_end <= Time::of(held + rest, rate)
}

/// Returns the connection that would be done with a piece first, of those with these loads.
pub fn first(piece: u64, loads: &[(usize, Load)]) -> Option<usize> {
    let end = |load: &Load| Time::of(load.held + piece, load.rate);
    let earlier = |(_, one): &&(usize, Load), (_, other): &&(usize, Load)| {
        let ordering = end(one).partial_cmp(&end(other));
        ordering.unwrap_or(Ordering::Equal)
    };
    loads.iter().min_by(earlier).map(|(number, _)| *number)
}

/// A time as a fraction, so that nothing is rounded.
#[derive(Clone, Copy)]
struct Time {
    bytes: u64,
    rate: u64,
}

impl Time {
    fn of(bytes: u64, rate: u64) -> Time {
        let rate = rate.max(1);
        Time { bytes, rate }
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Time) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<Ordering> {
        let product = |bytes: u64, rate: u64| u128::from(bytes) * u128::from(rate);
        Some(product(self.bytes, other.rate).cmp(&product(other.bytes, self.rate)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PIECE: u64 = 64 << 10;

    /// Carries `len` bytes over connections of these rates, each of which holds at most `room`;
    /// the time it takes, and what each has carried.
    fn carry(len: u64, rates: &[u64], room: u64) -> (f64, Vec<u64>) {
        let mut held = vec![0f64; rates.len()];
        let mut carried = vec![0; rates.len()];
        let (mut rest, mut time) = (len, 0.0);
        loop {
            for own in 0..rates.len() {
                while rest > 0 && held[own] as u64 + PIECE <= room {
                    let load = |at: usize| Load {
                        rate: rates[at],
                        held: held[at] as u64,
                    };
                    let others: Vec<Load> =
                        (0..rates.len()).filter(|at| *at != own).map(load).collect();
                    let piece = PIECE.min(rest);
                    if !takes(piece, rest, load(own), &others) {
                        break;
                    }
                    held[own] += piece as f64;
                    carried[own] += piece;
                    rest -= piece;
                }
            }
            if rest == 0 && held.iter().all(|held| *held < 1.0) {
                return (time, carried);
            }
            let step = 1e-4;
            time += step;
            for (held, rate) in held.iter_mut().zip(rates) {
                *held = (*held - *rate as f64 * step).max(0.0);
            }
        }
    }

    #[test]
    fn equals_share_alike() {
        let rate = 100_000_000;
        let (time, carried) = carry(16 << 20, &[rate, rate], 512 << 10);
        let one = (16 << 20) as f64 / rate as f64;
        assert!(time < one / 1.9, "{time} against {one}");
        assert!(carried[0].abs_diff(carried[1]) <= PIECE, "{carried:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// However unequal they are, all together are hardly slower than the sum of their rates
        /// allows, and never much slower than the fastest alone.
        #[test]
        fn a_slow_one_does_not_take_the_tail(
            rates in proptest::collection::vec(50_000_000u64..2_000_000_000, 1..4),
            len in (256u64 << 10)..(16 << 20),
        ) {
            let (time, carried) = carry(len, &rates, 512 << 10);
            prop_assert_eq!(carried.iter().sum::<u64>(), len);
            let fastest = *rates.iter().max().unwrap() as f64;
            let all = rates.iter().sum::<u64>() as f64;
            let slack = PIECE as f64 / fastest + 2e-4;
            prop_assert!(time <= len as f64 / fastest + slack, "slower than the fastest alone");
            // What is lost: a piece each at the end, and the room that the slow ones fill first.
            let slack = rates.len() as f64 * PIECE as f64 / fastest * 2.0 + 4e-4;
            let ideal = len as f64 / all;
            prop_assert!(time <= ideal * 1.25 + slack, "{} against {}", time, ideal);
        }
    }
}
