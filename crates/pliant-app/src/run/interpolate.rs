//! States between steps, so that output never changes the step.
//!
//! ```text
//! x(s) = cubic with x and v of both ends;  v(s) = v0 + s (v1 - v0)                       (1)
//! ```

use pliant_solid::State;

/// Positions and velocities at `time`, between the two states.
pub fn between(before: &State, after: &State, time: f64) -> (Vec<f64>, Vec<f64>) {
    let dt = after.time - before.time;
    if dt <= 0.0 || time >= after.time {
        return (after.x.clone(), after.v.clone());
    }
    let s = (time - before.time) / dt;
    let (a, b) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
    let (start, end) = (b * (1.0 - s) * dt, -b * s * dt);
    let position = |i: usize| {
        let (x0, x1) = (before.x[i], after.x[i]);
        x0 + a * (x1 - x0) + start * before.v[i] + end * after.v[i] // (1)
    };
    let x = (0..before.x.len()).map(position).collect();
    let v = before.v.iter().zip(&after.v).map(|(v0, v1)| v0 + s * (v1 - v0)).collect();
    (x, v)
}

#[cfg(test)]
mod tests {
    use super::between;
    use pliant_solid::State;

    #[test]
    fn a_cubic_path_is_reproduced() {
        let path = |t: f64| (t * t * t - t, 3.0 * t * t - 1.0);
        let state = |t: f64| State { time: t, x: vec![path(t).0], v: vec![path(t).1], ..State::default() };
        let (x, _) = between(&state(0.2), &state(0.5), 0.3);
        assert!((x[0] - path(0.3).0).abs() < 1e-15);
    }
}
