//! Which number in the flat vectors belongs to which node of which body.
//!
//! Free nodes come first, body by body, each body's in the order in which its cells (along a
//! space-filling curve) touch them; dependent nodes of all bodies follow. Results are reported in
//! the mesh file's order.

use std::ops::Range;
use std::sync::Arc;

use pliant_geometry::{Mesh, cell_order};

use crate::dependent::Dependents;
use crate::state::State;

/// Masters and weights of one dependent node, in mesh numbers.
pub type Hanging = (u32, Vec<(u32, f64)>);

/// A body as the layout needs it.
#[derive(Clone, Debug)]
pub struct BodyShape {
    /// Its name in the scene.
    pub name: String,
    /// Its mesh, placed in the world at rest.
    pub mesh: Arc<Mesh>,
    /// Nodes that hang on others of the same mesh.
    pub hanging: Vec<Hanging>,
}

/// A body's place in the layout.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name in the scene.
    pub name: String,
    /// Its mesh, placed in the world at rest.
    pub mesh: Arc<Mesh>,
    /// Its free nodes.
    pub nodes: Range<u32>,
    /// World number of each mesh node.
    pub world: Vec<u32>,
    /// Mesh cells in storage order.
    pub cells: Vec<u32>,
    /// Diagonal of its bounding box at rest, m.
    pub extent: f64,
}

/// The numbering of a world; see the [module](self).
#[derive(Clone, Debug)]
pub struct Layout {
    bodies: Vec<Body>,
    free_count: usize,
    dependents: Dependents,
    rest: Arc<Vec<f64>>,
}

impl Layout {
    /// Numbers the nodes of all bodies.
    pub fn new(shapes: Vec<BodyShape>) -> Self {
        let mut bodies = Vec::new();
        let mut masters = Vec::new();
        let mut free_count = 0_u32;
        let mut hanging_nodes = Vec::new();
        for shape in shapes {
            let body = number_free_nodes(&shape, free_count);
            free_count = body.nodes.end;
            hanging_nodes.push(shape.hanging);
            bodies.push(body);
        }
        // dependents of all bodies after all free nodes
        for (body, hanging) in bodies.iter_mut().zip(&hanging_nodes) {
            for (node, on) in hanging {
                body.world[*node as usize] = free_count + masters.len() as u32;
                masters.push(on.iter().map(|(m, w)| (body.world[*m as usize], *w)).collect::<Vec<_>>());
            }
        }
        let dependents = Dependents::new(free_count as usize, &masters);
        let mut rest = vec![0.0; 3 * (free_count as usize + masters.len())];
        for body in &bodies {
            for (position, world) in body.mesh.positions().iter().zip(&body.world) {
                rest[3 * *world as usize..][..3].copy_from_slice(position);
            }
        }
        Self { bodies, free_count: free_count as usize, dependents, rest: Arc::new(rest) }
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Nodes with motion of their own.
    pub fn free_count(&self) -> usize {
        self.free_count
    }

    /// All nodes, dependent ones too.
    pub fn node_count(&self) -> usize {
        self.free_count + self.dependents.count()
    }

    /// The nodes that follow others.
    pub fn dependents(&self) -> &Dependents {
        &self.dependents
    }

    /// Rest positions of all nodes, dependent ones last, m.
    pub fn rest(&self) -> &Arc<Vec<f64>> {
        &self.rest
    }

    /// The rest position of a node.
    pub fn rest_of(&self, node: u32) -> [f64; 3] {
        let first = 3 * node as usize;
        [self.rest[first], self.rest[first + 1], self.rest[first + 2]]
    }

    /// The body that a free node belongs to.
    pub fn body_of(&self, node: u32) -> usize {
        self.bodies.partition_point(|b| b.nodes.end <= node)
    }

    /// How coordinates move: `x + dt v` for nodes. This and [`Self::between`] are the only places that know.
    #[inline(always)]
    pub fn retract(x: f64, dt: f64, v: f64) -> f64 {
        v.mul_add(dt, x)
    }

    /// Positions and velocities at a time between two states: x is the cubic with x and v of both ends, v the line.
    pub fn between(&self, before: &State, after: &State, time: f64) -> (Vec<f64>, Vec<f64>) {
        let cubic = Cubic::of(before, after, time);
        let x = (0..before.x.len()).map(|i| cubic.position(before, after, i)).collect();
        let v = before.v.iter().zip(&after.v).map(|(v0, v1)| v0 + cubic.s * (v1 - v0)).collect();
        (x, v)
    }

    /// Positions of some nodes at a time between two states, m; those of the later one from its time on.
    pub fn places_between(
        &self,
        [before, after]: [&State; 2],
        time: f64,
        nodes: &[u32],
        out: &mut Vec<[f64; 3]>,
    ) {
        let within = before.time < after.time && time < after.time;
        let cubic = Cubic::of(before, after, time);
        let entry = |i: usize| if within { cubic.position(before, after, i) } else { after.x[i] };
        let free = |node: u32| -> [f64; 3] { std::array::from_fn(|c| entry(3 * node as usize + c)) };
        out.clear();
        out.extend(nodes.iter().map(|&node| match (node as usize).checked_sub(self.free_count) {
            None => free(node),
            Some(_) => {
                let masters = self.dependents.stands_for(node, self.free_count);
                let part = |sum: [f64; 3], (m, w): &(u32, f64)| {
                    let x = free(*m);
                    std::array::from_fn(|c| sum[c] + w * x[c])
                };
                masters.iter().fold([0.0; 3], part)
            }
        }));
    }
}

/// Hermite's cubic through two states.
struct Cubic {
    s: f64,
    rise: f64,
    start: f64,
    end: f64,
}

impl Cubic {
    fn of(before: &State, after: &State, time: f64) -> Self {
        let dt = after.time - before.time;
        let s = (time - before.time) / dt;
        let b = s * (1.0 - s);
        Self { s, rise: s * s * (3.0 - 2.0 * s), start: b * (1.0 - s) * dt, end: -b * s * dt }
    }

