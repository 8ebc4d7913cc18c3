//! Checks of colliders and of the rules of contact that need no mesh.

use super::found::Found;
use super::validate_motion::{Mover, motion};
use super::{
    Body, CarriedBy, Carrier, Collider, ColliderShape, ContactSurface, Located, Method, Response, Scene,
    collider_name,
};
use crate::nearest::nearest;
use crate::units::si_array;

pub(super) fn colliders(scene: &Scene, found: &mut Found) {
    let method = *scene.integrator.method;
    rules(scene, found);
    for (index, collider) in scene.collider.iter().enumerate() {
        let name = collider_name(index, collider);
        shape(&collider.shape, found);
        found.not_negative("friction", &collider.friction);
        found.not_negative("thickness", &collider.thickness);
        restitution(collider, (method, scene.response()), found);
        if let Some(stiffness) = &collider.stiffness {
            found.positive("stiffness", stiffness);
            of_penalty(scene.response(), stiffness.span(), found);
        }
        match &collider.carrier {
            Carrier::Script(script) => {
                let (name, place) = (format!("collider `{name}`"), collider.span());
                let mover = Mover { name, place, starts: "it starts where its shape stands" };
                motion(script, &mover, method, found);
            }
            Carrier::Bone(bone) => carried(bone, scene, found),
        }
    }
}

/// `[contact]`.
fn rules(scene: &Scene, found: &mut Found) {
    let method = *scene.integrator.method;
    if let Some(stiffness) = &scene.contact.stiffness {
        found.positive("stiffness", stiffness);
        of_penalty(scene.response(), stiffness.span(), found);
    }
    if let Some(response) =
        scene.contact.response.as_ref().filter(|r| method != Method::Explicit && ***r != Response::Penalty)
    {
        let text = format!(
            "`response` is \"{}\", which steps of method = \"{}\" do not have",
            response.word(),
            method.word()
        );
        let help = "use response = \"penalty\" (theirs when it is left out), or method = \"explicit\"";
        found.add(response.span(), text, help);
    }
}

/// A stiffness is that of `penalty`.
fn of_penalty(response: Response, span: std::ops::Range<usize>, found: &mut Found) {
    if response != Response::Penalty {
        let text = format!("`stiffness` has no meaning with response = \"{}\"", response.word());
        found.add(span, text, "leave it out, or use response = \"penalty\" in [contact]");
    }
}

fn shape(shape: &ColliderShape, found: &mut Found) {
    match shape {
        ColliderShape::Plane { normal, .. } => found.direction("normal", normal.span(), normal),
        ColliderShape::Sphere { radius, .. } => found.positive("radius", radius),
        ColliderShape::Capsule { from, to, radius } => {
            found.positive("radius", radius);
            if si_array(from) == si_array(to) {
                let text = format!("`from` and `to` of the capsule are both {:?} m", si_array(to));
                found.add(to.span(), text, "give it two ends, or use shape = \"sphere\" with `center`");
            }
        }
        ColliderShape::Box { size, .. } => {
            let lengths = si_array(size);
            if lengths.iter().any(|&length| length <= 0.0) {
                let text = format!("`size` of the box is {lengths:?} m");
                found.add(size.span(), text, "each edge must be above 0");
            }
        }
        ColliderShape::Mesh { file, scale, .. } => {
            if file.is_empty() {
                let help = "give the path of a closed surface, relative to the scene file";
                found.add(file.span(), "`file` is empty", help);
            }
            found.positive("scale", scale);
        }
    }
    if let Some(rotation) = shape.rotation() {
        found.direction("rotation.axis", rotation.axis.span(), &rotation.axis);
    }
}

fn restitution(collider: &Collider, (method, response): (Method, Response), found: &mut Found) {
    let Some(restitution) = &collider.restitution else { return };
    let part = restitution.si();
    if !(0.0..=1.0).contains(&part) {
        let text = format!("`restitution` is {part}");
        found.add(restitution.span(), text, "it must be 0 to 1: the part of the speed that comes back");
    }
    if method != Method::Explicit {
        let text = format!("`restitution` has no meaning with method = \"{}\"", method.word());
        found.add(restitution.span(), text, "leave it out, or use method = \"explicit\"");
    } else if response == Response::Penalty {
        let help = "leave it out, or use response = \"constraint\": a spring gives back what it was given";
        found.add(restitution.span(), "`restitution` has no meaning with response = \"penalty\"", help);
    }
}

/// A bone that carries a collider.
fn carried(by: &CarriedBy, scene: &Scene, found: &mut Found) {
    found.reference("body", &by.body, scene.body.keys());
    let Some(body) = scene.body.get(by.body.as_str()) else { return };
    let names = bone_names(&by.body, body);
    let listed = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match &by.bone {
        _ if names.is_empty() => {
            let text = format!("body \"{}\" has no bone that could carry a collider", *by.body);
            let help = format!(
                "make it rigid: [[body.{}.bone]] with where = \"all\", or move the collider by a script",
                *by.body
            );
            found.add(by.body.span(), text, help);
        }
        None if names.len() > 1 => {
            let text = format!("body \"{}\" has {} bones", *by.body, names.len());
            found.add(by.body.span(), text, format!("name one: bone = {}", listed.replace(", ", " or ")));
        }
        Some(bone) if !names.contains(&bone.as_str()) => {
            let help = match nearest(bone, names.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("it has {listed}"),
            };
            let text = format!("`bone` is \"{}\", which body \"{}\" does not have", **bone, *by.body);
            found.add(bone.span(), text, help);
        }
        None | Some(_) => {}
    }
}

/// Names of the bones of a body.
fn bone_names<'a>(name: &'a str, body: &'a Body) -> Vec<&'a str> {
    let own = |bone: &'a super::Bone| bone.name.as_ref().map_or(name, |name| name.as_str());
    body.bone.iter().map(own).collect()
}

/// `contact` of a body.
pub(super) fn body_contact(name: &str, body: &Body, found: &mut Found) {
    found.not_negative("contact.thickness", &body.contact.thickness);
    let embedded = |surface: &&Located<ContactSurface>| ***surface == ContactSurface::Embedded;
    if let Some(surface) = body.contact.surface.as_ref().filter(embedded).filter(|_| body.surface.is_none()) {
        let text = format!("`contact.surface` is \"embedded\", and body \"{name}\" has no `surface`");
        found.add(surface.span(), text, "add surface = { file = ... } to the body, or write \"mesh\"");
    }
}
