//! Whether gradients or a factor will solve the equations of a model's steps sooner, and with which preconditioner.
//!
//! ```text
//! time of a factor = 0.9 ns sum_j c_j^2 + min(2 us rows, 130 ns sum_j c_j)                        (1)
//! time of gradients = c blocks steps                                                             (2)
//! ```
//!
//! Here c_j are the blocks of column j of the factor, and c is what a block costs in a step: 3.3 ns in a sweep whose
//! rows stay in cache and 8.5 ns where they do not, since each row waits for the ones before it; 3.8 ns in a product.
//! The constants were fitted to bars, a rod and a sheet of 250 to 97200 tetrahedra (`benches/preconditioners.rs`, one
//! thread of a Xeon with AVX2). How many steps gradients take depends on stiffness, step, Poisson's ratio and shape (20
//! for a stout bar, 2000 for a rod): trials at the start count them, and end where a factor would have been sooner. So
//! the choice follows from the model alone, whatever the machine and its threads.

use pliant_numerics::GradientLimits;

use super::Inputs;
use super::balance::{Balance, Recurrence};
use super::sparse_system::{LinearSolver, SparseSystem};
use crate::model::Model;
use crate::workspace::Workspace;

/// Constants of (1) and (2), ns.
const FACTOR_PAIR: f64 = 0.9;
const FACTOR_ROW: f64 = 2000.0;
const FACTOR_BLOCK: f64 = 130.0;
const SWEPT_BLOCK: f64 = 3.3;
const FAR_SWEPT_BLOCK: f64 = 8.5;
const PRODUCT_BLOCK: f64 = 3.8;
/// Blocks that stay in cache.
const NEAR_BLOCKS: usize = 100_000;
/// The part of a trial's steps that a step needs, which starts from a good guess.
const WARM: f64 = 0.7;
/// Steps of a trial, at most.
const MOST_STEPS: f64 = 2000.0;

/// Which one it is for implicit Euler in steps of `dt`, to a tolerance; only gradients where they are `asked` for.
pub(super) fn sooner(model: &Model, dt: f64, tolerance: f64, asked: Option<LinearSolver>) -> LinearSolver {
    // no factor serves a matrix that is not symmetric
    let symmetric = model.terms().iter().all(|t| t.caps().symmetric);
    let blocks = model.structure().free().block_count();
    let near = blocks <= NEAR_BLOCKS;
    let sweep = if near { SWEPT_BLOCK } else { FAR_SWEPT_BLOCK };
    let worth = match asked {
        None if symmetric && model.elimination().is_worth_a_factor() => {
            factor_time(model) / (sweep * WARM * blocks as f64)
        }
        _ => f64::INFINITY,
    };
    // where sweeps are near a product never makes up for its steps
    if near && worth >= MOST_STEPS {
        return LinearSolver::Gradients;
    }
    let limits = GradientLimits { tolerance, steps: worth.min(MOST_STEPS) as usize };
    let Some(swept) = trial(model, dt, limits, LinearSolver::Gradients) else {
        return if worth < MOST_STEPS { LinearSolver::Direct } else { LinearSolver::Gradients };
    };
    if near {
        return LinearSolver::Gradients;
    }
    let fewer = GradientLimits { steps: (swept as f64 * sweep / PRODUCT_BLOCK) as usize, ..limits };
    match trial(model, dt, fewer, LinearSolver::Jacobi) {
        Some(_) => LinearSolver::Jacobi,
        None => LinearSolver::Gradients,
    }
}

/// (1), ns.
fn factor_time(model: &Model) -> f64 {
    let elimination = model.elimination();
    let rows = FACTOR_ROW * model.structure().free().row_count() as f64;
    FACTOR_PAIR * elimination.pairs + rows.min(FACTOR_BLOCK * elimination.factor_numbers as f64 / 9.0)
}

/// The steps in which gradients solve the equations of a first step within limits, for forces of all wavelengths.
fn trial(model: &Model, dt: f64, limits: GradientLimits, solver: LinearSolver) -> Option<usize> {
    let (state, inputs) = (model.initial_state(), Inputs::default());
    let mut w = Workspace::new(model);
    let mut system = SparseSystem::new(model, solver).ok()?;
    system.hold(model, &state, &inputs);
    let recurrence = Some(Recurrence { beta: 1.0, gamma: 1.0, dt });
    let balance = Balance {
        model,
        inputs: &inputs,
        time: state.time,
        load: 1.0,
        recurrence,
        since: dt,
        definite: true,
    };
    balance.assemble(&state, &mut system, &mut w);
    system.factor().ok()?;
    for (i, force) in system.unbalanced.iter_mut().enumerate() {
        *force = model.mass()[i / 3] * (1.0 + (0.7 * i as f64).sin());
    }
    system.is_solved_by_gradients(&state.x, limits).map(|report| report.steps)
}
