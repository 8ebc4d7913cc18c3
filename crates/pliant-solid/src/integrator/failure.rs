//! What can be said about equations that are too large, or have no solution.

use pliant_numerics::CholeskyError;

use super::newton_report::NewtonFault;
use super::sparse_system::SparseSystem;
use super::{Divergence, Refusal, StepError};
use crate::model::Model;
use crate::rigid::fastest_turn;
use crate::state::State;

/// All that can be said about a failed step from s0 of length dt; in statics with the part of the loads that acted.
pub(super) fn step_error(
    model: &Model,
    s0: &State,
    (dt, load): (f64, Option<f64>),
    fault: &NewtonFault,
    system: &mut SparseSystem,
) -> StepError {
    let most_strained = || model.worst_element(&model.full_state(s0), None).map_or(0, |w| w.body);
    let (body, reason) = match *fault {
        NewtonFault::NotPositiveDefinite => {
            let node = (system.weakest().unwrap_or(0) / 3) as u32;
            let place = std::array::from_fn(|c| s0.x[3 * node as usize + c]);
            (model.layout().body_of(node), Divergence::LostDefiniteness { place })
        }
        NewtonFault::Unsolved { report } => {
            let (iterations, residual) = (report.steps, report.residual);
            (body_left_over(model, system), Divergence::NotConverged { iterations, residual })
        }
        NewtonFault::Spin { body } => {
            (body, Divergence::Spin { angle: dt * fastest_turn(model.layout().skeleton(), s0) })
        }
        NewtonFault::NotFinite => (most_strained(), Divergence::NotFinite),
        NewtonFault::Inverted => (most_strained(), Divergence::Inverted),
        NewtonFault::NotConverged { report } => {
            let (iterations, residual) = (report.iterations, report.residual());
            (body_left_over(model, system), Divergence::NotConverged { iterations, residual })
        }
    };
    StepError { load, ..StepError::of(model, s0, dt, body, reason) }
}

/// A step of a run that comes to no end: the body is the one whose vibration bounds the step, or that changes its velocity most.
pub(crate) fn stalled(model: &Model, [s0, s1]: [&State; 2], dt: f64, steps: f64) -> StepError {
    let changes = s0.v.iter().zip(&s1.v).map(|(a, b)| (b - a).abs());
    let mode = s1.solver.watch.mode.iter().zip(model.inverse_mass().iter().flat_map(|m| [m.sqrt(); 3]));
    let largest = |values: &mut dyn Iterator<Item = f64>| {
        values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(dof, _)| dof)
    };
    let dof = match s1.solver.watch.mode.is_empty() {
        true => largest(&mut changes.into_iter()),
        false => largest(&mut mode.map(|(m, scale)| (m * scale).abs())),
    };
    let node = dof / 3;
    let place = std::array::from_fn(|c| s0.x.get(3 * node + c).copied().unwrap_or(0.0));
    StepError::of(model, s0, dt, model.layout().body_of(node as u32), Divergence::Stalled { place, steps })
}

/// The body with the largest force left over.
fn body_left_over(model: &Model, system: &SparseSystem) -> usize {
    let free = system.unbalanced.iter().zip(&system.held).enumerate().filter(|(_, (_, held))| !**held);
    let largest = free.max_by(|(_, (a, _)), (_, (b, _))| a.abs().total_cmp(&b.abs()));
    largest.map_or(0, |(dof, _)| model.layout().body_of((dof / 3) as u32))
}

/// Why equations whose factor has no place are not solved.
pub(crate) fn too_large(model: &Model, error: &CholeskyError) -> Refusal {
    let unknowns = 3 * model.layout().free_count();
    Refusal {
        what: format!("equations of {unknowns} unknowns cannot be solved here: {error}"),
        way_out: "use a coarser mesh, method = \"implicit-euler\" with solver = \"gradients\", or lumped mass and the explicit method".into(),
    }
}
