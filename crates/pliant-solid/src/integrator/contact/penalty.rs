//! The springs of a step: found where points are, added to forces and matrices, kept in the state.

use pliant_geometry::vector::{Vec3, dot, sub};
use pliant_numerics::{BlockMatrix, Mat3};

use super::nearby::Nearby;
use super::poses::{Met, SpringsAt, met_at};
use super::springs::{Spring, Start};
use super::tally::ContactTally;
use crate::ids::{ColliderId, VertexId};
use crate::integrator::Inputs;
use crate::model::Model;
use crate::rigid::{RigidRows, bone_shares};
use crate::rows::{Lever, RowGroup, Rows};
use crate::state::State;
use crate::touch::Touch;

/// See the [module](self). Keeps its memory from step to step.
#[derive(Default)]
pub(crate) struct Penalty {
    /// Contacts and places of free nodes at the start of the step.
    known: Vec<Touch>,
    from: Vec<f64>,
    start: f64,
    springs: Vec<Spring>,
    nearby: Nearby,
    /// The farthest that any node goes in the step, m, where that is known.
    travel: Option<f64>,
    levers: Vec<Lever>,
}

impl Penalty {
    /// Begins a step from a state; `travel` is the farthest that any node goes in it, m, where that is known.
    pub fn begin(&mut self, s0: &State, travel: Option<f64>) {
        self.known.clone_from(&s0.contacts.touches);
        self.from.clone_from(&s0.x);
        self.start = s0.time;
        self.travel = travel;
    }

    /// Forgets what it found for another state.
    pub fn forget(&mut self) {
        self.nearby.forget();
    }

    /// Whether there is nothing to meet.
    pub fn is_idle(model: &Model, inputs: &Inputs) -> bool {
        model.colliders().is_empty() && inputs.tools.is_empty()
    }

    /// Finds the springs at a state.
    fn find(&mut self, at: &SpringsAt) {
        let Self { known, from, start, springs, nearby, travel, .. } = self;
        // before the first step
        let from = if from.is_empty() { at.x } else { from };
        springs.clear();
        for met in met_at(at, (*start, from)) {
            let pose = met.ends[1];
            let mut one = |vertex: VertexId| {
                let surface = at.model.surface().vertex(vertex);
                if met.is_part_of(at.model, vertex) {
                    return;
                }
                let place = surface.free.mean(at.x);
                let touch = find_touch(known, (met.id, vertex));
                let own = met.ends[0].own(surface.free.mean(from));
                let start = Start {
                    anchor: touch.map_or(own, |touch| touch.anchor),
                    area: touch.map(|touch| touch.area),
                    x: from,
                    own,
                    entered: touch.map(|touch| (touch.gap, touch.normal)),
                };
                springs.extend(Spring::at(at.model, (&met, &pose), (vertex, place), &start));
            };
            if let Some(travel) = *travel {
                let (near, _) = nearby.of(at.model, &met, from, travel);
                near.iter().for_each(|vertex| one(*vertex));
            } else {
                let count = at.model.surface().vertices().len() as u32;
                (0..count).for_each(|vertex| one(VertexId(vertex)));
            }
        }
    }

    /// Adds forces on free nodes.
    pub fn force_add(&mut self, at: &SpringsAt, force: &mut [f64]) {
        self.find(at);
        for spring in &self.springs {
            let pushed = spring.force();
            at.model.surface().vertex(spring.vertex).free.spread(pushed, force);
            if let Some(bone) = spring.bone {
                let back = pushed.map(|c| -c);
                bone_shares(&at.model.layout().bones()[bone], at.x, (spring.place, back), force);
            }
        }
    }

    /// Adds k (K of springs) to a matrix whose bones have been reduced; springs between bodies become rows.
    pub fn tangent_add(
        &mut self,
        at: &SpringsAt,
        k: f64,
        (matrix, rigid, rows): (&mut BlockMatrix, &RigidRows, &mut Rows),
    ) {
        self.find(at);
        let Self { springs, levers, .. } = self;
        for spring in springs {
            let tangent = spring.tangent().scale(k);
            take_levers(at.model, spring, rigid, levers);
            if has_places(matrix, levers) {
                add_blocks(matrix, levers, &tangent);
            } else {
                let group = RowGroup::stiff(tangent);
                rows.add(group, |add| levers.iter().for_each(|(row, lever)| add(*row, *lever)));
            }
        }
    }

