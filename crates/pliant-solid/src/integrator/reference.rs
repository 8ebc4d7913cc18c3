//! The shape that the constant damping matrix belongs to, and when it is taken anew.
//!
//! ```text
//! |F - F_ref| <= margin / (dt d_max),   d_max the fastest decay of D0                      (1)
//! ```

use crate::model::Model;
use crate::solver_memory::{LadderMemory, SolverMemory};
use crate::state::State;
use crate::workspace::Workspace;

/// Steps between looks at how fast elements turn.
const LOOK_EVERY: u64 = 8;
/// The margin of (1), and the most that D0 may lag behind in any case. By (2) of `stable_step::full`, D - D0 of 2 |F - F_ref| D0 takes 8 margin
/// from the 4 (1 - 0.862^2) = 1.03 that the longest step leaves.
pub(super) const MARGIN: f64 = 0.1;
const MOST_TURNED: f64 = 0.25;

/// Notes the shape that D0 belongs to from now on.
pub(super) fn take_reference(memory: &mut LadderMemory, x: &[f64]) {
    memory.reference.clear();
    memory.reference.extend_from_slice(x);
    // FNV-1a, word by word
    let mix = |sum: u64, x: &f64| (sum ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    memory.reference_key = x.iter().fold(0xcbf2_9ce4_8422_2325, mix);
    memory.turned = 0.0;
}

/// (1): takes D0 anew when elements have turned or stretched too far since, or would within the coming step.
pub(super) fn follow_shape(model: &Model, s0: &State, s1: &mut State, w: &mut Workspace) {
    let solver = &mut s1.solver;
    if solver.ladder.decay <= 0.0 || s0.step == 0 {
        return;
    }
    let dt = s0.solver.dt;
    solver.ladder.turned += solver.watch.rate * dt;
    let far = |solver: &SolverMemory| {
        solver.ladder.turned + solver.watch.rate * dt > MOST_TURNED.min(MARGIN / (dt * solver.ladder.decay))
    };
    if far(solver) || s0.step.is_multiple_of(LOOK_EVERY) {
        solver.watch.rate = w.deformation(model, s0.at()).rate;
    }
    if far(solver) {
        take_reference(&mut solver.ladder, &s0.x);
    }
}
