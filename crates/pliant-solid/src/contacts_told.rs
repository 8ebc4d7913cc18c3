//! Contacts, colliders and overlaps as they are told.

use crate::contact::{Contact, Overlap, Pose};
use crate::ids::{ColliderId, VertexId};
use crate::integrator::Inputs;
use crate::integrator::contact::{met, pose};
use crate::model::Model;
use crate::state::State;
use crate::touch::Touch;
use crate::world::World;

impl World {
    /// What touches colliders, by collider and then by vertex.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> {
        self.state().contacts.touches().iter().map(|touch| told(self.model(), self.state(), touch))
    }

    /// The force of all bodies on a collider or a live tool, N.
    pub fn force_on(&self, collider: ColliderId) -> [f64; 3] {
        let on_bodies = self.contacts().filter(|contact| contact.collider == collider).map(|c| c.force());
        on_bodies.fold([0.0; 3], |sum, force| std::array::from_fn(|c| sum[c] - force[c]))
    }

    /// The deepest that any point has been inside a collider, m.
    pub fn deepest_penetration(&self) -> f64 {
        self.state().contacts.deepest
    }

    /// Where a collider of the model is now; `None` for tools, which their owner leads.
    pub fn collider_pose(&self, collider: ColliderId) -> Option<Pose> {
        let model = self.model();
        model.colliders().get(collider.index()).map(|collider| pose(model, self.state(), collider))
    }
}

impl Model {
    /// Points of bodies that are inside colliders in a state, the deepest first.
    pub fn overlaps(&self, state: &State) -> Vec<Overlap> {
        let mut found = Vec::new();
        for met in met(self, [state, state], &Inputs::default()) {
            for (at, vertex) in self.surface().vertices().iter().enumerate() {
                let vertex_id = VertexId(at as u32);
                if met.is_part_of(self, vertex_id) {
                    continue;
                }
                let point = vertex.free.mean(&state.x);
                let (gap, _) = met.beside(self, vertex.body).gap(met.ends[0].own(point));
                // what begins on the surface is rounded to either side
                let rounding = 1e-9 * self.layout().bodies()[vertex.body.index()].extent;
                if gap < -rounding {
                    found.push(Overlap {
                        collider: met.id,
                        vertex: vertex_id,
                        body: vertex.body,
                        point,
                        depth: -gap,
                    });
                }
            }
        }
        found.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        found
    }
}

/// A touch as it is told.
fn told(model: &Model, state: &State, touch: &Touch) -> Contact {
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
