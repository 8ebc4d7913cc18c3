//! Which vertices a collider may meet in a step: the broad phase.
//!
//! ```text
//! reach = 32 b,   a list is good while the sum of b since it was made stays within reach                              (1)
//! b = (largest way of a node) (largest sum of |weights|) + (how far the collider moves places)                         (2)
//! ```
//!
//! A vertex farther away than it and the collider can have moved since then has not met it: most steps look at the vertices of a list alone. A list is a superset of
//! what is met, so that which steps make lists anew moves no bit; it is scratch. Boxes would not find more: the distance that decides is asked at once.

use pliant_geometry::vector::{norm, sub};

use super::poses::{Met, apart};
use crate::contact::{ColliderShape, Pose};
use crate::ids::{BodyId, VertexId};
use crate::model::Model;

/// How many steps like the present one a list should last.
const STEPS: f64 = 32.0;
/// The least reach, as a part of the largest distance of a vertex: where nothing moves yet.
const LEAST: f64 = 1e-4;

/// Lists of all colliders and tools.
#[derive(Debug, Default)]
pub(crate) struct Nearby {
    lists: Vec<List>,
}

#[derive(Debug, Default)]
struct List {
    vertices: Vec<VertexId>,
    /// What is left of the reach, m.
    left: f64,
    /// The largest distance of a vertex from the origin of the collider, m.
    farthest: f64,
    /// What it was made for, and where that was at the end of the last step.
    made_for: Option<(ColliderShape, Pose)>,
}

impl Nearby {
    /// Makes room for lists of so many vertices.
    pub fn make_room(&mut self, colliders: usize, vertices: usize) {
        self.lists.resize_with(colliders, List::default);
        self.lists.iter_mut().for_each(|list| list.vertices.reserve(vertices));
    }

    /// Forgets all lists: the state is another one.
    pub fn forget(&mut self) {
        self.lists.iter_mut().for_each(|list| list.made_for = None);
    }

    /// The vertices that may meet a collider in a step that begins at `x` and moves no node farther than `travel`, and (2).
    pub fn of(&mut self, model: &Model, met: &Met, x: &[f64], travel: f64) -> (&[VertexId], f64) {
        let index = met.id.index();
        if self.lists.len() <= index {
            self.lists.resize_with(index + 1, List::default);
        }
        let list = &mut self.lists[index];
        let moved = model.surface().spread() * travel;
        let (leapt, known) = match &list.made_for {
            Some((shape, at)) => (apart([at, &met.ends[0]], list.farthest), shape == met.shape.shape),
            None => (0.0, false),
        };
        let mut bound = moved + met.stir(list.farthest + list.left); // (2)
        if !known || list.left < bound + leapt {
            list.make(model, met, x, |farthest| {
                bound = moved + met.stir(farthest);
                (STEPS * bound).max(LEAST * farthest) // (1)
            });
        }
        list.left -= bound + leapt;
        list.made_for = Some((met.shape.shape.clone(), met.ends[1]));
        (&list.vertices, bound)
    }
}

impl List {
    fn make(&mut self, model: &Model, met: &Met, x: &[f64], reach: impl FnOnce(f64) -> f64) {
        let from = &met.ends[0];
        let vertices = model.surface().vertices();
        let place = |at: usize| model.surface().mean(VertexId(at as u32), x);
        self.farthest = (0..vertices.len()).map(|at| norm(sub(place(at), from.origin))).fold(0.0, f64::max);
        self.left = reach(self.farthest);
        self.vertices.clear();
        let skin = |body: BodyId| met.shape.radius + model.skin_thickness(body);
        for (at, vertex) in vertices.iter().enumerate() {
            let near = self.left + skin(vertex.body);
            if met.shape.shape.is_within(from.own(place(at)), near) {
                self.vertices.push(VertexId(at as u32));
            }
        }
    }
}
