//! `pliant mesh inspect`: what a mesh holds, how good its elements are, what is wrong with it.

use std::path::Path;

use pliant_geometry::{Mesh, QualityReport, SurfaceCheck, cell_qualities, connected_parts};
use pliant_scene::counted;
use pliant_scene::inspect::{FindingKind, inspect as examine};
use pliant_scene::mesh_file::{Field, FieldValues, MeshFile, VtuFrame, write_vtu};

use super::super::mesh_report::{finding_lines, mesh_json, mesh_lines, read_mesh};
use crate::cli::MeshInspect;
use crate::report::{self, Failure};

/// Reports; faults of the mesh are findings here, not failures.
pub fn inspect(options: &MeshInspect) -> Result<(), Failure> {
    let source = &options.source;
    if let Some(output) = &options.output {
        check_output(output, &source.file)?;
    }
    let MeshFile { mesh, notes } = read_mesh(source)?;
    let mut found = examine(&source.file.display().to_string(), &mesh);
    // that a surface cannot be simulated is the business of `check`
    found.findings.retain(|finding| found.surface.is_none() || finding.kind != FindingKind::NoElements);
    if source.json {
        report::line(&format!("{:#}", mesh_json(&found, &notes)));
    } else {
        mesh_lines(&found);
        if let Some(quality) = &found.quality {
            quality_lines(quality);
        }
        if let Some(surface) = &found.surface {
            surface_lines(surface);
        }
        finding_lines(&found, &notes);
    }
    let Some(output) = &options.output else { return Ok(()) };
    coloured(output, &mesh)?;
    if !source.json {
        report::line(&format!("{}: colours of quality, volume and part", output.display()));
    }
    Ok(())
}

/// Colours are a .vtu, and never the file that they show.
fn check_output(output: &Path, file: &Path) -> Result<(), Failure> {
    if !output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vtu")) {
        return Err(Failure::Input(format!("{}: colours are written as .vtu only", output.display())));
    }
    let same = output.canonicalize().is_ok_and(|output| file.canonicalize().is_ok_and(|file| file == output));
    if same {
        let message = format!("{}: this is the mesh itself; give the colours another name", output.display());
        return Err(Failure::Input(message));
    }
    Ok(())
}

fn quality_lines(quality: &QualityReport) {
    let line = |text: String| report::line(&format!("  {text}"));
    line(format!(
        "quality (1 is best): least {:.3}, 1 % below {:.3}, median {:.3}, mean {:.3}",
        quality.minimum, quality.first_percentile, quality.median, quality.mean
    ));
    let most = quality.histogram.iter().copied().max().unwrap_or(1).max(1);
    for (bin, &count) in quality.histogram.iter().enumerate() {
        let bar = "#".repeat((40 * count).div_ceil(most));
        line(format!("  {:.1} to {:.1} {count:>9} {bar}", 0.1 * bin as f64, 0.1 * (bin + 1) as f64));
    }
    if let Some(angle) = &quality.dihedral {
        let (least, most) = (angle.min.value, angle.max.value);
        line(format!("angles between faces of tetrahedra: {least:.1} to {most:.1} degrees"));
    }
    line(format!(
        "edges: {:.4e} to {:.4e} m; longest over shortest edge of an element: up to {:.2}",
        quality.edge.min.value, quality.edge.max.value, quality.aspect.max.value
    ));
    let worst = quality.worst.iter().take(3).map(|cell| {
        format!("element {} ({:.3}) at {}", cell.cell, cell.quality, pliant_scene::shown_place(cell.centroid))
    });
    line(format!("worst: {}", worst.collect::<Vec<_>>().join(", ")));
}

fn surface_lines(surface: &SurfaceCheck) {
    let verdict = if surface.is_sound() { "the boundary of a solid" } else { "not the boundary of a solid" };
    report::line(&format!(
        "  surface: {}, {}: {verdict}",
        counted(surface.triangles, "triangle", "triangles"),
        shells(surface.shells, surface.closed_shells)
    ));
}

/// `1 closed shell`, `3 shells, 2 of them closed`.
fn shells(all: usize, closed: usize) -> String {
    match (all, closed) {
        (1, 0) => "1 open shell".into(),
        (1, _) => "1 closed shell".into(),
        (all, closed) => format!("{all} shells, {closed} of them closed"),
    }
}

/// A .vtu with the quality, volume and connected part of every cell.
fn coloured(path: &Path, mesh: &Mesh) -> Result<(), Failure> {
    if mesh.cell_count() == 0 {
        let message = "a surface has no elements to colour; leave -o out, or give a mesh with elements";
        return Err(Failure::Input(message.into()));
    }
    let quality = cell_qualities(mesh);
    let volume: Vec<f64> = (0..mesh.cell_count()).map(|c| mesh.cell_volume(c)).collect();
    let part: Vec<f64> = connected_parts(mesh).of_cell.iter().map(|&part| f64::from(part)).collect();
    let field = |name, values| Field { name, components: 1, values: FieldValues::F64(values) };
    let frame = VtuFrame {
        positions: mesh.positions(),
        tets: mesh.tets(),
        hexes: mesh.hexes(),
        triangles: &[],
        lines: &[],
        point_fields: &[],
        cell_fields: &[field("quality", &quality), field("volume", &volume), field("part", &part)],
    };
    write_vtu(path, &frame).map_err(|e| Failure::Ran(format!("{}: {e}", path.display())))
}
