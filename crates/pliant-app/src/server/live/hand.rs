//! The user's hand on a body.

use pliant_geometry::MaterialPoint;
use pliant_geometry::vector::{cross, dot, norm};
use pliant_solid::State;
use pliant_solid::integrator::IntegratorKind;
use pliant_solid::term::{At, Grab, GrabPath};

use super::surface::SceneSurface;
use crate::server::wire::command::Hold;
use crate::server::wire::frame::Arrow;

/// The time over which a hand goes to a new place at normal speed, s: mice report that often.
const FOLLOWS_IN: f64 = 1.0 / 60.0;

/// A hand and the point that was touched.
pub struct Hand {
    grab: Grab,
    /// Where the touched point is wanted.
    course: GrabPath,
    /// World nodes and weights of the corners of the touched triangle.
    corners: [MaterialPoint; 3],
    /// From the middle of the held patch to the touched point, m, in the axes of the touched triangle.
    offset: [f64; 3],
    /// Those axes, as far as the triangle last had any.
    axes: [[f64; 3]; 3],
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
        if state.holding.is_frozen(body) {
            return Err("this body stands still because it diverged: reset (R)".into());
        }
        let corners = corners.map(|vertex| surface.point(vertex));
        let shares = corners.iter().zip(hold.weights);
        let touched: MaterialPoint =
            shares.flat_map(|(corner, share)| corner.iter().map(move |(n, w)| (n, share * w))).collect();
        let model = surface.model();
        let grab = model.hand(body, &touched, surface.nodes_of(body), &state.holding);
        let grab = grab.ok_or("a fix holds this place: grab another one")?;
        let full = model.full_state(state);
        let (at, middle) = (touched.mean(&full.x), grab.point.mean(&full.x));
        let away: [f64; 3] = std::array::from_fn(|c| at[c] - middle[c]);
        let axes =
            triangle_axes(&corners, &full.x).unwrap_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let offset = axes.map(|axis| dot(axis, away));
        let mut hand = Self { grab, course: GrabPath::held_at(at), corners, offset, axes, moved: true };
        hand.follow(&full.x);
        Ok(hand)
    }

    /// Goes to a place, m, from a time on, while time runs at a speed.
    pub fn aim(&mut self, integrator: &IntegratorKind, (time, speed): (f64, f64), target: [f64; 3]) {
        self.moved = true;
        let here = self.course.target(time).map_or(target, |(place, _)| place);
        self.course = match integrator.traits().is_static() {
            // where no time passes a hand is at once where it is wanted
            true => GrabPath::held_at(target),
            false => {
                GrabPath { points: vec![(time, here), (time + FOLLOWS_IN * speed, target)], release: None }
            }
        };
    }

    /// Turns with the triangle that was touched, so that it is the touched point that comes to the mouse.
    pub fn follow(&mut self, x: &[f64]) {
        if let Some(axes) = triangle_axes(&self.corners, x) {
            self.axes = axes;
        }
        let away = self.away();
        let Self { grab, course, .. } = self;
        grab.path.points.clear();
        let shifted =
            course.points.iter().map(|(time, place)| (*time, std::array::from_fn(|c| place[c] - away[c])));
        grab.path.points.extend(shifted);
    }

    /// From the middle of the patch to the touched point if the patch were rigid, m.
    fn away(&self) -> [f64; 3] {
        std::array::from_fn(|c| (0..3).map(|a| self.offset[a] * self.axes[a][c]).sum())
    }

    /// As steps want it.
    pub fn grab(&self) -> &Grab {
        &self.grab
    }

    /// How it pulls now: the spring of the patch's middle, moved so that it ends at the mouse. The touched point itself is no end of any spring: the
    /// patch deforms by as much as the spring is long.
    pub fn arrow(&self, at: &At) -> Arrow {
        let force = self.grab.force(at);
        let at_limit = norm(force) >= 0.999 * self.grab.max_force;
        let target = self.course.points.last().map_or([0.0; 3], |(_, place)| *place);
        let (middle, away) = (self.grab.point.mean(at.x), self.away());
        Arrow { kind: 1, at_limit, point: std::array::from_fn(|c| middle[c] + away[c]), force, target }
    }
}

/// Axes that turn with a triangle: along its first edge, across it, and out of it.
fn triangle_axes(corners: &[MaterialPoint; 3], x: &[f64]) -> Option<[[f64; 3]; 3]> {
    let [a, b, c] = [0, 1, 2].map(|i| corners[i].mean(x));
    let edge: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
    let other = std::array::from_fn(|i| c[i] - a[i]);
    let (along, out) = (unit(edge)?, unit(cross(edge, other))?);
    Some([along, cross(out, along), out])
}

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = norm(v);
    (length > 0.0 && length.is_finite()).then(|| v.map(|x| x / length))
}

/// How a hand of the scene pulls, if it holds anything now.
pub fn scripted(grab: &Grab, at: &At) -> Option<Arrow> {
    let (target, _) = grab.path.target(at.time)?;
    let force = grab.force(at);
    let at_limit = norm(force) >= 0.999 * grab.max_force;
    Some(Arrow { kind: 2, at_limit, point: grab.point.mean(at.x), force, target })
}
