//! Every key of the scene file, read back as the value it stands for.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

#[path = "scene_keys/contact.rs"]
mod contact;
#[path = "scene_keys/networks.rs"]
mod networks;

use pliant_scene::Scene;
use pliant_scene::spec::*;
use pliant_scene::units::si_array;

/// The example of the design, with the keys that exist.
const EXAMPLE: &str = r#"
title = "A soft bar bends under its own weight"
duration = "4 s"
gravity = [0.0, 0.0, -9.81]

[integrator]
method = "explicit"
step = "auto"              # or "1 ms"

[material.rubber]
law = "st-venant"          # linear | st-venant | neo-hookean
young = "100 kPa"
poisson = 0.33
density = "1000 kg/m^3"
damping = { mass = 0.5 }   # 1/s; and stiffness, in s

[body.bar]
material = "rubber"
mesh = { shape = "box", size = ["1 m", "0.3 m", "0.3 m"], cells = [10, 3, 3], element = "tet" }

[[body.bar.fix]]
where = { box = { min = [-0.01, -1, -1], max = [0.01, 1, 1] } }

[[body.bar.load]]
where = { plane = { point = [1, 0, 0], normal = [1, 0, 0], tolerance = "1 mm" } }
traction = ["0 Pa", "0 Pa", "-500 Pa"]

[[grab]]
body = "bar"
at = [1.0, 0.15, 0.3]
path = [["0 s", [1.0, 0.15, 0.3]], ["1 s", [1.0, 0.15, 0.8]]]
release = "1.5 s"

[[probe]]
name = "tip"
body = "bar"
at = [1.0, 0.15, 0.15]

[output]
frames_per_second = 30
formats = ["vtu"]
"#;

const EVERY_KEY: &str = r#"
title = "All"
description = "Every key once."
duration = "2 s"
gravity = [0, 0, "-981 cm/s^2"]
on_divergence = "freeze"

[integrator]
method = "explicit"
step = "1 ms"
safety = 0.9
damping = "full"
lengths = "any"
precision = "single"

[material.a]
law = "linear"
young = "1 MPa"
poisson = 0.3
density = "1 g/cm^3"
damping = { mass = "0.5 1/s", stiffness = "1 ms" }

[material.b]
law = "neo-hookean"
young = 5e4
poisson = 0
density = 900

[material.c]
law = "warped"
young = 5e4
poisson = 0
density = 900
warp = { field = "frames", rotations = "mixed" }

[body.one]
material = "a"
mesh = { shape = "box", size = ["10 cm", 0.2, 0.3], cells = [1, 2, 3], element = "tet6" }
position = [0, "1 cm", 0]
rotation = { axis = [0, 1, 0], angle = "90 deg" }
velocity = ["36 km/h", 0, 0]
angular_velocity = [0, 0, "180 deg/s"]
mass = "consistent"
inside_out = "allowed"

[[body.one.fix]]
name = "clamp"
where = "all"
axes = "xz"
move = ["1 cm", 0, "-2 cm"]
over = "1 s"
release = "1.5 s"

[[body.one.fix]]
where = { sphere = { center = [0, 0, 0], radius = "1 cm" } }
turn = { axis = [0, 0, 1], angle = "60 deg", center = [0.5, 0, 0] }
over = 1

[[body.one.fix]]
where = { group = "base" }
sine = { amplitude = [0, 0, "1 cm"], frequency = "2 Hz", phase = "90 deg" }

[[body.one.fix]]
where = { nodes = [0, 3, 5] }
table = [["0 s", [0, 0, 0]], ["0.5 s", [0, 0, "1 mm"]]]

[[body.one.load]]
where = { all = true }
force = [0, 0, "5 N"]
over = "0.1 s"
release = 1

[[body.one.load]]
name = "breath"
where = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
pressure = "2 kPa"
sine = { frequency = "0.2 Hz", phase = "90 deg", mean = 1 }

[[body.one.load]]
where = "all"
body_force = [0, 0, "-1 kN/m^3"]
table = [["0 s", 0], ["1 s", "50 %"]]

