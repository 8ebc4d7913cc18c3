//! Penalty: springs that push points out of colliders, a force under any method.
//!
//! ```text
//! f_n = -k g,  g < 0,   k = (pressure per depth) (area that faces the collider)                          (1)
//! f_t = -k d,  at most mu f_n,   d the way from the anchor along the surface                               (2)
//! K = k n n^T + k (1 - n n^T)   sticking,   + (mu f_n / |d|) (1 - n n^T - d d^T / d^2)   sliding           (3)
//! ```
//!
//! A block of height h rests as deep as rho g h / (pressure per depth). (3) leaves out how the normal turns, which would weaken it, and how sliding friction follows the
//! normal force, which has no symmetric matrix: it is definite. The anchor of a point that comes in is where the step began.

use pliant_geometry::vector::{Vec3, dot, sub};
use pliant_numerics::Mat3;

use super::poses::Met;
use crate::contact::{Pose, Round};
use crate::ids::{BodyId, ColliderId, VertexId};
use crate::model::Model;
use crate::touch::Touch;

/// A point that a spring pushes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    pub collider: ColliderId,
    pub vertex: VertexId,
    /// The bone that carries the collider.
    pub bone: Option<usize>,
    pub place: Vec3,
    pub own: Vec3,
    pub pose: Pose,
    /// n in the world, and in the collider's axes.
    pub normal: Vec3,
    pub own_normal: Vec3,
    pub gap: f64,
    /// The area that it pushes on, m^2.
    area: f64,
    /// k, N/m.
    pub stiffness: f64,
    /// f_n, N.
    pub push: f64,
    /// f_t, N.
    pub drag: Vec3,
    /// d as far as friction allows it, m.
    pub stretch: Vec3,
    /// Whether friction holds.
    sticks: bool,
}

/// What a spring knows from the start of a step.
pub(crate) struct Start<'a> {
    /// Where friction holds the point, in the collider's axes, m.
    pub anchor: Vec3,
    /// The area that it pushes on, where it touched already, m^2; it stays as long as contact lasts, so that the force has an energy.
    pub area: Option<f64>,
    /// Places of free nodes, m.
    pub x: &'a [f64],
    /// The point in the collider's axes then, m.
    pub own: Vec3,
    /// Its gap and normal, where it touched already.
    pub entered: Option<(f64, Vec3)>,
}

/// A normal this much against the one that a point came in by is that of the far side.
const FAR_SIDE: f64 = -0.9;

impl Start<'_> {
    /// The gap of a place, below zero, and the normal, on the side that the point came in by: past the middle of something thin, or through it, the way
    /// out is still the way in. `None` outside.
    fn side(&self, round: &Round, own: Vec3) -> Option<(f64, Vec3)> {
        let (gap, normal) = round.gap(own);
        let way = sub(own, self.own);
        let inside = |gap: f64, normal: Vec3| (gap < 0.0).then_some((gap, normal));
        if let Some((before, entered)) = self.entered {
            let turned = dot(normal, entered);
            let through = turned < FAR_SIDE || (turned < 0.0 && gap < 0.0);
            return if through { inside(before + dot(entered, way), entered) } else { inside(gap, normal) };
        }
        // it cannot have come so far
        if gap >= 0.0 && gap * gap > dot(way, way) {
            return None;
        }
        match round.entry(self.own, own) {
            Some((s, entered)) if gap >= 0.0 || dot(normal, entered) < 0.0 => {
                inside((1.0 - s) * dot(entered, way), entered)
            }
            _ => inside(gap, normal),
        }
    }
}

impl Spring {
    /// Of a vertex at a place; `None` outside.
    pub fn at(
        model: &Model,
        (met, pose): (&Met, &Pose),
        (vertex, place): (VertexId, Vec3),
        start: &Start,
    ) -> Option<Self> {
        let body = model.surface().vertex(vertex).body;
        let own = pose.own(place);
        let (gap, own_normal) = start.side(&met.beside(model, body), own)?;
        let normal = pose.outward(own_normal);
        let area = start.area.unwrap_or_else(|| model.surface().facing_area(vertex, start.x, normal));
        let stiffness = area * model.pressure_per_depth(body, met.stiffness);
        let push = -stiffness * gap; // (1)
        let mut spring = Self {
            collider: met.id,
            vertex,
            bone: met.bone,
            place,
            own,
            pose: *pose,
            normal,
            own_normal,
            gap,
            area,
            stiffness,
            push,
            drag: [0.0; 3],
            stretch: [0.0; 3],
            sticks: false,
        };
        if met.friction > 0.0 {
            spring.rub(start.anchor, met.friction * push);
        }
        Some(spring)
    }

