//! Findings about single cells: turned inside out, folded, flat, thin.

use pliant_geometry::{Mesh, folded_hexes, orientation, slivers};

use crate::counted::counted;

use super::{FindingKind, FindingPlace, MeshFinding, Severity};

/// Below this quality a cell is flat: its stable step is useless and its inverse has no digits.
const FLAT: f64 = 1e-4;
/// Below this quality a cell is worth a warning.
const SLIVER: f64 = 0.1;

const TURN: &str = "`pliant mesh convert IN --repair -o OUT` turns them: node 3 of a tetrahedron lies where the right-hand normal of nodes 0, 1, 2 points";

pub(super) fn findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let folded = folded_hexes(mesh);
    orientation_findings(mesh, &folded, out);
    // flat cells are judged only where orientation is sound
    if !out.iter().any(|f| f.severity == Severity::Error) {
        sliver_findings(mesh, &folded, out);
    }
}

fn orientation_findings(mesh: &Mesh, folded: &[u32], out: &mut Vec<MeshFinding>) {
    let bad: Vec<u32> = orientation(mesh).into_iter().filter(|c| folded.binary_search(c).is_err()).collect();
    if let Some(&first) = bad.first() {
        let place = FindingPlace::of_cell(mesh, first);
        out.push(inverted(mesh, &bad, place).at(bad.len(), place));
    }
    if let Some(&first) = folded.first() {
        let place = FindingPlace::of_cell(mesh, first);
        let what = counted(folded.len(), "hexahedron is folded", "hexahedra are folded");
        let message = format!("{what} at a corner; the first is {}", place.text());
        let way_out = "they can be simulated, but move a node if you can";
        let finding = MeshFinding::warning(FindingKind::Folded, message, way_out);
        out.push(finding.at(folded.len(), place));
    }
}

fn inverted(mesh: &Mesh, bad: &[u32], first: FindingPlace) -> MeshFinding {
    let (count, all, place) = (bad.len(), mesh.cell_count(), first.text());
    let flat = bad.iter().filter(|&&c| mesh.cell_volume(c as usize) == 0.0).count();
    let error = |message, way_out| MeshFinding::error(FindingKind::Inverted, message, way_out);
    if flat == count {
        let message = format!(
            "{count} of {all} elements {} no volume; the first is {place}",
            verb(count, "has", "have")
        );
        return error(message, "remove them, or move one of their nodes off the plane of the others");
    }
    // a hexahedron may be folded although its volume is above 0; turning does not mend that
    let reversed = bad.iter().filter(|&&c| mesh.cell_volume(c as usize) < 0.0).count();
    if reversed == 0 {
        let message =
            format!("{count} of {all} elements {} folded; the first is {place}", verb(count, "is", "are"));
        return error(
            message,
            "move their nodes, or mesh again: the mapping from the cube folds over inside them",
        );
    }
    if reversed == all {
        let message = format!("all {all} elements are reversed (negative volume); the first is {place}");
        return error(message, TURN);
    }
    let volume = mesh.cell_volume(first.number as usize);
    let message = format!(
        "{count} of {all} elements {} inverted or reversed; the first is {place}, volume {volume:.3e} m^3",
        verb(count, "is", "are")
    );
    error(message, &format!("{TURN}; if their shape is folded, mesh again"))
}

fn sliver_findings(mesh: &Mesh, folded: &[u32], out: &mut Vec<MeshFinding>) {
    let mut thin = slivers(mesh, SLIVER);
    // these have been told already, and their quality is 0 by definition
    thin.retain(|sliver| folded.binary_search(&sliver.cell).is_err());
    let Some(worst) = thin.iter().min_by(|a, b| a.quality.total_cmp(&b.quality)) else { return };
    let place = FindingPlace::of_cell(mesh, worst.cell);
    let message = format!(
        "{}; the worst is {}, quality {:.1e} (1 is best)",
        counted(thin.len(), "sliver", "slivers"),
        place.text(),
        worst.quality
    );
    let finding = if worst.quality < FLAT {
        let way_out = "such an element has no usable stiffness or step: improve the mesh";
        MeshFinding::error(FindingKind::Slivers, message, way_out)
    } else {
        let way_out = "they shorten the stable step and spoil accuracy: improve the mesh";
        MeshFinding::warning(FindingKind::Slivers, message, way_out)
    };
    out.push(finding.at(thin.len(), place));
}

/// The verb that fits a count.
fn verb(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}
