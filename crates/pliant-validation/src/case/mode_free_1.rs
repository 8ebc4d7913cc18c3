//! MODE-FREE-1: natural frequencies of a free cube, mass and stiffness together.

use pliant_geometry::BoxElement;
use pliant_solid::MassKind;

use crate::CaseError;
use crate::mode_rows::{Block, Table};
use crate::verify::{Case, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MODE-FREE-1",
    title: "natural frequencies of a free cube, both elements, both masses",
    source: "A4; independent code on the same mesh (Ritz without a mesh: 89.1454 Hz)",
    file: "mode_free_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

fn block(element: BoxElement, mass: MassKind, perturbation: Perturbation) -> Block {
    Block { size: [0.1; 3], cells: [6; 3], poisson: 0.3, element, mass, clamped: false, perturbation }
}

const TABLES: [(BoxElement, MassKind, Table); 4] = [
    (
        BoxElement::Hex,
        MassKind::Consistent,
        Table {
            name: "hex8 consistent",
            hertz: &[
                91.562626, 91.562626, 123.918773, 123.918773, 123.918773, 125.833186, 125.833186, 125.833186,
                141.614699, 141.614699, 145.475013,
            ],
            highest: Some(9748.0508),
        },
    ),
    (
        BoxElement::Hex,
        MassKind::Lumped,
        Table {
            name: "hex8 lumped",
            hertz: &[
                86.766399, 86.766399, 114.749858, 114.749858, 114.749858, 122.044484, 122.044484, 122.044484,
                127.184748, 136.512891, 136.512891,
            ],
            highest: Some(4574.6637),
        },
    ),
    (
        BoxElement::Tet6,
        MassKind::Consistent,
        Table {
            name: "tet4 consistent",
            hertz: &[
                97.855511, 97.855511, 126.072453, 126.474761, 126.474761, 129.598254, 129.598254, 130.907277,
                142.658301, 142.658301,
            ],
            highest: Some(13419.2128),
        },
    ),
    (
        BoxElement::Tet6,
        MassKind::Lumped,
        Table {
            name: "tet4 lumped",
            hertz: &[
                93.032969, 93.032969, 120.258896, 122.076115, 122.243404, 122.243404, 123.366548, 123.366548,
                139.078844, 139.078844,
            ],
            highest: Some(6569.4387),
        },
    ),
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, mass, table) in TABLES {
        rows.extend(block(element, mass, perturbation).rows(&table)?);
    }
    Ok(rows)
}
