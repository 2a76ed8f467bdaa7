//! The times of a measurement, in the order taken.

/// The times of the operations of one measurement, in nanoseconds each.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Samples {
    /// One for each group of operations that was timed as one: the time divided by their number.
    pub times: Vec<f64>,
    /// Operations in all.
    pub operations: usize,
}

impl Samples {
    /// Adds the samples of another round.
    pub fn join(&mut self, other: Samples) {
        self.times.extend(other.times);
        self.operations += other.operations;
    }

    /// The time that `share` of a hundred samples do not exceed; 0 without samples.
    pub fn percentile(&self, share: f64) -> f64 {
        let mut sorted = self.times.clone();
        sorted.sort_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else {
            return 0.0;
        };
        let at = (share / 100.0 * last as f64).round() as usize;
        sorted[at.min(last)]
    }

    /// The mean of the samples; 0 without samples.
    pub fn mean(&self) -> f64 {
        match self.times.len() {
            0 => 0.0,
            count => self.times.iter().sum::<f64>() / count as f64,
        }
    }
}
