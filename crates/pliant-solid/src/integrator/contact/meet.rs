//! Which points meet which colliders in a step, and what each wants of the step.
//!
//! ```text
//! constraint:  v_{n+1} . n = w . n                  =>  a_{n+1} . n = 2 (w - v_h) . n / dt                (1)
//! smooth:      the gap at x_{n+2} is none           =>  a_{n+1} . n = (w - v_h) . n / dt - gap / dt^2      (2)
//! inside at both ends, deeper than a step leads:    (w + depth / (20 dt) n) in place of w                 (3)
//! friction:    x_{n+2} is at its anchor along the surface, as far as |f_t| <= mu mean(lambda)              (4)
//! ```
//!
//! Source: [Zhuang 3.12-3.14], where (1) is (3.12) and (3.14) with v_h = v_n + dt/2 a_n, in the frame of a surface that moves with w. Held in every step while contact
//! lasts and let go as soon as it would pull: applied anew at each approach it would trap what bounces. A contact begins with the step whose path, straight from outside,
//! goes inside; so (3.19) brings the point back to where it was outside. What begins inside, or was left there, is brought out gently by (3). With equal steps (1)
//! turns the half-step normal velocity round and keeps its energy; its forces alternate, hence the mean over five steps in (4), which acts in steps
//! without a push, too.

use pliant_geometry::vector::{Vec3, dot};

use super::answered::Bounced;
use super::poses::Met;
use crate::contact::Response;
use crate::ids::VertexId;
use crate::model::Model;
use crate::state::State;
use crate::touch::Touch;

/// Steps over which (3) brings a point out.
const GENTLY: f64 = 20.0;
/// How far behind a sliding point its anchor is, in ways that friction makes in a step: what a weak moment lets slip is taken
/// back, and what rests does not creep.
const TRAIL: f64 = 4.0;

/// A point that meets a collider, at the end of a step without contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meet {
    pub touch: Touch,
    /// The free node that it is by itself.
    pub node: Option<u32>,
    /// The bone that carries the collider.
    pub bone: Option<usize>,
    pub friction: f64,
    /// The point at the end of the step, and in the collider's axes, m.
    pub place: Vec3,
    pub own: Vec3,
    /// How far it is from its anchor along the surface, m; nothing where there is no friction.
    pub off: Vec3,
    /// Its way in the step, m, and the way of the collider's matter there.
    pub way: Vec3,
    pub ride: Vec3,
    /// n.
    pub normal: Vec3,
    /// v_h - w, m/s.
    pub slip: Vec3,
    /// a . n of (1) to (3); `None` where nothing holds it.
    pub wanted: Option<f64>,
    /// Push of a bounce in this step, N.
    pub bounced: f64,
    /// Whether it is a node that bounces: normal forces are impulses with accounts of their own.
    pub bounces: bool,
    /// The force of the last step, N.
    pub before: Vec3,
}

/// What a step asks of meetings.
pub(super) struct Asked<'a> {
    pub model: &'a Model,
    pub s0: &'a State,
    pub s1: &'a State,
    pub dt: f64,
    pub response: Response,
    /// Whether all points go through rows: mass is full.
    pub by_rows: bool,
}

