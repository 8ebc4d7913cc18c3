//! Fixes: which nodes are held, along which axes, on which path.

use std::collections::HashMap;

use pliant_solid::{Fix, Layout};

use super::motion::compiled_motion;
use super::placed_body::PlacedBody;
use super::region;
use crate::diagnostic::Problem;
use crate::spec::{self, Located, Region};

/// The fixes of all bodies.
pub(super) fn fixes(bodies: &[PlacedBody], layout: &Layout, problems: &mut Vec<Problem>) -> Vec<Fix> {
    let mut out = Vec::new();
    for (body, placed) in bodies.iter().zip(layout.bodies()) {
        // who holds a degree of freedom already
        let mut holders = HashMap::new();
        for (number, fix) in body.spec.fix.iter().enumerate() {
            if let Region::Bone(name) = &*fix.region {
                match named_bone(name, fix, body, layout) {
                    Ok(masters) => out.push(compile_fix(body, fix, masters)),
                    Err(problem) => problems.push(problem),
                }
                continue;
            }
            match region::nodes(&body.own, &fix.region) {
                Err(problem) => problems.push(problem),
                Ok(nodes) if nodes.is_empty() => {
                    problems.push(region::nothing_selected(&body.own, "fix holds no node", &fix.region));
                }
                Ok(nodes) => {
                    if let Some(problem) = held_twice(&nodes, fix, number, &mut holders) {
                        problems.push(problem);
                    }
                    let world: Vec<u32> = nodes.iter().map(|n| placed.world[*n as usize]).collect();
                    match with_bones(&world, fix, layout) {
                        Ok(nodes) => out.push(compile_fix(body, fix, nodes)),
                        Err(problem) => problems.push(problem),
                    }
                }
            }
        }
    }
    out
}

/// The masters of a bone of a body.
fn named_bone(name: &str, fix: &spec::Fix, body: &PlacedBody, layout: &Layout) -> Result<Vec<u32>, Problem> {
    let fault = |message: String| Problem::new(fix.region.span(), message);
    if fix.axes.mask() != [true; 3] {
        return Err(fault("a bone is held along all axes".into())
            .help("remove `axes`; `hinge` lets a bone turn about a line"));
    }
    let own = || layout.bones().iter().filter(|bone| layout.bodies()[bone.body].name == body.name);
    match own().find(|bone| bone.name == name) {
        Some(bone) => Ok(bone.masters().collect()),
        None => {
            let names: Vec<&str> = own().map(|bone| bone.name.as_str()).collect();
            let help =
                if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
            Err(fault(format!("the body has no bone `{name}`")).help(help))
        }
    }
}

/// The free nodes that a fix holds: a bone is held by its masters, and only as a whole.
fn with_bones(world: &[u32], fix: &spec::Fix, layout: &Layout) -> Result<Vec<u32>, Problem> {
    let (free, dependents) = (layout.free_count() as u32, layout.dependents());
    let (mut out, following): (Vec<u32>, Vec<u32>) = world.iter().partition(|n| **n < free);
    let fault = |message: String, help: &str| Problem::new(fix.region.span(), message).help(help);
    for bone in layout.bones() {
        let follows = |d: u32| dependents.follows(d as usize, bone.masters());
        let all =
            (0..dependents.count() as u32).filter(|d| follows(*d) && layout.is_of_body(free + d, bone.body));
        let held = following.iter().filter(|n| follows(**n - free)).count();
        let whole = all.count();
        if held == 0 {
            continue;
        }
        if held < whole || fix.axes.mask() != [true; 3] {
            let message = format!("this fix holds {held} of the {whole} nodes of bone `{}`", bone.name);
            let help = "a bone is held as a whole and along all axes: where = { bone = ... } does that; `hinge` lets it turn about a line";
            return Err(fault(message, help));
        }
        out.extend(bone.masters());
    }
    let of_bones =
        |n: &u32| layout.bones().iter().any(|b| dependents.follows((n - free) as usize, b.masters()));
    if let Some(node) = following.iter().find(|n| !of_bones(n)) {
        let [x, y, z] = layout.rest_of(*node);
        let message =
            format!("this fix holds a node at ({x:.4}, {y:.4}, {z:.4}) m that is tied to another body");
        return Err(fault(
            message,
            "make the regions of `fix` and `attach` disjoint, or hold the other body",
        ));
    }
    out.sort_unstable();
    Ok(out)
}

/// A node held twice along one axis has two places to be.
fn held_twice(
    nodes: &[u32],
    fix: &spec::Fix,
    number: usize,
    holders: &mut HashMap<(u32, usize), usize>,
) -> Option<Problem> {
    let axes = fix.axes.mask();
    let mut clash = None;
    for &node in nodes {
        for axis in (0..3).filter(|c| axes[*c]) {
            if let Some(other) = holders.insert((node, axis), number) {
                clash.get_or_insert((node, axis, other));
            }
        }
    }
    clash.map(|(node, axis, other)| {
        let letter = ['x', 'y', 'z'][axis];
        let message = format!(
            "node {node} is held along {letter} by fix {} and by fix {} of the same body",
            other + 1,
            number + 1
        );
        let region: &Located<Region> = &fix.region;
        Problem::new(region.span(), message).help("make the regions disjoint, or give them different `axes`")
    })
}

fn compile_fix(body: &PlacedBody, fix: &spec::Fix, nodes: Vec<u32>) -> Fix {
    let motion = compiled_motion(&fix.motion, |center| body.to_world(center));
    Fix { nodes, axes: fix.axes.mask(), motion, release: fix.release.as_ref().map(|r| r.si()) }
}
