//! How long a step is likely to take, from what has to be counted in it.
//!
//! ```text
//! explicit: elements;   gradients: assembly and products;   factor: assembly, 0.9 ns pairs + 2 us rows, as `solver_choice` has it        (1)
//! ```
//!
//! Constants are of one thread of a Xeon with AVX2, from `bench/results` (explicit steps of 1k to 1M elements, bars of 450 to 12 150 tetrahedra, cloth): right to
//! a factor of three on most machines, which is what somebody needs to know who waits.

use super::{LinearSolver, Scheme, StepMatrix};
use crate::model::Model;

/// Time of one element or spring, s.
struct Costs {
    tet: f64,
    hex: f64,
    spring: f64,
    angle: f64,
}

/// Forces alone.
const FORCES: Costs = Costs { tet: 17e-9, hex: 130e-9, spring: 7e-9, angle: 13e-9 };
/// Forces and element matrices.
const MATRICES: Costs = Costs { tet: 350e-9, hex: 2.5e-6, spring: 100e-9, angle: 250e-9 };
/// What gradients need beside them.
const PRODUCTS: Costs = Costs { tet: 350e-9, hex: 1.5e-6, spring: 300e-9, angle: 300e-9 };
/// Of a pair of blocks in a column of the factor, and of a row, s.
const FACTOR_PAIR: f64 = 0.9e-9;
const FACTOR_ROW: f64 = 2e-6;
/// Of any step, s.
const LEAST: f64 = 1e-6;
/// Solutions of Newton's method in a step.
const ITERATIONS: f64 = 3.0;

/// How long a step of a model is likely to take on one thread, s.
pub fn expected_step_time(model: &Model, scheme: &Scheme) -> f64 {
    let method = scheme.kind().traits();
    let assembled = |solver: LinearSolver| {
        of_elements(model, &MATRICES)
            + match solver {
                LinearSolver::Gradients | LinearSolver::Jacobi => of_elements(model, &PRODUCTS),
                LinearSolver::Direct => factor_time(model),
            }
    };
    LEAST
        + match method.matrix {
            StepMatrix::Diagonal => of_elements(model, &FORCES),
            // one solution, a tenth of a factor
            StepMatrix::Constant => of_elements(model, &FORCES) + 0.1 * factor_time(model),
            StepMatrix::Definite | StepMatrix::Consistent => {
                let solutions = if method.newton.is_some() { ITERATIONS } else { 1.0 };
                solutions * assembled(scheme.linear_solver(model))
            }
        }
}

fn factor_time(model: &Model) -> f64 {
    FACTOR_PAIR * model.elimination().pairs + FACTOR_ROW * model.layout().free_count() as f64
}

fn of_elements(model: &Model, costs: &Costs) -> f64 {
    let bodies = model.layout().bodies().iter().zip(model.matter());
    bodies
        .map(|(body, matter)| match matter.network() {
            Some(network) => {
                costs.spring * network.springs.len() as f64 + costs.angle * network.angles.len() as f64
            }
            None => {
                let hexes = body.soft.iter().filter(|cell| body.mesh.cell_nodes(**cell as usize).len() == 8);
                let hexes = hexes.count();
                costs.hex * hexes as f64 + costs.tet * (body.soft.len() - hexes) as f64
            }
        })
        .sum()
}