[[body.one.initial]]
strain = [0.01, 0, 0, 0, 0, "2 %"]
stress = ["1 kPa", 0, 0, 0, 0, 0]

[body.two]
material = "b"
mesh = { file = "liver.msh", scale = "1 mm" }

[body.ring]
material = "b"
mesh = { shape = "torus", radius = "10 cm", tube = "3 cm", sections = 20, rim = 8 }
surface = { file = "ring.obj", scale = "1 cm" }
contact = { thickness = "1 mm", surface = "mesh" }

[body.pipe]
material = "b"
mesh = { shape = "tube", inner = "1 cm", outer = "2 cm", height = "5 cm", cells = [16, 2, 8], element = "hex" }

[body.rod]
material = "b"
mesh = { shape = "cylinder", radius = "2 cm", height = "5 cm", cells = [4, 10] }

[body.ball]
material = "b"
mesh = { shape = "sphere", radius = "5 cm", cells = 8, element = "hex" }

[network.n]
law = "warped"
stiffness = "10 N/m"
damping = "0.1 N s/m"
drag = "0.2 N s/m"
mass = "50 g"
warp = { rotations = "body" }

[network.cloth]
stiffness = 10
relaxation = "1 ms"
angle = "2 N m/rad"
bend = 1
mass = 1

[network.solid]
young = "1 kPa"
density = 900

[body.net]
network = "n"
mesh = { particles = [[0, 0, 0], ["1 cm", 0, 0]], springs = [[0, 1], { between = [0, 1], stiffness = 1, damping = 2, length = 3 }] }

[body.sheet]
network = "cloth"
mesh = { shape = "grid", size = ["1 m", 2], cells = [3, 4] }

[[collider]]
name = "floor"
shape = "plane"
point = [0, 0, "-1 m"]
normal = [0, 0, 2]
friction = "50 %"

[[collider]]
shape = "sphere"
center = [0, 0, "-60 cm"]
radius = "5 cm"
thickness = "1 mm"
move = [0, 0, "1 cm"]
turn = { axis = [0, 0, 1], angle = "90 deg", center = [0, 0, 0] }
over = "1 s"

[[collider]]
shape = "capsule"
from = [0, 0, -1]
to = [0, "10 cm", -1]
radius = "1 cm"
sine = { amplitude = [0, 0, "1 mm"], frequency = "3 Hz" }

[[collider]]
shape = "box"
center = [0, 0, -2]
size = [1, 2, "30 cm"]
rotation = { axis = [0, 1, 0], angle = "30 deg" }
stiffness = "2e8 Pa/m"
table = [["0 s", [0, 0, 0]], ["1 s", [0, 0, "1 cm"]]]

[[collider]]
shape = "mesh"
file = "tool.stl"
scale = "1 mm"
position = [0, 0, -3]
rotation = { axis = [0, 0, 1], angle = "45 deg" }
carried_by = { body = "dome", bone = "core" }

[contact]
response = "penalty"
stiffness = "100 kPa/mm"
allow_overlap = true

[body.dome]
material = "b"
mesh = { shape = "hemisphere", radius = "5 cm", cells = 4, element = "tet" }

[[body.dome.bone]]
name = "core"
where = { deeper = "1 cm" }

[[body.two.initial]]
where = { box = { min = [0, 0, 0], max = [1, 1, 1] } }
relaxed = [[1.1, 0, 0], [0, 1, 0], [0, 0, 1]]

[[grab]]
name = "hand"
body = "two"
at = [0, 0, 0]
path = [[0, [0, 0, 0]]]
stiffness = "500 N/m"
damping = "0.5 N s/m"
max_force = "3 N"

[[probe]]
name = "p"
body = "one"
at = ["1 cm", 0, 0]

[view]
field = "von-mises"
camera = { from = [1, "-2 m", 0.5], to = [0, 0, "10 cm"] }

[output]
frames_per_second = 0
formats = []
csv_comments = true
"#;

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.toml").unwrap_or_else(|e| panic!("{e}")).0
}

