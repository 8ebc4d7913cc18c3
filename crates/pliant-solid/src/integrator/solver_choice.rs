//! Whether gradients or a factor will solve the equations of a model's steps sooner.
//!
//! ```text
//! time of a factor = 0.9 ns sum_j c_j^2 + 2 us rows,   of gradients = 4 ns blocks steps              (1)
//! ```
//!
//! Here c_j are the blocks of column j of the factor. The constants were fitted to bars, a rod and a sheet of 250 to 97200 tetrahedra (`benches/preconditioners.rs`, one thread of a Xeon with AVX2). How many steps gradients take depends on stiffness, step and shape (20 for a stout bar, 2000 for a rod): a trial at the start counts them, and ends where a
//! factor would have been sooner. So the choice follows from the model alone, whatever the machine and its threads.

use pliant_numerics::GradientLimits;

use super::Inputs;
use super::balance::{Balance, Recurrence};
use super::sparse_system::{LinearSolver, SparseSystem};
use crate::model::Model;
use crate::workspace::Workspace;

/// Constants of (1), ns.
const FACTOR_PAIR: f64 = 0.9;
const FACTOR_ROW: f64 = 2000.0;
const GRADIENT_BLOCK: f64 = 4.0;
/// The part of a trial's steps that a step needs, which starts from a good guess.
const WARM: f64 = 0.7;
/// Numbers of a factor that no step should need.
const TOO_MANY_NUMBERS: u64 = 1_000_000_000;

/// Which one it is for implicit Euler in steps of `dt`, to a tolerance.
pub(super) fn sooner(model: &Model, dt: f64, tolerance: f64) -> LinearSolver {
    if model.terms().iter().any(|t| !t.caps().symmetric) {
        return LinearSolver::Gradients; // no factor serves
    }
    let elimination = model.elimination();
    let pattern = model.structure().free();
    let factor = FACTOR_PAIR * elimination.pairs + FACTOR_ROW * pattern.row_count() as f64;
    let worth = factor / (GRADIENT_BLOCK * WARM * pattern.block_count().max(1) as f64);
    if elimination.factor_numbers > TOO_MANY_NUMBERS || worth >= 2000.0 {
        return LinearSolver::Gradients;
    }
    let limits = GradientLimits { tolerance, steps: worth as usize };
    if is_solved(model, dt, limits) { LinearSolver::Gradients } else { LinearSolver::Direct }
}

/// Whether gradients solve the equations of a first step within limits, for forces of all wavelengths.
fn is_solved(model: &Model, dt: f64, limits: GradientLimits) -> bool {
    let (state, inputs) = (model.initial_state(), Inputs::default());
    let mut w = Workspace::new(model);
    w.still.resize(state.x.len(), 0.0);
    let Ok(mut system) = SparseSystem::new(model, LinearSolver::Gradients) else { return true };
    system.hold(model, &state, state.time, &inputs);
    let recurrence = Some(Recurrence { beta: 1.0, gamma: 1.0, dt });
    let balance = Balance { model, inputs: &inputs, time: state.time, load: 1.0, recurrence, definite: true };
    balance.assemble(&state, &mut system, &mut w);
    if system.factor().is_err() {
        return true;
    }
    for (i, force) in system.unbalanced.iter_mut().enumerate() {
        *force = model.mass()[i / 3] * (1.0 + (0.7 * i as f64).sin());
    }
    system.step.fill(0.0);
    system.solve_from_guess(&state.x, limits).is_ok_and(|report| !report.unsolved)
}
