//! Names of what acts on bodies from outside: fixes, loads, grabs and colliders. They name rows of `forces.csv`.

use super::found::Found;
use super::{Fix, Load, Located, Scene};
use std::ops::Range;

/// The name of a fix of a body, counted from 0.
pub fn fix_name(body: &str, index: usize, fix: &Fix) -> String {
    given(fix.name.as_ref(), || format!("{body}.fix.{}", index + 1))
}

/// The name of a load of a body, counted from 0.
pub fn load_name(body: &str, index: usize, load: &Load) -> String {
    given(load.name.as_ref(), || format!("{body}.load.{}", index + 1))
}

/// The name of a grab of a scene, counted from 0.
pub fn grab_name(index: usize, grab: &super::Grab) -> String {
    given(grab.name.as_ref(), || format!("grab.{}", index + 1))
}

/// The name of a collider of a scene, counted from 0.
pub fn collider_name(index: usize, collider: &super::Collider) -> String {
    given(collider.name.as_ref(), || format!("collider {}", index + 1))
}

fn given(name: Option<&Located<String>>, otherwise: impl FnOnce() -> String) -> String {
    name.map_or_else(otherwise, |name| name.to_string())
}

/// Names that a CSV file cannot hold, and names used twice.
pub(super) fn check(scene: &Scene, found: &mut Found) {
    let mut all: Vec<(String, Option<Range<usize>>)> = Vec::new();
    for (body, spec) in &scene.body {
        let place = |name: &Option<Located<String>>| name.as_ref().map(Located::span);
        all.extend(spec.fix.iter().enumerate().map(|(i, fix)| (fix_name(body, i, fix), place(&fix.name))));
        all.extend(spec.load.iter().enumerate().map(|(i, l)| (load_name(body, i, l), place(&l.name))));
    }
    let grabs = scene.grab.iter().enumerate();
    all.extend(grabs.map(|(i, grab)| (grab_name(i, grab), grab.name.as_ref().map(Located::span))));
    let colliders = scene.collider.iter().enumerate();
    all.extend(colliders.map(|(i, own)| (collider_name(i, own), own.name.as_ref().map(Located::span))));
    for (index, (name, span)) in all.iter().enumerate() {
        // where one of two names is a default, the one that was written is told
        let Some(span) =
            span.clone().filter(|span| found.csv_name("a fix, load, grab or collider", (name, span.clone())))
        else {
            continue;
        };
        let earlier = all[..index].iter().any(|(other, _)| other == name);
        let default = all[index + 1..].iter().any(|(other, span)| other == name && span.is_none());
        if earlier || default {
            let text = format!("a second fix, load, grab or collider is named \"{name}\"");
            found.add(span, text, "rows of forces.csv are known by their names: rename one of them");
        }
    }
}
