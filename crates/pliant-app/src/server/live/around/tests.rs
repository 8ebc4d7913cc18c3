//! What a page is told of colliders, bones, hinges, ties and springs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use pliant_geometry::vector::norm;
use pliant_numerics::Mat3;
use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};
use pliant_solid::contact::{Carrier, Collider, ColliderShape};
use pliant_solid::{Motion, Turn};
use serde_json::Value;

use super::super::status::body_cards;
use super::super::surface::SceneSurface;
use super::{collider_part, poses};
use crate::server::wire::topology::ShapePart;

/// A block of 4 x 4 x 4 cells with a bone of 2 x 2 x 2 on a hinge, and a plate tied to its top.
const SCENE: &str = r#"
duration = "1 s"
[material.m]
law = "corotated"
young = "100 kPa"
poisson = 0.3
density = 1000
[body.block]
material = "m"
mesh = { shape = "box", size = [0.4, 0.4, 0.4], cells = [4, 4, 4], element = "hex" }
[[body.block.bone]]
name = "core"
where = { box = { min = [0.1, 0.1, 0.1], max = [0.3, 0.3, 0.3] } }
hinge = { point = [0.2, 0.2, 0.2], axis = [0, 3, 0] }
[body.plate]
material = "m"
mesh = { shape = "box", size = [0.2, 0.2, 0.1], cells = [2, 2, 1], element = "hex" }
position = [0.1, 0.1, 0.4]
[[body.plate.attach]]
where = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
to = "block"
"#;

fn surface(text: &str) -> SceneSurface {
    let (scene, source) = Scene::parse(text, "block.toml").unwrap();
    let loaded = LoadedScene { scene, source, folder: ".".into() };
    let compiled = compile(&loaded, CompileOptions::default()).unwrap();
    SceneSurface::of(&compiled.model, &compiled.surfaces).unwrap()
}

/// The text of a topology.
fn parts(surface: &SceneSurface) -> Value {
    let bytes = &surface.topology;
    let letters = u32::from_le_bytes(bytes[20..24].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[bytes.len() - letters..]).unwrap()
}

/// What bodies of [`SCENE`] may meet: one of each way to move.
const COLLIDERS: &str = r#"
[[collider]]
name = "floor"
shape = "plane"
point = [0, 0, "-1 m"]
normal = [0, 0, 2]
[[collider]]
name = "ball"
shape = "sphere"
center = [2, 0, 0]
radius = 0.5
thickness = "1 cm"
move = [1, 0, 0]
over = "1 s"
[[collider]]
name = "finger"
shape = "capsule"
from = [0.2, 0.2, 1]
to = [0.2, 0.2, 2]
radius = 0.1
carried_by = { body = "block", bone = "core" }
"#;

#[test]
fn colliders_of_a_scene_are_told() {
    let told = &parts(&surface(&format!("{SCENE}{COLLIDERS}")))["colliders"];
    let [floor, ball, finger] = &told.as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&floor["name"], &floor["shape"]["kind"]), (&"floor".into(), &"plane".into()));
    assert_eq!(floor["origin"], serde_json::json!([0.0, 0.0, -1.0]));
    let axes: [[f64; 3]; 3] = serde_json::from_value(floor["axes"].clone()).unwrap();
    assert_eq!(axes[2], [0.0, 0.0, 1.0], "its own z leads towards the bodies");
    assert_eq!(ball["shape"], serde_json::json!({ "kind": "sphere", "radius": 0.5 }));
    assert_eq!(
        (&ball["thickness"], &ball["moves"], &ball["bone"]),
        (&0.01.into(), &true.into(), &Value::Null)
    );
    assert_eq!(finger["shape"], serde_json::json!({ "kind": "capsule", "radius": 0.1, "half": 0.5 }));
    assert_eq!((&finger["moves"], &finger["bone"]), (&false.into(), &0.into()));
}

/// A shape that stands still, or moves by a script.
fn collider(shape: ColliderShape, carrier: Carrier) -> Collider {
    Collider {
        name: "c".into(),
        shape,
        axes: Mat3::identity(),
        origin: [1.0, 0.0, 0.0],
        carrier,
        friction: 0.0,
        thickness: 0.01,
        restitution: None,
        stiffness: None,
    }
}

