//! Held nodes and the scripts that move them.

use pliant_numerics::Mat3;

use crate::ramp::ramp;
use crate::spline::Spline;

/// Nodes held along some axes, at rest or on a scripted path, until they are released.
#[derive(Clone, Debug)]
pub struct Fix {
    /// World nodes.
    pub nodes: Vec<u32>,
    /// Which of x, y, z are held.
    pub axes: [bool; 3],
    /// How they move.
    pub motion: Motion,
    /// When they are let go, s.
    pub release: Option<f64>,
}

impl Fix {
    /// Whether the nodes are held at a time.
    pub fn holds(&self, time: f64) -> bool {
        self.release.is_none_or(|release| time < release)
    }
}

/// A prescribed path of every held node, from its rest position.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Stays where it is.
    Still,
    /// Turned, then shifted, along a quintic ramp over some time.
    Carry {
        /// Final shift, m.
        shift: [f64; 3],
        /// Rotation about a fixed line.
        turn: Option<Turn>,
        /// Duration, s.
        over: f64,
    },
    /// amplitude (sin(omega t + phase) - sin(phase)).
    Sine {
        /// Amplitude, m.
        amplitude: [f64; 3],
        /// Angular frequency, rad/s.
        omega: f64,
        /// Phase, rad.
        phase: f64,
    },
    /// A displacement table, joined by a spline.
    Table(Spline),
}

/// A rotation about a line in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Direction of the line (any length but zero).
    pub axis: [f64; 3],
    /// Final angle, rad, right-handed.
    pub angle: f64,
    /// A point on the line, m.
    pub center: [f64; 3],
}

/// Where a held node is, how fast, and how it accelerates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematics {
    /// Position, m.
    pub x: [f64; 3],
    /// Velocity, m/s.
    pub v: [f64; 3],
    /// Acceleration, m/s^2.
    pub a: [f64; 3],
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|c| a[c] + b[c])
}

impl Motion {
    /// Whether nodes ever leave their rest position.
    pub fn moves(&self) -> bool {
        *self != Self::Still
    }

    /// The longest step that follows the motion from a time on, s; infinite where nothing moves.
    pub fn resolution(&self, time: f64) -> f64 {
        match self {
            Self::Carry { over, .. } if time < *over => over / 16.0,
            // 24 steps a period
            Self::Sine { omega, .. } => std::f64::consts::TAU / (24.0 * omega),
            Self::Table(spline) => spline.shortest_interval_after(time) / 4.0,
            Self::Still | Self::Carry { .. } => f64::INFINITY,
        }
    }

    /// The angle by which nodes are turned at a time, rad.
    pub fn angle(&self, time: f64) -> f64 {
        match self {
            Self::Carry { turn: Some(turn), over, .. } => turn.angle * ramp(time, *over)[0],
            _ => 0.0,
        }
    }

    /// The rotation of whatever is carried at a time, and its angular velocity, rad/s, and acceleration, rad/s^2.
    pub fn spin(&self, time: f64) -> (Mat3<f64>, [[f64; 3]; 2]) {
        match self {
            Self::Carry { turn: Some(Turn { axis, angle, .. }), over, .. } => {
                let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
                let n = axis.map(|a| a / length);
                let [r, dr, ddr] = ramp(time, *over);
                (Mat3::rotation(n, r * angle), [dr, ddr].map(|rate| n.map(|c| rate * angle * c)))
            }
            _ => (Mat3::identity(), [[0.0; 3]; 2]),
        }
    }

