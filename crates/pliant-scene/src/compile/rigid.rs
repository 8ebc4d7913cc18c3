//! Bones and attachments: which elements are rigid, which nodes follow other bodies.

use pliant_geometry::{Mesh, Moments, SurfaceQuery, followers, moments};
use pliant_solid::rigid::{Around, BoneShape, Joint};
use pliant_solid::{Attached, BodyShape, Matter};

use super::body::node_masses;
use super::placed_body::PlacedBody;
use super::read_mesh::read_mesh;
use super::region;
use crate::diagnostic::Problem;
use crate::spec::{self, BonePart, Warning};
use crate::units::si_array;

/// Nodes that lie farther outside of what they are tied to than this part of its size follow it badly.
const FAR: f64 = 0.05;

/// What is rigid in a body, before masses are known.
struct RigidPart<'a> {
    spec: &'a spec::Bone,
    name: String,
    cells: Vec<u32>,
    nodes: Vec<u32>,
    joint: Joint,
    density: f64,
}

/// The bodies as the layout needs them, with bones and attachments.
pub(super) fn shapes(
    (bodies, matter): (&[PlacedBody], &[Matter]),
    folder: &std::path::Path,
    (problems, warnings): (&mut Vec<Problem>, &mut Vec<Warning>),
) -> Vec<BodyShape> {
    let parts: Vec<Vec<RigidPart>> = bodies
        .iter()
        .zip(matter)
        .map(|(body, matter)| rigid_parts((body, matter), folder, problems))
        .collect();
    let tied: Vec<Vec<Attached>> =
        (0..bodies.len()).map(|index| attachments(bodies, &parts, index, (problems, warnings))).collect();
    refuse_rings(bodies, &tied, problems);
    let shape = |index: usize| {
        let body = &bodies[index];
        let others = tied_masses((bodies, matter), (&parts, &tied), index);
        let bones = parts[index].iter().zip(&others);
        let bones = bones.filter_map(|(part, others)| {
            bone((body, &matter[index]), (part, &parts[index]), others, problems)
        });
        BodyShape {
            bones: bones.collect(),
            attached: tied[index].clone(),
            boundary: Some(std::sync::Arc::clone(&body.surface)),
            ..BodyShape::new(&body.name, std::sync::Arc::clone(&body.placed))
        }
    };
    (0..bodies.len()).map(shape).collect()
}

