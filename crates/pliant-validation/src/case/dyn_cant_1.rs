//! DYN-CANT-1: a soft beam falls from rest under gravity: the state after 0.6 s.

use crate::CaseError;
use crate::measure::largest_difference;
use crate::motions::{cantilever, energy_row, limit_of, probe_rows};
use crate::reference::reference_displacements;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "DYN-CANT-1",
    title: "a soft beam falls under gravity: state after 0.6 s",
    source: "A5; DOP853 at 1e-11 on the same mesh; ours extrapolated from 4176 and 8352 steps",
    file: "dyn_cant_1.rs",
    flaw: Perturbation::Young(1.0001),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let end = limit_of(cantilever, 4176, perturbation)?;
    let u = [2.76645516e-3, 4.79057e-6, -2.25343636e-2];
    let v = [-0.150729426, -7.98061e-3, 0.924451439];
    let mut rows = probe_rows(&end, 80, u, Some(v), 1e-6);
    rows.rotate_left(2);
    // energies turn into each other: the error is a part of the kinetic one
    let kinetic = 0.345089400;
    rows.push(energy_row("elastic energy", 2.54393665e-2, kinetic, 1e-6, end.elastic));
    rows.push(energy_row("kinetic energy", kinetic, kinetic, 1e-6, end.kinetic));
    rows.push(energy_row("total energy", 0.0, kinetic, 1e-6, end.total));
    let reference = reference_displacements("DYN-CANT-1_final")?;
    let all = Expected::scaled(0.0, 2.25e-2, 1e-6, Origin::EighthOrder);
    rows.push(Row::new("largest difference, 81 nodes", "m", all, largest_difference(&end.u, &reference)));
    Ok(rows)
}
