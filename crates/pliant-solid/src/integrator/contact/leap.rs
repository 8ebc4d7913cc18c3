//! How long a step may be before a fast body leaps into a collider.
//!
//! ```text
//! dt <= max(gap, cell / 2) / (closing speed),   of points that would be there within some steps                   (1)
//! ```
//!
//! A function of the state alone: automatic steps that it shortens are the same after save and load.

use pliant_geometry::vector::dot;

use super::poses::met;
use crate::ids::VertexId;
use crate::integrator::Inputs;
use crate::model::Model;
use crate::state::State;

/// Steps of the length asked about within which a point must be there to count.
const AHEAD: f64 = 16.0;

/// (1) for steps about as long as `dt`, s; infinite where nothing comes near.
pub(crate) fn leap_limit(model: &Model, state: &State, inputs: &Inputs, dt: f64) -> f64 {
    if model.colliders().is_empty() && inputs.tools.is_empty() {
        return f64::INFINITY;
    }
    let bodies = 0..model.layout().bodies().len();
    let smallest = bodies.map(|body| model.cell_size(body)).fold(f64::INFINITY, f64::min);
    let squared =
        state.v.chunks_exact(3).map(|v| v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).fold(0.0, f64::max);
    let mut limit = f64::INFINITY;
    for met in met(model, [state, state], inputs) {
        let pose = &met.ends[0];
        // nothing that is slow leaps
        let own = pose.velocity.iter().chain(&pose.spin).any(|c| *c != 0.0);
        if !own && squared.sqrt() * dt < 0.5 * smallest {
            continue;
        }
        for vertex in (0..model.surface().vertices().len() as u32).map(VertexId) {
            let (place, v) = (model.surface().mean(vertex, &state.x), model.surface().mean(vertex, &state.v));
            let body = model.surface().lone_node(vertex).1;
            let (gap, normal) = met.beside(model, body).gap(pose.own(place));
            let w = pose.velocity_at(place);
            let closing = -dot(std::array::from_fn(|c| v[c] - w[c]), pose.outward(normal));
            if closing > 0.0 && gap < AHEAD * closing * dt {
                limit = limit.min(gap.max(0.5 * model.cell_size(body.index())) / closing); // (1)
            }
        }
    }
    limit
}
