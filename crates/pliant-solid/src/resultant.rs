//! What a load or a hand exerts on bodies, as one force and one moment.
//!
//! ```text
//! F = sum f_i,   M = sum x_i x f_i                                                          (1)
//! ```
//!
//! The arms x_i are those of the reactions of fixes, so that both balance.

use crate::fix::cross;
use crate::integrator::IntegratorKind;
use crate::model::Model;
use crate::state::State;
use crate::term::{ForceTerm, Scatter};

/// A force and a moment about the world's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resultant {
    /// N.
    pub force: [f64; 3],
    /// N m: with the places at rest where a body's strain is linear.
    pub moment: [f64; 3],
}

impl IntegratorKind {
    /// What a term without history exerts in a state; statics may have brought up a part of it only.
    pub fn resultant(&self, model: &Model, term: &dyn ForceTerm, state: &State) -> Resultant {
        let (layout, full) = (model.layout(), model.full_state(state));
        let mut force = vec![0.0; full.x.len()];
        let at = self.seen(state, full.at());
        term.force_add(&at, &mut Scatter::new(&mut force, &mut term.new_scratch()));
        layout.dependents().hand_over(&mut force);
        let mut sum = Resultant::default();
        let on_free = force.chunks_exact(3).take(layout.free_count()).enumerate();
        for (node, f) in on_free.filter(|(_, f)| **f != [0.0; 3]) {
            let body = layout.body_of(node as u32);
            // masters stand for what follows them, with the same moment
            let linear = model.matter()[body].traits().small_strain;
            let places = if linear { &layout.rest()[..] } else { &full.x[..] };
            let place = [places[3 * node], places[3 * node + 1], places[3 * node + 2]];
            let moment = cross(place, [f[0], f[1], f[2]]);
            (0..3).for_each(|c| {
                (sum.force[c], sum.moment[c]) = (sum.force[c] + f[c], sum.moment[c] + moment[c])
            });
        }
        sum
    }
}
