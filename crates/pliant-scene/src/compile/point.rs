//! Material points: probes and grabs.

use pliant_geometry::{MaterialPoint, locate};
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Fix, Layout, Matter};

use super::body::node_masses;
use super::placed_body::PlacedBody;
use crate::diagnostic::Problem;
use crate::spec::{self, Located, Scene, Warning};
use crate::units::{Length, Quantity, si_array};

/// A point of a body that is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledProbe {
    /// Its name.
    pub name: String,
    /// World nodes and weights.
    pub point: MaterialPoint,
    /// Where it rests in the world, m.
    pub rest: [f64; 3],
}

/// How far outside a body a point may lie and still be taken as on it, as a fraction of the extent.
const TOLERANCE: f64 = 1e-6;

/// The body with a name and the weights of a point given in its mesh's coordinates.
fn find<'a, 'b>(
    bodies: &'a [PlacedBody<'b>],
    name: &str,
    at: &Located<[Quantity<Length>; 3]>,
) -> Result<(usize, &'a PlacedBody<'b>, MaterialPoint), Problem> {
    let index = bodies.iter().position(|b| b.name == name);
    let index = index.ok_or_else(|| Problem::new(at.span(), format!("there is no body `{name}`")))?;
    let body = &bodies[index];
    if body.own.cell_count() == 0 {
        return Ok((index, body, particle_at(body, at)?));
    }
    let point = si_array(at);
    match locate(&body.own, point, TOLERANCE * body.extent()) {
        Some(found) => Ok((index, body, found.point)),
        None => {
            let [x, y, z] = point;
            let message = format!("the point ({x}, {y}, {z}) m is not in body `{name}`");
            let away = locate(&body.own, point, f64::INFINITY)
                .map(|m| (m.distance, m.point.position(body.own.positions())));
            Err(Problem::new(at.span(), message).help(match away {
                Some((distance, [x, y, z])) => format!(
                    "it is {distance:.4} m outside; the nearest point of the body is ({x:.4}, {y:.4}, {z:.4}) m, in the mesh's own coordinates"
                ),
                None => "the body has no elements".into(),
            }))
        }
    }
}

/// A point by world numbers.
fn in_world(point: &MaterialPoint, world: &[u32]) -> MaterialPoint {
    point.renumbered(|node| world[node as usize])
}

/// The scene's probes.
pub(super) fn probes(
    scene: &Scene,
    bodies: &[PlacedBody],
    layout: &Layout,
    problems: &mut Vec<Problem>,
) -> Vec<CompiledProbe> {
    let mut out = Vec::new();
    for probe in &scene.probe {
        match find(bodies, &probe.body, &probe.at) {
            Ok((index, body, found)) => out.push(CompiledProbe {
                name: probe.name.to_string(),
                point: in_world(&found, &layout.bodies()[index].world),
                rest: found.position(body.placed.positions()),
            }),
            Err(problem) => problems.push(problem),
        }
    }
    out
}

