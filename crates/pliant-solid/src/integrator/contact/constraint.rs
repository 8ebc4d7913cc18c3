//! The one-step response of explicit steps: contact as a condition on the next state.
//!
//! ```text
//! lambda = (m + dt/2 d) (a_wanted - a_free) . n >= 0, or the point is let go                              (1)
//! f_t = (m + dt/2 d) (a_wanted - a_free)_t, at most mu mean(lambda)                                       (2)
//! ```
//!
//! Source: [Zhuang 3.10], with the accelerations that `meet` wants. Mass is lumped, so that points that are a free node each are answered one by
//! one, at next to no cost; those that share nodes with others, or are points of bones, ties and fine surfaces, through the list of rows.

use pliant_geometry::vector::{Vec3, dot};

use super::answered::Answered;
use super::meet::{Asked, Meet};
use super::poses::met;
use super::tally::ContactTally;
use super::{ContactKit, coupled};
use crate::ids::VertexId;
use crate::model::Model;
use crate::rows::Inverse;
use crate::state::State;
use crate::touch::Touch;

/// How points are answered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Nodes one by one, others through rows.
    Nodes,
    /// All through rows.
    Rows,
}

/// Corrects accelerations and velocities of points in contact, after those of a free step.
pub(crate) fn respond(step: &Answered, s1: &mut State, kit: &mut ContactKit) -> ContactTally {
    find(step, s1, kit, Way::Nodes);
    let ContactKit { meets, shares, coupled: rows, .. } = kit;
    let lone = |meet: &Meet, shares: &[u32]| {
        meet.bone.is_none()
            && meet.node.is_some_and(|node| shares[node as usize] == 1 && !is_held(step, node))
    };
    for meet in meets.iter_mut().filter(|meet| lone(meet, shares)) {
        answer(step, meet, s1);
    }
    coupled::answer(step, (meets, |meet: &Meet| !lone(meet, shares)), rows, s1);
    clear_shares(step.model, meets, shares);
    keep(meets, s1)
}

/// The same where mass is full and `inverse` gives the accelerations that forces make: bones stand there.
pub(crate) fn respond_by_rows(
    step: &Answered,
    s1: &mut State,
    kit: &mut ContactKit,
    (inverse, held): (&mut dyn Inverse, &[bool]),
) -> ContactTally {
    find(step, s1, kit, Way::Rows);
    let ContactKit { meets, shares, coupled: rows, .. } = kit;
    coupled::answer_by_inverse(step, meets, rows, (inverse, held), s1);
    clear_shares(step.model, meets, shares);
    keep(meets, s1)
}

/// Shares are zero between steps.
fn clear_shares(model: &Model, meets: &[Meet], shares: &mut [u32]) {
    meets.iter().for_each(|meet| for_each_node(model, meet.touch.vertex, |node| shares[node] = 0));
}

/// The free nodes of a vertex.
fn for_each_node(model: &Model, vertex: VertexId, mut visit: impl FnMut(usize)) {
    match model.surface().lone_node(vertex).0 {
        Some(node) => visit(node as usize),
        None => model.surface().vertex(vertex).free.nodes().for_each(|node| visit(node as usize)),
    }
}

/// Whether all nodes of a vertex are led along all axes.
fn is_led(step: &Answered, vertex: VertexId) -> bool {
    let mut led = true;
    for_each_node(step.model, vertex, |node| {
        led &= step.held[3 * node..][..3].iter().all(|held| *held > 0.0)
    });
    led
}

/// Finds what meets in the step, and how many meetings each node takes part in.
fn find(step: &Answered, s1: &State, kit: &mut ContactKit, way: Way) {
    let ContactKit { nearby, meets, shares, bounced, .. } = kit;
    meets.clear();
    shares.resize(step.model.layout().free_count(), 0);
    let asked = Asked {
        model: step.model,
        s0: step.s0,
        s1,
        dt: step.dt,
        response: step.response,
        by_rows: way == Way::Rows,
    };
    for met in met(step.model, [step.s0, s1], step.inputs) {
        let (near, bound) = nearby.of(step.model, &met, &step.s0.x, step.travel);
        for_each_of_both(near, step.s0.contacts.of(met.id), |vertex, known| {
            if is_led(step, vertex) || met.is_part_of(step.model, vertex) {
                return;
            }
            let back =
                bounced.binary_search_by_key(&(met.id, vertex), |one| one.key).ok().map(|at| &bounced[at]);
            if let Some(meet) = Meet::of(&asked, &met, (vertex, known, back), bound) {
                for_each_node(step.model, vertex, |node| shares[node] += 1);
                meets.push(meet);
            }
        });
    }
}