#[test]
fn the_example_of_the_design_is_a_scene() {
    let scene = scene(EXAMPLE);
    assert_eq!(scene.duration.si(), 4.0);
    assert_eq!(scene.gravity_si(), [0.0, 0.0, -9.81]);
    assert_eq!(*scene.integrator.step, Step::Auto);
    assert_eq!(scene.integrator.safety.si(), 0.96);
    let Mesh::Shape(Shape::Box { size, cells, element }) = &*scene.body["bar"].mesh else { panic!("no box") };
    assert_eq!((si_array(size), **cells, *element), ([1.0, 0.3, 0.3], [10, 3, 3], Element::Tet));
    assert_eq!(warnings(&scene, &pliant_scene::Source::new("x.toml", EXAMPLE)), []);
}

#[test]
fn materials_and_poses_have_their_values() {
    let scene = scene(EVERY_KEY);
    assert_eq!(scene.gravity_si(), [0.0, 0.0, -9.81]);
    assert_eq!(scene.on_divergence, OnDivergence::Freeze);
    assert_eq!(scene.integrator.precision, Precision::Single);
    let Step::Fixed(step) = *scene.integrator.step else { panic!("auto") };
    assert_eq!((step.si(), scene.integrator.safety.si()), (1e-3, 0.9));
    let a = &scene.material["a"];
    assert_eq!((a.law, a.young.si(), a.density.si()), (Law::Linear, 1e6, 1000.0));
    assert_eq!((a.damping.mass.si(), a.damping.stiffness.si()), (0.5, 1e-3));
    let warp = Warp { field: Some(RotationField::Frames), rotations: Rotations::Mixed };
    assert_eq!((scene.material["c"].law, scene.material["c"].warp.as_deref()), (Law::Warped, Some(&warp)));
    let one = &scene.body["one"];
    assert_eq!(si_array(&one.velocity), [10.0, 0.0, 0.0]);
    assert_eq!((si_array(&one.angular_velocity)[2] - std::f64::consts::PI).abs(), 0.0);
    assert_eq!(*one.mass, Mass::Consistent);
    let Mesh::File { file, scale } = &*scene.body["two"].mesh else { panic!("not a file") };
    assert_eq!((file.as_str(), scale.si()), ("liver.msh", 1e-3));
    let Some(Mesh::File { file, scale }) = scene.body["ring"].surface.as_deref() else {
        panic!("no surface")
    };
    assert_eq!((file.as_str(), scale.si()), ("ring.obj", 1e-2));
    assert_eq!(scene.body["two"].surface, None);
    assert_eq!(scene.output.formats, []);
    assert_eq!(scene.grab[0].max_force.as_ref().unwrap().si(), 3.0);
}

#[test]
fn fixes_loads_and_initial_states_have_their_kinds() {
    let scene = scene(EVERY_KEY);
    let fix = &scene.body["one"].fix;
    assert_eq!(fix[0].axes.mask(), [true, false, true]);
    let Motion::Carry { displacement, turn: None, over } = &fix[0].motion else { panic!("not carried") };
    assert_eq!((si_array(displacement), over.si()), ([0.01, 0.0, -0.02], 1.0));
    assert!(matches!(fix[1].motion, Motion::Carry { turn: Some(_), .. }));
    assert!(matches!(&fix[2].motion, Motion::Sine(sine) if sine.frequency.si() == 2.0));
    assert!(matches!(&fix[3].motion, Motion::Table(table) if table[1].vector[2].si() == 1e-3));
    assert_eq!(*fix[3].region, Region::Nodes(vec![0, 3, 5]));
    let load = &scene.body["one"].load;
    assert_eq!(*load[0].region, Region::All);
    assert!(matches!(load[0].kind, LoadKind::Force(force) if force[2].si() == 5.0));
    assert!(matches!(load[1].kind, LoadKind::Pressure(pressure) if pressure.si() == 2000.0));
    assert!(matches!(load[2].kind, LoadKind::BodyForce(force) if force[2].si() == -1000.0));
    assert_eq!(
        (fix[0].name.as_ref().unwrap().as_str(), load[1].name.as_ref().unwrap().as_str()),
        ("clamp", "breath")
    );
    assert_eq!((&fix[1].name, &load[0].name), (&None, &None));
    let Some(LoadScript::Sine(sine)) = &load[1].script else { panic!("no sine") };
    assert_eq!((sine.frequency.si(), sine.mean.si()), (0.2, 1.0));
    let Some(LoadScript::Table(table)) = &load[2].script else { panic!("no table") };
    assert_eq!((table[1].time.si(), table[1].factor.si()), (1.0, 0.5));
    assert_eq!(scene.grab[0].name.as_ref().unwrap().as_str(), "hand");
    assert!(scene.output.csv_comments);
    let InitialKind::Additive { strain, stress, .. } = &scene.body["one"].initial[0].kind else { panic!() };
    assert_eq!((strain[5].si(), stress[0].si()), (0.02, 1000.0));
    assert!(matches!(scene.body["two"].initial[0].kind, InitialKind::Relaxed(_)));
}

