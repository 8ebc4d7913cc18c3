//! Findings about how cells hang together: not at all, by a node, twice, or in one place.

use pliant_geometry::{Mesh, coincident_nodes, connected_parts, orphan_nodes, overshared_faces, weak_joints};

use crate::counted::counted;

use super::{FindingKind, FindingPlace, MeshFinding};

/// Nodes closer than this fraction of the mesh's size stand at one place.
const COINCIDENT: f64 = 1e-8;

pub(super) fn findings(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    coincident(mesh, out);
    parts(mesh, out);
    weak(mesh, out);
    orphans(mesh, out);
    overlaps(mesh, out);
}

/// Nodes at one place.
fn coincident(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let size = mesh.bounds().map_or(0.0, |bounds| bounds.diagonal());
    let pairs = coincident_nodes(mesh, COINCIDENT * size).unwrap_or_default();
    let Some(&[stays, node]) = pairs.first() else { return };
    let place = FindingPlace { what: "node", number: node, position: mesh.positions()[node as usize] };
    let message = format!(
        "{} where another one does; the first is {}, on node {stays}",
        counted(pairs.len(), "node stands", "nodes stand"),
        place.text()
    );
    let way_out = "if this is no cut on purpose: `pliant mesh convert IN --merge 1e-6 -o OUT` joins them";
    out.push(MeshFinding::warning(FindingKind::CoincidentNodes, message, way_out).at(pairs.len(), place));
}

fn parts(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let parts = connected_parts(mesh);
    if parts.count < 2 {
        return;
    }
    let counts = parts.cell_counts();
    let second = parts.of_cell.iter().position(|p| *p == 1).unwrap_or(0) as u32;
    let place = FindingPlace::of_cell(mesh, second);
    let message = format!(
        "the mesh has {} parts that are not connected ({} and {} elements are the largest); the second holds {}",
        parts.count,
        counts[0],
        counts[1],
        place.text()
    );
    let doubled = out.iter().any(|finding| finding.kind == FindingKind::CoincidentNodes);
    let way_out = if doubled {
        "they will fall apart: join the doubled nodes, or make them bodies of their own"
    } else {
        "they will fall apart: make them bodies of their own (`pliant mesh convert IN --part 1 -o OUT` takes one out)"
    };
    out.push(MeshFinding::warning(FindingKind::Disconnected, message, way_out).at(parts.count, place));
}

fn weak(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let joints = weak_joints(mesh);
    let Some(place) = FindingPlace::first("node", &joints.nodes) else { return };
    let message = format!(
        "{} all that holds some parts together, no face joins them; the first is {}",
        counted(joints.nodes.count, "node is", "nodes are"),
        place.text()
    );
    let way_out = "such a joint hinges freely: let the parts share faces, or separate them";
    out.push(MeshFinding::warning(FindingKind::WeakJoint, message, way_out).at(joints.nodes.count, place));
}

fn orphans(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let mut orphans = orphan_nodes(mesh);
    if mesh.cell_count() == 0 {
        // a surface has none of its nodes in a cell
        let mut used: Vec<u32> = mesh.triangles().as_flattened().to_vec();
        used.sort_unstable();
        orphans.retain(|node| used.binary_search(node).is_err());
    }
    let Some(&first) = orphans.first() else { return };
    let place = FindingPlace { what: "node", number: first, position: mesh.positions()[first as usize] };
    let what = counted(orphans.len(), "node is", "nodes are");
    let message = format!("{what} in no element, the first is {}", place.text());
    let way_out = "they stay where they are; `pliant mesh convert IN --drop-unused -o OUT` drops them";
    out.push(MeshFinding::warning(FindingKind::Orphans, message, way_out).at(orphans.len(), place));
}

fn overlaps(mesh: &Mesh, out: &mut Vec<MeshFinding>) {
    let overshared = overshared_faces(mesh);
    let Some(first) = overshared.first() else { return };
    let message = format!(
        "elements overlap at {}, the first at {} between elements {:?}{}",
        counted(overshared.len(), "face", "faces"),
        crate::shown_place(first.center),
        &first.cells[..first.cells.len().min(4)],
        if first.cells.len() > 4 { " and others" } else { "" }
    );
    let place = FindingPlace { what: "element", number: first.cells[0], position: first.center };
    let way_out =
        "remove the elements that are there twice (`pliant mesh convert IN --merge 0 -o OUT`), or mesh again";
    out.push(MeshFinding::error(FindingKind::Overlap, message, way_out).at(overshared.len(), place));
}
