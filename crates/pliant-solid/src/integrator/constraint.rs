//! The one-step response of explicit steps: contact as a condition on the next state.
//!
//! ```text
//! constraint:  v_{n+1} . n = w . n                  =>  a_{n+1} . n = 2 (w - v_h) . n / dt                (1)
//! smooth:      the gap at x_{n+2} is none           =>  a_{n+1} . n = (w - v_h) . n / dt - gap / dt^2      (2)
//! lambda = (m + dt/2 d) (a_{n+1} - a_free) . n >= 0, or the point is let go                               (3)
//! friction:    x_{n+2} is at its anchor along the surface, as far as |f_t| <= mu mean(lambda)               (4)
//! ```
//!
//! Source: [Zhuang 3.12-3.14], where (1) is (3.12) and (3.14) with v_h = v_n + dt/2 a_n, in the frame of a surface that moves with w. Held in every step while contact
//! lasts and let go as soon as it would pull: applied anew at each approach it would trap what bounces. A contact begins with the step whose path, straight from outside,
//! goes inside; so (3.19) brings the point back to where it was outside. With equal steps (1) turns the half-step normal velocity round and keeps
//! its energy; its forces alternate, hence the mean over five steps in (4), which acts in steps without a push, too. The anchor moves with the surface, and follows a point that slides at the way that friction takes back in
//! a few steps: what a weak moment lets slip is taken back, and what rests does not creep.

use crate::contact::{Collider, Placed, Response, entry};
use crate::ids::{ColliderId, VertexId, WorldNode};
use crate::model::Model;
use crate::state::State;
use crate::touch::Touch;

type Vec3 = [f64; 3];

/// How far behind a sliding point its anchor is, in ways that friction makes in a step.
const TRAIL: f64 = 4.0;

/// Corrects accelerations and velocities of points in contact, after those of a free step; `held` tells unknowns that are led. Gives the work of
/// contact forces on bodies, J, by the trapezoidal rule over this step's path.
pub(super) fn respond(
    model: &Model,
    s0: &State,
    s1: &mut State,
    dt: f64,
    held: impl Fn(usize) -> bool,
) -> f64 {
    let mut work = 0.0;
    let mut touches = std::mem::take(&mut s1.contacts.touches);
    let before = touches.len();
    for (index, collider) in model.colliders().iter().enumerate() {
        let index = ColliderId(index as u32);
        let ends = [collider.placed(s0.time), collider.placed(s1.time)];
        let step = Step { collider, ends: &ends, model, dt };
        for (vertex, own) in (0_u32..).map(VertexId).zip(model.surface().vertices()) {
            let Some(WorldNode(node)) = own.free_node() else { continue };
            let dofs = 3 * node as usize..3 * node as usize + 3;
            if dofs.clone().any(&held) {
                continue;
            }
            let known = touches[..before].binary_search_by_key(&(index, vertex), |t| (t.collider, t.vertex));
            let (from, to) = (triple(&s0.x, node), triple(&s1.x, node));
            let mut touch = match known {
                Ok(place) => touches[place],
                Err(_) => match entry(collider, ends[0].own(from), ends[1].own(to)) {
                    Some((_, normal)) => Touch::new(index, vertex, normal, ends[1].own(to)),
                    None => continue,
                },
            };
            let last = touch.force;
            step.answer(&mut touch, (node, from, to), s1);
            let way: Vec3 = std::array::from_fn(|c| to[c] - from[c]);
            work += (0..3).map(|c| 0.5 * (last[c] + touch.force[c]) * way[c]).sum::<f64>();
            s1.contacts.deepest = s1.contacts.deepest.max(-touch.gap);
            match known {
                Ok(place) => touches[place] = touch,
                Err(_) => touches.push(touch),
            }
        }
    }
    touches.retain(|touch| !touch.is_over());
    touches.sort_unstable_by_key(|t| (t.collider, t.vertex));
    s1.contacts.touches = touches;
    work
}

/// A step beside a collider.
struct Step<'a> {
    collider: &'a Collider,
    ends: &'a [Placed; 2],
    model: &'a Model,
    dt: f64,
}