impl Meet {
    /// Of a vertex and a collider; `bound` is the farthest that they can have moved towards each other.
    pub fn of(
        asked: &Asked,
        met: &Met,
        (vertex, known, bounced): (VertexId, Option<&Touch>, Option<&Bounced>),
        bound: f64,
    ) -> Option<Self> {
        let surface = asked.model.surface();
        let (node, body) = surface.lone_node(vertex);
        let round = met.beside(asked.model, body);
        let place = surface.mean(vertex, &asked.s1.x);
        let [start, end] = &met.ends;
        let own = end.own(place);
        let (gap, normal) = round.gap(own);
        if known.is_none() && bounced.is_none() && gap > bound {
            return None;
        }
        let from = surface.mean(vertex, &asked.s0.x);
        let was = start.own(from);
        let mut touch = match known {
            Some(touch) => Touch { gap, ..*touch },
            None => {
                let normal = match bounced {
                    Some(bounced) => bounced.normal,
                    None => round.entry(was, own)?.1,
                };
                Touch::new((met.id, vertex), normal, own, gap)
            }
        };
        // beyond the edge of a face nothing is held any more: two steps lead no farther away
        touch.held &= gap <= 2.0 * (bound + touch.leap);
        // where it was is asked for only where it matters
        let before = if touch.held && gap >= 0.0 { gap } else { round.gap(was).0 };
        if !touch.held {
            // out of it a short while ago: back in from outside, or where nothing else keeps it from going through
            let back = round.entry(was, own).filter(|_| before >= 0.0 || gap < before.min(-2.0 * touch.leap));
            touch.held = back.is_some();
            touch.normal = back.map_or(touch.normal, |(_, normal)| normal);
        }
        // through the far side of something thin the way out is still the way in
        let sound = dot(normal, touch.normal) > 0.0;
        if sound {
            touch.normal = normal;
        }
        let normal = end.outward(touch.normal);
        touch.world_normal = normal;
        let half = 0.5 * asked.dt;
        let (v, a) = (surface.mean(vertex, &asked.s1.v), surface.mean(vertex, &asked.s1.a));
        let carried = end.place(was);
        let w = end.velocity_at(place);
        let mut meet = Self {
            before: touch.force,
            touch,
            node,
            bone: met.bone,
            friction: met.friction,
            off: [0.0; 3],
            place,
            own,
            way: std::array::from_fn(|c| place[c] - from[c]),
            ride: std::array::from_fn(|c| carried[c] - from[c]),
            normal,
            slip: std::array::from_fn(|c| v[c] - half * a[c] - w[c]),
            wanted: None,
            bounced: bounced.map_or(0.0, |bounced| bounced.push),
            bounces: met.restitution.is_some() && node.is_some() && !asked.by_rows,
        };
        if met.friction > 0.0 {
            let off = end.outward(std::array::from_fn(|c| own[c] - meet.touch.anchor[c]));
            meet.off = meet.along(off);
        }
        meet.wanted = match met.restitution {
            None => meet.touch.held.then(|| meet.hold(asked, sound, [before, gap])),
            Some(back) => meet.give_back(asked, back, dot(a, normal)),
        };
        Some(meet)
    }

    /// (1) to (3).
    fn hold(&self, asked: &Asked, sound: bool, [before, gap]: [f64; 2]) -> f64 {
        let (dt, across) = (asked.dt, dot(self.slip, self.normal));
        // as deep as a step leads is no overlap
        let deep = -gap > 2.0 * self.touch.leap.max(across.abs() * dt);
        let out = if before < 0.0 && gap < 0.0 && deep { -gap / (GENTLY * dt) } else { 0.0 }; // (3)
        match asked.response {
            Response::Smooth if out > 0.0 => (out - across) / dt,
            Response::Smooth => -across / dt - if sound { gap } else { 0.0 } / (dt * dt), // (2)
            _ => 2.0 * (out - across) / dt,                                               // (1)
        }
    }

    /// A bounce of a point that is no node of its own: the half-step normal velocity comes back as a part of what it was. Too slow to
    /// leave again, it is held as (2) does. Nodes have bounced before forces were found.
    fn give_back(&mut self, asked: &Asked, back: f64, free: f64) -> Option<f64> {
        self.touch.held = false;
        if self.bounces {
            return None;
        }
        let (dt, across) = (asked.dt, dot(self.slip, self.normal));
        if self.touch.gap >= 0.0 || across >= 0.0 {
            return None;
        }
        let rests = -across * back <= 2.0 * dt * free.abs();
        Some(if rests { -across / dt - self.touch.gap / (dt * dt) } else { -(1.0 + back) * across / dt })
    }

    /// What of a vector lies along the surface.
    pub fn along(&self, vector: Vec3) -> Vec3 {
        let across = dot(vector, self.normal);
        std::array::from_fn(|c| vector[c] - across * self.normal[c])
    }

    /// The largest friction, N.
    pub fn most_friction(&self) -> f64 {
        self.friction * self.touch.normal_force()
    }

    /// The acceleration along the surface that (4) wants; moves the anchor to where friction can take back in a few steps. `inverse` is what a
    /// force of 1 N accelerates the point by.
    pub fn wanted_along(&mut self, most: f64, inverse: f64, dt: f64) -> Vec3 {
        let off = self.off;
        let (length, reach) = (dot(off, off).sqrt(), TRAIL * most * inverse * dt * dt);
        if length > reach {
            // along the line from the anchor, whatever axes that is in
            let part = reach / length;
            self.off = off.map(|c| part * c);
            let own = self.own;
            self.touch.anchor = std::array::from_fn(|c| own[c] - part * (own[c] - self.touch.anchor[c]));
        }
        let off = self.off;
        let slip = self.along(self.slip);
        std::array::from_fn(|c| -(slip[c] + off[c] / dt) / dt)
    }
}
