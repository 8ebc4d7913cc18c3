//! EULER-DT: the error of whole motions under implicit Euler falls with the step, by as much as an independent stepper's.
//!
//! The rows of implicit Euler in ORDER-DT-1: St. Venant-Kirchhoff, lumped mass, every step solved to the end, momenta left as they come.

use crate::CaseError;
use crate::measure::{largest_difference, order};
use crate::motions::{Motion, cantilever_by_euler, end_of, spinning_block_by_euler};
use crate::reference::reference_displacements;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "EULER-DT",
    title: "implicit Euler: error and order in the step, energy lost",
    source: "A5 (ORDER-DT-1, DYN-SPIN-1); largest nodal error at the end, by an independent stepper, 1 %",
    file: "euler_dt.rs",
    flaw: Perturbation::Young(1.02),
    compare,
};

struct Table {
    name: &'static str,
    motion: Motion,
    errors: &'static [(usize, f64)],
}

const TABLES: [Table; 2] = [
    Table {
        name: "DYN-CANT-1",
        motion: cantilever_by_euler,
        errors: &[(200, 1.0489e-2), (100, 2.1618e-2)],
    },
    Table {
        name: "DYN-SPIN-1",
        motion: spinning_block_by_euler,
        errors: &[(800, 1.3154e-2), (400, 2.5931e-2), (200, 5.0355e-2), (100, 9.4031e-2)],
    },
];

/// Energy of the spinning block at the start, J.
const START: f64 = 6.655;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for table in TABLES {
        let reference = reference_displacements(&format!("{}_final", table.name))?;
        let mut ours = Vec::new();
        for &(steps, printed) in table.errors {
            let end = end_of(table.motion, steps, perturbation)?;
            let error = largest_difference(&end.u, &reference);
            let expected = Expected::relative(printed, 0.01, Origin::IndependentCode);
            rows.push(Row::new(format!("{}: error, {steps} steps", table.name), "m", expected, error));
            ours.push(error);
            // printed to three digits of what the suite's stepper lost
            let lost = [(100, 0.986), (800, 0.192)].into_iter().find(|(at, _)| *at == steps);
            if let Some((_, lost)) = lost.filter(|_| table.name == "DYN-SPIN-1") {
                let expected = Expected::relative(lost, 0.01, Origin::IndependentCode);
                let ours = START - end.elastic - end.kinetic;
                rows.push(Row::new(format!("{}: energy lost, {steps} steps", table.name), "J", expected, ours));
            }
        }
        // the suite's own errors are 4 to 5 % from a straight line
        let one = Expected::absolute(1.0, 0.05, Origin::ClosedForm);
        rows.push(Row::new(format!("{}: order", table.name), "", one, order(ours[1], ours[0])));
    }
    Ok(rows)
}
