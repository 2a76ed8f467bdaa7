//! Comparison of measurements at equal core distance.
//!
//! A host moves the processors of a virtual machine every few seconds: sometimes two ranks run on
//! cores that share a cache, sometimes not. The latency of a message then differs by a factor of
//! three, so a library could lose only because it was measured at a bad moment. Each sample
//! therefore records the distance of the cores, and only samples of one distance are compared.

/// The result of one run of a benchmark program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The value that the program printed.
    pub value: f64,
    /// Latency between the two cores during the run in nanoseconds; 0 if unknown.
    pub apart: f64,
}

/// Ratio of two distances up to which they count as equal.
const ALIKE: f64 = 1.5;

/// The classes of core distance in a set of samples: the smallest distance of each, ascending.
pub struct Places(Vec<f64>);

impl Places {
    /// Returns the classes of `distances`; unknown distances (0) have none.
    pub fn of(distances: impl Iterator<Item = f64>) -> Places {
        let mut known: Vec<f64> = distances.filter(|apart| *apart > 0.0).collect();
        known.sort_by(f64::total_cmp);
        let mut first: Vec<f64> = Vec::new();
        for apart in known {
            if first.last().is_none_or(|first| apart > first * ALIKE) {
                first.push(apart);
            }
        }
        Places(first)
    }

    /// Returns the index of the sample's class, counted from 1.
    fn class(&self, sample: &Sample) -> usize {
        self.0.partition_point(|first| *first <= sample.apart)
    }

    /// Returns the samples of each library in one class: of those in which every library has
    /// samples, the one with the most. Returns all samples if there is no such class.
    pub fn alike<'a>(&self, libraries: &[&'a [Sample]]) -> Vec<Vec<&'a Sample>> {
        let at = |class: usize| {
            let of = |samples: &&'a [Sample]| -> Vec<&'a Sample> {
                let samples = samples.iter();
                samples
                    .filter(|sample| self.class(sample) == class)
                    .collect()
            };
            libraries.iter().map(of).collect::<Vec<_>>()
        };
        let whole = (1..=self.0.len()).map(at);
        let whole = whole.filter(|classes| classes.iter().all(|samples| !samples.is_empty()));
        let most = whole.max_by_key(|classes| classes.iter().map(Vec::len).sum::<usize>());
        most.unwrap_or_else(|| libraries.iter().map(|all| all.iter().collect()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(pairs: &[(f64, f64)]) -> Vec<Sample> {
        let sample = |&(value, apart): &(f64, f64)| Sample { value, apart };
        pairs.iter().map(sample).collect()
    }

    #[test]
    fn libraries_are_compared_at_the_distance_that_all_have_seen() {
        let ours = samples(&[(3.0, 60.0), (9.0, 150.0), (3.1, 62.0)]);
        let theirs = samples(&[(1.0, 30.0), (4.0, 65.0), (10.0, 160.0)]);
        let both = [&ours[..], &theirs[..]];
        let apart = both
            .iter()
            .flat_map(|all| all.iter().map(|sample| sample.apart));
        let places = Places::of(apart);
        assert_eq!(places.0, [30.0, 60.0, 150.0]);
        let values: Vec<Vec<f64>> = places
            .alike(&both)
            .iter()
            .map(|samples| samples.iter().map(|sample| sample.value).collect())
            .collect();
        assert_eq!(values, [vec![3.0, 3.1], vec![4.0]]);
    }

    #[test]
    fn all_count_where_there_is_no_such_distance() {
        let (near, far) = (samples(&[(1.0, 30.0)]), samples(&[(4.0, 150.0)]));
        let places = Places::of([30.0, 150.0].into_iter());
        let counted = places.alike(&[&near, &far]);
        assert_eq!((counted[0].len(), counted[1].len()), (1, 1));
        let unknown = samples(&[(1.0, 0.0), (2.0, 0.0)]);
        let none = Places::of(std::iter::once(0.0));
        assert_eq!(none.alike(&[&unknown])[0].len(), 2);
    }
}
