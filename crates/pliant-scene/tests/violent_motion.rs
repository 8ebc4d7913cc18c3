//! The automatic step keeps violent, undamped motion stable: nothing diverges and energy stays.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;

use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};
use pliant_solid::World;
use pliant_solid::integrator::Inputs;

/// Runs a cube of 0.1 m for 0.5 s; gives the change of the total energy between the means of the first and of the
/// last third of the run, relative to the energy in play. (From step to step it swings by (dt a)^2.)
fn secular_drift(law: &str, cells: usize, element: &str, what: &str) -> f64 {
    let text = format!(
        "duration = 0.5\n[material.m]\nlaw = \"{law}\"\nyoung = 1e6\npoisson = 0.3\ndensity = 1000\n[body.b]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [0.1, 0.1, 0.1], cells = [{cells}, {cells}, {cells}], element = \"{element}\" }}\n\
         [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n{what}\n"
    );
    let (scene, source) = Scene::parse(&text, "violent").unwrap();
    let loaded = LoadedScene { scene, source, folder: Path::new(".").into() };
    let compiled = compile(&loaded, CompileOptions::default()).unwrap();
    let mut world = World::new(Arc::clone(&compiled.model), compiled.on_divergence).unwrap();
    let (mut totals, mut scale) = (Vec::new(), 0.0_f64);
    while world.state().time < compiled.duration {
        world
            .step(&Inputs { end: Some(0.5), ..Inputs::default() })
            .unwrap_or_else(|e| panic!("{law} {what}: {e}"));
        let energy = world.energy();
        totals.push(energy.total());
        scale = scale.max(energy.kinetic + energy.elastic.abs() + energy.work.abs());
    }
    let third = totals.len() / 3;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    (mean(&totals[2 * third..]) - mean(&totals[..third])).abs() / scale
}

/// A tenth of Young's modulus pulled at once; a body a tenth too large for its place. Without damping, and at
/// the edge of stability, where the highest modes have two steps a period.
#[test]
fn sudden_loads_and_relaxed_shapes_do_not_explode() {
    let pull = "[[body.b.load]]\nwhere = { plane = { point = [0.1, 0, 0], normal = [1, 0, 0] } }\ntraction = [1e5, 0, 0]";
    let push =
        "[[body.b.load]]\nwhere = { plane = { point = [0.1, 0, 0], normal = [1, 0, 0] } }\npressure = 8e4";
    let swollen = "[[body.b.initial]]\nrelaxed = [[1.1, 0, 0], [0, 1.1, 0], [0, 0, 1.1]]";
    for law in ["st-venant", "neo-hookean"] {
        for (cells, element) in [(3, "hex"), (3, "tet"), (6, "hex"), (6, "tet6")] {
            for what in [pull, push, swollen] {
                let drift = secular_drift(law, cells, element, what);
                assert!(drift < 0.1, "{law}, {cells} {element}: drift {drift} under {what}");
            }
        }
    }
}
