//! A smooth curve through given points: cubic spline, at rest at both ends.
//!
//! ```text
//! h_i v_{i-1} + 2 (h_{i-1} + h_i) v_i + h_{i-1} v_{i+1}
//!     = 3 (h_i d_{i-1} + h_{i-1} d_i),     d_i = (p_{i+1} - p_i) / h_i,   v_0 = v_n = 0    (1)
//! ```
//!
//! Twice continuously differentiable between the ends; (1) is the condition on the accelerations
//! of Hermite cubics at the inner points. Before the first and after the last point it stands still.

/// A curve in space through points at increasing times.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    times: Vec<f64>,
    points: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
    shortest: f64,
}

impl Spline {
    /// Through `points` at strictly increasing `times`; `None` if there are none or they are not.
    pub fn through(times: Vec<f64>, points: Vec<[f64; 3]>) -> Option<Self> {
        if times.is_empty() || times.len() != points.len() || times.windows(2).any(|w| w[0] >= w[1]) {
            return None;
        }
        let shortest = times.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
        let mut spline = Self { velocities: vec![[0.0; 3]; points.len()], times, points, shortest };
        for axis in 0..3 {
            spline.solve_velocities(axis);
        }
        Some(spline)
    }

    /// (1) by elimination along the chain.
    fn solve_velocities(&mut self, axis: usize) {
        let n = self.times.len();
        let h: Vec<f64> = self.times.windows(2).map(|w| w[1] - w[0]).collect();
        let slope = |i: usize| (self.points[i + 1][axis] - self.points[i][axis]) / h[i];
        let mut upper = vec![0.0; n];
        let mut right = vec![0.0; n];
        for i in 1..n.saturating_sub(1) {
            let diagonal = 2.0 * (h[i - 1] + h[i]) - h[i] * upper[i - 1];
            upper[i] = h[i - 1] / diagonal;
            let load = 3.0 * (h[i] * slope(i - 1) + h[i - 1] * slope(i));
            right[i] = (load - h[i] * right[i - 1]) / diagonal;
        }
        for i in (1..n.saturating_sub(1)).rev() {
            self.velocities[i][axis] = right[i] - upper[i] * self.velocities[i + 1][axis];
        }
    }

    /// The shortest time between two points, s; infinite once the last has been passed.
    pub fn shortest_interval_after(&self, time: f64) -> f64 {
        let last = self.times[self.times.len() - 1];
        if time >= last { f64::INFINITY } else { self.shortest }
    }

    /// Position, velocity and acceleration at a time.
    pub fn at(&self, time: f64) -> [[f64; 3]; 3] {
        let last = self.times.len() - 1;
        if time <= self.times[0] || last == 0 {
            return [self.points[0], [0.0; 3], [0.0; 3]];
        }
        if time >= self.times[last] {
            return [self.points[last], [0.0; 3], [0.0; 3]];
        }
        let i = self.times.partition_point(|&t| t <= time) - 1;
        let h = self.times[i + 1] - self.times[i];
        let s = (time - self.times[i]) / h;
        let mut out = [[0.0; 3]; 3];
        for c in 0..3 {
            let (p0, p1) = (self.points[i][c], self.points[i + 1][c]);
            let (v0, v1) = (self.velocities[i][c] * h, self.velocities[i + 1][c] * h);
            // cubic in s: p0 + v0 s + b s^2 + a s^3
            let (a, b) = (2.0 * (p0 - p1) + v0 + v1, 3.0 * (p1 - p0) - 2.0 * v0 - v1);
            out[0][c] = p0 + s * (v0 + s * (b + s * a));
            out[1][c] = (v0 + s * (2.0 * b + 3.0 * a * s)) / h;
            out[2][c] = (2.0 * b + 6.0 * a * s) / (h * h);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Spline;

    #[test]
    fn passes_through_its_points_with_continuous_acceleration() {
        let points = vec![[0.0; 3], [1.0, 0.0, 2.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let spline = Spline::through(vec![0.0, 0.3, 1.0, 1.2], points.clone()).unwrap();
        for (t, p) in [0.0, 0.3, 1.0, 1.2].into_iter().zip(points) {
            assert_eq!(spline.at(t)[0], p);
        }
        for knot in [0.3, 1.0] {
            let (left, right) = (spline.at(knot - 1e-9), spline.at(knot + 1e-9));
            for c in 0..3 {
                assert!((left[1][c] - right[1][c]).abs() < 1e-6);
                assert!((left[2][c] - right[2][c]).abs() < 1e-5, "{:?} {:?}", left[2], right[2]);
            }
        }
        assert_eq!(spline.at(0.0)[1], [0.0; 3]);
        assert_eq!(spline.at(5.0), [[0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]]);
    }

    #[test]
    fn refuses_times_that_do_not_increase() {
        assert_eq!(Spline::through(vec![0.0, 0.0], vec![[0.0; 3]; 2]), None);
        assert_eq!(Spline::through(vec![], vec![]), None);
    }
}
