//! What `check` tells of contact: colliders, how bodies answer them, and where they overlap from the start.

use pliant_scene::{Compiled, counted, shown_length, shown_place};
use pliant_solid::Model;
use pliant_solid::contact::{Carrier, Collider, ColliderShape};
use serde_json::{Value, json};

/// One line for each collider, one for the response, and one for overlaps.
pub fn collider_lines(compiled: &Compiled) -> Vec<String> {
    let model = &compiled.model;
    let mut lines: Vec<String> = model.colliders().iter().map(|own| collider_line(own, model)).collect();
    if !lines.is_empty() {
        lines.push(format!("contact: response = \"{}\"", compiled.response.word()));
    }
    if let Some(deepest) = compiled.overlaps.first() {
        lines.push(format!(
            "overlap at the start, which the scene allows: {}, the deepest at {}, {} inside collider `{}`",
            counted(compiled.overlaps.len(), "point", "points"),
            shown_place(deepest.point),
            shown_length(deepest.depth),
            model.colliders()[deepest.collider.index()].name
        ));
    }
    lines
}

fn collider_line(collider: &Collider, model: &Model) -> String {
    let shape = match &collider.shape {
        ColliderShape::Plane => "plane".into(),
        ColliderShape::Sphere { radius } => format!("sphere of radius {}", shown_length(*radius)),
        ColliderShape::Capsule { radius, half } => {
            format!(
                "capsule of radius {}, {} between its ends",
                shown_length(*radius),
                shown_length(2.0 * half)
            )
        }
        ColliderShape::Box { half } => {
            let [x, y, z] = half.map(|h| shown_length(2.0 * h));
            format!("box of {x} x {y} x {z}")
        }
        ColliderShape::Mesh(solid) => format!("closed surface of {} triangles", solid.triangles().len()),
    };
    let carrier = match &collider.carrier {
        Carrier::Script(motion) if motion.moves() => ", moved by its script".into(),
        Carrier::Script(_) => String::new(),
        Carrier::Bone(bone) => format!(", carried by bone `{}`", model.layout().bones()[*bone].name),
    };
    let restitution = collider.restitution.map_or(String::new(), |part| format!(", restitution {part}"));
    format!("collider `{}`: {shape}, friction {}{restitution}{carrier}", collider.name, collider.friction)
}

/// The same for machines.
pub fn colliders_json(compiled: &Compiled) -> Value {
    let names: Vec<&str> = compiled.model.colliders().iter().map(|own| own.name.as_str()).collect();
    let deepest = compiled.overlaps.first().map(|overlap| overlap.depth);
    json!({ "names": names, "response": compiled.response.word(),
            "overlap": { "points": compiled.overlaps.len(), "deepest_m": deepest } })
}
