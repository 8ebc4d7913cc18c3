//! Bodies that begin inside colliders: told before the first step, with where and how deep.

use pliant_solid::contact::{Carrier, Collider, ColliderShape, Overlap};
use pliant_solid::{BodyId, ColliderId, Model, VertexId};

use crate::counted::counted;
use crate::diagnostic::Problem;
use crate::significant::{shown_length, shown_place};
use crate::spec::{self, Scene};

/// Depth that is rounding, as a part of a body's size.
const ROUNDING: f64 = 1e-9;

/// Points of bodies inside colliders at the start, the deepest first; those that are held stay where they are, whatever they touch.
pub(super) fn overlaps(model: &Model) -> Vec<Overlap> {
    let start = model.initial_state();
    let held = |node: u32| model.fixes().iter().any(|fix| fix.axes == [true; 3] && fix.nodes.contains(&node));
    let mut found = Vec::new();
    for (collider, own) in (0_u32..).map(ColliderId).zip(model.colliders()) {
        for (vertex, at) in (0_u32..).map(VertexId).zip(model.surface().vertices()) {
            let point = at.free.mean(&start.x);
            let depth = model.skin_thickness(at.body) - own.gap_at(0.0, point);
            let extent = model.layout().bodies()[at.body.index()].extent;
            let inside = depth > ROUNDING * extent && !carries(model, own, at.body);
            if inside && !at.free.nodes().all(held) {
                found.push(Overlap { collider, vertex, body: at.body, point, depth });
            }
        }
    }
    found.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    found
}

/// Whether a bone of a body carries the collider.
fn carries(model: &Model, collider: &Collider, body: BodyId) -> bool {
    match collider.carrier {
        Carrier::Bone(bone) => model.layout().bones()[bone].body == body.index(),
        Carrier::Script(_) => false,
    }
}

/// One for every collider and body that overlap.
pub(super) fn problems(scene: &Scene, model: &Model, overlaps: &[Overlap]) -> Vec<Problem> {
    let mut pairs: Vec<(ColliderId, BodyId)> = overlaps.iter().map(|o| (o.collider, o.body)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let one = |pair: (ColliderId, BodyId)| {
        let mut of_pair = overlaps.iter().filter(|o| (o.collider, o.body) == pair);
        let count = of_pair.clone().count();
        of_pair.next().map(|deepest| problem(scene, model, (deepest, count)))
    };
    pairs.into_iter().filter_map(one).collect()
}

fn problem(scene: &Scene, model: &Model, (deepest, count): (&Overlap, usize)) -> Problem {
    let collider = &model.colliders()[deepest.collider.index()];
    let (body, surface) =
        (&model.layout().bodies()[deepest.body.index()].name, model.surface().body(deepest.body));
    let spec = &scene.collider[deepest.collider.index()];
    let message = format!(
        "{} of body `{body}` {} inside collider `{}`, {} {}, {} deep{}",
        counted(count, "point", "points"),
        if count == 1 { "begins" } else { "begin" },
        collider.name,
        if count == 1 { "at" } else { "the deepest at" },
        shown_place(deepest.point),
        shown_length(deepest.depth),
        thickness_words(collider.thickness + model.skin_thickness(deepest.body)),
    );
    let whole = count == surface.vertices.len();
    let help = match &spec.shape {
        spec::ColliderShape::Plane { normal, .. } if whole && collider.shape == ColliderShape::Plane => {
            // not -0
            let [x, y, z] = normal.map(|c| 0.0 - c.si());
            format!(
                "all of it is behind the plane, whose `normal` points to where bodies are: write normal = [{x}, {y}, {z}], or move one of them"
            )
        }
        _ => {
            "move one of them, or write allow_overlap = true in [contact]: then the body is pushed out gently"
                .into()
        }
    };
    Problem::new(spec.span(), message).help(help)
}

fn thickness_words(thickness: f64) -> String {
    if thickness > 0.0 {
        format!(" (`thickness` counts, {})", shown_length(thickness))
    } else {
        String::new()
    }
}
