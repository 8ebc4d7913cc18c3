//! Nodes that a step has taken behind a wall: they bounce, by (2) to (4) of [`crate::wall`].

use crate::model::Model;
use crate::state::State;
use crate::wall::Approach;

/// Lets free nodes bounce that a step has taken behind a wall; gives the energy that walls took, J.
///
/// `s1` holds places at the end of the step and the velocities that led there; `pull` is how much of the acceleration at its start acts all along.
pub(super) fn reflect(
    model: &Model,
    s0: &State,
    s1: &mut State,
    (dt, pull): (f64, f64),
    held: impl Fn(usize) -> bool,
) -> f64 {
    let mut lost = 0.0;
    for wall in model.walls() {
        let along = |v: &[f64]| (0..3).map(|c| v[c] * wall.normal[c]).sum::<f64>();
        let gap = |x: &[f64]| wall.gap([x[0], x[1], x[2]]);
        let of_bone =
            |n: usize| model.layout().bones().iter().any(|bone| bone.masters().contains(&(n as u32)));
        for node in (0..model.layout().free_count()).filter(|n| !of_bone(*n)) {
            let dofs = 3 * node..3 * node + 3;
            let (after, speed) = (gap(&s1.x[dofs.clone()]), -along(&s1.v[dofs.clone()]));
            if after >= 0.0 || speed <= 0.0 || dofs.clone().any(&held) {
                continue;
            }
            let acceleration = -pull * along(&s0.a[dofs.clone()]);
            let gaps = [gap(&s0.x[dofs.clone()]), after];
            let (back, rise, met) = wall.bounce(&Approach { speed, gaps, acceleration }, dt);
            for (c, dof) in dofs.enumerate() {
                s1.x[dof] += (rise - after) * wall.normal[c];
                s1.v[dof] += (back + speed) * wall.normal[c];
            }
            lost += 0.5 * model.mass()[node] * (1.0 - wall.restitution * wall.restitution) * met; // (4)
        }
    }
    lost
}
