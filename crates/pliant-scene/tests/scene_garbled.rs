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
"#;

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
    ) {
        let mut text: Vec<char> = SCENE.chars().collect();
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
