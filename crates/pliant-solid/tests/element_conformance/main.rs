//! What every element must satisfy. A new element is a line in `reference_cell` and in [`meshes`].
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod chosen_fields;
mod derivatives;
mod initial_fields;
mod manufactured;
mod many_elements;
mod patch;
mod reference_cell;
mod regions;
mod rigid_motion;
use crate::support;

use pliant_geometry::{BoxElement, Mesh};
use pliant_numerics::Mat3;
use support::linear_map;
use support::meshes::{block, distorted, patches};

/// Small meshes of every element, distorted so that nothing holds by symmetry alone.
fn meshes() -> Vec<(&'static str, Mesh)> {
    let mut out = Vec::from(patches());
    out.push(("hex8 box", distorted([0.1, 0.12, 0.08], [2; 3], BoxElement::Hex, 0.2)));
    // all cells alike and slanted: the path of elements that share one Jacobian
    let shear = Mat3([[1.0, 0.3, 0.1], [0.0, 1.1, -0.2], [0.1, 0.0, 0.9]]);
    let sheared = block([0.1, 0.12, 0.08], [2; 3], BoxElement::Hex).transformed(linear_map(shear));
    out.push(("hex8 sheared", sheared.unwrap()));
    out.push(("tet4 box", distorted([0.1, 0.12, 0.08], [2; 3], BoxElement::Tet6, 0.2)));
    out
}

/// The length of a cell's edge, for forces of the size E h^2.
fn cell_size(mesh: &Mesh) -> f64 {
    (mesh.volume() / mesh.cell_count() as f64).cbrt()
}
