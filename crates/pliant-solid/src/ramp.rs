//! The smooth way from 0 to 1 that scripted motions and loads take.
//!
//! ```text
//! r(s) = 10 s^3 - 15 s^4 + 6 s^5,   s = t / over                                        (1)
//! ```
//!
//! Velocity and acceleration vanish at both ends, so that starting and stopping excites no
//! vibration of its own and energy accounts stay second order.

/// Value, first and second derivative in time of (1) at `time`; 1 at once if `over` is zero.
pub fn ramp(time: f64, over: f64) -> [f64; 3] {
    if time <= 0.0 && over > 0.0 {
        return [0.0; 3];
    }
    if time >= over {
        return [1.0, 0.0, 0.0];
    }
    let s = time / over;
    [
        s * s * s * (10.0 - 15.0 * s + 6.0 * s * s),
        30.0 * s * s * (1.0 - s) * (1.0 - s) / over,
        60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (over * over),
    ]
}

#[cfg(test)]
mod tests {
    use super::ramp;

    #[test]
    fn derivatives_agree_with_differences_and_ends_are_at_rest() {
        let (over, t, h) = (2.0, 0.7, 1e-5);
        let [_, v, a] = ramp(t, over);
        let (before, after) = (ramp(t - h, over), ramp(t + h, over));
        assert!(((after[0] - before[0]) / (2.0 * h) - v).abs() < 1e-9);
        assert!(((after[1] - before[1]) / (2.0 * h) - a).abs() < 1e-8);
        assert_eq!(ramp(0.0, over), [0.0; 3]);
        assert_eq!(ramp(2.0, over), [1.0, 0.0, 0.0]);
        assert_eq!(ramp(1.0, over)[0], 0.5);
        assert_eq!(ramp(0.0, 0.0), [1.0, 0.0, 0.0]);
    }
}
