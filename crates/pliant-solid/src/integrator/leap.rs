//! Steps that gave no numbers, or in which a node leapt out of its body.

use super::stable_step::stable_step;
use super::{Divergence, Inputs, Kit, StepError};
use crate::model::Model;
use crate::state::State;

/// Refuses a step that gave something that is not a number, or a leap: of a node, from the others, by more than `reach` times the size of its body.
pub(super) fn check(
    model: &Model,
    [s0, s1]: [&State; 2],
    kit: &mut Kit,
    (dt, reach): (f64, f64),
    inputs: &Inputs,
) -> Result<(), StepError> {
    let largest = model.layout().bodies().iter().map(|b| b.extent).fold(0.0, f64::max);
    let peak = kit.workspace.chunks.iter().fold(0.0_f64, |most, c| most.max(c.peak));
    // the smallest body decides: most steps pass here without a look at nodes
    let smallest = model.layout().bodies().iter().map(|b| b.extent).fold(largest, f64::min);
    if peak.is_finite() && peak.sqrt() * dt <= reach * smallest {
        return Ok(());
    }
    let mut here: Option<(usize, [f64; 3])> = None;
    for node in 0..model.layout().free_count() as u32 {
        let body = model.layout().body_of(node);
        if s0.holding.is_frozen(body) {
            continue;
        }
        let dofs = 3 * node as usize..3 * node as usize + 3;
        // a body may fly as fast as it likes: what counts is how far a node goes from the others
        if here.as_ref().is_none_or(|(of, _)| *of != body) {
            here = Some((body, mean_motion(model, [s0, s1], body)));
        }
        let mean = here.map_or([0.0; 3], |(_, mean)| mean);
        let moved = dofs.clone().map(|i| (s1.x[i] - s0.x[i] - mean[i % 3]).powi(2)).sum::<f64>().sqrt();
        let extent = model.layout().bodies()[body].extent;
        let reason = if !s1.a[dofs].iter().all(|a| a.is_finite()) || !moved.is_finite() {
            Divergence::NotFinite
        } else if moved > reach * extent {
            Divergence::Leap { moved, extent }
        } else {
            continue;
        };
        return Err(divergence(model, s0, kit, inputs, (dt, body, reason)));
    }
    Ok(())
}

/// The mean displacement of a body's nodes in a step.
fn mean_motion(model: &Model, [s0, s1]: [&State; 2], body: usize) -> [f64; 3] {
    let nodes = model.layout().bodies()[body].nodes.clone();
    let count = nodes.len() as f64;
    let along = |c: usize| nodes.clone().map(|n| 3 * n as usize + c).map(|i| s1.x[i] - s0.x[i]).sum::<f64>();
    std::array::from_fn(|c| along(c) / count)
}

/// All that can be said about a failed step.
pub(super) fn divergence(
    model: &Model,
    s0: &State,
    kit: &mut Kit,
    inputs: &Inputs,
    (dt, body, reason): (f64, usize, Divergence),
) -> StepError {
    let mut mode = vec![0.0; s0.x.len()];
    let stable = stable_step(model, s0, kit, &mut mode, inputs).dt;
    let stable_dt = stable.is_finite().then_some(stable);
    StepError { stable_dt, ..StepError::of(model, s0, dt, body, reason) }
}