    /// Where a node that rests at `rest` is when a part of the motion up to a time has been made: turned by that part of the angle,
    /// shifted by that part of the way.
    pub fn part(&self, part: f64, time: f64, rest: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Carry { shift, turn, over } => {
                let done = part * ramp(time, *over)[0];
                carry([done, 0.0, 0.0], rest, *shift, *turn).x
            }
            _ => {
                let end = self.at(time, rest).x;
                std::array::from_fn(|c| rest[c] + part * (end[c] - rest[c]))
            }
        }
    }

    /// The path of the node that rests at `rest`.
    pub fn at(&self, time: f64, rest: [f64; 3]) -> Kinematics {
        let [offset, v, a] = match self {
            Self::Still => [[0.0; 3]; 3],
            Self::Carry { shift, turn, over } => return carry(ramp(time, *over), rest, *shift, *turn),
            Self::Sine { amplitude, omega, phase } => {
                let (sin, cos) = (omega * time + phase).sin_cos();
                [sin - phase.sin(), omega * cos, -omega * omega * sin].map(|f| amplitude.map(|m| m * f))
            }
            Self::Table(spline) => spline.at(time),
        };
        Kinematics { x: sum(rest, offset), v, a }
    }
}

/// x = c + R(theta)(X - c) + r shift, with theta = r angle and r the ramp.
fn carry([r, dr, ddr]: [f64; 3], rest: [f64; 3], shift: [f64; 3], turn: Option<Turn>) -> Kinematics {
    let mut k = Kinematics { x: rest, v: [0.0; 3], a: [0.0; 3] };
    if let Some(Turn { axis, angle, center }) = turn {
        let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
        let n = axis.map(|a| a / length);
        let arm = Mat3::rotation(n, r * angle).mul_vec(std::array::from_fn(|c| rest[c] - center[c]));
        let (w, dw) = (dr * angle, ddr * angle);
        let across = cross(n, arm);
        let inward = cross(n, across);
        k.x = sum(center, arm);
        k.v = across.map(|c| w * c);
        k.a = std::array::from_fn(|c| dw * across[c] + w * w * inward[c]);
    }
    for c in 0..3 {
        k.x[c] += r * shift[c];
        k.v[c] += dr * shift[c];
        k.a[c] += ddr * shift[c];
    }
    k
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_and_accelerations_are_derivatives_of_the_path() {
        let turn = Turn { axis: [1.0, 2.0, -1.0], angle: 2.0, center: [0.1, 0.2, 0.3] };
        let table = Spline::through(vec![0.0, 0.4, 1.0], vec![[0.0; 3], [0.1; 3], [0.0, 0.3, 0.0]]);
        let motions = [
            Motion::Carry { shift: [0.3, 0.0, -0.2], turn: Some(turn), over: 1.5 },
            Motion::Sine { amplitude: [0.1, 0.2, 0.3], omega: 7.0, phase: 0.4 },
            Motion::Table(table.unwrap()),
        ];
        let (t, h, rest) = (0.6, 1e-5, [0.5, -0.1, 0.9]);
        for motion in motions {
            let (k, before, after) = (motion.at(t, rest), motion.at(t - h, rest), motion.at(t + h, rest));
            for c in 0..3 {
                assert!(((after.x[c] - before.x[c]) / (2.0 * h) - k.v[c]).abs() < 1e-8, "{motion:?}");
                assert!(((after.v[c] - before.v[c]) / (2.0 * h) - k.a[c]).abs() < 1e-6, "{motion:?}");
            }
            let start = motion.at(0.0, rest);
            assert!(
                (0..3).all(|c| (start.x[c] - rest[c]).abs() < 1e-15),
                "{motion:?} starts at rest position"
            );
        }
    }

    #[test]
    fn a_full_carry_ends_where_it_should() {
        let turn =
            Turn { axis: [0.0, 0.0, 1.0], angle: std::f64::consts::FRAC_PI_2, center: [1.0, 0.0, 0.0] };
        let motion = Motion::Carry { shift: [0.0, 0.0, 0.5], turn: Some(turn), over: 1.0 };
        let k = motion.at(2.0, [2.0, 0.0, 0.0]);
        let expected = [1.0, 1.0, 0.5]; // a quarter turn about (1, 0), then up
        assert!((0..3).all(|c| (k.x[c] - expected[c]).abs() < 1e-15), "{k:?}");
        assert_eq!(k.v, [0.0; 3]);
    }
}