#[test]
fn spans_point_at_the_values() {
    let (scene, source) = Scene::parse(EXAMPLE, "test.toml").unwrap();
    let text = |span: std::ops::Range<usize>| &source.text[span];
    assert_eq!(text(scene.material["rubber"].young.span()), "\"100 kPa\"");
    assert_eq!(text(scene.body["bar"].material.as_ref().unwrap().span()), "\"rubber\"");
    assert_eq!(text(scene.probe[0].at.span()), "[1.0, 0.15, 0.15]");
    assert!(text(scene.body["bar"].fix[0].region.span()).starts_with("{ box ="));
    assert!(text(scene.body["bar"].mesh.span()).starts_with("{ shape ="));
}

#[test]
fn the_schema_describes_the_keys() {
    let schema = schema();
    assert_eq!(schema["title"], "Pliant scene");
    assert_eq!(schema["additionalProperties"], false);
    let definitions = &schema["$defs"];
    assert_eq!(definitions["Pressure"]["examples"][0], "100 kPa");
    let material = &definitions["Material"]["properties"];
    assert_eq!(material["young"]["description"], "Young's modulus, above 0.");
    assert!(definitions["Mesh"]["properties"]["cells"].is_object(), "{definitions:#}");
    assert!(definitions["Fix"]["properties"]["move"].is_object());
    assert!(definitions["Body"]["properties"]["surface"].is_object());
    assert!(definitions["Body"]["properties"]["contact"].is_object());
    let collider = &definitions["Collider"]["properties"];
    assert!(collider["carried_by"].is_object() && collider["turn"].is_object(), "{collider:#}");
    assert_eq!(collider["friction"]["default"], serde_json::json!(null), "{collider:#}");
    assert!(schema["properties"]["contact"].is_object());
    assert!(definitions["Region"]["anyOf"][1]["properties"]["box"].is_object());
    assert!(schema_text().ends_with("}\n"));
}

#[test]
fn a_view_names_its_field_and_camera_and_is_checked() {
    let view = scene(EVERY_KEY).view;
    assert_eq!(view.field, Some(ViewField::VonMises));
    let camera = view.camera.unwrap();
    assert_eq!((si_array(&camera.from), si_array(&camera.to)), ([1.0, -2.0, 0.5], [0.0, 0.0, 0.1]));
    assert_eq!(scene(EXAMPLE).view, View::default());
    let refused = |view: &str| {
        Scene::parse(&format!("{EXAMPLE}\n[view]\n{view}\n"), "test.toml").unwrap_err().to_string()
    };
    let same = refused("camera = { from = [1, 2, 3], to = [1, 2, 3] }");
    assert!(same.contains("looks at the same place") && same.contains("middle of the body"), "{same}");
    assert!(refused("field = \"von_mises\"").contains("von-mises"));
    assert!(refused("camera = { from = [1, 2, 3] }").contains("`to`"));
    assert!(refused("camera = { from = [1, 2, 3], to = [0, 0, 0], up = [0, 1, 0] }").contains("`up`"));
}