fn rigid_parts<'a>(
    (body, matter): (&PlacedBody<'a>, &Matter),
    folder: &std::path::Path,
    problems: &mut Vec<Problem>,
) -> Vec<RigidPart<'a>> {
    let mut out: Vec<RigidPart> = Vec::new();
    for spec in &body.spec.bone {
        if matter.network().is_some() {
            let message = format!("body `{}` is a network of springs, which has no bones", body.name);
            problems
                .push(Problem::new(spec.part.span(), message).help("give it a `material`, or fix particles"));
            continue;
        }
        let cells = match cells(body, spec, folder) {
            Ok(cells) => cells,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let name = spec.name.as_ref().map_or(body.name.clone(), |name| name.to_string());
        let mut nodes: Vec<u32> =
            cells.iter().flat_map(|c| body.own.cell_nodes(*c as usize).iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        if out.iter().any(|other| other.name == name) {
            let message = format!("body `{}` has two bones named `{name}`", body.name);
            problems.push(Problem::new(spec.part.span(), message).help("give each a `name` of its own"));
        } else if let Some(other) = out.iter().find(|other| shares(&other.nodes, &nodes)) {
            let message = format!("bones `{}` and `{name}` share nodes", other.name);
            let help = "make them one bone, or leave a layer of soft elements between them";
            problems.push(Problem::new(spec.part.span(), message).help(help));
        }
        let joint = spec.hinge.as_ref().map_or(Joint::Free, |hinge| {
            let axis = si_array(&hinge.axis);
            let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
            Joint::Hinge { point: body.to_world(si_array(&hinge.point)), axis: axis.map(|a| a / length) }
        });
        let Some(around) = matter.uniform_density() else {
            let message =
                format!("body `{}` has regions of several densities, and bones need one", body.name);
            problems
                .push(Problem::new(spec.part.span(), message).help("make the regions bodies of their own"));
            continue;
        };
        let density = spec.density.as_ref().map_or(around, |d| d.si());
        out.push(RigidPart { spec, name, cells, nodes, joint, density });
    }
    out
}

/// The cells of a bone, ascending.
fn cells(body: &PlacedBody, bone: &spec::Bone, folder: &std::path::Path) -> Result<Vec<u32>, Problem> {
    match &bone.part {
        BonePart::Where(where_) => {
            let cells = region::cells(&body.own, where_)?;
            if cells.is_empty() {
                return Err(region::nothing_selected(&body.own, "bone has no element", where_));
            }
            Ok(cells.into_iter().map(|c| c as u32).collect())
        }
        BonePart::Inside(mesh) => {
            let surface = SurfaceQuery::of(&read_mesh(mesh, folder)?.mesh);
            let inside = |c: &u32| surface.surrounds(body.own.cell_centroid(*c as usize));
            let cells: Vec<u32> = (0..body.own.cell_count() as u32).filter(inside).collect();
            if cells.is_empty() {
                let help = "it is in the body's own coordinates, and must be closed";
                return Err(Problem::new(mesh.span(), "no element lies within this surface").help(help));
            }
            Ok(cells)
        }
    }
}

/// Whether two ascending lists have a number in common.
fn shares(a: &[u32], b: &[u32]) -> bool {
    a.iter().any(|n| b.binary_search(n).is_ok())
}

fn bone(
    (body, matter): (&PlacedBody, &Matter),
    (part, all): (&RigidPart, &[RigidPart]),
    tied: &[([f64; 3], f64)],
    problems: &mut Vec<Problem>,
) -> Option<BoneShape> {
    let soft = soft_cells(&body.own, all);
    let around = Around { soft: &soft, soft_density: matter.uniform_density()?, tied };
    let cells = (&*body.placed, part.cells.clone());
    let made = BoneShape::of_cells(&part.name, cells, part.joint, part.density, around);
    made.map_err(|error| {
        let message = format!("bone `{}` of body `{}`: {error}", part.name, body.name);
        problems.push(Problem::new(part.spec.part.span(), message).help("give it more elements"));
    })
    .ok()
}

fn soft_cells(mesh: &Mesh, parts: &[RigidPart]) -> Vec<u32> {
    let rigid = |c: &u32| parts.iter().any(|part| part.cells.binary_search(c).is_ok());
    (0..mesh.cell_count() as u32).filter(|c| !rigid(c)).collect()
}

/// The nodes of a body that are tied to others, with what they follow.
fn attachments(
    bodies: &[PlacedBody],
    parts: &[Vec<RigidPart>],
    index: usize,
    (problems, warnings): (&mut Vec<Problem>, &mut Vec<Warning>),
) -> Vec<Attached> {
    let body = &bodies[index];
    let mut out: Vec<Attached> = Vec::new();
    for attach in &body.spec.attach {
        let Some(other) = bodies.iter().position(|b| b.name == attach.to.as_str()) else { continue };
        let nodes = match region::nodes(&body.own, &attach.r#where) {
            Ok(nodes) if nodes.is_empty() => {
                problems.push(region::nothing_selected(&body.own, "attach ties no node", &attach.r#where));
                continue;
            }
            Ok(nodes) => nodes,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let twice = nodes.iter().any(|n| out.iter().any(|tie| tie.node == *n));
        let rigid = parts[index].iter().any(|part| shares(&part.nodes, &nodes));
        if twice || rigid {
            let what = if twice { "ties nodes that another attach ties" } else { "ties nodes of a bone" };
            let help = "a node follows one thing: make the regions disjoint; to join two bones make them one";
            problems.push(Problem::new(attach.r#where.span(), format!("this attach {what}")).help(help));
            continue;
        }
        let places: Vec<[f64; 3]> = nodes.iter().map(|n| body.placed.positions()[*n as usize]).collect();
        let found = followers(&bodies[other].placed, &places).unwrap_or_default();
        let farthest = found.iter().map(|follower| follower.distance).fold(0.0, f64::max);
        for (node, follower) in nodes.into_iter().zip(found) {
            out.push(Attached { node, body: other, to: follower.point });
        }
        if farthest > FAR * bodies[other].extent() {
            let message = format!(
                "body `{}` is tied to `{}` across a gap of up to {farthest:.4} m: its nodes follow the nearest element there as if they were glued to a rod; \
                 move them together, or tie fewer nodes",
                body.name, bodies[other].name
            );
            warnings.push(Warning { message, span: attach.r#where.span() });
        }
    }
    out.sort_by_key(|tie| tie.node);
    out
}

/// Bodies that follow each other in a ring follow nothing.
fn refuse_rings(bodies: &[PlacedBody], tied: &[Vec<Attached>], problems: &mut Vec<Problem>) {
    let follows = |a: usize| {
        let mut others: Vec<usize> = tied[a].iter().map(|tie| tie.body).collect();
        others.sort_unstable();
        others.dedup();
        others
    };
    for start in 0..bodies.len() {
        let (mut seen, mut waiting) = (vec![false; bodies.len()], follows(start));
        while let Some(body) = waiting.pop() {
            if !std::mem::replace(&mut seen[body], true) {
                waiting.extend(follows(body));
            }
        }
        if seen[start] {
            let place = bodies[start].spec.attach.first().map_or(0..0, |a| a.to.span());
            let message =
                format!("body `{}` is tied to itself, by way of others or at once", bodies[start].name);
            problems.push(Problem::new(place, message).help("tie one of them only"));
            return;
        }
    }
}

/// Places and masses of the nodes of other bodies that are tied to each bone of a body and to nothing else.
fn tied_masses(
    (bodies, matter): (&[PlacedBody], &[Matter]),
    (parts, tied): (&[Vec<RigidPart>], &[Vec<Attached>]),
    index: usize,
) -> Vec<Vec<([f64; 3], f64)>> {
    let mut out = vec![Vec::new(); parts[index].len()];
    for (other, body) in bodies.iter().enumerate() {
        let on_bone = |tie: &Attached| {
            let whole = |part: &RigidPart| {
                tie.body == index && tie.to.nodes().all(|n| part.nodes.binary_search(&n).is_ok())
            };
            parts[index].iter().position(whole)
        };
        if !tied[other].iter().any(|tie| on_bone(tie).is_some()) {
            continue;
        }
        let masses = matter[other].node_masses(&body.placed, &soft_cells(&body.own, &parts[other]));
        for tie in &tied[other] {
            if let Some(bone) = on_bone(tie) {
                let node = tie.node as usize;
                out[bone].push((body.placed.positions()[node], masses[node]));
            }
        }
    }
    out
}

/// The centres of mass of all bodies, bones with their own densities.
pub(super) fn centres_of_mass(
    (bodies, matter): (&[PlacedBody], &[Matter]),
    shapes: &[BodyShape],
) -> Vec<[f64; 3]> {
    let one = |((body, matter), shape): ((&PlacedBody, &Matter), &BodyShape)| {
        let points = || body.placed.positions().iter().copied().zip(node_masses(&body.placed, matter));
        if shape.bones.is_empty() {
            return Moments::of_points(points().collect::<Vec<_>>().into_iter()).centre;
        }
        let rigid = |c: &u32| shape.bones.iter().any(|bone| bone.cells.binary_search(c).is_ok());
        let soft: Vec<u32> = (0..body.placed.cell_count() as u32).filter(|c| !rigid(c)).collect();
        // bodies with bones have one
        let around = matter.uniform_density().unwrap_or_default();
        let bones = shape.bones.iter().zip(&body.spec.bone).map(|(bone, spec)| {
            let own = spec.density.as_ref().map_or(around, |d| d.si());
            moments(&body.placed, &bone.cells).times(own)
        });
        bones.fold(moments(&body.placed, &soft).times(around), |all, bone| all.join(&bone)).centre
    };
    bodies.iter().zip(matter).zip(shapes).map(one).collect()
}
