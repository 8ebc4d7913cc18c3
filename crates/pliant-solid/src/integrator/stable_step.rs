//! The longest stable step of the explicit method, from the highest frequency of the current state.
//!
//! ```text
//! x_{n+2} - (2 - dt^2 w^2 - 2 xi w dt) x_{n+1} + (1 - 2 xi w dt) x_n = 0                 (1)
//! dt <= (2 / w)(sqrt(1 + xi^2) - xi)                                                     (2)
//! lambda_max(dt^2 K + 2 dt D) <= 4   in the metric of M                                  (3)
//! ```
//!
//! Source: [Zhuang 3.11] is (2) without damping. (1) is one mode with a damping force that lags by half
//! a step; it is stable under (2), and (3) says the same for all modes at once. Damping in proportion
//! to mass is treated implicitly [Zhuang 3.8] and does not enter. The eigenvalue comes from a
//! Lanczos iteration on the operator itself; bounds from single elements are 35 % off on tets.

use pliant_numerics::{Lanczos, Ritz, ordered};

use super::ladder::full_limit;
use super::{Inputs, IntegratorKind, Kit};
use crate::model::Model;
use crate::state::State;
use crate::term::Coeffs;
use crate::workspace::Workspace;

/// Relative residual of the eigenvalue at which the iteration ends: 0.4 % in the step.
const TOLERANCE: f64 = 8e-3;
/// Cycles of the first search.
const MAX_CYCLES: usize = 60;

/// What limits the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
    /// The longest stable step, s; infinite when nothing moves.
    pub dt: f64,
    /// Highest angular frequency (of the damped problem's worst mode), rad/s.
    pub omega: f64,
}

/// Finds the limit at a state; `mode` is the start vector and becomes the worst mode.
///
/// With full matrices of mass, or of damping, it is the limit of [`Ladder`](super::Ladder).
pub fn stable_step(
    model: &Model,
    state: &State,
    kit: &mut Kit,
    mode: &mut [f64],
    inputs: &Inputs,
) -> StepLimit {
    scale_by_mass(model, state, &mut kit.workspace, inputs);
    seed_mode(mode, &kit.workspace.scale, state.step);
    if model.inertia().is_some() || matches!(model.integrator(), IntegratorKind::Ladder(_)) {
        return full_limit(model, state, kit, mode, inputs);
    }
    let Kit { workspace: w, solvers } = kit;
    let lanczos = solvers.lanczos(mode.len());
    let damped = model.has_rate_terms() || inputs.grabs.iter().any(|g| g.damping > 0.0);
    let mut spectrum = Lumped { model, state, w, inputs, mode, lanczos };
    search(&mut spectrum, damped)
}

/// The largest eigenvalues of c.k K + c.d D in the metric of mass.
pub(super) trait Spectrum {
    /// Comes nearer to the largest one and its mode.
    fn cycle(&mut self, c: Coeffs) -> Ritz;
    /// The quotient of the mode.
    fn rayleigh(&mut self, c: Coeffs) -> f64;
}

/// The step of (3).
pub(super) fn search(spectrum: &mut impl Spectrum, damped: bool) -> StepLimit {
    // without damping (3) is dt^2 lambda(K) = 4; with it the step is found by iteration
    let mut coefficients = Coeffs { k: 1.0, d: 0.0 };
    let mut limit = StepLimit { dt: f64::INFINITY, omega: 0.0 };
    for _ in 0..MAX_CYCLES {
        let ritz = spectrum.cycle(coefficients);
        let settled = ritz.residual <= TOLERANCE * ritz.value;
        let lambda = ritz.value + ritz.residual.min(0.02 * ritz.value);
        if lambda <= 0.0 {
            break;
        }
        let previous = limit.dt;
        if damped {
            let k = spectrum.rayleigh(Coeffs { k: 1.0, d: 0.0 });
            let d = spectrum.rayleigh(Coeffs { k: 0.0, d: 1.0 });
            // the residual's allowance, in proportion
            let excess = lambda / ritz.value;
            let dt = step_of_mode(k * excess, d * excess);
            limit = StepLimit { dt, omega: k.max(0.0).sqrt() };
            coefficients = Coeffs { k: dt * dt, d: 2.0 * dt };
        } else {
            limit = StepLimit { dt: 2.0 / lambda.sqrt(), omega: ritz.value.sqrt() };
        }
        if settled && (!damped || (limit.dt - previous).abs() < 1e-3 * limit.dt) {
            break;
        }
    }
    limit
}

