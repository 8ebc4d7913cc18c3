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

mod full;
mod search;

use pliant_numerics::{Lanczos, Ritz, ordered};

pub(super) use full::fastest_decay;
pub use search::StepLimit;

use full::full_limit;
use search::{Spectrum, search};

use super::held::for_each_held;
use super::{Inputs, Kit, StepMatrix};
use crate::model::Model;
use crate::state::State;
use crate::term::Coeffs;
use crate::workspace::Workspace;

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
    if has_full_matrices(model, kit) {
        return full_limit(model, state, kit, mode, inputs);
    }
    let Kit { workspace: w, solvers, .. } = kit;
    let lanczos = solvers.lanczos(mode.len());
    let damped = model.has_rate_terms() || inputs.grabs.iter().any(|g| g.damping > 0.0);
    let mut spectrum = Lumped { model, state, w, inputs, mode, lanczos };
    search(&mut spectrum, damped)
}

/// Whether M or D is more than a diagonal.
pub(super) fn has_full_matrices(model: &Model, kit: &Kit) -> bool {
    model.inertia().is_some() || kit.scheme.kind().traits().matrix == StepMatrix::Constant
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

/// 1 / sqrt(m) per degree of freedom, zero where it cannot move.
fn scale_by_mass(model: &Model, state: &State, w: &mut Workspace, inputs: &Inputs) {
    for (node, mass) in model.mass().iter().enumerate() {
        let scale = if *mass > 0.0 { 1.0 / mass.sqrt() } else { 0.0 };
        w.scale[3 * node..3 * node + 3].fill(scale);
    }
    for_each_held(model, &state.holding, inputs, |dof| w.scale[dof] = 0.0);
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
