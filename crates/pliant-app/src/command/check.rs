//! `pliant check`: the pre-flight report of a scene or a mesh, and nothing else.

use pliant_scene::inspect::{MeshReport, Severity, inspect};
use pliant_scene::{CompileOptions, Compiled, Scene, compile, mesh_file};
use serde_json::{Value, json};

use crate::cli::Check;
use crate::report::{self, Failure};

/// Examines a file; bad input is exit code 2.
pub fn check(options: &Check) -> Result<(), Failure> {
    let is_scene = options.file.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    if is_scene { check_scene(options) } else { check_mesh(options) }
}

fn check_scene(options: &Check) -> Result<(), Failure> {
    let compiled = Scene::read(&options.file).and_then(|loaded| {
        let compiled = compile(&loaded, CompileOptions::default())?;
        Ok((loaded, compiled))
    });
    let (loaded, compiled) = match compiled {
        Ok(both) => both,
        Err(error) if options.json => {
            let lines: Vec<String> = error.to_string().lines().map(String::from).collect();
            report::line(&format!("{:#}", json!({ "ok": false, "errors": lines })));
            return Err(Failure::Scene(error));
        }
        Err(error) => return Err(Failure::Scene(error)),
    };
    let warnings: Vec<String> = compiled.warnings.iter().map(|w| w.line(&loaded.source)).collect();
    if options.json {
        let meshes: Vec<Value> = compiled.meshes.iter().map(mesh_json).collect();
        report::line(&format!(
            "{:#}",
            json!({ "ok": true, "warnings": warnings, "bodies": meshes, "duration_s": compiled.duration,
                    "stable_step_s": compiled.limit.dt, "highest_frequency_rad_s": compiled.limit.omega })
        ));
        return Ok(());
    }
    for mesh in &compiled.meshes {
        mesh_lines(mesh);
    }
    step_line(&compiled);
    warnings.iter().for_each(|w| report::line(w));
    report::line(&match warnings.len() {
        0 => format!("{}: no problem found", options.file.display()),
        1 => format!("{}: 1 warning", options.file.display()),
        n => format!("{}: {n} warnings", options.file.display()),
    });
    Ok(())
}

fn step_line(compiled: &Compiled) {
    let dt = compiled.limit.dt;
    if dt.is_finite() {
        report::line(&format!(
            "longest stable step at the start {:.4} ms (highest frequency {:.1} Hz), about {:.0} steps for {} s",
            1e3 * dt,
            compiled.limit.omega / std::f64::consts::TAU,
            compiled.duration / dt,
            compiled.duration
        ));
    } else {
        report::line("nothing in this scene can move: every node is held");
    }
}

fn check_mesh(options: &Check) -> Result<(), Failure> {
    let mesh_file::MeshFile { mesh, notes } =
        mesh_file::read(&options.file).map_err(|e| Failure::Input(e.to_string()))?;
    let found = inspect(&options.file.display().to_string(), &mesh);
    if options.json {
        report::line(&format!("{:#}", mesh_json(&found)));
    } else {
        mesh_lines(&found);
        for (name, group) in mesh.groups() {
            let (nodes, cells) = (group.member_nodes(&mesh).len(), group.cells(&mesh).len());
            report::line(&format!(
                "  group `{name}`: {nodes} nodes, {cells} elements, {} surface triangles",
                group.triangles.len()
            ));
        }
        notes.iter().for_each(|note| report::line(&format!("  note: {note}")));
        for finding in &found.findings {
            let word = if finding.severity == Severity::Error { "error" } else { "warning" };
            report::line(&format!("  {word}: {}; {}", finding.message, finding.way_out));
        }
        if found.findings.is_empty() {
            report::line("  no problem found");
        }
    }
    if found.has_errors() {
        return Err(Failure::Input(format!("{}: this mesh cannot be simulated", options.file.display())));
    }
    Ok(())
}

fn mesh_lines(mesh: &MeshReport) {
    let [x, y, z] = mesh.size;
    report::line(&format!(
        "{}: {} nodes, {} tetrahedra, {} hexahedra, {x:.4} x {y:.4} x {z:.4} m, volume {:.4e} m^3, worst quality {:.2}",
        mesh.name,
        mesh.nodes,
        mesh.tets,
        mesh.hexes,
        mesh.volume,
        mesh.worst_quality()
    ));
}

fn mesh_json(mesh: &MeshReport) -> Value {
    let findings: Vec<Value> = mesh
        .findings
        .iter()
        .map(
            |f| json!({ "error": f.severity == Severity::Error, "message": f.message, "way_out": f.way_out }),
        )
        .collect();
    json!({ "name": mesh.name, "nodes": mesh.nodes, "tets": mesh.tets, "hexes": mesh.hexes, "size_m": mesh.size,
            "volume_m3": mesh.volume, "worst_quality": mesh.worst_quality(), "findings": findings })
}
