//! Walls: planes that nodes bounce from, without friction.
//!
//! ```text
//! g = (x - p) . n,   u = -v . n > 0,   a = -(acceleration) . n                             (1)
//! u_i^2 = u^2 + a (g_0 + g_1)                                                              (2)
//! w^2 + a (2 t - dt) w = e^2 u_i^2,   t = dt g_1 / (g_1 - g_0),   g_1 <- w t                (3)
//! lost = m (1 - e^2) u_i^2 / 2                                                             (4)
//! ```
//!
//! Reflection after [Schoner 3.1] ("walls") with a restitution e. In a step of central differences u^2 / 2 + a (g_0 + g_1) / 2 is
//! constant for a constant a, so that (2) is the squared speed at the wall itself wherever in the step it is met, and (3) gives the speed after it the
//! same energy: heights fall by e^2 exactly. t is the time that is left after the wall; a = 0 where steps are of first order.

/// A plane that nodes bounce from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// p, a point of the plane, m.
    pub point: [f64; 3],
    /// n, of length 1, towards the side where nodes are.
    pub normal: [f64; 3],
    /// e: 1 gives all of the speed back, 0 none.
    pub restitution: f64,
}

/// A node in a step, along a wall's normal.
pub(crate) struct Approach {
    /// u, m/s.
    pub speed: f64,
    /// Gaps at both ends of the step, m.
    pub gaps: [f64; 2],
    /// a, m/s^2.
    pub acceleration: f64,
}

impl Wall {
    /// The gap between a place and the wall, m; negative behind it.
    pub fn gap(&self, x: [f64; 3]) -> f64 {
        (0..3).map(|c| (x[c] - self.point[c]) * self.normal[c]).sum()
    }

    /// Speed after the wall, m/s, the new gap, m, and the squared speed at the wall.
    pub(crate) fn bounce(&self, approach: &Approach, dt: f64) -> (f64, f64, f64) {
        let Approach { speed, gaps: [g0, g1], acceleration: a } = *approach;
        let met = (speed * speed + a * (g0 + g1)).max(0.0); // (2)
        let left = if g0 > 0.0 { dt * g1 / (g1 - g0) } else { dt };
        let half = 0.5 * a * (2.0 * left - dt);
        let root = (half * half + self.restitution * self.restitution * met).sqrt();
        let after = (root - half).max(0.0); // (3)
        (after, after * left, met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounce_keeps_the_energy_of_central_differences() {
        let wall = Wall { point: [0.0; 3], normal: [0.0, 0.0, 1.0], restitution: 1.0 };
        let (speed, dt, a) = (3.0, 0.01, 9.81);
        for part in [0.1, 0.5, 0.9] {
            let gaps = [part * speed * dt, (part - 1.0) * speed * dt];
            let (after, rise, _) = wall.bounce(&Approach { speed, gaps, acceleration: a }, dt);
            let before = 0.5 * speed * speed + 0.5 * a * (gaps[0] + gaps[1]);
            let energy = 0.5 * after * after + 0.5 * a * (rise + rise - after * dt);
            assert!((energy - before).abs() < 1e-12 * before, "{part}: {energy} {before}");
        }
    }

    #[test]
    fn what_rests_on_a_wall_stays_there() {
        let wall = Wall { point: [0.0; 3], normal: [0.0, 0.0, 1.0], restitution: 0.5 };
        let (dt, a) = (0.01, 9.81);
        let fallen = Approach { speed: 0.5 * a * dt, gaps: [0.0, -0.5 * a * dt * dt], acceleration: a };
        let (after, rise, _) = wall.bounce(&fallen, dt);
        assert_eq!((after, rise), (0.0, 0.0));
    }
}
