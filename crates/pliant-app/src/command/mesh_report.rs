//! The report of a mesh in words and in JSON, for `check` and `mesh inspect`.

use pliant_geometry::{Extremes, QualityReport, SurfaceCheck, Tally};
use pliant_scene::counted;
use pliant_scene::inspect::{MeshReport, Severity};
use pliant_scene::mesh_file::{self, MeshFile, MeshFileError, Place};
use serde_json::{Value, json};

use crate::cli::MeshSource;
use crate::report::{self, Failure};

/// One line on what it holds, and one for each group.
pub fn mesh_lines(mesh: &MeshReport) {
    let counts = cell_counts([mesh.tets, mesh.hexes, mesh.triangles]);
    let [x, y, z] = mesh.size.map(length);
    let cells = mesh
        .worst_quality()
        .map_or(String::new(), |worst| format!(", volume {:.4e} m^3, worst quality {worst:.2}", mesh.volume));
    report::line(&format!(
        "{}: {}{counts}, {x} x {y} x {z} m{cells}",
        mesh.name,
        counted(mesh.nodes, "node", "nodes")
    ));
    for group in &mesh.groups {
        report::line(&format!(
            "  group `{}`: {}, {}, {}",
            printable(&group.name),
            counted(group.nodes, "node", "nodes"),
            counted(group.elements, "element", "elements"),
            counted(group.triangles, "surface triangle", "surface triangles")
        ));
    }
}

/// `, 1598 tetrahedra, 58 surface triangles`: what there is of each kind.
pub fn cell_counts([tets, hexes, triangles]: [usize; 3]) -> String {
    let counts = [
        (tets, "tetrahedron", "tetrahedra"),
        (hexes, "hexahedron", "hexahedra"),
        (triangles, "surface triangle", "surface triangles"),
    ];
    let there = counts.iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, one, many)| format!(", {}", counted(*count, one, many))).collect()
}

/// A length in m that stays short whatever its size.
fn length(metres: f64) -> String {
    if metres == 0.0 || (1e-3..1e5).contains(&metres) {
        format!("{metres:.4}")
    } else {
        format!("{metres:.3e}")
    }
}

/// A terminal must not take a name for a command.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// What was left out on reading, and what was found.
pub fn finding_lines(found: &MeshReport, notes: &[String]) {
    notes.iter().for_each(|note| report::line(&format!("  note: {}", printable(note))));
    for finding in &found.findings {
        let word = if finding.severity == Severity::Error { "error" } else { "warning" };
        report::line(&format!("  {word}: {}; {}", finding.message, finding.way_out));
    }
    if found.findings.is_empty() {
        report::line("  no problem found");
    }
}

/// Everything, for programs.
pub fn mesh_json(found: &MeshReport, notes: &[String]) -> Value {
    let of_cells = |value: f64| found.quality.is_some().then_some(value);
    json!({
        "name": found.name, "ok": !found.has_errors(),
        "nodes": found.nodes, "tets": found.tets, "hexes": found.hexes, "triangles": found.triangles,
        "size_m": found.size, "volume_m3": of_cells(found.volume), "worst_quality": found.worst_quality(),
        "quality": found.quality.as_ref().map(quality_json), "surface": found.surface.as_ref().map(surface_json),
        "groups": found.groups, "notes": notes, "findings": found.findings,
    })
}

/// Reads a mesh in m; where the report is JSON, so is the reason why it cannot be read.
pub fn read_mesh(source: &MeshSource) -> Result<MeshFile, Failure> {
    let mut file = mesh_file::read(&source.file).map_err(|error| {
        if source.json {
            report::line(&format!("{:#}", unreadable_json(&error)));
        }
        Failure::Input(error.to_string())
    })?;
    if let Some(scale) = source.scale {
        file.mesh = file.mesh.scaled(scale).map_err(|error| Failure::Input(error.to_string()))?;
    }
    Ok(file)
}

/// A mesh file that cannot be read, for programs.
fn unreadable_json(error: &MeshFileError) -> Value {
    let (place, way_out) = match error {
        MeshFileError::Content { place, way_out, .. } => (Some(place), Some(way_out)),
        _ => (None, None),
    };
    let line = place.and_then(|place| if let Place::Line(line) = place { Some(line) } else { None });
    let byte = place.and_then(|place| if let Place::Byte(byte) = place { Some(byte) } else { None });
    let one = json!({ "file": error.file(), "line": line, "byte": byte, "message": error.to_string(), "way_out": way_out });
    json!({ "ok": false, "errors": [one] })
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
