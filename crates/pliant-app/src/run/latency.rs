//! Step times as a histogram of constant size: the tail is the result, not the mean.

use serde::Serialize;

/// Buckets per factor of two: quantiles are good to about 1 %.
const PER_OCTAVE: f64 = 64.0;
/// Up to 2^40 ns, about 18 minutes.
const BUCKETS: usize = 40 * 64;

/// Counts of durations.
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    longest_ns: u64,
}

/// Milliseconds at the middle, at the 99th percentile, and the worst.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Quantiles {
    /// Half of the steps took at most this.
    pub p50: f64,
    /// 99 of 100 took at most this.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl Histogram {
    /// Empty.
    pub fn new() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0, longest_ns: 0 }
    }

    /// From what [`Self::counts`] and [`Self::longest_ns`] told.
    pub fn of(counts: &[(usize, u64)], longest_ns: u64) -> Self {
        let mut histogram = Self { longest_ns, ..Self::new() };
        for &(bucket, count) in counts {
            histogram.counts[bucket.min(BUCKETS - 1)] += count;
            histogram.total += count;
        }
        histogram
    }

    /// The buckets that hold anything.
    pub fn counts(&self) -> Vec<(usize, u64)> {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count > 0).collect()
    }

    /// The longest duration, ns.
    pub fn longest_ns(&self) -> u64 {
        self.longest_ns
    }

    /// Counts one duration.
    pub fn add(&mut self, nanoseconds: u64) {
        let bucket = ((nanoseconds.max(1) as f64).log2() * PER_OCTAVE) as usize;
        self.counts[bucket.min(BUCKETS - 1)] += 1;
        self.total += 1;
        self.longest_ns = self.longest_ns.max(nanoseconds);
    }

    /// The duration below which a fraction of the samples lies, ns.
    pub fn quantile_ns(&self, fraction: f64) -> f64 {
        let wanted = (fraction * self.total as f64).ceil() as u64;
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted && seen > 0 {
                let middle = ((bucket as f64 + 0.5) / PER_OCTAVE).exp2();
                return middle.min(self.longest_ns as f64);
            }
        }
        0.0
    }

    /// For reports.
    pub fn quantiles(&self) -> Quantiles {
        Quantiles {
            p50: 1e-6 * self.quantile_ns(0.5),
            p99: 1e-6 * self.quantile_ns(0.99),
            max: 1e-6 * self.longest_ns as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Histogram;

    #[test]
    fn quantiles_of_a_ramp_are_right_to_one_percent() {
        let mut histogram = Histogram::new();
        (1..=100_000).for_each(|i| histogram.add(i * 10));
        let q = histogram.quantiles();
        assert!((q.p50 / 0.5 - 1.0).abs() < 0.012, "{q:?}");
        assert!((q.p99 / 0.99 - 1.0).abs() < 0.012, "{q:?}");
        assert_eq!(q.max, 1.0);
    }
}
