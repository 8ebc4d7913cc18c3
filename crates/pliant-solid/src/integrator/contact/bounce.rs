//! Nodes that bounce from colliders with a restitution, where a step of central differences has taken them inside.
//!
//! ```text
//! u = -(v_h - w) . n > 0,   a = -(acceleration) . n                                        (1)
//! u_i^2 = u^2 + a (g_0 + g_1)                                                              (2)
//! w^2 + a (2 t - dt) w = e^2 u_i^2,   t = dt g_1 / (g_1 - g_0),   g_1 <- w t                (3)
//! lost = m (1 - e^2) u_i^2 / 2                                                             (4)
//! ```
//!
//! Reflection after [Schoner 3.1] ("walls") with a restitution e. In a step of central differences u^2 / 2 + a (g_0 + g_1) / 2 is
//! constant for a constant a, so that (2) is the squared speed at the surface itself wherever in the step it is met, and (3) gives the speed after it the
//! same energy: heights fall by e^2 exactly. t is the time that is left after the surface. g are gaps along the normal at which the path went in.

use pliant_geometry::vector::{Vec3, dot};

use super::ContactKit;
use super::answered::{Answered, Bounced};
use super::poses::{Met, pose};
use super::tally::ContactTally;
use crate::contact::Carrier;
use crate::ids::{ColliderId, VertexId, WorldNode};
use crate::state::State;

/// A node in a step, along a normal.
struct Approach {
    /// u, m/s.
    speed: f64,
    /// Gaps at both ends of the step, m.
    gaps: [f64; 2],
    /// a, m/s^2.
    acceleration: f64,
}

impl Approach {
    /// Speed after the surface, m/s, the new gap, m, and the squared speed at the surface.
    fn bounce(&self, restitution: f64, dt: f64) -> (f64, f64, f64) {
        let Self { speed, gaps: [g0, g1], acceleration: a } = *self;
        let met = (speed * speed + a * (g0 + g1)).max(0.0); // (2)
        let left = if g0 > 0.0 { dt * g1 / (g1 - g0) } else { dt };
        let half = 0.5 * a * (2.0 * left - dt);
        let root = (half * half + restitution * restitution * met).sqrt();
        let after = (root - half).max(0.0); // (3)
        (after, after * left, met)
    }
}

/// Lets free nodes bounce that the step has taken inside: `s1` holds places at its end and the velocities that led there.
pub(crate) fn bounce(step: &Answered, s1: &mut State, kit: &mut ContactKit) -> ContactTally {
    let mut tally = ContactTally::default();
    kit.bounced.clear();
    if !step.model.colliders().iter().any(|collider| collider.restitution.is_some()) {
        return tally;
    }
    let ContactKit { nearby, bounced, .. } = kit;
    for (index, collider) in (0_u32..).zip(step.model.colliders()) {
        let Some(restitution) = collider.restitution else { continue };
        let start = pose(step.model, step.s0, collider);
        // bones that carry a collider have not moved yet
        let end = match &collider.carrier {
            Carrier::Script(motion) => collider.scripted(motion, s1.time),
            Carrier::Bone(_) => start,
        };
        let met = Met { id: ColliderId(index), ..Met::of(collider, [start, end]) };
        let (near, _) = nearby.of(step.model, &met, &step.s0.x, step.travel);
        for &vertex in near {
            let surface = step.model.surface().vertex(vertex);
            let Some(WorldNode(node)) = surface.free_node() else { continue };
            if step.held[3 * node as usize..][..3].iter().any(|held| *held > 0.0) {
                continue;
            }
            if let Some((one, part)) = bounce_one(step, (&met, restitution), (vertex, node), s1) {
                bounced.push(one);
                tally.add(part);
            }
        }
    }
    tally
}

fn bounce_one(
    step: &Answered,
    (met, restitution): (&Met, f64),
    (vertex, node): (VertexId, u32),
    s1: &mut State,
) -> Option<(Bounced, ContactTally)> {
    let node = node as usize;
    let triple = |v: &[f64]| -> Vec3 { std::array::from_fn(|c| v[3 * node + c]) };
    let (from, to) = (triple(&step.s0.x), triple(&s1.x));
    let [start, end] = &met.ends;
    let (was, own) = (start.own(from), end.own(to));
    let round = met.beside(step.model, step.model.surface().vertex(vertex).body);
    let (s, inward) = round.entry(was, own)?;
    let normal = end.outward(inward);
    let w = end.velocity_at(to);
    let slip: Vec3 = std::array::from_fn(|c| s1.v[3 * node + c] - w[c]);
    let speed = -dot(slip, normal);
    let across = dot(std::array::from_fn(|c| own[c] - was[c]), inward);
    // along the normal at which it went in, and as deep as it is where it began inside
    let gaps = if s > 0.0 { [-s * across, (1.0 - s) * across] } else { [round.gap(was).0, round.gap(own).0] };
    if speed <= 0.0 || gaps[1] >= 0.0 {
        return None;
    }
    let acceleration = -dot(triple(&step.s0.a), normal);
    let (back, rise, squared) = Approach { speed, gaps, acceleration }.bounce(restitution, step.dt);
    for c in 0..3 {
        s1.x[3 * node + c] += (rise - gaps[1]) * normal[c];
        s1.v[3 * node + c] += (back + speed) * normal[c];
    }
    let mass = step.model.mass()[node];
    let impulse = mass * (back + speed);
    let lost = 0.5 * mass * (1.0 - restitution * restitution) * squared; // (4)
    let pushed = impulse * dot(w, normal);
    let tally = ContactTally { work: pushed - lost, friction: 0.0, restitution: lost, pushed };
    Some((Bounced { key: (met.id, vertex), normal: inward, push: impulse / step.dt }, tally))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounce_keeps_the_energy_of_central_differences() {
        let (speed, dt, a) = (3.0, 0.01, 9.81);
        for part in [0.1, 0.5, 0.9] {
            let gaps = [part * speed * dt, (part - 1.0) * speed * dt];
            let (after, rise, _) = Approach { speed, gaps, acceleration: a }.bounce(1.0, dt);
            let before = 0.5 * speed * speed + 0.5 * a * (gaps[0] + gaps[1]);
            let energy = 0.5 * after * after + 0.5 * a * (rise + rise - after * dt);
            assert!((energy - before).abs() < 1e-12 * before, "{part}: {energy} {before}");
        }
    }

    #[test]
    fn what_rests_on_a_surface_stays_there() {
        let (dt, a) = (0.01, 9.81);
        let fallen = Approach { speed: 0.5 * a * dt, gaps: [0.0, -0.5 * a * dt * dt], acceleration: a };
        let (after, rise, _) = fallen.bounce(0.5, dt);
        assert_eq!((after, rise), (0.0, 0.0));
    }
}
