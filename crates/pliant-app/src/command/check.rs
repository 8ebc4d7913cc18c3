//! `pliant check`: the pre-flight report of a scene or a mesh, and nothing else.

use std::ops::Range;

use pliant_geometry::Embedding;
use pliant_scene::compile::{Acting, ActingKind, mesh_reports};
use pliant_scene::mesh_file::MeshFile;
use pliant_scene::{
    CompileOptions, Compiled, MeshReport, Problem, Scene, SceneError, Source, compile, counted, inspect,
    shown_vector, significant,
};
use pliant_solid::integrator::{LinearSolver, StepChoice};
use pliant_solid::rigid::{Bone, Joint};
use serde_json::{Value, json};

use super::contact_report::{collider_lines, colliders_json};
use super::mesh_report::{finding_lines, mesh_json, mesh_lines, read_mesh};
use super::scene_word::gallery_id;
use crate::cli::{Check, MeshSource};
use crate::memory;
use crate::report::{self, Failure};
use crate::run::Expectation;
use crate::server::gallery_scene;

/// Examines a file; bad input is exit code 2.
pub fn check(options: &Check) -> Result<(), Failure> {
    let source = &options.source;
    let is_scene = source.file.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        || gallery_id(&source.file).is_some();
    match (is_scene, source.scale) {
        (true, None) => check_scene(source),
        (true, Some(_)) => Err(Failure::Input(
            "--scale is for mesh files; a scene says it itself: mesh = { file = ..., scale = ... }".into(),
        )),
        (false, _) => check_mesh(source),
    }
}

fn check_scene(options: &MeshSource) -> Result<(), Failure> {
    let asked = CompileOptions { memory: memory::available(), ..CompileOptions::default() };
    let failed = |error: SceneError, meshes: &dyn Fn() -> Vec<MeshReport>| {
        if options.json {
            let bodies: Vec<Value> = meshes().iter().map(|mesh| mesh_json(mesh, &[])).collect();
            let errors = problems_json(&error);
            report::line(&format!("{:#}", json!({ "ok": false, "errors": errors, "bodies": bodies })));
        }
        Failure::Scene(error)
    };
    let loaded = match gallery_id(&options.file) {
        Some(id) => gallery_scene(id),
        None => Scene::read(&options.file),
    };
    let loaded = loaded.map_err(|error| failed(error, &Vec::new))?;
    let compiled = compile(&loaded, asked);
    let compiled = compiled.map_err(|error| failed(error, &|| mesh_reports(&loaded, asked)))?;
    let expectation = Expectation::of(&loaded, &compiled);
    expectation.bearable(&loaded).map_err(|error| failed(error, &|| mesh_reports(&loaded, asked)))?;
    let warnings: Vec<String> = compiled.warnings.iter().map(|w| w.line(&loaded.source)).collect();
    if options.json {
        let meshes: Vec<Value> = compiled.meshes.iter().map(|mesh| mesh_json(mesh, &[])).collect();
        let surfaces: Vec<Value> =
            compiled.surfaces.iter().map(|s| s.as_deref().map_or(Value::Null, surface_json)).collect();
        let warnings: Vec<Value> = compiled
            .warnings
            .iter()
            .map(|warning| place_json(&loaded.source, Some(&warning.span), &warning.message, None))
            .collect();
        report::line(&format!(
            "{:#}",
            json!({ "ok": true, "warnings": warnings, "bodies": meshes, "surfaces": surfaces, "colliders": colliders_json(&compiled), "duration_s": compiled.duration, "run": expectation.json(),
                    "method": loaded.scene.integrator.method.word(),
                    "unknowns": 3 * compiled.model.layout().free_count(),
                    "factor_numbers": solves(&compiled).then(|| compiled.model.elimination().factor_numbers),
                    "stable_step_s": compiled.limit().dt, "highest_frequency_rad_s": compiled.limit().omega })
        ));
        return Ok(());
    }
    for (body, (mesh, surface)) in compiled.meshes.iter().zip(&compiled.surfaces).enumerate() {
        mesh_lines(mesh);
        let bones = compiled.model.layout().bones().iter().filter(|bone| bone.body == body);
        bones.for_each(|bone| report::line(&bone_line(bone)));
        surface.iter().for_each(|surface| report::line(&surface_line(surface)));
    }
    compiled
        .acting
        .iter()
        .filter_map(|acting| acting_line(acting, &compiled))
        .for_each(|line| report::line(&line));
    collider_lines(&compiled).iter().for_each(|line| report::line(line));
    gravity_line(compiled.model.gravity()).iter().for_each(|line| report::line(line));
    step_line(&compiled);
    expectation.line().iter().for_each(|line| report::line(line));
    warnings.iter().for_each(|w| report::line(w));
    report::line(&match warnings.len() {
        0 => format!("{}: no problem found", options.file.display()),
        1 => format!("{}: 1 warning", options.file.display()),
        n => format!("{}: {n} warnings", options.file.display()),
    });
    Ok(())
}

/// Which way gravity pulls, since a scene may give its strength alone.
fn gravity_line(gravity: [f64; 3]) -> Option<String> {
    let strength = gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    let along: Vec<usize> = (0..3).filter(|c| gravity[*c] != 0.0).collect();
    let direction = match along[..] {
        [] => return None,
        [axis] => format!("{}{}", if gravity[axis] < 0.0 { "-" } else { "+" }, ["x", "y", "z"][axis]),
        _ => format!("({}, {}, {})", gravity[0], gravity[1], gravity[2]),
    };
    Some(format!("gravity {strength} m/s^2 along {direction}"))
}