/// The scene's grabs.
///
/// Without `stiffness` the hand is about as stiff as the matter it holds, E times the size of an
/// element; without `damping` it is damped at a tenth of critical on the mass of that point.
pub(super) fn grabs(
    scene: &Scene,
    bodies: &[PlacedBody],
    (layout, matter): (&Layout, &[Matter]),
    problems: &mut Vec<Problem>,
) -> Vec<Grab> {
    let mut out = Vec::new();
    for grab in &scene.grab {
        let (index, body, found) = match find(bodies, &grab.body, &grab.at) {
            Ok(found) => found,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let matter = &matter[index];
        let cells = body.own.cell_count();
        let count = if cells == 0 { body.own.node_count() } else { cells };
        let size = (matter.volume(&body.own) / count as f64).cbrt();
        let young = matter.softest_young();
        let stiffness = grab.stiffness.as_ref().map_or(young * size, |k| k.si());
        let point_mass = point_mass(&found, &node_masses(&body.own, matter));
        let damping = grab.damping.as_ref().map_or(0.2 * (stiffness * point_mass).sqrt(), |c| c.si());
        let points = grab.path.iter().map(|row| (row.time.si(), si_array(&row.vector))).collect();
        out.push(Grab {
            point: in_world(&found, &layout.bodies()[index].world),
            path: GrabPath { points, release: grab.release.as_ref().map(|t| t.si()) },
            stiffness,
            damping,
            max_force: grab.max_force.as_ref().map_or(f64::INFINITY, |f| f.si()),
        });
    }
    out
}

/// Grabs at points that fixes hold for good: they pull in vain.
pub(super) fn idle_grabs(
    scene: &Scene,
    bodies: &[PlacedBody],
    layout: &Layout,
    fixes: &[Fix],
) -> Vec<Warning> {
    let mut held = vec![[false; 3]; layout.node_count()];
    for fix in fixes.iter().filter(|fix| fix.release.is_none()) {
        for &node in &fix.nodes {
            (0..3).for_each(|c| held[node as usize][c] |= fix.axes[c]);
        }
    }
    let mut out = Vec::new();
    for grab in &scene.grab {
        let Ok((index, _, found)) = find(bodies, &grab.body, &grab.at) else { continue };
        let point = in_world(&found, &layout.bodies()[index].world);
        let in_vain = point.iter().all(|(n, w)| w.abs() < 1e-9 || held[n as usize] == [true; 3]);
        if in_vain {
            let message = format!(
                "the hand pulls body `{}` at a point that a fix holds: nothing will move; grab another point, or give the fix a `release`",
                *grab.body
            );
            out.push(Warning { message, span: grab.at.span() });
        }
    }
    out
}

/// Grabs whose path begins farther from their point than half the body, where nothing can have taken the point there: displacements
/// written as places, most often.
pub(super) fn far_grabs(scene: &Scene, bodies: &[PlacedBody]) -> Vec<Warning> {
    let length = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let mut out = Vec::new();
    for (number, grab) in scene.grab.iter().enumerate() {
        let (Ok((_, body, found)), Some(first)) = (find(bodies, &grab.body, &grab.at), grab.path.first())
        else {
            continue;
        };
        // fixes, loads and other hands may have moved it when the hand comes later
        let start = first.time.si().max(0.0);
        let others = scene.grab.iter().enumerate().filter(|(other, _)| *other != number);
        let mut others = others.filter(|(_, other)| *other.body == *grab.body);
        let carried = body.spec.fix.iter().any(|fix| fix.motion != spec::Motion::Still);
        let spins = length(si_array(&body.spec.angular_velocity)) > 0.0;
        if start > 0.0 && (carried || spins || !body.spec.load.is_empty() || others.next().is_some()) {
            continue;
        }
        let (point, target) = (found.position(body.placed.positions()), si_array(&first.vector));
        let distance = length(std::array::from_fn(|c| target[c] - point[c]));
        let flown = length(si_array(&body.spec.velocity)) * start;
        let fallen = 0.5 * length(scene.gravity_si()) * start * start;
        if distance > 0.5 * body.extent() + flown + fallen {
            let message = format!(
                "the path of this grab begins at ({}) m, {distance:.3} m from its point at ({}) m, more than half of body `{}`: it is pulled with all that at once; \
                 a path gives places in the world, not displacements: begin at the point",
                place(target),
                place(point),
                body.name
            );
            out.push(Warning { message, span: grab.path.span() });
        }
    }
    out
}

fn place(point: [f64; 3]) -> String {
    point.map(|c| format!("{c:.3}")).join(", ")
}

/// The mass that a force at a material point feels at once: 1 / sum(w^2 / m).
fn point_mass(point: &MaterialPoint, masses: &[f64]) -> f64 {
    1.0 / point.iter().map(|(n, w)| w * w / masses[n as usize]).sum::<f64>()
}

/// The particle nearest to a point, if it is there.
fn particle_at(body: &PlacedBody, at: &Located<[Quantity<Length>; 3]>) -> Result<MaterialPoint, Problem> {
    let point = si_array(at);
    let distance = |x: &[f64; 3]| (0..3).map(|c| (x[c] - point[c]).powi(2)).sum::<f64>().sqrt();
    let nearest = (0_u32..).zip(body.own.positions()).min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    match nearest {
        Some((node, x)) if distance(x) <= TOLERANCE * body.extent().max(1e-3) => {
            Ok(MaterialPoint::node(node))
        }
        _ => {
            let [x, y, z] = point;
            let message = format!("there is no particle of body `{}` at ({x}, {y}, {z}) m", body.name);
            let help = nearest.map_or(String::new(), |(node, x)| {
                let [x, y, z] = x.map(|c| format!("{c:.6}"));
                format!(
                    "the nearest one is particle {node} at ({x}, {y}, {z}) m, in the mesh's own coordinates"
                )
            });
            Err(Problem::new(at.span(), message).help(help))
        }
    }
}
