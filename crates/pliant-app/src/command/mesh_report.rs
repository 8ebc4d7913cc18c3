//! The report of a mesh in words and in JSON, for `check` and `mesh inspect`.

use pliant_geometry::{Extremes, Mesh, QualityReport, SurfaceCheck, Tally};
use pliant_scene::inspect::{MeshReport, Severity};
use serde_json::{Value, json};

use crate::report;

/// One line on what it holds.
pub fn mesh_lines(mesh: &MeshReport) {
    let [x, y, z] = mesh.size;
    let counts =
        [(mesh.tets, "tetrahedra"), (mesh.hexes, "hexahedra"), (mesh.triangles, "surface triangles")];
    let counts: String = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    let cells = match mesh.quality {
        Some(_) => format!(", volume {:.4e} m^3, worst quality {:.2}", mesh.volume, mesh.worst_quality()),
        None => String::new(),
    };
    report::line(&format!("{}: {} nodes{counts}, {x:.4} x {y:.4} x {z:.4} m{cells}", mesh.name, mesh.nodes));
}

/// A line for each group.
pub fn group_lines(mesh: &Mesh) {
    for (name, group) in mesh.groups() {
        let (nodes, cells) = (group.member_nodes(mesh).len(), group.cells(mesh).len());
        report::line(&format!(
            "  group `{name}`: {nodes} nodes, {cells} elements, {} surface triangles",
            group.triangles.len()
        ));
    }
}

/// What was left out on reading, and what was found.
pub fn finding_lines(found: &MeshReport, notes: &[String]) {
    notes.iter().for_each(|note| report::line(&format!("  note: {note}")));
    for finding in &found.findings {
        let word = if finding.severity == Severity::Error { "error" } else { "warning" };
        report::line(&format!("  {word}: {}; {}", finding.message, finding.way_out));
    }
    if found.findings.is_empty() {
        report::line("  no problem found");
    }
}

/// Everything, for programs; groups where the mesh is given.
pub fn mesh_json(found: &MeshReport, mesh: Option<&Mesh>, notes: &[String]) -> Value {
    let groups = mesh.map(|mesh| {
        let one = |(name, group): (&String, &pliant_geometry::Group)| {
            let value = json!({ "nodes": group.member_nodes(mesh).len(), "elements": group.cells(mesh).len(),
                                "triangles": group.triangles.len() });
            (name.clone(), value)
        };
        mesh.groups().iter().map(one).collect::<serde_json::Map<_, _>>()
    });
    json!({
        "name": found.name, "ok": !found.has_errors(),
        "nodes": found.nodes, "tets": found.tets, "hexes": found.hexes, "triangles": found.triangles,
        "size_m": found.size, "volume_m3": found.volume, "worst_quality": found.worst_quality(),
        "quality": found.quality.as_ref().map(quality_json), "surface": found.surface.as_ref().map(surface_json),
        "groups": groups, "notes": notes, "findings": found.findings,
    })
}

fn quality_json(quality: &QualityReport) -> Value {
    // JSON has no infinity: an element with an edge of no length has no aspect
    let extremes = |e: &Extremes| json!({ "min": e.min.value, "min_element": e.min.cell, "max": e.max.value, "max_element": e.max.cell });
    let worst: Vec<Value> = quality
        .worst
        .iter()
        .map(|cell| json!({ "element": cell.cell, "quality": cell.quality, "position": cell.centroid }))
        .collect();
    json!({
        "histogram": quality.histogram, "minimum": quality.minimum, "first_percentile": quality.first_percentile,
        "median": quality.median, "mean": quality.mean, "dihedral_deg": quality.dihedral.as_ref().map(extremes),
        "edge_m": extremes(&quality.edge), "aspect": extremes(&quality.aspect), "worst": worst,
    })
}

fn surface_json(surface: &SurfaceCheck) -> Value {
    let tally = |tally: &Tally| {
        let first = tally.first.map(|place| json!({ "triangle": place.element, "position": place.position }));
        json!({ "count": tally.count, "first": first })
    };
    json!({
        "sound": surface.is_sound(), "shells": surface.shells, "closed_shells": surface.closed_shells,
        "holes": surface.holes, "free_edges": tally(&surface.free_edges), "forked_edges": tally(&surface.forked_edges),
        "disagreeing_edges": tally(&surface.disagreeing_edges), "inside_out_shells": tally(&surface.inside_out_shells),
        "flat_triangles": tally(&surface.flat_triangles), "repeated_triangles": tally(&surface.repeated_triangles),
    })
}