    /// (2).
    fn rub(&mut self, anchor: Vec3, most: f64) {
        let off = self.pose.outward(std::array::from_fn(|c| self.own[c] - anchor[c]));
        let across = dot(off, self.normal);
        let off: Vec3 = std::array::from_fn(|c| off[c] - across * self.normal[c]);
        let (length, reach) = (dot(off, off).sqrt(), most / self.stiffness);
        self.sticks = length <= reach;
        self.stretch = if self.sticks { off } else { off.map(|c| c * reach / length) };
        self.drag = self.stretch.map(|c| -self.stiffness * c);
    }

    /// What it is sorted by.
    pub fn key(&self) -> (ColliderId, VertexId) {
        (self.collider, self.vertex)
    }

    /// The whole force, N.
    pub fn force(&self) -> Vec3 {
        std::array::from_fn(|c| self.push * self.normal[c] + self.drag[c])
    }

    /// (3).
    pub fn tangent(&self) -> Mat3<f64> {
        let normal = Mat3::dyad(self.normal, self.normal);
        let flat = Mat3::identity() - normal;
        let size = dot(self.stretch, self.stretch);
        let across = match self.sticks {
            true => flat.scale(self.stiffness),
            false if size > 0.0 => {
                // the slope of a force of constant size falls with the way; d is cut to its reach, where it is k
                (flat - Mat3::dyad(self.stretch, self.stretch).scale(1.0 / size)).scale(self.stiffness)
            }
            false => Mat3::zero(),
        };
        normal.scale(self.stiffness) + across
    }

    /// As the state keeps it: the anchor follows a point that slides.
    pub fn touch(&self, before: Option<&Touch>) -> Touch {
        let back = self.pose.inward(self.stretch);
        let anchor = std::array::from_fn(|c| self.own[c] - back[c]);
        let fresh = Touch::new((self.collider, self.vertex), self.own_normal, anchor, self.gap);
        Touch {
            held: true,
            normal: self.own_normal,
            world_normal: self.normal,
            anchor,
            gap: self.gap,
            area: self.area,
            // a spring's force does not alternate
            forces: [self.push; crate::touch::MEAN],
            force: self.force(),
            ..before.copied().unwrap_or(fresh)
        }
    }
}

/// Colliders that can push one point at the same time, at most.
const AT_ONCE: usize = 3;

impl Model {
    /// A bound on what springs of so many colliders add to squares of frequencies, 1/s^2: row sums of M^-1 sum k w w^T, with as much of M as a full one has
    /// at least, a fifth of the lumped one for tetrahedra and a 27th for hexahedra.
    pub(crate) fn contact_frequency(&self, tools: usize) -> f64 {
        let colliders = (self.colliders().len() + tools).min(AT_ONCE);
        if colliders == 0 {
            return 0.0;
        }
        let usual = if tools > 0 { Some(None) } else { None };
        let stiffnesses = self.colliders().iter().map(|collider| collider.stiffness).chain(usual);
        let mut sums = vec![0.0_f64; self.layout().free_count()];
        for vertex in self.surface().vertices() {
            let of = |own: Option<f64>| vertex.area * self.pressure_per_depth(vertex.body, own);
            let stiffness = stiffnesses.clone().map(of).fold(0.0, f64::max);
            let spread: f64 = vertex.free.iter().map(|(_, w)| w.abs()).sum();
            vertex.free.iter().for_each(|(node, w)| sums[node as usize] += stiffness * w.abs() * spread);
        }
        let worst =
            sums.iter().zip(self.inverse_mass()).map(|(sum, inverse)| sum * inverse).fold(0.0, f64::max);
        let full = match self.inertia() {
            None => 1.0,
            Some(_) if self.layout().bodies().iter().all(|body| body.mesh.hexes().is_empty()) => 5.0,
            Some(_) => 27.0,
        };
        colliders as f64 * full * worst
    }

    /// Pressure per depth, Pa/m; `own` is that of a collider that has its own.
    fn pressure_per_depth(&self, body: BodyId, own: Option<f64>) -> f64 {
        own.or(self.contact_settings().stiffness).unwrap_or_else(|| self.usual_contact_stiffness(body))
    }
}
