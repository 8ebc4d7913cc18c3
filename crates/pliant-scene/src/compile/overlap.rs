//! Bodies that begin inside colliders: told before the first step, with where and how deep.

use pliant_solid::contact::{ColliderShape, Overlap};
use pliant_solid::{BodyId, ColliderId, Model};

use crate::counted::counted;
use crate::diagnostic::Problem;
use crate::significant::{shown_length, shown_place};
use crate::spec::{self, Scene};

/// Points of bodies inside colliders at the start, the deepest first; those that are held stay where they are, whatever they touch.
pub(super) fn overlaps(model: &Model) -> Vec<Overlap> {
    let held = |node: u32| model.fixes().iter().any(|fix| fix.axes == [true; 3] && fix.nodes.contains(&node));
    let mut found = model.overlaps(&model.initial_state());
    found.retain(|overlap| !model.surface().vertex(overlap.vertex).free.nodes().all(held));
    found
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
