//! EULER-NU: gradients find what the factor finds, at any Poisson's ratio and in long cells.
//!
//! A clamped bar falls for 0.1 s by implicit Euler, its equations solved as `solver = "auto"` chooses and by gradients,
//! against the factor of the same equations. Preconditioners that break down where volumes hardly change, and norms
//! that go with them, end in free fall instead: the tip is then off by tens of per cent. The band is a hundred times the
//! tolerance of a step, 1e-5.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::{ImplicitEuler, LinearSolver, StepChoice};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::{advance, displacement_at};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "EULER-NU",
    title: "gradients against the factor: Poisson's ratio 0.3 to 0.49, cells 1 to 5 times as long as wide",
    source: "linear bar of 16 x 4 x 4 cells, E = 500 kPa, 20 steps of 5 ms; the factor of the same equations",
    file: "euler_nu.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

const YOUNG: f64 = 5e5;
/// Side of a cell across the bar, m.
const SIDE: f64 = 0.01;
const CELLS: [usize; 3] = [16, 4, 4];
const STEP: f64 = 0.005;
const STEPS: usize = 20;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, element) in [("hex8", BoxElement::Hex), ("tet4", BoxElement::Tet5)] {
        for aspect in [1.0, 2.5, 5.0] {
            for poisson in [0.3, 0.37, 0.45, 0.49] {
                let bar = Bar { element, aspect, poisson };
                let factor = bar.tip(Some(LinearSolver::Direct), Perturbation::None)?;
                for (solver, asked) in [("auto", None), ("gradients", Some(LinearSolver::Gradients))] {
                    let label = format!("{name}, {solver}, nu {poisson}, aspect {aspect}: tip");
                    let expected = Expected::relative(factor, 1e-3, Origin::Factor);
                    rows.push(Row::new(label, "m", expected, bar.tip(asked, perturbation)?));
                }
            }
        }
    }
    Ok(rows)
}

struct Bar {
    element: BoxElement,
    aspect: f64,
    poisson: f64,
}

impl Bar {
    /// How far the tip went along z, m.
    fn tip(&self, solver: Option<LinearSolver>, perturbation: Perturbation) -> Result<f64, CaseError> {
        let size = [self.aspect * SIDE * CELLS[0] as f64, SIDE * CELLS[1] as f64, SIDE * CELLS[2] as f64];
        let law = perturbation.law(LawKind::Linear, YOUNG, self.poisson)?;
        let bar = Specimen::new(box_mesh(size, CELLS, self.element)?, law);
        let bar = bar.gravity([0.0, 0.0, -9.81]).hold(|p| p[0] < 1e-9, [true; 3]);
        let step = StepChoice::Fixed(STEP);
        let mut world = bar.euler(ImplicitEuler { step, solver, ..ImplicitEuler::default() })?;
        advance(&mut world, STEPS)?;
        let full = world.model().full_state(world.state());
        let tip = [size[0], 0.5 * size[1], 0.5 * size[2]];
        Ok(displacement_at(world.model().layout(), &full.x, tip)[2])
    }
}