    /// Whether any spring pushes at a state.
    pub fn touches(&mut self, at: &SpringsAt) -> bool {
        self.find(at);
        !self.springs.is_empty()
    }

    /// Whether a spring pushes a vertex of some bodies.
    pub fn pushes(&self, model: &Model, bodies: &[usize]) -> bool {
        let body = |spring: &Spring| model.surface().vertex(spring.vertex).body.index();
        self.springs.iter().any(|spring| bodies.contains(&body(spring)))
    }

    /// Keeps the contacts of an accepted step in its state; gives what was exchanged by the trapezoidal rule.
    pub fn keep(&mut self, at: &SpringsAt, s1: &mut State) -> ContactTally {
        self.find(at);
        let mut tally = ContactTally::default();
        s1.contacts.touches.clear();
        // what springs that have let go did on the way out
        for touch in &self.known {
            let key = (touch.collider, touch.vertex);
            if self.springs.binary_search_by_key(&key, Spring::key).is_err() {
                let (from, to) = self.way(at, touch.vertex);
                tally.add(half_of(touch.force, (touch.world_normal, sub(to, from), [0.0; 3])));
            }
        }
        for spring in &self.springs {
            let before = find_touch(&self.known, spring.key());
            let (from, to) = self.way(at, spring.vertex);
            let ride = self.ride(at, spring, from);
            let old = before.map_or([0.0; 3], |touch| touch.force);
            let both = std::array::from_fn(|c| old[c] + spring.force()[c]);
            tally.add(half_of(both, (spring.normal, sub(to, from), ride)));
            s1.contacts.deepest = s1.contacts.deepest.max(-spring.gap);
            s1.contacts.touches.push(spring.touch(before));
        }
        tally
    }

    fn way(&self, at: &SpringsAt, vertex: VertexId) -> (Vec3, Vec3) {
        let point = &at.model.surface().vertex(vertex).free;
        (point.mean(&self.from), point.mean(at.x))
    }

    /// The way of the collider's matter in the step.
    fn ride(&self, at: &SpringsAt, spring: &Spring, from: Vec3) -> Vec3 {
        let start = (self.start, self.from.as_slice());
        let Some(met): Option<Met> = met_at(at, start).nth(spring.collider.index()) else { return [0.0; 3] };
        sub(met.ends[1].place(met.ends[0].own(from)), from)
    }
}

/// A contact of a sorted list.
fn find_touch(known: &[Touch], key: (ColliderId, VertexId)) -> Option<&Touch> {
    known.binary_search_by_key(&key, |touch| (touch.collider, touch.vertex)).ok().map(|at| &known[at])
}

/// The rows of the equations that a spring acts on.
fn take_levers(model: &Model, spring: &Spring, rigid: &RigidRows, levers: &mut Vec<Lever>) {
    levers.clear();
    for (node, weight) in &model.surface().vertex(spring.vertex).free {
        rigid.for_each_lever(node, |row, lever| levers.push((row, lever.scale(weight))));
    }
    let carrier = spring.bone.map(|bone| &model.layout().bones()[bone]);
    if let Some(bone) = carrier.filter(|bone| rigid.is_active(bone)) {
        rigid.for_each_lever_at(bone, spring.place, |row, lever| levers.push((row, lever.scale(-1.0))));
    }
}

/// Whether a matrix has a block for every pair of rows.
fn has_places(matrix: &BlockMatrix, levers: &[Lever]) -> bool {
    levers.iter().all(|(i, _)| levers.iter().all(|(j, _)| matrix.pattern().find(*i, *j).is_some()))
}

/// A_ij += L_i^T S L_j.
fn add_blocks(matrix: &mut BlockMatrix, levers: &[Lever], stiffness: &Mat3<f64>) {
    for (i, left) in levers {
        for (j, right) in levers {
            if let Some(place) = matrix.pattern().find(*i, *j) {
                let block = &mut matrix.blocks_mut()[place];
                *block = *block + left.transpose_mul(&(*stiffness * *right));
            }
        }
    }
}

/// What half of a force exchanges along a way.
fn half_of(force: Vec3, (normal, way, ride): (Vec3, Vec3, Vec3)) -> ContactTally {
    let force = force.map(|c| 0.5 * c);
    let across = dot(force, normal);
    let along: Vec3 = std::array::from_fn(|c| force[c] - across * normal[c]);
    ContactTally {
        work: dot(force, way),
        friction: -dot(along, sub(way, ride)),
        restitution: 0.0,
        pushed: dot(force, ride),
    }
}
