//! Checks that need no mesh: ranges, references, order. All faults are collected.

use super::acting_names;
use super::found::Found;
use super::plausibility::LOCKING_POISSON;
use super::validate_body::body;
use super::validate_collider::colliders;
use super::validate_network;
use super::{
    Camera, DampingMatrix, Format, Grab, Integrator, Law, Lengths, LoadScript, Located, Material, Method,
    Rotations, Scene, Step, StretchLimit,
};
use crate::diagnostic::Problem;
use crate::mesh_file::series::MOST_GLTF_FRAMES;
use crate::units::si_array;

/// Frames of a run; beyond this a slip of the keyboard is likelier than a use for them.
const MOST_FRAMES: f64 = 1e6;

/// Everything wrong with a scene that can be told without its meshes.
pub(super) fn problems(scene: &Scene) -> Vec<Problem> {
    let mut found = Found::default();
    if scene.duration.span().is_empty() && *scene.integrator.method != Method::Static {
        found.add(0..0, "missing key `duration` at the top level", "add duration = \"2 s\"");
    }
    found.positive("duration", &scene.duration);
    timeless_scripts(scene, &mut found);
    integrator(&scene.integrator, scene.duration.si(), &mut found);
    for (name, value) in &scene.material {
        material(name, value, &mut found);
    }
    for (name, value) in &scene.network {
        validate_network::network(name, value, &mut found);
    }
    colliders(scene, &mut found);
    if scene.body.is_empty() {
        found.add(0..0, "the scene has no body", "add [body.NAME] with `material` and `mesh`");
    }
    for (name, value) in &scene.body {
        validate_network::made_of(name, value, scene, &mut found);
        for attach in &value.attach {
            found.reference("body", &attach.to, scene.body.keys());
        }
        let material = value.material.as_ref().and_then(|name| scene.material.get(name.as_str()));
        body((name, value), material, *scene.integrator.method, &mut found);
    }
    for value in &scene.grab {
        found.reference("body", &value.body, scene.body.keys());
        grab(value, &mut found);
    }
    probes(scene, &mut found);
    acting_names::check(scene, &mut found);
    if let Some(camera) = &scene.view.camera {
        view_camera(camera, &mut found);
    }
    let frames = &scene.output.frames_per_second;
    if frames.si() < 0.0 {
        let text = format!("`frames_per_second` is {}", frames.si());
        found.add(frames.span(), text, "give a number of frames, or 0 for none");
    }
    let count = frames.si() * scene.duration.si();
    if count > MOST_GLTF_FRAMES as f64 && scene.output.formats.contains(&Format::Gltf) {
        let text = format!("`frames_per_second` makes {count:.0} frames, and glTF takes {MOST_GLTF_FRAMES}");
        found.add(frames.span(), text, "use fewer frames, or `pc2`");
    }
    if count > MOST_FRAMES {
        let text = format!("`frames_per_second` is {}, {count:.0e} frames in all", frames.si());
        found.add(frames.span(), text, format!("at most {MOST_FRAMES:.0e} are written; 30 make a film"));
    }
    found.problems
}

fn view_camera(camera: &Camera, found: &mut Found) {
    if si_array(&camera.from) == si_array(&camera.to) {
        let text = format!("`camera` stands at {:?} m and looks at the same place", si_array(&camera.from));
        found.add(
            camera.to.span(),
            text,
            "give `to` a place that it looks at, such as the middle of the body",
        );
    }
}

/// `static` looks at the end of the run; without a `duration` a load that varies has no value there.
fn timeless_scripts(scene: &Scene, found: &mut Found) {
    if !scene.duration.span().is_empty() || *scene.integrator.method != Method::Static {
        return;
    }
    let loads = scene.body.values().flat_map(|body| &body.load);
    for (key, span) in loads.filter_map(|load| load.script.as_ref()).map(LoadScript::key_and_span) {
        let text =
            format!("this load has `{key}`, and `static` without `duration` knows no time to take it at");
        found.add(
            span,
            text,
            "add duration = \"1 s\": the load is taken as it is then; or use method = \"quasistatic\"",
        );
    }
}

fn integrator(integrator: &Integrator, duration: f64, found: &mut Found) {
    let safety = integrator.safety.si();
    if !(safety > 0.0 && safety <= 1.0) {
        let text = format!("`safety` is {safety}");
        found.add(integrator.safety.span(), text, "it must be above 0 and at most 1, such as 0.96");
    }
    implicit(integrator, found);
    if let Step::Fixed(step) = *integrator.step {
        let step = step.si();
        if step <= 0.0 {
            let text = format!("`step` is {step} s");
            found.add(integrator.step.span(), text, "it must be above 0, such as \"1 ms\", or \"auto\"");
        } else if step > duration && duration > 0.0 {
            let text = format!("`step` is {step} s, longer than `duration`, {duration} s");
            found.add(integrator.step.span(), text, "make the step shorter or write \"auto\"");
        }
    }
}