impl Step<'_> {
    /// (1) to (4) for a point that was touching at the start of the step, or comes in during it.
    fn answer(&self, touch: &mut Touch, (node, from, to): (u32, Vec3, Vec3), s1: &mut State) {
        let (collider, placed) = (self.collider, &self.ends[1]);
        let own = placed.own(to);
        let (gap, normal) = collider.gap(own);
        touch.gap = gap;
        if !touch.held {
            // out of it a short while ago: back in from outside only
            let before = self.ends[0].own(from);
            let back = entry(collider, before, own).filter(|_| collider.gap(before).0 >= 0.0);
            touch.held = back.is_some();
            touch.normal = back.map_or(touch.normal, |(_, normal)| normal);
        }
        // through the far side of something thin the way out is still the way in
        let sound = dot(normal, touch.normal) > 0.0;
        if sound {
            touch.normal = normal;
        }
        let point = Point::of(self, (touch, node, to), s1);
        let push = if touch.held {
            point.push(
                self.model.contact_settings().response.unwrap_or(Response::Constraint),
                if sound { gap } else { 0.0 },
                self.dt,
            )
        } else {
            0.0
        };
        touch.held &= push >= 0.0;
        let push = push.max(0.0);
        touch.push(push, [0.0; 3]);
        let most = collider.friction * touch.normal_force();
        let off = self.trail(touch, own, &point, most);
        let drag = point.drag(off, most, self.dt);
        touch.world_normal = point.normal;
        touch.force = std::array::from_fn(|c| push * point.normal[c] + drag[c]);
        for c in 0..3 {
            let change = touch.force[c] / point.inertia;
            s1.a[3 * node as usize + c] += change;
            s1.v[3 * node as usize + c] += 0.5 * self.dt * change;
        }
    }
}

impl Step<'_> {
    /// How far the point is from its anchor along the surface, m, which follows at the way that friction can take back.
    fn trail(&self, touch: &mut Touch, own: Vec3, point: &Point, most: f64) -> Vec3 {
        let placed = &self.ends[1];
        let off = placed.outward(std::array::from_fn(|c| own[c] - touch.anchor[c]));
        let off = point.along(off);
        let (length, reach) = (dot(off, off).sqrt(), TRAIL * most / point.inertia * self.dt * self.dt);
        let off = if length > reach { off.map(|c| c * reach / length) } else { off };
        let back = placed.directed(off);
        touch.anchor = std::array::from_fn(|c| own[c] - back[c]);
        off
    }
}

/// A point beside the surface, at the end of a free step.
struct Point {
    /// m + dt/2 d, kg.
    inertia: f64,
    /// n.
    normal: Vec3,
    /// v_h - w, m/s.
    slip: Vec3,
    /// a_free, m/s^2.
    free: Vec3,
}

impl Point {
    fn of(step: &Step, (touch, node, place): (&Touch, u32, Vec3), s1: &State) -> Self {
        let half = 0.5 * step.dt;
        let (v, free) = (triple(&s1.v, node), triple(&s1.a, node));
        let node = node as usize;
        let surface = step.ends[1].velocity(place);
        Self {
            inertia: step.model.mass()[node] + half * step.model.damping()[node],
            normal: step.ends[1].outward(touch.normal),
            slip: std::array::from_fn(|c| v[c] - half * free[c] - surface[c]),
            free,
        }
    }

    /// What of a vector lies along the surface.
    fn along(&self, vector: Vec3) -> Vec3 {
        let across = dot(vector, self.normal);
        std::array::from_fn(|c| vector[c] - across * self.normal[c])
    }

    /// (3).
    fn push(&self, response: Response, gap: f64, dt: f64) -> f64 {
        let across = dot(self.slip, self.normal);
        let wanted = match response {
            Response::Constraint | Response::Penalty => -2.0 * across / dt, // (1)
            Response::Smooth => -across / dt - gap / (dt * dt),             // (2)
        };
        self.inertia * (wanted - dot(self.free, self.normal))
    }

    /// (4).
    fn drag(&self, off: Vec3, most: f64, dt: f64) -> Vec3 {
        let (slip, free) = (self.along(self.slip), self.along(self.free));
        let stop: Vec3 = std::array::from_fn(|c| -self.inertia * ((slip[c] + off[c] / dt) / dt + free[c]));
        let asked = dot(stop, stop).sqrt();
        let part = if asked > most { most / asked } else { 1.0 };
        stop.map(|c| part * c)
    }
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|c| a[c] * b[c]).sum()
}

fn triple(values: &[f64], node: u32) -> Vec3 {
    let first = 3 * node as usize;
    [values[first], values[first + 1], values[first + 2]]
}
