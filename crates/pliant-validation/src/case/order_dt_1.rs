//! ORDER-DT-1: the error of whole motions falls with the square of the step, by as much as an independent stepper's.

use crate::CaseError;
use crate::measure::{Vec3, largest_difference, order};
use crate::modes::all_omegas;
use crate::motions::{Motion, cantilever, end_of, spinning_block};
use crate::reference::reference_displacements;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "ORDER-DT-1",
    title: "whole motions: error and order in the step",
    source: "A5; largest nodal error at the end, by an independent stepper, 1 % (the explicit rows)",
    file: "order_dt_1.rs",
    flaw: Perturbation::Young(1.0001),
    compare,
};

struct Table {
    name: &'static str,
    motion: Motion,
    errors: [(usize, f64); 4],
    /// Critical step at rest, s.
    critical: f64,
}

const TABLES: [Table; 2] = [
    Table {
        name: "DYN-CANT-1",
        motion: cantilever,
        errors: [(2088, 1.7777e-6), (1044, 7.0944e-6), (522, 2.8572e-5), (261, 1.0606e-4)],
        critical: 2.879963e-3,
    },
    Table {
        name: "DYN-SPIN-1",
        motion: spinning_block,
        errors: [(1216, 1.5308e-5), (608, 6.2644e-5), (304, 1.4876e-4), (152, 4.9743e-4)],
        critical: 4.114788e-3,
    },
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for table in TABLES {
        let reference: Vec<Vec3> = reference_displacements(&format!("{}_final", table.name))?;
        let mut ours = Vec::new();
        for (steps, printed) in table.errors {
            let error = largest_difference(&end_of(table.motion, steps, perturbation)?.u, &reference);
            let expected = Expected::relative(printed, 0.01, Origin::IndependentCode);
            rows.push(Row::new(format!("{}: error, {steps} steps", table.name), "m", expected, error));
            ours.push(error);
        }
        let two = Expected::absolute(2.0, 0.05, Origin::ClosedForm);
        rows.push(Row::new(format!("{}: order", table.name), "", two, order(ours[1], ours[0])));
        rows.push(critical_row(&table, perturbation)?);
    }
    Ok(rows)
}

/// 2 / omega_max at rest, from the matrices.
fn critical_row(table: &Table, perturbation: Perturbation) -> Result<Row, CaseError> {
    let world = (table.motion)(1000, perturbation)?;
    let all = all_omegas(world.model())?;
    let expected = Expected::relative(table.critical, 1e-6, Origin::IndependentCode);
    let ours = 2.0 / all.last().copied().unwrap_or(f64::NAN);
    Ok(Row::new(format!("{}: critical step at rest", table.name), "s", expected, ours))
}
