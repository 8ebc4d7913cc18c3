//! How long the coming step is.

use crate::state::State;

/// How the step is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepChoice {
    /// Always this long, s.
    Fixed(f64),
    /// Chosen as the bodies deform.
    Auto {
        /// The part of the stability limit that is taken, below 1; methods without a limit do not use it.
        safety: f64,
    },
}

impl StepChoice {
    /// The coming step's length and end time; `limit` is the length that an automatic one should have.
    pub(super) fn coming(&self, s0: &State, limit: f64, end: Option<f64>) -> (f64, f64) {
        match *self {
            Self::Fixed(dt) => on_the_beat(s0.time, dt, end),
            // an end that has passed is none
            Self::Auto { .. } => match end.map(|end| (end, end - s0.time)).filter(|e| e.1 > 0.0) {
                Some((end, left)) if left <= limit * (1.0 + 1e-12) => (left, end),
                Some((_, left)) if left < 2.0 * limit => (0.5 * left, s0.time + 0.5 * left),
                _ => (limit, s0.time + limit),
            },
        }
    }
}

/// To the next multiple of dt, not a sum, so that many steps end where they should; a step that had to be shortened
/// is followed by one that comes back to the beat, and the last is cut at the end.
fn on_the_beat(time: f64, dt: f64, end: Option<f64>) -> (f64, f64) {
    let next = ((time / dt + 1e-6).floor() + 1.0) * dt;
    let last = end.filter(|end| *end > time && *end < next + 1e-6 * dt);
    let to = last.unwrap_or(next);
    let left = to - time;
    (if (left - dt).abs() < 1e-6 * dt { dt } else { left }, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coming(time: f64, end: Option<f64>) -> (f64, f64) {
        StepChoice::Fixed(0.1).coming(&State { time, ..State::default() }, 0.1, end)
    }

    #[test]
    fn fixed_steps_end_on_multiples_and_at_the_end() {
        let mut time = 0.0;
        for n in 1..=1000 {
            let (dt, next) = coming(time, Some(100.0));
            assert_eq!(dt, 0.1);
            assert!((next - f64::from(n) * 0.1).abs() < 1e-12);
            time = next;
        }
        assert_eq!(time, 100.0);
    }

    #[test]
    fn the_last_step_is_cut_at_an_end_off_the_beat() {
        // three times 0.1 is 0.30000000000000004
        assert_eq!(coming(0.2, Some(0.3)), (0.1, 0.3));
        let (dt, to) = coming(0.1, Some(0.16));
        assert!((dt - 0.06).abs() < 1e-15 && to == 0.16);
        assert_eq!(coming(0.0, Some(0.14)).1, 0.1);
    }

    #[test]
    fn a_shortened_step_is_followed_by_one_back_to_the_beat() {
        let (dt, next) = coming(0.125, None);
        assert!((dt - 0.075).abs() < 1e-15 && (next - 0.2).abs() < 1e-15);
    }
}
