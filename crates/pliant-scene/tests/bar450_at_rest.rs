//! A damped bar comes to rest in the static equilibrium that five other programs agree on.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};
use pliant_solid::integrator::Inputs;

/// Where `file` and the law's modulus come to rest: the displacement of the node at (0.1, 0.1, 1.0).
fn tip_at_rest(file: &str, young: f64) -> [f64; 3] {
    // close to critical damping of the first mode, so that 4 s are many times its decay
    let text = format!(
        "duration = 4\ngravity = [0, -9.81, 0]\n[material.m]\nlaw = \"st-venant\"\nyoung = {young}\npoisson = 0.33\n\
         density = 1000\ndamping = {{ mass = 14 }}\n[body.bar]\nmaterial = \"m\"\nmesh = {{ file = \"{file}\" }}\n\
         [[body.bar.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n\
         [[probe]]\nname = \"tip\"\nbody = \"bar\"\nat = [0.1, 0.1, 1.0]\n"
    );
    let (scene, source) = Scene::parse(&text, "bar450").unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let compiled = compile(&LoadedScene { scene, source, folder }, CompileOptions::default()).unwrap();
    let mut world = compiled.world().unwrap();
    while world.state().time < compiled.duration {
        world.step(&Inputs { end: Some(compiled.duration), ..Inputs::default() }).unwrap();
    }
    let (at, rest) = (compiled.probes[0].point.mean(&world.state().x), compiled.probes[0].rest);
    std::array::from_fn(|c| at[c] - rest[c])
}

/// BAR450-STATIC: CalculiX, dolfinx, GetFEM, scikit-fem and SfePy agree on these digits.
#[test]
fn the_resting_bar_is_the_static_one() {
    for (young, expected) in [
        (5e5, [-7.7140648e-06, -0.26622927293, -0.05706690989]),
        (1e6, [1.4568602e-06, -0.13783851791, -0.01913512714]),
    ] {
        let tip = tip_at_rest("bar450.vtk", young);
        for c in 0..3 {
            assert!((tip[c] - expected[c]).abs() < 2e-8, "E {young}: {tip:?} against {expected:?}");
        }
    }
}

#[test]
fn the_same_bar_from_gmsh_files_rests_at_the_same_place() {
    let vtk = tip_at_rest("bar450.vtk", 1e6);
    for file in ["bar450_22.msh", "bar450_41.msh"] {
        assert_eq!(tip_at_rest(file, 1e6), vtk, "{file}");
    }
}