/// What a fix holds, or a load comes to: a region may take more or less of a mesh than it seems.
fn acting_line(acting: &Acting, compiled: &Compiled) -> Option<String> {
    let model = &compiled.model;
    let words = match &acting.kind {
        ActingKind::Fix(index) => {
            let fix = &model.fixes()[*index];
            let axes: Vec<&str> =
                ["x", "y", "z"].into_iter().zip(fix.axes).filter(|a| a.1).map(|a| a.0).collect();
            format!("{} held along {}", counted(fix.nodes.len(), "node", "nodes"), axes.join(", "))
        }
        ActingKind::Load(term) => {
            format!("{} N in all", shown_vector(term.full_load(model.layout().rest())?))
        }
        ActingKind::Grab(_) | ActingKind::Collider(_) => return None,
    };
    Some(format!("{} `{}`: {words}", acting.kind.word(), acting.name))
}

fn bone_line(bone: &Bone) -> String {
    let Bone { name, elements, mass, .. } = bone;
    let joint = match bone.joint {
        Joint::Free => String::new(),
        Joint::Hinge { point: [x, y, z], axis: [a, b, c] } => {
            format!(", on a hinge through ({x:.4}, {y:.4}, {z:.4}) m along ({a:.2}, {b:.2}, {c:.2})")
        }
    };
    let elements = counted(*elements, "element", "elements");
    format!("  bone `{name}`: {elements}, {mass:.4} kg with what is tied to it{joint}")
}

/// How a finer surface lies to the cells.
fn surface_line(embedding: &Embedding) -> String {
    let (vertices, triangles) = (embedding.vertex_count(), embedding.surface().triangles().len());
    let outside = embedding.outside();
    let place = outside.worst.map_or("all inside the cells".to_owned(), |worst| {
        format!("{} outside the cells, by {:.3e} m at most", outside.count, worst.distance)
    });
    format!("  surface: {vertices} vertices, {triangles} triangles, {place}")
}

fn surface_json(embedding: &Embedding) -> Value {
    let outside = embedding.outside();
    let worst = outside.worst.map(|worst| json!({ "distance_m": worst.distance, "vertex": worst.vertex }));
    json!({ "vertices": embedding.vertex_count(), "triangles": embedding.surface().triangles().len(),
            "outside": outside.count, "far_outside": outside.far, "farthest": worst })
}

fn problems_json(error: &SceneError) -> Vec<Value> {
    let one = |problem: &Problem| {
        place_json(error.file(), problem.span.as_ref(), &problem.message, problem.help.as_deref())
    };
    error.problems().iter().map(one).collect()
}

/// A message with its file, line and column.
fn place_json(source: &Source, span: Option<&Range<usize>>, message: &str, way_out: Option<&str>) -> Value {
    let (line, column) = span.map(|span| source.line_column(span.start)).unzip();
    json!({ "file": source.name, "line": line, "column": column, "message": message, "way_out": way_out })
}

/// Whether every step factors the tangent.
fn solves(compiled: &Compiled) -> bool {
    compiled.integrator().traits().solves_tangent()
        && compiled.scheme.linear_solver(&compiled.model) == LinearSolver::Direct
}

/// How large the factor of the equations is.
fn factor_words(compiled: &Compiled) -> String {
    let numbers = compiled.model.elimination().factor_numbers as f64;
    match numbers {
        n if n < 1e7 => format!("factor of {:.2} million numbers", 1e-6 * n),
        n => format!("factor of {:.0} million numbers ({:.1} GB)", 1e-6 * n, 8e-9 * n),
    }
}

fn step_line(compiled: &Compiled) {
    let dt = compiled.limit().dt;
    let unknowns = 3 * compiled.model.layout().free_count();
    let method = compiled.integrator().traits();
    if method.is_static() {
        report::line(&format!(
            "equilibrium of {unknowns} unknowns, held ones included; {}",
            factor_words(compiled)
        ));
    } else if method.solves_tangent() && dt.is_finite() {
        let step = match method.step {
            StepChoice::Fixed(step) => {
                let (length, times) = (significant(1e3 * step, 4), significant(step / dt, 3));
                format!("step {length} ms, {times} times")
            }
            StepChoice::Auto { .. } => "automatic step, not bound by".into(),
        };
        let solver = match compiled.scheme.linear_solver(&compiled.model) {
            LinearSolver::Direct => factor_words(compiled),
            LinearSolver::Gradients => "by conjugate gradients with Gauss-Seidel sweeps".into(),
            LinearSolver::Jacobi => "by conjugate gradients with block Jacobi".into(),
        };
        report::line(&format!(
            "equations of {unknowns} unknowns in every step, {solver}; {step} the longest stable explicit one ({} ms)",
            significant(1e3 * dt, 4)
        ));
    } else if dt.is_finite() {
        report::line(&format!(
            "longest stable step at the start {} ms (highest frequency {} Hz)",
            significant(1e3 * dt, 4),
            significant(compiled.limit().omega / std::f64::consts::TAU, 4)
        ));
    } else {
        let rigid = !compiled.model.layout().bones().is_empty();
        report::line(match rigid {
            true => "nothing in this scene deforms: any step is stable",
            false => "nothing in this scene can move: every node is held",
        });
    }
}

fn check_mesh(source: &MeshSource) -> Result<(), Failure> {
    let MeshFile { mesh, notes } = read_mesh(source)?;
    let found = inspect(&source.file.display().to_string(), &mesh);
    if source.json {
        report::line(&format!("{:#}", mesh_json(&found, &notes)));
    } else {
        mesh_lines(&found);
        finding_lines(&found, &notes);
    }
    if found.has_errors() {
        return Err(Failure::Input(format!("{}: this mesh cannot be simulated", source.file.display())));
    }
    Ok(())
}
