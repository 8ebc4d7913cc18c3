//! What holds the nodes of a fix, as one force and one moment.
//!
//! ```text
//! F = sum f_i,   M = sum x_i x f_i,   with x_i the places that the body's own forces balance about                 (1)
//! ```
//!
//! Forces inside a body have no moment about the places of its nodes now, unless its strain is linear: the law does not see that arms turn, and its forces
//! have none about the places at rest. With deformed arms the two ends of such a shaft, turned by 0.02 rad, differ by more than a hundredth.

use crate::fix::cross;
use crate::model::Model;
use crate::state::State;

/// What holds the nodes of a fix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The body of the nodes.
    pub body: usize,
    /// Sum of the forces, N.
    pub force: [f64; 3],
    /// Their moment about the world's origin, N m: with the places at rest where the body's strain is linear.
    pub moment: [f64; 3],
}

impl Model {
    /// What holds the nodes of every fix in a state, in the order of [`Model::fixes`]; zero where a fix has let go.
    pub fn reactions<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Reaction> + 'a {
        let (layout, mut first) = (self.layout(), 0);
        self.fixes().iter().map(move |fix| {
            let body = fix.nodes.first().map_or(0, |node| layout.body_of(*node));
            let small = self.matter()[body].traits().small_strain;
            let places = if small { &layout.rest()[..] } else { &state.x[..] };
            let mut sum = Reaction { body, force: [0.0; 3], moment: [0.0; 3] };
            let forces = state.reactions[first..].chunks_exact(3);
            for (node, f) in fix.nodes.iter().zip(forces) {
                let at = 3 * *node as usize;
                let moment = cross([places[at], places[at + 1], places[at + 2]], [f[0], f[1], f[2]]);
                for c in 0..3 {
                    sum.force[c] += f[c];
                    sum.moment[c] += moment[c];
                }
            }
            first += 3 * fix.nodes.len();
            sum
        })
    }
}