/// Keys of the methods that solve equations.
fn implicit(integrator: &Integrator, found: &mut Found) {
    let method = *integrator.method;
    let newmark = method == Method::Newmark;
    let keys = [
        ("beta", &integrator.beta, newmark),
        ("gamma", &integrator.gamma, newmark),
        ("tolerance", &integrator.tolerance, method != Method::Explicit),
    ];
    for (key, value, known) in keys {
        let Some(value) = value else { continue };
        if !known {
            let text = format!("`{key}` has no meaning with method = \"{}\"", method.word());
            found.add(value.span(), text, "leave it out, or use method = \"newmark\"");
        }
    }
    if let Some(period_error) = integrator.period_error.as_ref().filter(|_| !newmark) {
        let text = format!("`period_error` has no meaning with method = \"{}\"", method.word());
        found.add(period_error.span(), text, "leave it out, or use method = \"newmark\"");
    }
    if method != Method::ImplicitEuler {
        let spans = [
            ("solve", integrator.solve.as_ref().map(Located::span)),
            ("solver", integrator.solver.as_ref().map(Located::span)),
            ("keep_momenta", integrator.keep_momenta.as_ref().map(Located::span)),
        ];
        for (key, span) in spans {
            let Some(span) = span else { continue };
            let text = format!("`{key}` has no meaning with method = \"{}\"", method.word());
            found.add(span, text, "leave it out, or use method = \"implicit-euler\"");
        }
    }
    if !integrator.safety.span().is_empty() && method != Method::Explicit {
        let text = format!("`safety` has no meaning with method = \"{}\"", method.word());
        found.add(integrator.safety.span(), text, "leave it out: only `explicit` has a stable step");
    }
    if *integrator.lengths == Lengths::Any && method != Method::Explicit {
        let text = format!("`lengths` has no meaning with method = \"{}\"", method.word());
        found.add(integrator.lengths.span(), text, "leave it out: it is about factors of explicit steps");
    }
    if *integrator.damping == DampingMatrix::Full && method != Method::Explicit {
        let text = format!("`damping` has no meaning with method = \"{}\"", method.word());
        found.add(
            integrator.damping.span(),
            text,
            "leave it out: this method solves with the full matrix anyway",
        );
    }
    if let Some(beta) =
        integrator.beta.as_ref().filter(|beta| newmark && !(beta.si() > 0.0 && beta.si() <= 1.0))
    {
        let help = "it must be above 0 and at most 1, such as 0.25; for 0 use method = \"explicit\"";
        found.add(beta.span(), format!("`beta` is {}", beta.si()), help);
    }
    if let Some(gamma) =
        integrator.gamma.as_ref().filter(|gamma| newmark && !(gamma.si() >= 0.5 && gamma.si() <= 1.0))
    {
        let help = "it must be at least 0.5, below which motion grows by itself, and at most 1";
        found.add(gamma.span(), format!("`gamma` is {}", gamma.si()), help);
    }
    let out_of_range = |t: f64| !(1e-13..=1e-2).contains(&t);
    if let Some(tolerance) = integrator.tolerance.as_ref().filter(|t| out_of_range(t.si())) {
        let text = format!("`tolerance` is {:e}", tolerance.si());
        found.add(tolerance.span(), text, "it must be between 1e-13 (rounding) and 1e-2, such as 1e-6");
    }
}

fn material(name: &str, material: &Material, found: &mut Found) {
    let table = format!(" of material \"{name}\"");
    found.positive(&format!("young`{table}"), &material.young);
    found.positive(&format!("density`{table}"), &material.density);
    let poisson = material.poisson.si();
    if !(poisson > -1.0 && poisson < 0.5) {
        let help = match poisson {
            0.5 => format!(
                "it must be below 0.5; for nearly incompressible matter write {LOCKING_POISSON}: nearer to 0.5 elements lock and are too stiff"
            ),
            _ => "it must be above -1 and below 0.5".into(),
        };
        found.add(material.poisson.span(), format!("`poisson`{table} is {poisson}"), help);
    }
    if let Some(limit) = &material.stretch_limit {
        stretch_limit(&table, material.law, limit, found);
    }
    found.not_negative("damping.mass", &material.damping.mass);
    found.not_negative("damping.stiffness", &material.damping.stiffness);
    if let Some(warp) = &material.warp {
        if material.law != Law::Warped {
            let text = format!("`warp`{table} has no meaning with law = \"{}\"", material.law.word());
            found.add(warp.span(), text, "leave it out, or use law = \"warped\"");
        } else if warp.field.is_some() && warp.rotations == Rotations::Body {
            let text = format!("`warp.field`{table} has no meaning with rotations = \"body\"");
            found.add(warp.span(), text, "leave it out: the whole body has one rotation, from all its nodes");
        }
    }
}

fn stretch_limit(table: &str, law: Law, limit: &Located<StretchLimit>, found: &mut Found) {
    if matches!(law, Law::StVenant | Law::NeoHookean) {
        let text = format!("`stretch_limit`{table} has no meaning with law = \"{}\"", law.word());
        found.add(limit.span(), text, "leave it out, or use law = \"corotated\", \"warped\" or \"linear\"");
    }
    found.positive(&format!("stretch_limit.strain`{table}"), &limit.strain);
    let factor = limit.factor.si();
    if !(factor > 1.0 && factor <= 1e6) {
        let text = format!("`stretch_limit.factor`{table} is {factor}");
        found.add(limit.factor.span(), text, "it must be above 1 and at most 1e6, such as 10");
    }
}

fn grab(grab: &Grab, found: &mut Found) {
    found.increasing("path", &grab.path);
    found.release(grab.release.as_ref());
    if let Some(stiffness) = &grab.stiffness {
        found.positive("stiffness", stiffness);
    }
    if let Some(damping) = &grab.damping {
        found.not_negative("damping", damping);
    }
    if let Some(force) = &grab.max_force {
        found.positive("max_force", force);
    }
}

fn probes(scene: &Scene, found: &mut Found) {
    for (index, probe) in scene.probe.iter().enumerate() {
        found.reference("body", &probe.body, scene.body.keys());
        let name = probe.name.as_str();
        found.csv_name("a probe", (name, probe.name.span()));
        if scene.probe[..index].iter().any(|earlier| *earlier.name == *probe.name) {
            found.add(probe.name.span(), format!("a second probe is named \"{name}\""), "rename one of them");
        }
    }
}
