//! HERTZ-1: a rigid ball is pressed into a soft half space.
//!
//! ```text
//! E* = E / (1 - nu^2),   a^2 = R d,   F = 4/3 E* sqrt(R) d^(3/2),   p0 = 2 E* a / (pi R)                      (1)
//! F(L) = F (1 + c / L)        of a block whose faces are held at the distance L                               (2)
//! ```
//!
//! (1) is the solution of Hertz. A quarter of a block, cells of a/5 under the ball and then longer by a factor from one to the next. Far from the ball everything goes with 1/r
//! (Boussinesq), so that a block held at L is stiffer by (2): two blocks, the one about twice as large, give c, and F without it. `penalty` in statics, 1000 E / h:
//! its depth is 1.4e-4 of the approach.

use pliant_geometry::{BoxElement, GeneratorError, Mesh, box_mesh};
use pliant_solid::Motion;
use pliant_solid::contact::{Carrier, Collider, ColliderShape, ContactSettings};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "HERTZ-1",
    title: "a rigid ball in a soft half space: force, radius and pressure by Hertz",
    source: "A7; closed form",
    file: "hertz_1.rs",
    flaw: Perturbation::Young(1.1),
    compare,
};

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const RADIUS: f64 = 0.05;
/// That of 1 N, m.
const APPROACH: f64 = 2.104_158_4e-4;
/// Elements in the radius of contact.
const FINE: f64 = 5.0;
/// Pa/m over E / h.
const SPRINGS: f64 = 1000.0;

/// (1) at an approach, m.
struct Hertz {
    approach: f64,
    a: f64,
    force: f64,
    pressure: f64,
}

impl Hertz {
    fn at(approach: f64) -> Self {
        let modulus = YOUNG / (1.0 - POISSON * POISSON);
        let a = (RADIUS * approach).sqrt();
        let force = 4.0 / 3.0 * modulus * RADIUS.sqrt() * approach.powf(1.5);
        Self { approach, a, force, pressure: 2.0 * modulus * a / (std::f64::consts::PI * RADIUS) }
    }
}

/// How a quarter of a block is cut: cells of one size under the ball, and then each longer than the one before.
#[derive(Clone, Copy)]
struct Cut {
    element: BoxElement,
    even: usize,
    longer: usize,
    growth: f64,
}

impl Cut {
    fn cells(self) -> usize {
        self.even + self.longer
    }

    /// Where the i-th node is, in cells under the ball.
    fn place(self, i: usize) -> f64 {
        let beyond = i.saturating_sub(self.even) as i32;
        let steps: f64 = (1..=beyond).map(|k| self.growth.powi(k)).sum();
        i.min(self.even) as f64 + steps
    }

    /// Down from z = 0, and along x and y from 0.
    fn mesh(self, h: f64) -> Result<Mesh, CaseError> {
        let n = self.cells();
        let mesh = box_mesh([n as f64; 3], [n; 3], self.element)?;
        let at = |c: f64| h * self.place(c.round() as usize);
        let mesh = mesh.transformed(|p| [at(p[0]), at(p[1]), -at(n as f64 - p[2])]);
        Ok(mesh.map_err(GeneratorError::from)?)
    }
}

/// What the ball feels.
#[derive(Clone, Copy, Debug)]
struct Pressed {
    /// N.
    force: f64,
    /// From the area of what touches, m.
    radius: f64,
    /// Under the middle, Pa.
    pressure: f64,
}

