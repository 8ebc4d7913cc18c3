//! Contacts of a state as they are told.

use crate::contact::Contact;
use crate::model::Model;
use crate::state::State;
use crate::touch::Touch;

/// A touch as it is told.
pub(crate) fn told(model: &Model, state: &State, touch: &Touch) -> Contact {
    let vertex = model.surface().vertex(touch.vertex);
    let normal = touch.world_normal;
    let along: f64 = (0..3).map(|c| touch.force[c] * normal[c]).sum();
    Contact {
        collider: touch.collider,
        vertex: touch.vertex,
        body: vertex.body,
        point: vertex.free.mean(&state.x),
        normal,
        gap: touch.gap,
        normal_force: touch.normal_force(),
        tangential_force: std::array::from_fn(|c| touch.force[c] - along * normal[c]),
    }
}