    #[inline(always)]
    fn position(&self, before: &State, after: &State, i: usize) -> f64 {
        let (x0, x1) = (before.x[i], after.x[i]);
        x0 + self.rise * (x1 - x0) + self.start * before.v[i] + self.end * after.v[i]
    }
}

/// Storage order of one body, starting at world number `first`.
fn number_free_nodes(shape: &BodyShape, first: u32) -> Body {
    const UNSEEN: u32 = u32::MAX;
    const DEPENDENT: u32 = u32::MAX - 1;
    let mesh = &shape.mesh;
    let cells = cell_order(mesh);
    let mut world = vec![UNSEEN; mesh.node_count()];
    shape.hanging.iter().for_each(|(node, _)| world[*node as usize] = DEPENDENT);
    let mut next = first;
    let touched = cells.iter().flat_map(|&c| mesh.cell_nodes(c as usize).iter().copied());
    for node in touched.chain(0..mesh.node_count() as u32) {
        if world[node as usize] == UNSEEN {
            world[node as usize] = next;
            next += 1;
        }
    }
    let extent = mesh.bounds().map_or(0.0, |b| b.diagonal());
    let mesh = Arc::clone(mesh);
    Body { name: shape.name.clone(), mesh, nodes: first..next, world, cells, extent }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_path_is_reproduced_between_states() {
        let path = |t: f64| (t * t * t - t, 3.0 * t * t - 1.0);
        let state = |t: f64| State { time: t, x: vec![path(t).0], v: vec![path(t).1], ..State::default() };
        let (x, _) = Layout::new(vec![]).between(&state(0.2), &state(0.5), 0.3);
        assert!((x[0] - path(0.3).0).abs() < 1e-15);
    }

    #[test]
    fn chosen_places_are_those_of_all_nodes() {
        let mesh = pliant_geometry::box_mesh([1.0; 3], [2, 1, 1], pliant_geometry::BoxElement::Hex).unwrap();
        let hanging = vec![(0, vec![(1, 0.25), (2, 0.75)])];
        let layout = Layout::new(vec![BodyShape { name: "b".into(), mesh: Arc::new(mesh), hanging }]);
        let free = 3 * layout.free_count();
        let state = |t: f64| State {
            time: t,
            x: (0..free).map(|i| (i as f64 + t).sin()).collect(),
            v: (0..free).map(|i| (i as f64 + t).cos()).collect(),
            ..State::default()
        };
        let (before, after) = (state(0.2), state(0.5));
        let nodes: Vec<u32> = (0..layout.node_count() as u32).rev().step_by(2).collect();
        for time in [0.2, 0.3, 0.5, 0.6] {
            let x = if time < 0.5 { layout.between(&before, &after, time).0 } else { after.x.clone() };
            let mut full = vec![0.0; 3 * layout.node_count()];
            layout.dependents().fill(&x, &mut full);
            let mut places = Vec::new();
            layout.places_between([&before, &after], time, &nodes, &mut places);
            for (node, place) in nodes.iter().zip(&places) {
                let there = &full[3 * *node as usize..][..3];
                assert!((0..3).all(|c| (place[c] - there[c]).abs() < 1e-15), "{time}: {place:?} {there:?}");
            }
        }
    }
}
