//! Checks of one body that need no mesh.

use super::found::Found;
use super::validate_collider::body_contact;
use super::validate_mesh;
use super::validate_motion::{Mover, motion};
use super::{
    Body, Bone, BonePart, Fix, Initial, InitialKind, Law, Load, LoadScript, Located, Material, Method,
    Motion, Region,
};
use crate::units::{Length, Quantity, si_array};

/// Checks a body; `material` is `None` when its name is unknown, which is said elsewhere.
pub(super) fn body(
    (name, body): (&str, &Body),
    material: Option<&Material>,
    method: Method,
    found: &mut Found,
) {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '+');
    if name.is_empty() || name.len() > 100 || !name.chars().all(fits) {
        let help = "it names files: use letters, digits, spaces, `-` and `_`, 100 at most";
        found.add(body.mesh.span(), format!("a body is named {name:?}"), help);
    }
    validate_mesh::mesh(&body.mesh, found);
    body_contact(name, body, found);
    if let Some(surface) = &body.surface {
        validate_mesh::mesh(surface, found);
    }
    if let Some(rotation) = &body.rotation {
        found.direction("rotation.axis", rotation.axis.span(), &rotation.axis);
    }
    for value in &body.fix {
        fix(name, value, method, found);
    }
    for value in &body.load {
        load(value, found);
    }
    for value in &body.bone {
        bone(value, found);
    }
    for value in &body.attach {
        region(&value.r#where, found);
    }
    for value in &body.initial {
        initial(name, value, material, found);
    }
}

fn region(region: &Located<Region>, found: &mut Found) {
    let span = region.span();
    match &**region {
        Region::All | Region::Bone(_) => {}
        Region::Box(bounds) => {
            let (min, max) = (si_array(&bounds.min), si_array(&bounds.max));
            for axis in 0..3 {
                if min[axis] >= max[axis] {
                    let letter = ["x", "y", "z"][axis];
                    let text = format!("the box goes from {} m to {} m in {letter}", min[axis], max[axis]);
                    found.add(
                        span.clone(),
                        text,
                        "`min` must be below `max`; give a flat box some thickness",
                    );
                }
            }
        }
        Region::Sphere(sphere) => {
            if sphere.radius.si() <= 0.0 {
                let text = format!("`radius` is {}", sphere.radius);
                found.add(span, text, "it must be above 0, such as \"1 cm\"");
            }
        }
        Region::Plane(plane) => {
            found.direction("normal", span.clone(), &plane.normal);
            if let Some(tolerance) = plane.tolerance.filter(|tolerance| tolerance.si() < 0.0) {
                found.add(span, format!("`tolerance` is {tolerance}"), "it must be 0 or above");
            }
        }
        Region::Deeper(depth) => {
            if depth.si() <= 0.0 {
                found.add(span, format!("`deeper` is {depth}"), "it must be above 0, such as \"1 cm\"");
            }
        }
        Region::Group(group) => {
            if group.is_empty() {
                found.add(span, "`group` is empty", "name a group of the mesh file");
            }
        }
        Region::Nodes(nodes) => {
            if nodes.is_empty() {
                found.add(span, "`nodes` is empty", "list node numbers, from 0");
            }
        }
    }
}

fn fix(body: &str, fix: &Fix, method: Method, found: &mut Found) {
    region(&fix.region, found);
    found.release(fix.release.as_ref());
    let mover = Mover {
        name: format!("`fix` in [body.{body}]"),
        place: fix.region.span(),
        starts: "the nodes start where the mesh has them",
    };
    motion(&fix.motion, &mover, method, found);
    match &fix.motion {
        Motion::Still => {}
        Motion::Carry { displacement, turn, .. } => {
            along_held_axes("move", fix, displacement, found);
            if turn.is_some() && fix.axes.mask() != [true; 3] {
                let help = "a turn moves nodes along all axes: remove `axes` or `turn`";
                found.add(fix.axes.span(), "`turn` with `axes` that are not \"xyz\"", help);
            }
        }
        Motion::Sine(sine) => {
            along_held_axes("sine.amplitude", fix, &sine.amplitude, found);
        }
        Motion::Table(table) => {
            table.iter().any(|entry| along_held_axes("table", fix, &entry.vector, found));
        }
    }
}

/// A displacement along an axis that is left free would silently do nothing. True when it was found.
fn along_held_axes(key: &str, fix: &Fix, displacement: &[Quantity<Length>; 3], found: &mut Found) -> bool {
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        if displacement[axis].si() != 0.0 && !fix.axes.mask()[axis] {
            let text = format!("`{key}` moves along {letter}, which `axes` leaves free");
            found.add(fix.axes.span(), text, format!("add {letter} to `axes` or make that component 0"));
            return true;
        }
    }
    false
}

fn bone(bone: &Bone, found: &mut Found) {
    match &bone.part {
        BonePart::Where(part) => region(part, found),
        BonePart::Inside(mesh) => validate_mesh::mesh(mesh, found),
    }
    if let Some(density) = &bone.density {
        found.positive("density", density);
    }
    if let Some(hinge) = &bone.hinge {
        found.direction("hinge.axis", hinge.axis.span(), &hinge.axis);
    }
}

fn load(load: &Load, found: &mut Found) {
    region(&load.region, found);
    if let Some(over) = &load.over {
        found.positive("over", over);
    }
    found.release(load.release.as_ref());
    match &load.script {
        None => {}
        Some(LoadScript::Sine(sine)) => found.positive("frequency", &sine.frequency),
        Some(LoadScript::Table(table)) => {
            let times = table.iter().map(|entry| entry.time.si()).collect();
            found.increasing_times("table", (times, "[time, factor], such as [\"0 s\", 0]"), table.span());
        }
    }
}

fn initial(name: &str, initial: &Initial, material: Option<&Material>, found: &mut Found) {
    region(&initial.region, found);
    match &initial.kind {
        InitialKind::Additive { place, .. } => {
            let takes_none = |law: &Law| matches!(law, Law::NeoHookean | Law::Corotated | Law::Warped);
            if let Some(law) = material.map(|material| material.law).filter(takes_none) {
                let word = law.word();
                let text = format!(
                    "body \"{name}\" has the law \"{word}\", which takes no initial strain or stress"
                );
                let help = match law {
                    Law::Warped => "use the law \"st-venant\", or \"corotated\" with a relaxed shape",
                    _ => {
                        "write `relaxed`, the deformation to the stress-free shape, or use the law \"st-venant\""
                    }
                };
                found.add(place.span(), text, help);
            }
        }
        InitialKind::Relaxed(rows) => {
            if material.is_some_and(|material| material.law == Law::Warped) {
                let text = format!("body \"{name}\" has the law \"warped\", which takes no relaxed shape");
                found.add(rows.span(), text, "use the law \"corotated\"");
            }
            let [a, b, c] = rows.map(|row| si_array(&row));
            let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
            if determinant <= 0.0 || !determinant.is_finite() {
                let text = format!("`relaxed` has the determinant {determinant}");
                found.add(
                    rows.span(),
                    text,
                    "it must be above 0: a shape that can be reached without turning inside out",
                );
            }
        }
    }
}
