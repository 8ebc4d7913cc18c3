//! The user's hand on a body.

use pliant_solid::integrator::IntegratorKind;
use pliant_solid::term::{At, Grab, GrabPath};
use pliant_solid::{Model, State};

use super::surface::SceneSurface;
use crate::server::wire::command::Hold;
use crate::server::wire::frame::Arrow;

/// The time over which a hand goes to a new place at normal speed, s: mice report that often.
const FOLLOWS_IN: f64 = 1.0 / 60.0;

/// A hand and the point that was touched.
pub struct Hand {
    grab: Grab,
    /// World nodes and weights of the touched point.
    touched: [(u32, f64); 3],
    /// From the middle of the held patch to the touched point, m.
    offset: [f64; 3],
    /// Where the hand is wanted, m.
    wanted: [f64; 3],
    /// Whether it moved since the last step.
    pub moved: bool,
}

impl Hand {
    /// Takes hold; the reason why not otherwise.
    pub fn take(surface: &SceneSurface, state: &State, hold: &Hold) -> Result<Self, String> {
        if hold.topology != surface.hash {
            return Err("the scene has changed: grab again".into());
        }
        let corners = surface.triangles.get(hold.triangle as usize).ok_or("there is no such triangle")?;
        let body = surface.body_of(corners[0]);
        let rest = corners.iter().zip(hold.weights).fold([0.0; 3], |sum: [f64; 3], (vertex, weight)| {
            let place = surface.rest(*vertex);
            std::array::from_fn(|c| sum[c] + weight * place[c])
        });
        let model = surface.model();
        let grab = model.hand(body, rest, surface.nodes_of(body), state.time);
        let grab = grab.ok_or("a fix holds this place: grab another one")?;
        let touched = std::array::from_fn(|i| (surface.nodes[corners[i] as usize], hold.weights[i]));
        let full = model.full_state(state);
        let (at, middle) = (mean(&touched, &full.x), mean(&grab.point, &full.x));
        let offset = std::array::from_fn(|c| at[c] - middle[c]);
        let mut hand = Self { grab, touched, offset, wanted: hold.target, moved: true };
        hand.grab.path = GrabPath::held_at(middle);
        Ok(hand)
    }

    /// Goes to a place, m, from a time on.
    pub fn aim(&mut self, model: &Model, (time, speed): (f64, f64), target: [f64; 3]) {
        self.wanted = target;
        self.moved = true;
        let there: [f64; 3] = std::array::from_fn(|c| target[c] - self.offset[c]);
        let here = self.grab.path.target(time).map_or(there, |(place, _)| place);
        self.grab.path = match model.integrator() {
            // where no time passes a hand is at once where it is wanted
            IntegratorKind::Statics(_) => GrabPath::held_at(there),
            _ => GrabPath { points: vec![(time, here), (time + FOLLOWS_IN * speed, there)], release: None },
        };
    }

    /// As steps want it.
    pub fn grab(&self) -> &Grab {
        &self.grab
    }

    /// How it pulls now.
    pub fn arrow(&self, at: &At) -> Arrow {
        let force = self.grab.force(at);
        let at_limit = norm(force) >= 0.999 * self.grab.max_force;
        Arrow { kind: 1, at_limit, point: mean(&self.touched, at.x), force, target: self.wanted }
    }
}

/// How a hand of the scene pulls, if it holds anything now.
pub fn scripted(grab: &Grab, at: &At) -> Option<Arrow> {
    let (target, _) = grab.path.target(at.time)?;
    let force = grab.force(at);
    let at_limit = norm(force) >= 0.999 * grab.max_force;
    Some(Arrow { kind: 2, at_limit, point: mean(&grab.point, at.x), force, target })
}

/// Length of a vector.
pub fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn mean(point: &[(u32, f64)], x: &[f64]) -> [f64; 3] {
    std::array::from_fn(|c| point.iter().map(|(n, w)| w * x[3 * *n as usize + c]).sum())
}
