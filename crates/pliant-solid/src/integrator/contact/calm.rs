//! Velocities of held points as damping should see them.
//!
//! `constraint` turns the half-step normal velocity of a held point round in every step; its mean over two steps, and the velocity at the end of each, is the
//! collider's. Dampers that saw the half-step velocity would resist a motion that goes nowhere, and book losses that nothing has.

use pliant_geometry::vector::dot;

use super::poses::met;
use crate::integrator::Inputs;
use crate::model::Model;
use crate::state::State;

/// Gives nodes that are held by contacts of s0 the normal velocity of what they touch.
pub(crate) fn calm_held(model: &Model, ends: [&State; 2], inputs: &Inputs, v: &mut [f64]) {
    for met in met(model, ends, inputs) {
        for touch in ends[0].contacts.of(met.id).iter().filter(|touch| touch.held) {
            let Some(node) = model.surface().lone_node(touch.vertex).0 else { continue };
            let place = model.surface().mean(touch.vertex, &ends[1].x);
            let normal = met.ends[1].outward(touch.normal);
            let w = met.ends[1].velocity_at(place);
            let own = &mut v[3 * node as usize..][..3];
            let across = dot([own[0] - w[0], own[1] - w[1], own[2] - w[2]], normal);
            (0..3).for_each(|c| own[c] -= across * normal[c]);
        }
    }
}