/// Visits vertices of a list and of touches, both in rising order, each once.
fn for_each_of_both(near: &[VertexId], known: &[Touch], mut visit: impl FnMut(VertexId, Option<&Touch>)) {
    let (mut near, mut known) = (near.iter().copied().peekable(), known.iter().peekable());
    loop {
        match (near.peek().copied(), known.peek()) {
            (None, None) => return,
            (Some(vertex), touch) if touch.is_none_or(|touch| vertex < touch.vertex) => {
                near.next();
                visit(vertex, None);
            }
            (vertex, Some(touch)) => {
                if vertex == Some(touch.vertex) {
                    near.next();
                }
                visit(touch.vertex, Some(touch));
                known.next();
            }
            (Some(_), None) => unreachable!("taken above"),
        }
    }
}

fn is_held(step: &Answered, node: u32) -> bool {
    step.held[3 * node as usize..][..3].iter().any(|held| *held > 0.0)
}

/// (1) and (2) for a point that is a free node.
fn answer(step: &Answered, meet: &mut Meet, s1: &mut State) {
    let Some(node) = meet.node.map(|node| node as usize) else { return };
    let half = 0.5 * step.dt;
    let inertia = step.model.mass()[node] + half * step.model.damping()[node];
    if inertia <= 0.0 {
        return;
    }
    let free: Vec3 = std::array::from_fn(|c| s1.a[3 * node + c]);
    let push = meet.wanted.map_or(0.0, |wanted| inertia * (wanted - dot(free, meet.normal))); // (1)
    meet.touch.held &= push >= 0.0;
    let push = push.max(0.0);
    meet.touch.push(push + meet.bounced);
    let most = meet.most_friction();
    let mut drag = [0.0; 3];
    if most > 0.0 {
        let (wanted, free) = (meet.wanted_along(most, 1.0 / inertia, step.dt), meet.along(free));
        let stop: Vec3 = std::array::from_fn(|c| inertia * (wanted[c] - free[c])); // (2)
        let asked = dot(stop, stop).sqrt();
        let part = if asked > most { most / asked } else { 1.0 };
        drag = stop.map(|c| part * c);
    } else {
        meet.touch.anchor = meet.own;
    }
    meet.touch.force = std::array::from_fn(|c| (push + meet.bounced) * meet.normal[c] + drag[c]);
    for c in 0..3 {
        // a bounce has changed velocities already
        let change = (push * meet.normal[c] + drag[c]) / inertia;
        s1.a[3 * node + c] += change;
        s1.v[3 * node + c] += half * change;
    }
}

/// Keeps what touches in the state; gives what was exchanged.
fn keep(meets: &[Meet], s1: &mut State) -> ContactTally {
    let mut tally = ContactTally::default();
    s1.contacts.touches.clear();
    for meet in meets {
        let touch = &meet.touch;
        s1.contacts.deepest = s1.contacts.deepest.max(-touch.gap);
        tally.add(exchanged(meet));
        if !touch.is_over() {
            s1.contacts.touches.push(*touch);
        }
    }
    tally
}

/// By the trapezoidal rule over the path of the step.
fn exchanged(meet: &Meet) -> ContactTally {
    let force: Vec3 = std::array::from_fn(|c| 0.5 * (meet.before[c] + meet.touch.force[c]));
    // impulses have been counted where they acted
    let force = if meet.bounces { meet.along(force) } else { force };
    let slid = meet.along(std::array::from_fn(|c| meet.way[c] - meet.ride[c]));
    ContactTally {
        work: dot(force, meet.way),
        friction: -dot(meet.along(force), slid),
        restitution: 0.0,
        pushed: dot(force, meet.ride),
    }
}
