//! Blocks between a bonded floor and a bonded, carried top, and what the suite prints of blocks at rest.

use pliant_geometry::BoxElement;
use pliant_solid::Motion;

use crate::CaseError;
use crate::measure::{Vec3, add, cross, largest_difference, peak, sub, triple};
use crate::reference::reference_displacements;
use crate::rest::Rest;
use crate::specimen::Specimen;
use crate::verify::{Expected, Origin, Row, vector_rows};

/// Both elements, as the reference suite names them.
pub const ELEMENTS: [(&str, BoxElement); 2] = [("hex8", BoxElement::Hex), ("tet4", BoxElement::Tet6)];

/// Discrete references: the band of the suite, and their origin.
pub const DISCRETE: (f64, Origin) = (1e-6, Origin::IndependentCode);

/// Nodes at z = 0 held, nodes at the top carried.
pub fn carried(specimen: Specimen, height: f64, motion: Motion) -> Result<Rest, CaseError> {
    let bonded = specimen.hold(|p| p[2] < 1e-9, [true; 3]);
    bonded.carry(move |p| p[2] > height - 1e-9, [true; 3], motion).resting()
}

/// The force that holds the carried nodes, and its moment about the line along z through their middle.
pub fn grip(rest: &Rest) -> (Vec3, f64) {
    let (grips, layout) = (rest.grips(), rest.model().layout());
    let places = grips.iter().map(|(node, _)| layout.rest_of(*node));
    let middle = places.fold([0.0; 3], add).map(|c| c / grips.len() as f64);
    let mut sums = ([0.0; 3], [0.0; 3]);
    for (node, force) in grips {
        let arm = sub(triple(&rest.full.x, node), middle);
        sums = (add(sums.0, force), add(sums.1, cross(arm, force)));
    }
    (sums.0, sums.1[2])
}

/// The displacement of every node against a table; the error is a part of the largest displacement.
pub fn all_nodes(rest: &Rest, table: &str) -> Result<Row, CaseError> {
    let reference = reference_displacements(table)?;
    let largest = reference.iter().fold(0.0, |most: f64, u| most.max(peak(u)));
    let expected = Expected::scaled(0.0, largest, DISCRETE.0, DISCRETE.1);
    let element = table.rsplit('_').next().unwrap_or_default();
    let name = format!("{element}: largest difference, {} nodes", reference.len());
    Ok(Row::new(name, "m", expected, largest_difference(&rest.displacements(), &reference)))
}

/// What the suite prints of a block whose top is carried.
pub struct Printed {
    /// J.
    pub energy: f64,
    /// N.
    pub force: Vec3,
}

/// Energy, force on the top and all nodes of a carried block.
pub fn carried_rows(id: &str, element: &str, rest: &Rest, printed: &Printed) -> Result<Vec<Row>, CaseError> {
    let expected = Expected::relative(printed.energy, DISCRETE.0, DISCRETE.1);
    let mut rows = vec![Row::new(format!("{element}: energy"), "J", expected, rest.stored())];
    let (force, _) = grip(rest);
    rows.extend(vector_rows(&format!("{element}: force on top"), "N", printed.force, DISCRETE, force));
    rows.push(all_nodes(rest, &format!("{id}_{element}"))?);
    Ok(rows)
}
