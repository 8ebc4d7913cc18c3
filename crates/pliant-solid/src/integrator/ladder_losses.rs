//! What the viscosity of elements takes where mass and damping are full.

use pliant_numerics::ordered;

use super::rungs::Rungs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Takes D0 from where the coming step wants it; gives what elements lost beyond it at the end of the last step, W.
pub(super) fn excess_before(
    model: &Model,
    s0: &State,
    s1: &State,
    rungs: &mut Rungs,
    w: &mut Workspace,
) -> f64 {
    let (old, new) = (&s0.solver.ladder, &s1.solver.ladder);
    if old.reference_key == new.reference_key {
        rungs.refer(model, s0, new, w);
        return old.excess;
    }
    rungs.refer(model, s0, old, w);
    let by_old = rungs.power_of(&s0.v);
    rungs.refer(model, s0, new, w);
    old.excess + by_old - rungs.power_of(&s0.v)
}

/// Power that D0 takes in a step, W: its mean force along the step's own velocity, as the balance of energy has it.
pub(super) fn viscous_power(s0: &State, s1: &State, rungs: &mut Rungs) -> f64 {
    if !rungs.has_viscosity() {
        return 0.0;
    }
    let (inverse, mut along) = (1.0 / s1.solver.dt, std::mem::take(&mut rungs.solution));
    along.iter_mut().zip(s0.x.iter().zip(&s1.x)).for_each(|(v, (x0, x1))| *v = (x1 - x0) * inverse);
    // D0 is symmetric: one product serves both ends
    rungs.viscosity_times(&along);
    rungs.solution = along;
    0.5 * (ordered::dot(&rungs.product, &s0.v) + ordered::dot(&rungs.product, &s1.v))
}
