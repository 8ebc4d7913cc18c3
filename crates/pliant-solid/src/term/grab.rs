//! A hand: a damped spring from a material point to a moving target.
//!
//! ```text
//! p = sum w_i x_i,   f = k (target - p) + c (target' - p'),   |f| <= max_force           (1)
//! ```

use pliant_geometry::MaterialPoint;
use pliant_numerics::{BlockMatrix, Mat3, PatternBuilder};

use super::{At, Caps, Coeffs, Exchange, ForceTerm, Report, Scatter, Scratch, until};

/// Where the hand is: straight lines between points at increasing times.
#[derive(Clone, Debug, PartialEq)]
pub struct GrabPath {
    /// Times, s, strictly increasing, and places, m.
    pub points: Vec<(f64, [f64; 3])>,
    /// When the hand lets go, s.
    pub release: Option<f64>,
}

impl GrabPath {
    /// A hand that stays at one place from now on.
    pub fn held_at(place: [f64; 3]) -> Self {
        Self { points: vec![(f64::NEG_INFINITY, place)], release: None }
    }

    /// The longest step that follows the hand from a time on, s.
    pub fn resolution(&self, time: f64) -> f64 {
        let next = self.points.partition_point(|(t, _)| *t <= time);
        let corner = match (next.checked_sub(1).map(|i| self.points[i].0), self.points.get(next)) {
            (Some(last), Some((next, _))) => until(*next, time).min(0.25 * (next - last)),
            (None, Some((first, _))) => until(*first, time),
            (_, None) => f64::INFINITY,
        };
        corner.min(self.release.map_or(f64::INFINITY, |release| until(release, time)))
    }

    /// Position and velocity of the target; `None` before the first point and after release.
    pub fn target(&self, time: f64) -> Option<([f64; 3], [f64; 3])> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        if time < first.0 || self.release.is_some_and(|release| time >= release) {
            return None;
        }
        if time >= last.0 {
            return Some((last.1, [0.0; 3]));
        }
        let after = self.points.partition_point(|(t, _)| *t <= time);
        let ((t0, p0), (t1, p1)) = (self.points[after - 1], self.points[after]);
        let s = (time - t0) / (t1 - t0);
        let place = std::array::from_fn(|c| p0[c] + s * (p1[c] - p0[c]));
        Some((place, std::array::from_fn(|c| (p1[c] - p0[c]) / (t1 - t0))))
    }
}

/// A grab; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Grab {
    /// World nodes of the grabbed point with their weights, which sum to one.
    pub point: MaterialPoint,
    /// The hand.
    pub path: GrabPath,
    /// k, N/m.
    pub stiffness: f64,
    /// c, N s/m.
    pub damping: f64,
    /// Largest force, N.
    pub max_force: f64,
}

impl Grab {
    /// The force on the body, N; zero while nobody holds it.
    pub fn force(&self, at: &At) -> [f64; 3] {
        self.pull(at).map_or([0.0; 3], |(free, within)| free.map(|f| at.load * within * f))
    }

    /// The pull of spring and damper, N, and the part of it that the largest force leaves.
    fn pull(&self, at: &At) -> Option<([f64; 3], f64)> {
        let (target, speed) = self.path.target(at.time)?;
        let (p, v) = (self.point.mean(at.x), self.point.mean(at.v));
        let free: [f64; 3] = std::array::from_fn(|c| {
            let slip = if at.still { 0.0 } else { speed[c] - v[c] };
            self.stiffness * (target[c] - p[c]) + self.damping * slip // (1)
        });
        let norm = free.iter().map(|f| f * f).sum::<f64>().sqrt();
        Some((free, if norm > self.max_force { self.max_force / norm } else { 1.0 }))
    }

    /// c.k K + c.d D of the grabbed point, N/m; `None` while nobody holds it.
    pub(crate) fn tangent(&self, at: &At, c: Coeffs) -> Option<Mat3<f64>> {
        let (free, within) = self.pull(at)?;
        let factor = at.load * within * (c.k * self.stiffness + c.d * self.damping);
        let tangent = Mat3::diagonal(factor);
        if within < 1.0 {
            // a force of constant size only turns
            let squared = free.iter().map(|f| f * f).sum::<f64>();
            return Some(tangent - Mat3::dyad(free, free).scale(factor / squared));
        }
        Some(tangent)
    }

    /// Whether the hand may still act: it counts for stability before it takes hold, too.
    fn ahead(&self, time: f64) -> bool {
        self.path.release.is_none_or(|release| time < release)
    }
}

impl ForceTerm for Grab {
    fn caps(&self) -> Caps {
        Caps { tangent: true, symmetric: true, rate: self.damping > 0.0, ..Caps::default() }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        let nodes: Vec<u32> = self.point.nodes().collect();
        out.clique(&nodes);
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let force = self.force(at);
        self.point.spread(force, out.force);
        let v = self.point.mean(at.v);
        let external_power = if at.still { 0.0 } else { (0..3).map(|c| force[c] * v[c]).sum() };
        Report { external_power, ..Report::default() }
    }

    /// A bound from above: a hand counts for stability before it takes hold, and whatever its largest force.
    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        if self.ahead(at.time) {
            let factor = at.load * (c.k * self.stiffness + c.d * self.damping);
            let mean = self.point.mean(direction);
            for (node, weight) in &self.point {
                let out = &mut out.force[3 * node as usize..][..3];
                (0..3).for_each(|i| out[i] += factor * weight * mean[i]);
            }
        }
    }

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, _scratch: &mut Scratch) {
        let Some(tangent) = self.tangent(at, c) else { return };
        for (i, wi) in &self.point {
            for (j, wj) in &self.point {
                out.add(i, j, &tangent.scale(wi * wj));
            }
        }
    }

    fn resolution(&self, time: f64) -> f64 {
        self.path.resolution(time)
    }

    fn next_jump(&self, time: f64) -> f64 {
        let begin = self.path.points.first().map(|(time, _)| *time);
        let ahead =
            begin.into_iter().chain(self.path.release).filter(|event| until(*event, time).is_finite());
        ahead.fold(f64::INFINITY, f64::min)
    }

    fn jumps(&self) -> Vec<f64> {
        let begin = self.path.points.first().map(|(time, _)| *time);
        begin.into_iter().chain(self.path.release).collect()
    }

    fn exchange(&self, from: &At, to: &At) -> Exchange {
        let (f0, f1) = (self.force(from), self.force(to));
        let (p0, p1) = (self.point.mean(from.x), self.point.mean(to.x));
        let work = (0..3).map(|c| 0.5 * (f0[c] + f1[c]) * (p1[c] - p0[c])).sum();
        Exchange { work, dissipated: 0.0 }
    }
}
