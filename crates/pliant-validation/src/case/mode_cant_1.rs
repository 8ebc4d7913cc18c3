//! MODE-CANT-1: natural frequencies of a clamped beam: bending pairs, torsion, axial.

use pliant_geometry::BoxElement;
use pliant_solid::MassKind;

use crate::CaseError;
use crate::mode_rows::{Block, Table};
use crate::verify::{Case, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MODE-CANT-1",
    title: "natural frequencies of a clamped beam",
    source: "A4; independent code on the same mesh (converged: 1.01817 Hz; plain hexahedra are 7 % too stiff here)",
    file: "mode_cant_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

const TABLES: [(BoxElement, MassKind, Table); 4] = [
    (
        BoxElement::Hex,
        MassKind::Consistent,
        Table {
            name: "hex8 consistent",
            hertz: &[1.089636, 1.089636, 6.573413, 6.573413, 9.808327, 15.903367, 17.484688],
            highest: None,
        },
    ),
    (
        BoxElement::Hex,
        MassKind::Lumped,
        Table {
            name: "hex8 lumped",
            hertz: &[1.087551, 1.087551, 6.491873, 6.491873, 8.004350, 15.893666],
            highest: Some(3105.7063),
        },
    ),
    (
        BoxElement::Tet6,
        MassKind::Consistent,
        Table { name: "tet4 consistent", hertz: &[1.320091, 1.568049, 7.829121, 9.129486], highest: None },
    ),
    (
        BoxElement::Tet6,
        MassKind::Lumped,
        Table { name: "tet4 lumped", hertz: &[], highest: Some(4429.8951) },
    ),
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, mass, table) in TABLES {
        let block = Block {
            size: [0.5, 0.05, 0.05],
            cells: [20, 2, 2],
            poisson: 0.3,
            element,
            mass,
            clamped: true,
            perturbation,
        };
        rows.extend(block.rows(&table)?);
    }
    Ok(rows)
}
