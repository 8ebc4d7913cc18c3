//! DYN-COLUMN-1: a neo-Hookean column twists itself up from a spinning start (after Bonet and Gil).

use crate::CaseError;
use crate::measure::largest_difference;
use crate::motions::{column, energy_row, limit_of, probe_rows};
use crate::reference::reference_displacements;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "DYN-COLUMN-1",
    title: "a neo-Hookean column twists: state after 0.1 s",
    source: "A5; DOP853 at 1e-11 on the same mesh; ours extrapolated from 4000 and 8000 steps",
    file: "dyn_column_1.rs",
    flaw: Perturbation::Young(1.0001),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let end = limit_of(column, 4000, perturbation)?;
    let mut rows = probe_rows(&end, 116, [-1.20754073, -0.543303138, 6.13598367e-3], None, 1e-6);
    let total = 660_000.0;
    rows.push(energy_row("elastic energy", 652_318.250, total, 1e-6, end.elastic));
    rows.push(energy_row("kinetic energy", 7681.74956, total, 1e-6, end.kinetic));
    rows.push(energy_row("total energy", total, total, 1e-6, end.total));
    let reference = reference_displacements("DYN-COLUMN-1_final")?;
    let all = Expected::scaled(0.0, 1.2075, 1e-6, Origin::EighthOrder);
    rows.push(Row::new("largest difference, 117 nodes", "m", all, largest_difference(&end.u, &reference)));
    Ok(rows)
}
