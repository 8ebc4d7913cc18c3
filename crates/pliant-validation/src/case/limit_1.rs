//! LIMIT-1: a cord under tension follows one straight line, and beyond its limit of stretch a second one.
//!
//! ```text
//! P = E e,   beyond the limit l: P = E e + k (e - l),   k = (f - 1) E                        (1)
//! ```
//!
//! [Warp Fig. 2] with nu = 0, so that nothing changes across; l = 0.3, f = 10. Cubes of two cells a side, at rest after 4 s of damped motion by implicit Euler.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::{ImplicitEuler, StepChoice};
use pliant_solid::law::{LawKind, StretchLimit};

use crate::CaseError;
use crate::measure::{advance, displacement_at};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, MakeLaw, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "LIMIT-1",
    title: "a limit of stretch: two straight lines",
    source: "[Warp Fig. 2]; closed form",
    file: "limit_1.rs",
    flaw: Perturbation::Young(1.02),
    compare,
};

const YOUNG: f64 = 1e5;
const LIMIT: f64 = 0.3;
const FACTOR: f64 = 10.0;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, kind) in [("corotated", LawKind::Corotated as MakeLaw), ("linear", LawKind::Linear)] {
        for element in [BoxElement::Tet5, BoxElement::Hex] {
            // up to the limit, well beyond it, and pressed a little, where there is none and no buckling yet
            for (pull, strain) in [(0.2, 0.2), (0.6, LIMIT + 0.3 / FACTOR), (-0.1, -0.1)] {
                let expected = Expected::relative(strain, 1e-8, Origin::ClosedForm); // (1)
                let ours = stretched(perturbation.law(kind, YOUNG, 0.0)?, element, pull * YOUNG)?;
                rows.push(Row::new(format!("{name}, {element:?}: strain under {pull} E"), "", expected, ours));
            }
        }
    }
    Ok(rows)
}

/// The strain of a cube, 1 m a side, that is held at z = 0 and pulled by a traction at the other end.
fn stretched(law: LawKind, element: BoxElement, traction: f64) -> Result<f64, CaseError> {
    let mesh = box_mesh([1.0; 3], [2; 3], element)?;
    let limit = StretchLimit { strain: LIMIT, stiffness: (FACTOR - 1.0) * YOUNG, factor: FACTOR };
    let step = StepChoice::Fixed(0.01);
    let mut world = Specimen::new(mesh, law)
        .limited(limit)
        .mass_damping(10.0)
        .hold(|p| p[2] < 1e-9, [true; 3])
        .traction(|p| p[2] > 1.0 - 1e-9, [0.0, 0.0, traction])
        .euler(ImplicitEuler { step, ..ImplicitEuler::default() })?;
    advance(&mut world, 400)?;
    let full = world.model().full_state(world.state());
    Ok(displacement_at(world.model().layout(), &full.x, [0.5, 0.5, 1.0])[2])
}
