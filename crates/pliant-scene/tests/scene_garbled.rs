//! A garbled scene is an error with a place, never a panic.

use pliant_scene::{Scene, spec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const SCENE: &str = r#"duration = "1 s"
gravity = [0, 0, -9.81]
[integrator]
step = "auto"
[material.µ]
law = "st-venant"
young = "100 kPa"
poisson = 0.33
density = "1 g/cm³"
damping = { mass = 0.5 }
[body.bar]
material = "µ"
mesh = { shape = "box", size = [1, "30 cm", 1], cells = [2, 1, 1], element = "hex" }
[[body.bar.fix]]
where = { box = { min = [-1, -1, -1], max = [0.1, 1, 1] } }
move = [0, 0, "1 cm"]
over = "1 s"
[[body.bar.load]]
where = { plane = { point = [1, 0, 0], normal = [1, 0, 0] } }
traction = [0, 0, "-500 Pa"]
[[grab]]
body = "bar"
at = [1, 0, 0]
path = [["0 s", [1, 0, 0]], ["1 s", [1, 0, 1]]]
[[collider]]
name = "tool"
shape = "capsule"
from = [0, 0, -1]
to = [0, 1, -1]
radius = "5 cm"
friction = 0.3
sine = { amplitude = [0, 0, 1], frequency = "2 Hz" }
[[collider]]
shape = "plane"
point = [0, 0, -2]
normal = [0, 0, 1]
restitution = 0.5
[contact]
response = "constraint-smooth"
"#;

/// What is refused with the lines to write in its place.
const WALL: &str = "[[wall]]\npoint = [0, \"1 µm\", -3]\nnormal = [0, 0, 1]\n";

proptest! {
    // seeded: the same edits every time
    #![proptest_config(ProptestConfig {
        cases: 400,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn edits_anywhere_give_a_scene_or_an_error(
        edits in prop::collection::vec((0.0..1.0_f64, 0..6_usize, "[\\[\\]{}=\",.\n a-z0-9µ-]{0,3}"), 1..6),
        walled in any::<bool>(),
    ) {
        let mut text: Vec<char> = SCENE.chars().chain(WALL.chars().filter(|_| walled)).collect();
        for (place, removed, added) in edits {
            let at = (place * text.len() as f64) as usize;
            let end = (at + removed).min(text.len());
            text.splice(at..end, added.chars());
        }
        let text: String = text.into_iter().collect();
        match Scene::parse(&text, "x.toml") {
            Ok((scene, source)) => spec::warnings(&scene, &source).iter().for_each(|warning| drop(warning.line(&source))),
            Err(error) => prop_assert!(error.to_string().starts_with("x.toml:"), "{error}"),
        }
    }
}