#[test]
fn colliders_are_told_with_what_moves_them() {
    let moving = Motion::Carry { shift: [0.0, 0.0, 1.0], turn: None, over: 1.0 };
    let part = collider_part(&collider(ColliderShape::Sphere { radius: 0.5 }, Carrier::Script(moving)));
    assert_eq!(
        (part.shape, part.origin, part.thickness),
        (ShapePart::Sphere { radius: 0.5 }, [1.0, 0.0, 0.0], 0.01)
    );
    assert_eq!((part.moves, part.bone), (true, None));
    let part = collider_part(&collider(ColliderShape::Plane, Carrier::Bone(3)));
    assert_eq!((part.moves, part.bone), (false, Some(3)));
    let part = collider_part(&collider(ColliderShape::Plane, Carrier::Script(Motion::Still)));
    assert_eq!((part.moves, part.bone), (false, None));
}

#[test]
fn only_what_moves_by_a_script_has_poses() {
    let turn = Turn { axis: [0.0, 0.0, 1.0], angle: FRAC_PI_2, center: [0.0; 3] };
    let moving = Motion::Carry { shift: [0.0, 0.0, 2.0], turn: Some(turn), over: 1.0 };
    let shape = ColliderShape::Box { half: [0.1; 3] };
    let carriers = [Carrier::Script(Motion::Still), Carrier::Script(moving), Carrier::Bone(0)];
    let all = carriers.map(|carrier| collider(shape.clone(), carrier));
    let [pose] = poses(&all, 1.0)[..] else { panic!("one of them moves") };
    // a quarter turn about z takes (1, 0, 0) to (0, 1, 0), and then it goes up
    let expected = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 2.0]];
    let gap = |c: usize| norm(std::array::from_fn(|i| pose[c][i] - expected[c][i]));
    assert!((0..4).all(|c| gap(c) < 1e-12), "{pose:?}");
    assert_eq!(poses(&all, 0.0)[0][3], [1.0, 0.0, 0.0]);
}

#[test]
fn bones_hinges_and_ties_are_told() {
    let surface = surface(SCENE);
    let parts = parts(&surface);
    assert_eq!(parts["colliders"], serde_json::json!([]));
    let bone = &parts["bones"][0];
    assert_eq!((bone["name"].as_str(), parts["bones"].as_array().unwrap().len()), (Some("core"), 1));
    assert_eq!(bone["hinge"], serde_json::json!({ "point": [0.2, 0.2, 0.2], "axis": [0.0, 1.0, 0.0] }));
    // all nodes of 2 x 2 x 2 cells but the middle one, and two triangles for each of the 24 outer faces
    assert_eq!(bone["rest"].as_array().unwrap().len(), 26);
    let triangles: Vec<[usize; 3]> = serde_json::from_value(bone["triangles"].clone()).unwrap();
    assert_eq!(triangles.len(), 48);
    // closed: every edge is there once in each direction
    let mut edges = BTreeMap::new();
    for [a, b, c] in triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    assert!(edges.iter().all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a))));
    // the 3 x 3 nodes at the bottom of the plate
    let tied: Vec<u32> = serde_json::from_value(parts["tied"].clone()).unwrap();
    assert_eq!(tied.len(), 9);
    assert!(tied.iter().all(|vertex| surface.body_of(*vertex) == 1));
}

#[test]
fn the_masters_of_a_bone_carry_its_surface() {
    let surface = surface(SCENE);
    let layout = surface.model().layout();
    assert_eq!(surface.masters.len(), 4);
    let told: Vec<[f64; 3]> = serde_json::from_value(parts(&surface)["bones"][0]["masters"].clone()).unwrap();
    for (node, place) in surface.masters.iter().zip(told) {
        assert_eq!(layout.rest_of(*node), place);
    }
}

#[test]
fn a_body_of_springs_tells_how_many() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/cloth.toml")).unwrap();
    let card = serde_json::to_value(body_cards(surface(&text).model())).unwrap();
    // a grid of 24 x 24 cells has 25 x 25 particles and 2 x 24 x 25 sides; what else it has are angle springs
    assert_eq!((&card[0]["nodes"], &card[0]["elements"]), (&625.into(), &0.into()));
    assert!(card[0]["springs"].as_u64().unwrap() >= 1200, "{card}");
}
