//! How a load comes, varies and goes: the factor that its full value is multiplied with.
//!
//! ```text
//! factor(t) = r(t / over) s(t),   0 from `release` on                                     (1)
//! s(t) = 1,   mean + sin(omega t + phase),   or straight lines through a table            (2)
//! ```
//!
//! Tables are joined by straight lines, not by the spline of held nodes: a force may have corners, and
//! a curve through a pressure of 0, 1, 1 would swing beyond 1 and below 0.

use super::until;
use crate::ramp::ramp;

/// Steps in a period of a sine, at least.
const STEPS_PER_PERIOD: f64 = 24.0;
/// Steps between two entries of a table, at least.
const STEPS_PER_ENTRY: f64 = 4.0;

/// How a load comes and goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadHistory {
    /// Time over which it grows to its full value, s.
    pub over: f64,
    /// When it ends, s.
    pub release: Option<f64>,
    /// How it varies.
    pub script: LoadScript,
}

/// How a load varies with time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LoadScript {
    /// Not at all.
    #[default]
    Constant,
    /// mean + sin(omega t + phase).
    Sine {
        /// Angular frequency, rad/s, above 0.
        omega: f64,
        /// Phase, rad.
        phase: f64,
        /// Mean.
        mean: f64,
    },
    /// Factors at strictly increasing times, s; constant before the first and after the last.
    Table(Vec<(f64, f64)>),
}

impl LoadHistory {
    /// Grows over some time, s, and stays.
    pub const fn growing(over: f64) -> Self {
        Self { over, release: None, script: LoadScript::Constant }
    }

    /// The fraction of the load at a time (1).
    pub fn factor(&self, time: f64) -> f64 {
        if self.release.is_some_and(|release| time >= release) {
            return 0.0;
        }
        ramp(time, self.over)[0] * self.script.factor(time)
    }

    /// The longest step that follows it from a time on and ends where it jumps, s.
    pub fn resolution(&self, time: f64) -> f64 {
        let growing = if time < self.over { self.over / 16.0 } else { f64::INFINITY };
        let release = self.release.map_or(f64::INFINITY, |release| until(release, time));
        growing.min(release).min(self.pace(time)).min(self.script.next_corner(time))
    }

    /// The longest step that follows the script from a time on, s, whatever its corners: for steps that are to stay equal.
    pub fn pace(&self, time: f64) -> f64 {
        if self.release.is_some_and(|release| time >= release) {
            f64::INFINITY
        } else {
            self.script.pace(time)
        }
    }
}

impl LoadScript {
    /// s of (2).
    pub fn factor(&self, time: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Sine { omega, phase, mean } => mean + (omega * time + phase).sin(),
            Self::Table(entries) => {
                let after = entries.partition_point(|(t, _)| *t <= time);
                match (after.checked_sub(1).map(|i| entries[i]), entries.get(after).copied()) {
                    (Some((t0, f0)), Some((t1, f1))) => f0 + (time - t0) / (t1 - t0) * (f1 - f0),
                    (Some((_, only)), None) | (None, Some((_, only))) => only,
                    (None, None) => 1.0,
                }
            }
        }
    }

    fn pace(&self, time: f64) -> f64 {
        match self {
            Self::Constant => f64::INFINITY,
            Self::Sine { omega, .. } => std::f64::consts::TAU / (STEPS_PER_PERIOD * omega),
            Self::Table(entries) => {
                let ended = entries.last().is_none_or(|(last, _)| time >= *last);
                let shortest = entries.windows(2).map(|w| w[1].0 - w[0].0).fold(f64::INFINITY, f64::min);
                if ended { f64::INFINITY } else { shortest / STEPS_PER_ENTRY }
            }
        }
    }

    /// The time to the next corner, s.
    fn next_corner(&self, time: f64) -> f64 {
        match self {
            Self::Constant | Self::Sine { .. } => f64::INFINITY,
            Self::Table(entries) => {
                entries.iter().map(|(t, _)| until(*t, time)).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LoadHistory, LoadScript};

    #[test]
    fn a_table_is_followed_along_straight_lines_and_kept_outside() {
        let script = LoadScript::Table(vec![(1.0, 0.0), (2.0, 1.0), (4.0, 1.0), (4.5, -2.0)]);
        let history = LoadHistory { script, ..LoadHistory::default() };
        for (time, factor) in [(0.0, 0.0), (1.0, 0.0), (1.25, 0.25), (3.0, 1.0), (4.25, -0.5), (9.0, -2.0)] {
            assert_eq!(history.factor(time), factor, "at {time} s");
        }
        // a quarter of the shortest interval, but never across a corner
        assert_eq!((history.resolution(3.0), history.resolution(3.9)), (0.125, 4.0 - 3.9));
        assert_eq!(history.resolution(4.5), f64::INFINITY);
    }

    #[test]
    fn a_sine_grows_over_its_ramp_and_ends_at_its_release() {
        let script = LoadScript::Sine { omega: std::f64::consts::TAU, phase: 0.0, mean: 0.5 };
        let history = LoadHistory { over: 1.0, release: Some(3.0), script };
        // half the ramp at 0.5 s, where the sine is 0; whole at a quarter of the second period
        assert!((history.factor(0.5) - 0.25).abs() < 1e-15);
        assert!((history.factor(1.25) - 1.5).abs() < 1e-15);
        assert_eq!((history.factor(3.0), history.pace(3.0)), (0.0, f64::INFINITY));
        assert!((history.resolution(2.0) - 1.0 / 24.0).abs() < 1e-15);
    }
}
