//! Networks of springs in scenes: what they become, what is refused, and states taken over.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::PathBuf;

use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, carry_over, compile};
use pliant_solid::integrator::Inputs;
use pliant_solid::{NetworkLaw, World};

fn loaded(text: &str) -> LoadedScene {
    let (scene, source) = Scene::parse(text, "x.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
    LoadedScene { scene, source, folder: PathBuf::from(".") }
}

fn compiled(text: &str) -> Compiled {
    compile(&loaded(text), CompileOptions::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// What is said about a scene, by the reader or the compiler.
fn refused(text: &str) -> String {
    match Scene::parse(text, "x.toml") {
        Err(error) => error.to_string(),
        Ok(_) => match compile(&loaded(text), CompileOptions::default()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("accepted:\n{text}"),
        },
    }
}

const CLOTH: &str = r#"
duration = "1 s"
gravity = [0, 0, -9.81]
[network.silk]
stiffness = "40 N/m"
damping = "0.01 N s/m"
drag = "1e-4 N s/m"
angle = "1e-3 N m/rad"
bend = "1e-4 N m/rad"
mass = "120 g"
[body.cloth]
network = "silk"
mesh = { shape = "grid", size = ["60 cm", "40 cm"], cells = [6, 4] }
position = [0, 0, 1]
rotation = { axis = [1, 0, 0], angle = "90 deg" }
angular_velocity = [0, 0, 1]
[[body.cloth.fix]]
where = { box = { min = [-0.1, 0.39, -1], max = [1, 1, 1] } }
[[probe]]
name = "hem"
body = "cloth"
at = [0.3, 0, 0]
[[grab]]
body = "cloth"
at = [0, 0, 0]
path = [[0, [0, 0, 1]], [1, [0.1, 0, 1]]]
"#;

const TABLE: &str = r#"
duration = "1 s"
[network.rope]
stiffness = 100
relaxation = "1 ms"
mass = 0.3
[body.rope]
network = "rope"
mesh = { particles = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], springs = [[0, 1], { between = [1, 2], stiffness = 50, damping = 2, length = "90 cm" }] }
[[collider]]
shape = "plane"
point = [0, 0, -1]
normal = [0, 0, 2]
restitution = 0.5
"#;

#[test]
fn a_cloth_has_the_springs_of_its_grid() {
    let scene = compiled(CLOTH);
    let network = scene.model.matter()[0].network().unwrap();
    assert_eq!(network.springs.len(), 6 * 5 + 4 * 7);
    assert_eq!(network.angles.len(), 4 * 24 + 5 * 5 + 3 * 7);
    assert!(network.springs.iter().all(|(_, s)| (s.stiffness, s.damping) == (40.0, 0.01)));
    assert!(network.springs.iter().all(|(_, s)| (s.length - 0.1).abs() < 1e-12));
    assert!((scene.model.mass().iter().sum::<f64>() - 0.12).abs() < 1e-15);
    // a corner stands for a quarter of a cell
    let least = scene.model.mass().iter().copied().fold(f64::INFINITY, f64::min);
    assert!((least - 0.12 / 96.0).abs() < 1e-15);
    assert_eq!(scene.model.damping()[0], 1e-4);
    assert_eq!(scene.model.fixes()[0].nodes.len(), 7);
    assert_eq!((scene.probes[0].point.len(), scene.grabs[0].point.len()), (1, 1));
    assert!(scene.grabs[0].stiffness > 1.0 && scene.grabs[0].damping > 0.0);
    // turned about its centre of mass, which is a number
    assert!(scene.model.initial_state().v.iter().all(|v| v.is_finite()));
}

#[test]
fn a_table_has_the_springs_of_its_rows() {
    let scene = compiled(TABLE);
    let network = scene.model.matter()[0].network().unwrap();
    let [(_, first), (_, second)] = network.springs[..] else { panic!("two springs") };
    assert_eq!((first.stiffness, first.damping, first.length), (100.0, 0.1, 1.0));
    assert_eq!((second.stiffness, second.damping, second.length), (50.0, 2.0, 0.9));
    assert!(scene.model.mass().iter().all(|m| (m - 0.1).abs() < 1e-15));
    assert!(
        compiled(&(TABLE.to_owned() + "[output]\nformats = [\"obj\"]")).warnings[0]
            .message
            .contains("only `vtu`")
    );
}

#[test]
fn a_solid_mesh_has_springs_along_its_edges() {
    for (law, expected) in [("springs", NetworkLaw::Springs), ("linear", NetworkLaw::Linear)] {
        let scene = compiled(&format!(
            "duration = 1\n[network.n]\nlaw = \"{law}\"\nyoung = \"10 kPa\"\ndensity = 1000\n[body.b]\nnetwork = \"n\"\n\
             mesh = {{ shape = \"box\", size = [1, 1, 1], cells = [1, 1, 1], element = \"hex\" }}"
        ));
        let network = scene.model.matter()[0].network().unwrap();
        assert_eq!((network.law, network.springs.len()), (expected, 28));
        let sum: f64 = network.springs.iter().map(|(_, s)| s.stiffness * s.length * s.length).sum();
        assert!((sum - 6.0 * 1e4).abs() < 1e-6 && (scene.model.mass()[0] - 125.0).abs() < 1e-9);
    }
}

#[test]
fn what_does_not_go_together_is_told_with_the_way_out() {
    let changed = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        refused(&text.replace(from, to))
    };
    let cases = [
        (
            CLOTH,
            "network = \"silk\"",
            "network = \"slik\"",
            "`network` is \"slik\", which this scene does not define; did you mean \"silk\"?",
        ),
        (CLOTH, "network = \"silk\"", "", "missing key `material` in [body.cloth]; add material = \"NAME\""),
        (CLOTH, "stiffness = \"40 N/m\"\n", "", "does not say how stiff its springs are; add stiffness"),
        (
            CLOTH,
            "stiffness = \"40 N/m\"",
            "young = \"1 kPa\"",
            "`young` asks for a volume, but body \"cloth\" is a grid; give `stiffness`",
        ),
        (CLOTH, "mass = \"120 g\"", "density = 1000", "`density` asks for a volume"),
        (CLOTH, "mass = \"120 g\"\n", "", "has no mass; add mass"),
        (
            CLOTH,
            "angle = \"1e-3 N m/rad\"",
            "angle = \"1e-3 N m\"",
            "is an energy; `angle` needs a torque per angle",
        ),
        (
            CLOTH,
            "drag = \"1e-4 N s/m\"",
            "relaxation = \"1 ms\"",
            "`relaxation` of network \"silk\" beside `damping`",
        ),
        (CLOTH, "cells = [6, 4]", "cells = [6, 4, 1]", "has 3 numbers in `cells`, but a grid is cut by 2"),
        (
            CLOTH,
            "size = [\"60 cm\", \"40 cm\"]",
            "size = [1, 1, 1]",
            "has 3 numbers in `size`, but a grid has 2",
        ),
        (
            CLOTH,
            "at = [0.3, 0, 0]",
            "at = [0.33, 0, 0]",
            "there is no particle of body `cloth` at (0.33, 0, 0) m; the nearest one is particle 3",
        ),
        (TABLE, "[[0, 1],", "[[0, 3],", "a spring joins particles 0 and 3; they are numbered 0 to 2"),
        (
            TABLE,
            "stiffness = 100\n",
            "stiffness = 100\nlaw = \"linear\"\n",
            "as long as the particles are apart at rest; use the law `springs`",
        ),
    ];
    for (text, from, to, words) in cases {
        let said = changed(text, from, to);
        assert!(said.contains(words), "{words}\n  not in:\n{said}");
    }
}

fn advance(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(&Inputs::default()).unwrap();
    }
}

