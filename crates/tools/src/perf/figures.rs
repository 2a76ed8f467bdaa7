//! Results of a measurement.

use super::cases::Case;
use super::samples::Samples;

/// One row of the results. Times are microseconds of one operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The measurement.
    pub case: Case,
    /// Bytes of an operation.
    pub bytes: usize,
    /// Operations that counted.
    pub operations: usize,
    /// The time that half of the samples do not exceed.
    pub median: f64,
    /// The time that 90 of a hundred do not.
    pub p90: f64,
    /// The time that 99 of a hundred do not.
    pub p99: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
    /// Bytes per time, in MB/s (10^6): of the mean where bandwidth is measured, else of the
    /// median.
    pub mbps: f64,
    /// Over libfabric itself, where it was measured.
    pub raw: Option<Raw>,
}

/// Time of libfabric itself, in microseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Raw {
    /// The time that half of the samples do not exceed.
    pub median: f64,
    /// The shortest.
    pub min: f64,
}

impl Row {
    /// The row of some samples.
    pub fn of(case: Case, bytes: usize, samples: &Samples, raw: Option<&Samples>) -> Row {
        let us = |ns: f64| ns / 1000.0;
        let median = samples.percentile(50.0);
        let time = if case.is_stream() {
            samples.mean()
        } else {
            median
        };
        Row {
            case,
            bytes,
            operations: samples.operations,
            median: us(median),
            p90: us(samples.percentile(90.0)),
            p99: us(samples.percentile(99.0)),
            min: us(samples.percentile(0.0)),
            max: us(samples.percentile(100.0)),
            mbps: if time > 0.0 {
                bytes as f64 * 1000.0 / time
            } else {
                0.0
            },
            raw: raw.map(|raw| Raw {
                median: us(raw.percentile(50.0)),
                min: us(raw.percentile(0.0)),
            }),
        }
    }

    /// Returns how many times as long as over libfabric itself it took: by the medians, and by the
    /// shortest times, which say more where other programs run.
    pub fn ratios(&self) -> Option<(f64, f64)> {
        let raw = self
            .raw
            .filter(|raw| raw.min > 0.0 && self.operations > 0)?;
        Some((self.median / raw.median, self.min / raw.min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_percentiles_and_bandwidth() {
        let samples = |times: &[f64]| Samples {
            times: times.to_vec(),
            operations: times.len(),
        };
        let times: Vec<f64> = (0..=100).rev().map(|n| f64::from(n) * 1000.0).collect();
        let raw = samples(&[25_000.0, 10_000.0, 30_000.0]);
        let row = Row::of(Case::GetLatency, 1000, &samples(&times), Some(&raw));
        assert_eq!((row.median, row.p90, row.p99), (50.0, 90.0, 99.0));
        assert_eq!((row.min, row.max, row.operations), (0.0, 100.0, 101));
        assert_eq!((row.mbps, row.ratios()), (20.0, Some((2.0, 0.0))));
        let stream = Row::of(
            Case::GetBandwidth,
            1000,
            &samples(&[1000.0, 4000.0, 1000.0]),
            None,
        );
        assert_eq!((stream.mbps, stream.ratios()), (500.0, None));
        let none = Row::of(Case::GetBandwidth, 8, &Samples::default(), None);
        assert_eq!((none.median, none.mbps), (0.0, 0.0));
        let alone = Row::of(Case::MessageLatency, 8, &Samples::default(), Some(&raw));
        assert_eq!(alone.raw.map(|raw| raw.median), Some(25.0));
        assert_eq!(alone.ratios(), None);
    }
}
