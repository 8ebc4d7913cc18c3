//! What a snapshot belongs to: a name for what a scene means, however it is written.

use std::sync::Arc;

use pliant_geometry::Embedding;
use pliant_solid::contact::{Collider, ColliderShape};

use super::placed_body::PlacedBody;
use crate::spec::{Method, Scene, Step};
use crate::units::Quantity;

/// FNV-1a over what the scene means and the meshes' bits.
///
/// Units, the order of keys, values that are the default anyway, comments, title, description and
/// view do not count, nor does the duration where the step does not depend on it, so that a finished run can be lengthened.
pub(super) fn fingerprint(
    scene: &Scene,
    bodies: &[PlacedBody],
    (surfaces, colliders): (&[Option<Arc<Embedding>>], &[Collider]),
) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(meaning(scene).as_bytes());
    for body in bodies {
        body.placed.positions().iter().flatten().for_each(|x| add(&x.to_le_bytes()));
        let cells = 0..body.placed.cell_count();
        cells.for_each(|c| body.placed.cell_nodes(c).iter().for_each(|n| add(&n.to_le_bytes())));
        for (name, group) in body.own.groups() {
            add(name.as_bytes());
            group.member_nodes(&body.own).iter().for_each(|n| add(&n.to_le_bytes()));
            group.cells(&body.own).iter().for_each(|c| add(&c.to_le_bytes()));
        }
    }
    for collider in colliders {
        if let ColliderShape::Mesh(solid) = &collider.shape {
            solid.positions().iter().flatten().for_each(|x| add(&x.to_le_bytes()));
            solid.triangles().iter().flatten().for_each(|n| add(&n.to_le_bytes()));
        }
    }
    // the state does not know of them, but the files that a run goes on with do
    for surface in surfaces.iter().flatten().map(|embedding| embedding.surface()) {
        surface.positions().iter().flatten().for_each(|x| add(&x.to_le_bytes()));
        surface.triangles().iter().flatten().for_each(|n| add(&n.to_le_bytes()));
    }
    hash
}

/// The scene in SI units with all defaults, as text; numbers are shown to the last bit.
fn meaning(scene: &Scene) -> String {
    let mut scene = scene.clone();
    scene.title.clear();
    scene.description = None;
    scene.view = Default::default();
    // statics takes loads as they are at the end
    let in_time = !matches!(*scene.integrator.method, Method::Static | Method::Quasistatic);
    if in_time && matches!(*scene.integrator.step, Step::Auto) {
        scene.duration = Quantity::zero().into();
    }
    format!("{scene:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "title = 'a'\nduration = 2\ngravity = [0, 0, -9.81]\n[integrator]\nstep = '1 ms'\n\
        [material.m]\nlaw = 'linear'\nyoung = '100 kPa'\npoisson = 0.3\ndensity = 1000\n\
        [body.b]\nmaterial = 'm'\nmesh = { shape = 'box', size = [1, 1, 1], cells = [1, 1, 1] }\n";

    fn meaning_of(text: &str) -> String {
        match Scene::parse(text, "s.toml") {
            Ok((scene, _)) => meaning(&scene),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn the_same_scene_in_other_words_means_the_same() {
        for (from, to) in [
            ("duration = 2", "duration = 2.0"),
            ("duration = 2", "# half of four\nduration = '2000 ms'"),
            ("'100 kPa'", "1e5"),
            ("[0, 0, -9.81]", "[0.0, '0 m/s^2', -9.81]"),
            ("'a'", "'another title'"),
            ("step = '1 ms'", "step = 0.001\nmethod = 'explicit'"),
            ("poisson = 0.3\ndensity = 1000", "density = 1e3\npoisson = 0.30"),
        ] {
            assert!(SCENE.contains(from));
            assert_eq!(meaning_of(&SCENE.replace(from, to)), meaning_of(SCENE), "{to}");
        }
    }

    #[test]
    fn another_scene_means_something_else() {
        for (from, to) in [
            ("duration = 2", "duration = 2.5"),
            ("poisson = 0.3", "poisson = 0.30000000000000004"),
            ("'linear'", "'st-venant'"),
            ("[body.b]", "[body.c]"),
            ("size = [1, 1, 1]", "size = [1, 1, 1.5]"),
            ("[integrator]", "[[probe]]\nname = 'p'\nbody = 'b'\nat = [0, 0, 0]\n[integrator]"),
        ] {
            assert!(SCENE.contains(from));
            assert_ne!(meaning_of(&SCENE.replace(from, to)), meaning_of(SCENE), "{to}");
        }
    }
}