fn stepped(scene: &Compiled, steps: usize) -> World {
    let mut world = scene.world().unwrap();
    advance(&mut world, steps);
    world
}

#[test]
fn nodes_that_stay_keep_place_and_velocity_to_the_bit_when_a_scene_is_edited() {
    let old = compiled(TABLE);
    let moving = TABLE.replace("network = \"rope\"", "network = \"rope\"\nvelocity = [0, 1, 0]");
    let running = stepped(&compiled(&moving), 50);
    // a particle and a spring more, another body too
    let edited = TABLE
        .replace("[2, 0, 0]]", "[2, 0, 0], [2, 0, 1]]")
        .replace("springs = [[0, 1],", "springs = [[0, 1], [2, 3],")
        + "[body.another]\nnetwork = \"rope\"\nmesh = { particles = [[5, 5, 5]] }\n";
    let new = compiled(&edited);
    let state = carry_over(&old, running.state(), &new).unwrap();
    let (before, after) = (&old.model.layout().bodies()[0], &new.model.layout().bodies()[1]);
    assert_eq!(after.name, "rope");
    for node in 0..3 {
        let (then, now) = (3 * before.world[node] as usize, 3 * after.world[node] as usize);
        assert_eq!(running.state().x[then..then + 3], state.x[now..now + 3]);
        assert_eq!(running.state().v[then..then + 3], state.v[now..now + 3]);
    }
    let fresh = 3 * after.world[3] as usize;
    assert_eq!(
        (&state.x[fresh..fresh + 3], &state.v[fresh..fresh + 3]),
        (&[2.0, 0.0, 1.0][..], &[0.0; 3][..])
    );
    assert_eq!(state.time, running.state().time);
    // and it goes on from there
    let mut world = new.world().unwrap();
    world.restore(state).unwrap();
    advance(&mut world, 50);
    assert!(world.state().x.iter().all(|x| x.is_finite()));
    // particles can be taken away again
    let back = carry_over(&new, world.state(), &old).unwrap();
    let (then, now) = (3 * after.world[1] as usize, 3 * before.world[1] as usize);
    assert_eq!(world.state().x[then..then + 3], back.x[now..now + 3]);
}

#[test]
fn a_cloth_takes_only_forces() {
    let load = |what: &str| format!("{CLOTH}[[body.cloth.load]]\nwhere = \"all\"\n{what}\n");
    for (key, value) in [("traction", "[1, 0, 0]"), ("pressure", "1"), ("body_force", "[1, 0, 0]")] {
        let text = refused(&load(&format!("{key} = {value}")));
        let words = format!("body `cloth` is made of springs only and takes no `{key}`");
        assert!(text.contains(&words) && text.contains("use `force`, a total"), "{text}");
    }
    compiled(&load("force = [1, 0, 0]"));
}
