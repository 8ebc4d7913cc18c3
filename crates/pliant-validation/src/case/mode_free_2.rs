//! MODE-FREE-2: natural frequencies of a free brick at nu = 0.4.

use pliant_geometry::BoxElement;
use pliant_solid::MassKind;

use crate::CaseError;
use crate::mode_rows::{Block, Table};
use crate::verify::{Case, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MODE-FREE-2",
    title: "natural frequencies of a free brick, Poisson's ratio 0.4",
    source: "A4; independent code on the same mesh",
    file: "mode_free_2.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const TABLES: [(MassKind, Table); 2] = [
    (
        MassKind::Consistent,
        Table {
            name: "hex8 consistent",
            hertz: &[39.909141, 52.523926, 61.293552, 70.644609, 74.787568, 78.242675],
            highest: None,
        },
    ),
    (
        MassKind::Lumped,
        Table {
            name: "hex8 lumped",
            hertz: &[37.936915, 49.067102, 58.066252, 68.845215, 71.391595, 73.315638],
            highest: Some(4106.1739),
        },
    ),
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (mass, table) in TABLES {
        let block = Block {
            size: [0.1, 0.15, 0.2],
            cells: [4, 6, 8],
            poisson: 0.4,
            element: BoxElement::Hex,
            mass,
            clamped: false,
            perturbation,
        };
        rows.extend(block.rows(&table)?);
    }
    Ok(rows)
}