/// The ball at an approach, in a block with cells of h under it.
fn press(cut: Cut, h: f64, approach: f64, perturbation: Perturbation) -> Result<Pressed, CaseError> {
    let far = h * cut.place(cut.cells()) * (1.0 - 1e-9);
    let motion = Motion::Carry { shift: [0.0, 0.0, -approach], turn: None, over: 1.0 };
    let ball = Collider {
        origin: [0.0, 0.0, RADIUS],
        carrier: Carrier::Script(motion),
        ..Collider::new("ball", ColliderShape::Sphere { radius: RADIUS })
    };
    let stiffness = SPRINGS * YOUNG / h;
    let rest = Specimen::new(cut.mesh(h)?, perturbation.law(LawKind::Linear, YOUNG, POISSON)?)
        .mirror(0)
        .mirror(1)
        .hold(move |p| p[0] > far || p[1] > far || p[2] < -far, [true; 3])
        .collider(ball)
        .contact(ContactSettings { stiffness: Some(stiffness), ..ContactSettings::default() })
        .resting()?;
    let (mut force, mut area, mut pressure) = (0.0, 0.0, 0.0);
    for contact in rest.contacts().filter(|contact| contact.normal_force > 0.0) {
        let share = |c: f64| if c < 0.25 * h { 0.5 } else { 1.0 };
        force -= contact.force()[2];
        area += h * h * share(contact.point[0]) * share(contact.point[1]);
        if contact.point[0] < 0.25 * h && contact.point[1] < 0.25 * h {
            pressure = -stiffness * contact.gap;
        }
    }
    let radius = (4.0 * area / std::f64::consts::PI).sqrt();
    Ok(Pressed { force: 4.0 * force, radius, pressure })
}

/// A block of which the force is known without its end.
struct HalfSpace {
    /// In the larger block.
    pressed: Pressed,
    /// (2), N.
    force: f64,
}

/// Two blocks, held at about 10 and 24 times the radius of contact where there are no further layers.
fn half_space(
    element: BoxElement,
    layers: usize,
    hertz: &Hertz,
    perturbation: Perturbation,
) -> Result<HalfSpace, CaseError> {
    let h = Hertz::at(APPROACH).a / FINE;
    let cuts = [layers, layers + 2].map(|longer| Cut { element, even: 8, longer, growth: 1.6 });
    let small = press(cuts[0], h, hertz.approach, perturbation)?;
    let large = press(cuts[1], h, hertz.approach, perturbation)?;
    let [near, far] = cuts.map(|cut| cut.place(cut.cells()));
    // F(L) L is a line in L, of slope F
    let force = (large.force * far - small.force * near) / (far - near);
    Ok(HalfSpace { pressed: large, force })
}

/// Force, radius and pressure at the approach of 1 N, and how the force of hexahedra grows with the approach.
fn rows(layers: usize, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let (hertz, shallow) = (Hertz::at(APPROACH), Hertz::at(0.5 * APPROACH));
    let closed = |value: f64, band: f64| Expected::relative(value, band, Origin::ClosedForm);
    let mut rows = Vec::new();
    for (name, element, band) in [("hex8", BoxElement::Hex, 0.04), ("tet4", BoxElement::Tet6, 0.06)] {
        let found = half_space(element, layers, &hertz, perturbation)?;
        let near = Expected::absolute(hertz.a, 0.5 * hertz.a / FINE, Origin::ClosedForm);
        rows.extend([
            Row::new(format!("{name}: force"), "N", closed(hertz.force, band), found.force),
            Row::new(format!("{name}: radius of contact"), "m", near, found.pressed.radius),
            Row::new(format!("{name}: pressure in the middle"), "Pa", closed(hertz.pressure, 0.1), found.pressed.pressure),
        ]);
        if element == BoxElement::Hex {
            let less = half_space(element, layers, &shallow, perturbation)?;
            let slope = (found.force / less.force).log2();
            let expected = Expected::absolute(1.5, 0.03, Origin::ClosedForm);
            rows.push(Row::new(format!("{name}: exponent of the force over the approach"), "", expected, slope));
        }
    }
    Ok(rows)
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    rows(6, perturbation)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks held at 24 and 60 times the radius of contact give what those at 10 and 24 do.
    #[test]
    #[ignore = "full tier: 20 000 unknowns"]
    fn larger_blocks_give_the_same_half_space() {
        let [quick, full] = [6, 8].map(|layers| rows(layers, Perturbation::None).unwrap());
        for (quick, full) in quick.iter().zip(&full) {
            assert!(full.passed(), "{full:?}");
            let change = (quick.ours - full.ours).abs() / quick.reference;
            assert!(change < 0.01, "{quick:?} {full:?}");
        }
    }
}
