//! The user's tool: a ball that follows the mouse and pushes what it meets.
//!
//! ```text
//! w   = (x* - x_0) (1 - e^(-h/T)) / h,   no faster than the limit                                        (1)
//! v_1 = v_0 + (w - v_0) (1 - e^(-4h/T)),   x_1 = x_0 + h v_1                                             (2)
//! ```
//!
//! For short steps h this is a critically damped approach to x* within T/2; for long ones it arrives in one and never overshoots. (2) is a mean of two
//! velocities below the limit. What a step is told is x_0 and v_1, so that the engine's ball is where ours is.

#[cfg(test)]
mod tests;

use pliant_geometry::vector::norm;
use pliant_numerics::Mat3;
use pliant_solid::contact::{ColliderShape, Tool};

use super::clearance::clear_place;
use crate::server::wire::command::Placing;
use crate::server::wire::frame;

type Vec3 = [f64; 3];

/// T of (1) at normal speed, s.
const FOLLOWS_IN: f64 = 0.08;
/// The limit of (1) at normal speed, in extents of the scene a second.
const FASTEST: f64 = 1.5;
/// In slower motion than this it does not become faster yet: bodies have no time to give way.
const SLOWEST: f64 = 0.25;
/// The longest way in a step, in radii.
const WAY: f64 = 0.25;
/// The longest way between two equilibria where no time passes, and the shortest that is tried.
const WAY_AT_REST: f64 = 0.125;
const SHORTEST: f64 = 1.0 / 512.0;
/// Beside what is there it leaves this share of its radius free at first.
const MARGIN: f64 = 0.05;
/// Coulomb's coefficient.
const FRICTION: f64 = 0.3;

/// See the [module](self).
pub struct Ball {
    tool: Tool,
    radius: f64,
    target: Vec3,
    /// The radius that is wanted, m.
    aim: f64,
    /// Of the scene, m.
    extent: f64,
    /// Of time.
    speed: f64,
    /// Where no time passes: where it was before the last little way, and how far it goes next, in radii.
    before: Vec3,
    stride: f64,
}

impl Ball {
    /// Begins where a page says, or as much nearer to the eye as keeps it clear of surfaces, in a scene of this extent, m.
    pub fn place(placing: &Placing, surfaces: (&[Vec3], &[[u32; 3]]), extent: f64) -> Self {
        let radius = placing.radius;
        let origin = clear_place(placing, surfaces, (1.0 + MARGIN) * radius);
        let tool = Tool {
            shape: ColliderShape::Sphere { radius },
            axes: Mat3::identity(),
            origin,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            friction: FRICTION,
            thickness: 0.0,
        };
        Self {
            tool,
            radius,
            target: origin,
            aim: radius,
            extent,
            speed: 1.0,
            before: origin,
            stride: WAY_AT_REST,
        }
    }

    /// Goes to a place and a radius, m, while time runs at a speed.
    pub fn aim(&mut self, target: Vec3, radius: f64, speed: f64) {
        (self.target, self.aim, self.speed) = (target, radius, speed);
    }

    /// Chooses the velocity of a coming step that is likely to be so long, s.
    pub fn lead(&mut self, h: f64) {
        let follows = FOLLOWS_IN * self.speed;
        let share = |times: f64| -(-times * h / follows).exp_m1();
        let rate = if h > 0.0 { share(1.0) / h } else { 1.0 / follows };
        let wanted = shortened(self.way().map(|x| rate * x), self.fastest(h));
        let v = self.tool.velocity;
        let next = std::array::from_fn(|c| v[c] + share(4.0) * (wanted[c] - v[c]));
        // once more: the limit may be lower than in the last step
        self.tool.velocity = shortened(next, self.fastest(h));
        // it grows and shrinks likewise
        let change = rate * h * (self.aim - self.radius);
        self.radius += change.clamp(-h * self.fastest(h), h * self.fastest(h));
        self.tool.shape = ColliderShape::Sphere { radius: self.radius };
    }

    /// The highest speed in a step of so many seconds, m/s.
    pub fn fastest(&self, h: f64) -> f64 {
        let led = FASTEST * self.extent / self.speed.max(SLOWEST);
        if h > 0.0 { led.min(WAY * self.radius / h) } else { led }
    }

    /// A step of so many seconds was made.
    pub fn went(&mut self, h: f64) {
        let Tool { origin, velocity, .. } = &mut self.tool;
        *origin = sum(*origin, velocity.map(|v| h * v));
        self.stride = WAY_AT_REST.min(2.0 * self.stride);
    }

    /// From where it is to where it is wanted, m.
    fn way(&self) -> Vec3 {
        std::array::from_fn(|c| self.target[c] - self.tool.origin[c])
    }

    /// Goes a little way where no time passes: from one equilibrium to the next.
    pub fn shift(&mut self) {
        self.before = self.tool.origin;
        self.radius = self.aim;
        self.tool.shape = ColliderShape::Sphere { radius: self.radius };
        // nothing tells which way a point would slide
        (self.tool.velocity, self.tool.friction) = ([0.0; 3], 0.0);
        let (way, longest) = (self.way(), self.stride * self.radius);
        self.tool.origin = match norm(way) > longest {
            true => sum(self.tool.origin, shortened(way, longest)),
            false => self.target,
        };
    }

    /// Whether the last little way led anywhere.
    pub fn has_shifted(&self) -> bool {
        self.before != self.tool.origin
    }

    /// Takes back the last little way, which led to no equilibrium: a shorter one is next, or it stays where it is; whether it does.
    pub fn stays(&mut self) -> bool {
        self.tool.origin = self.before;
        self.stride *= 0.5;
        let stays = self.stride < SHORTEST;
        if stays {
            (self.target, self.stride) = (self.before, WAY_AT_REST);
        }
        stays
    }

    /// Whether it is not yet where it is wanted.
    pub fn is_under_way(&self) -> bool {
        self.target != self.tool.origin || self.aim != self.radius
    }

    /// As steps want it.
    pub fn tool(&self) -> &Tool {
        &self.tool
    }

    /// Where it was so many seconds before the end of the last step.
    pub fn shown(&self, before: f64) -> frame::Ball {
        let Tool { origin, velocity, .. } = &self.tool;
        frame::Ball { radius: self.radius, place: sum(*origin, velocity.map(|v| -before * v)) }
    }
}

fn sum(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] + b[c])
}

/// A vector, no longer than a length.
fn shortened(v: Vec3, longest: f64) -> Vec3 {
    let length = norm(v);
    if length > longest { v.map(|x| x * longest / length) } else { v }
}