/// M is diagonal: the operator is scaled by its root.
struct Lumped<'a> {
    model: &'a Model,
    state: &'a State,
    w: &'a mut Workspace,
    inputs: &'a Inputs<'a>,
    mode: &'a mut [f64],
    lanczos: &'a mut Lanczos,
}

impl Spectrum for Lumped<'_> {
    fn cycle(&mut self, c: Coeffs) -> Ritz {
        let Self { model, state, w, inputs, mode, lanczos } = self;
        lanczos.cycle(mode, |x, out| apply(model, state, w, c, inputs, x, out))
    }

    fn rayleigh(&mut self, c: Coeffs) -> f64 {
        rayleigh(self.model, self.state, self.w, c, self.inputs, self.mode)
    }
}

/// The dt with dt^2 k + 2 dt d = 4: (2) with k = w^2 and d = 2 xi w.
fn step_of_mode(k: f64, d: f64) -> f64 {
    // the root of the quadratic, in the form that does not cancel
    4.0 / (d + (d * d + 4.0 * k.max(0.0)).sqrt())
}

/// 1 / sqrt(m) per degree of freedom, zero where it cannot move.
fn scale_by_mass(model: &Model, state: &State, w: &mut Workspace, inputs: &Inputs) {
    for (node, mass) in model.mass().iter().enumerate() {
        let scale = if *mass > 0.0 { 1.0 / mass.sqrt() } else { 0.0 };
        w.scale[3 * node..3 * node + 3].fill(scale);
    }
    for fix in model.fixes().iter().filter(|f| f.holds(state.time)) {
        for &node in &fix.nodes {
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| w.scale[3 * node as usize + c] = 0.0);
        }
    }
    for (body, _) in model.layout().bodies().iter().zip(&state.frozen).filter(|(_, frozen)| **frozen) {
        w.scale[3 * body.nodes.start as usize..3 * body.nodes.end as usize].fill(0.0);
    }
    for &node in inputs.pins {
        w.scale[3 * node as usize..][..3].fill(0.0);
    }
}

/// Adds a little of everything to the last mode, so that a new worst place is found too.
fn seed_mode(mode: &mut [f64], scale: &[f64], step: u64) {
    let norm = ordered::dot(mode, mode).sqrt();
    let free = scale.iter().filter(|s| **s > 0.0).count().max(1) as f64;
    let (keep, noise) = if norm > 0.0 { (1.0 / norm, 0.3 / free.sqrt()) } else { (0.0, 1.0) };
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ step;
    for (value, scale) in mode.iter_mut().zip(scale) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let uniform = (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        *value = if *scale > 0.0 { keep * *value + noise * uniform } else { 0.0 };
    }
}

/// `out = M^-1/2 (c.k K + c.d D) M^-1/2 x` over what can move.
fn apply(
    model: &Model,
    state: &State,
    w: &mut Workspace,
    c: Coeffs,
    inputs: &Inputs,
    x: &[f64],
    out: &mut [f64],
) {
    for ((direction, x), scale) in w.direction.iter_mut().zip(x).zip(&w.scale) {
        *direction = x * scale;
    }
    let at = state.at();
    w.apply_tangent(model, at, c, inputs.grabs);
    for ((out, force), scale) in out.iter_mut().zip(&w.force).zip(&w.scale) {
        *out = force * scale;
    }
}

/// y^T A y for the unit vector y, in the metric of mass.
fn rayleigh(model: &Model, state: &State, w: &mut Workspace, c: Coeffs, inputs: &Inputs, y: &[f64]) -> f64 {
    for ((direction, y), scale) in w.direction.iter_mut().zip(y).zip(&w.scale) {
        *direction = y * scale;
    }
    let at = state.at();
    w.apply_tangent(model, at, c, inputs.grabs);
    ordered::sum(y.len(), |first, last| (first..last).map(|i| w.force[i] * w.direction[i]).sum())
}

#[cfg(test)]
mod tests {
    use super::step_of_mode;

    #[test]
    fn one_mode_gives_the_damped_limit() {
        // (2 / w)(sqrt(1 + xi^2) - xi) for w = 10, xi = 0.3
        let (w, xi) = (10.0_f64, 0.3_f64);
        let expected = 2.0 / w * ((1.0 + xi * xi).sqrt() - xi);
        assert!((step_of_mode(w * w, 2.0 * xi * w) - expected).abs() < 1e-15);
        assert!((step_of_mode(w * w, 0.0) - 0.2).abs() < 1e-15);
    }
}
