//! Colliders and contact in scenes: what they become, and what is said of those that cannot be.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_numerics::Mat3;
use pliant_scene::spec::Response as Word;
use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, compile};
use pliant_solid::Motion;
use pliant_solid::contact::{Carrier, Collider, ColliderShape, Response};

/// A cube of 10 cm from the origin, ten lines; colliders come after it.
const CUBE: &str = r#"duration = "1 s"
[material.m]
law = "corotated"
young = "100 kPa"
poisson = 0.3
density = 1000
[body.cube]
material = "m"
mesh = { shape = "box", size = [0.1, 0.1, 0.1], cells = [2, 2, 2], element = "hex" }
contact = { thickness = 0 }
"#;

const FLOOR: &str =
    "[[collider]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";

fn tried_in(folder: &std::path::Path, text: &str) -> Result<Compiled, String> {
    let (scene, source) = Scene::parse(text, "x.toml").map_err(|e| e.to_string())?;
    let loaded = LoadedScene { scene, source, folder: folder.into() };
    compile(&loaded, CompileOptions::default()).map_err(|e| e.to_string())
}

fn compiled(text: &str) -> Compiled {
    tried_in(".".as_ref(), text).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str) -> String {
    tried_in(".".as_ref(), text).err().unwrap_or_else(|| panic!("accepted:\n{text}"))
}

/// What is said of the cube with more lines.
fn said(lines: &str) -> String {
    refused(&format!("{CUBE}{lines}"))
}

#[test]
fn shapes_stand_where_the_scene_puts_them() {
    let colliders = "[[collider]]\nshape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 3]\nfriction = 0.5\nthickness = \"1 mm\"\nrestitution = 0.5\n\
        [[collider]]\nshape = \"sphere\"\ncenter = [0, 0, 1]\nradius = 0.2\nmove = [0, 0, \"-1 cm\"]\nover = 1\n\
        [[collider]]\nshape = \"capsule\"\nfrom = [1, 0, 0]\nto = [1, 0.4, 0]\nradius = 0.1\n\
        [[collider]]\nshape = \"box\"\ncenter = [-1, 0, 0]\nsize = [0.2, 0.4, 0.6]\nrotation = { axis = [0, 0, 1], angle = \"90 deg\" }\n";
    let made = compiled(&format!("{CUBE}{colliders}"));
    let [plane, sphere, capsule, block] = made.model.colliders() else { panic!("four") };
    assert_eq!(
        (plane.name.as_str(), &plane.shape, plane.axes),
        ("collider 1", &ColliderShape::Plane, Mat3::identity())
    );
    assert_eq!((plane.friction, plane.thickness, plane.restitution), (0.5, 1e-3, Some(0.5)));
    // distances at the start
    let from = |own: &Collider, place: [f64; 3]| {
        let arm = std::array::from_fn(|c| place[c] - own.origin[c]);
        own.shape.distance(own.axes.transpose().mul_vec(arm)).0
    };
    assert!((from(plane, [5.0, 5.0, 0.0]) - 1.0).abs() < 1e-15);
    let Carrier::Script(Motion::Carry { shift, over, .. }) = &sphere.carrier else { panic!("still") };
    assert_eq!((*shift, *over), ([0.0, 0.0, -0.01], 1.0));
    assert!((from(sphere, [0.0, 0.0, 0.0]) - 0.8).abs() < 1e-15);
    for (place, gap) in [([1.0, 0.2, 0.3], 0.2), ([1.0, 0.7, 0.0], 0.2), ([1.0, -0.2, 0.0], 0.1)] {
        assert!((from(capsule, place) - gap).abs() < 1e-15, "{place:?}");
    }
    // a quarter of a turn about z: 0.4 m along x, 0.2 m along y
    for (place, gap) in [([-1.3, 0.0, 0.0], 0.1), ([-1.0, 0.3, 0.0], 0.2), ([-1.0, 0.0, 0.4], 0.1)] {
        assert!((from(block, place) - gap).abs() < 1e-15, "{place:?}");
    }
    assert!(made.warnings.is_empty() && made.overlaps.is_empty(), "{:?}", made.warnings);
}

#[test]
fn the_response_is_the_scenes_or_the_methods() {
    let made = compiled(&format!("{CUBE}{FLOOR}"));
    assert_eq!((made.model.contact_settings().response, made.response), (None, Word::Constraint));
    let smooth = compiled(&format!("{CUBE}{FLOOR}[contact]\nresponse = \"constraint-smooth\"\n"));
    assert_eq!(smooth.model.contact_settings().response, Some(Response::Smooth));
    let penalty = compiled(&format!(
        "{CUBE}{FLOOR}stiffness = 5e8\n[contact]\nresponse = \"penalty\"\nstiffness = \"1e8 Pa/m\"\n"
    ));
    assert_eq!(penalty.model.contact_settings().stiffness, Some(1e8));
    assert_eq!(penalty.model.colliders()[0].stiffness, Some(5e8));
    let newmark = format!("{CUBE}[integrator]\nmethod = \"newmark\"\nstep = \"1 ms\"\n");
    let (scene, _) = Scene::parse(&newmark, "x.toml").unwrap();
    assert_eq!(scene.response(), Word::Penalty);
}

#[test]
fn what_is_seen_touches_unless_the_body_says_otherwise() {
    let fine = "surface = { shape = \"sphere\", radius = 0.05, cells = 2 }\n";
    let seen = CUBE.replace("contact = { thickness = 0 }", "position = [0, 0, 1]") + fine;
    let made = compiled(&format!("{seen}{FLOOR}"));
    let surface = made.model.surface();
    assert!(surface.vertices().len() > 20 && surface.vertices().iter().all(|vertex| vertex.node.is_none()));
    assert_eq!(surface.vertices().len(), made.surfaces[0].as_ref().unwrap().vertex_count());
    let cells = compiled(&format!("{seen}contact = {{ surface = \"mesh\", thickness = \"2 mm\" }}\n{FLOOR}"));
    assert_eq!(cells.model.surface().vertices().len(), 26, "of 27 nodes");
    assert_eq!(cells.model.skin_thickness(pliant_solid::BodyId(0)), 2e-3);
}

#[test]
fn a_bone_carries_a_collider() {
    let bone = "[[body.cube.bone]]\nname = \"core\"\nwhere = \"all\"\n";
    let ball = "[[collider]]\nshape = \"sphere\"\ncenter = [0, 0, 1]\nradius = 0.1\n";
    let carried = |by: &str| format!("{CUBE}{bone}{ball}carried_by = {by}\n");
    for by in ["{ body = \"cube\" }", "{ body = \"cube\", bone = \"core\" }"] {
        assert_eq!(compiled(&carried(by)).model.colliders()[0].carrier, Carrier::Bone(0), "{by}");
    }
    // what it is a part of is not what it meets
    let inside = carried("{ body = \"cube\" }").replace("center = [0, 0, 1]", "center = [0.05, 0.05, 0.05]");
    assert!(compiled(&inside).overlaps.is_empty());
    for (by, words) in [
        ("{ body = \"cub\" }", "`body` is \"cub\", which this scene does not define; did you mean \"cube\"?"),
        (
            "{ body = \"cube\", bone = \"cor\" }",
            "`bone` is \"cor\", which body \"cube\" does not have; did you mean \"core\"?",
        ),
        (
            "{ body = \"cube\" }\nmove = [1, 0, 0]\nover = 1",
            "has `carried_by` and a motion; a bone moves it, or a script: keep one",
        ),
        ("{ bone = \"core\" }", "missing key `body` in [collider.carried_by]; add body"),
    ] {
        let text = refused(&carried(by));
        assert!(text.contains(words), "{text}");
    }
    let none = said(&format!("{ball}carried_by = {{ body = \"cube\" }}\n"));
    assert!(
        none.contains(
            "body \"cube\" has no bone that could carry a collider; make it rigid: [[body.cube.bone]]"
        ),
        "{none}"
    );
    let two = bone.replace("\"all\"", "{ nodes = [0] }") + &bone.replace("core", "rim");
    let which = refused(&format!("{CUBE}{two}{ball}carried_by = {{ body = \"cube\" }}\n"));
    assert!(which.contains("body \"cube\" has 2 bones; name one: bone = \"core\" or \"rim\""), "{which}");
}

#[test]
fn a_wall_is_refused_with_the_collider_to_write() {
    assert_eq!(
        said("[[wall]]\npoint = [0, 0, \"-1 m\"]\nnormal = [0, 0, 1]\nrestitution = 0.5\n"),
        "x.toml:11:1: a wall is a collider of shape \"plane\"; write in its place\n\
         [[collider]]\nshape = \"plane\"\npoint = [0, 0, \"-1 m\"]\nnormal = [0, 0, 1]\nrestitution = 0.5"
    );
    // what a wall was without the key
    assert!(
        said("[[wall]]\npoint = [0, 0, -1]\nnormal = [1, 0, 1]\n")
            .ends_with("normal = [1, 0, 1]\nrestitution = 1")
    );
    // each for itself, and other faults of the file too
    let two = said("velocity = [1, 0]\n[[wall]]\npoint = [1, 0, 0]\n[[wall]]\npoint = [2, 0, 0]\n");
    assert_eq!(two.matches("a wall is a collider").count(), 2, "{two}");
    assert!(two.contains("point = [2, 0, 0]") && two.contains("`velocity` in [body.cube]"), "{two}");
    assert!(said("[wall]\npoint = [3, 0, 0]\n").contains("point = [3, 0, 0]"));
    // the lines that it prints are a scene
    let walled = "[[wall]]\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\nrestitution = 0\n";
    let told = said(walled);
    let lines = &told[told.find("[[collider]]").unwrap()..];
    assert_eq!(compiled(&format!("{CUBE}{lines}\n")).model.colliders()[0].restitution, Some(0.0));
}

#[test]
fn colliders_are_checked() {
    let plane = |keys: &str| said(&format!("{FLOOR}{keys}"));
    let other = |keys: &str| said(&format!("[[collider]]\n{keys}"));
    for (text, words) in [
        (plane("friction = -0.1"), "x.toml:16:12: `friction` is -0.1; it must be 0 or above"),
        (plane("thickness = \"-1 mm\""), "x.toml:16:13: `thickness` is -0.001 m; it must be 0 or above"),
        (
            plane("restitution = 1.5"),
            "x.toml:16:15: `restitution` is 1.5; it must be 0 to 1: the part of the speed that comes back",
        ),
        (
            plane("stiffness = 1e8"),
            "`stiffness` has no meaning with response = \"constraint\"; leave it out, or use response = \"penalty\" in [contact]",
        ),
        (
            plane("[contact]\nresponse = \"penalty\"\nstiffness = 0"),
            "`stiffness` is 0 Pa/m; it must be above 0, such as \"1e8 Pa/m\"",
        ),
        (
            plane("[contact]\nresponse = \"penalty\"\nstiffness = \"1 N/m\""),
            "`1 N/m` is a stiffness; `stiffness` needs a pressure per depth such as \"1e8 Pa/m\"",
        ),
        (
            plane("move = [0, 0, 1]"),
            "x.toml:11:1: collider `floor` has `move` without `over`, the time it takes; add over = \"1 s\"",
        ),
        (
            plane("move = [0, 0, 1]\nsine = { amplitude = [0, 0, 1], frequency = 1 }"),
            "has both `move` and `sine`; keep one motion, the other into a collider of its own",
        ),
        (
            plane("table = [[0, [0, 0, 1]]]"),
            "`table` does not begin at rest; it starts where its shape stands: begin with [\"0 s\", [0, 0, 0]]",
        ),
        (
            plane("radius = 1"),
            "x.toml:11:1: `collider`: has `radius`, which a plane does not take; write shape = \"plane\", point = [0, 0, 0], normal = [0, 0, 1]",
        ),
        (plane("fricton = 1"), "x.toml:16:1: unknown key `fricton` in [collider]; did you mean `friction`?"),
        (plane("name = \"a\""), "duplicate key"),
        (
            said(&FLOOR.replace("normal = [0, 0, 1]", "normal = [0, 0, 0]")),
            "x.toml:15:10: `normal` is [0, 0, 0]; give a direction, such as [0, 0, 1]",
        ),
        (
            said(&FLOOR.replace("normal = [0, 0, 1]\n", "")),
            "x.toml:11:1: `collider`: lacks `normal` of the plane; write shape = \"plane\"",
        ),
        (
            said(&FLOOR.repeat(2)),
            "x.toml:17:8: a second fix, load, grab or collider is named \"floor\"; rows of forces.csv are known by their names",
        ),
        (said(&FLOOR.replace("\"floor\"", "\"a,b\"")), "`name` of a fix, load, grab or collider is \"a,b\""),
        (
            other("point = [0, 0, 0]"),
            "x.toml:11:1: missing key `shape` in [collider]; add shape = \"plane\" with `point` and `normal`",
        ),
        (
            other("shape = \"cone\""),
            "x.toml:12:9: `shape` in [collider] is \"cone\", which is not known; known are `plane`, `sphere`, `capsule`, `box`, `mesh`",
        ),
        (other("shape = \"spere\""), "did you mean `sphere`?"),
        (
            other("shape = \"sphere\"\ncenter = [0, 0, -1]\nradius = \"-1 cm\""),
            "x.toml:14:10: `radius` is -0.01 m; it must be above 0, such as \"1 mm\"",
        ),
        (
            other("shape = \"capsule\"\nfrom = [0, 0, 1]\nto = [0, 0, 1]\nradius = 1"),
            "`from` and `to` of the capsule are both [0.0, 0.0, 1.0] m; give it two ends, or use shape = \"sphere\"",
        ),
        (
            other("shape = \"box\"\ncenter = [0, 0, -1]\nsize = [1, 0, 1]"),
            "`size` of the box is [1.0, 0.0, 1.0] m; each edge must be above 0",
        ),
        (
            other(
                "shape = \"box\"\ncenter = [0, 0, -1]\nsize = [1, 1, 1]\nrotation = { axis = [0, 0, 0], angle = 1 }",
            ),
            "`rotation.axis` is [0, 0, 0]",
        ),
        (
            other("shape = \"mesh\"\nfile = \"\""),
            "`file` is empty; give the path of a closed surface, relative to the scene file",
        ),
        (other("shape = \"mesh\"\nfile = \"nowhere.stl\""), "nowhere.stl"),
        (
            said("[collider]\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]"),
            "there may be many: write [[collider]], in double brackets",
        ),
    ] {
        assert!(text.contains(words), "{words}\n  not in:\n{text}");
    }
}

#[test]
fn rules_of_contact_are_checked() {
    let contact = |keys: &str| said(&format!("[contact]\n{keys}\n"));
    for word in ["multipliers", "springs"] {
        assert_eq!(
            contact(&format!("response = \"{word}\"")),
            format!(
                "x.toml:12:12: `response` in [contact] is \"{word}\", which is not known; known are `constraint`, `constraint-smooth`, `penalty`"
            )
        );
    }
    assert!(contact("self = true").contains(
        "unknown key `self` in [contact]; known keys are `response`, `stiffness`, `allow_overlap`"
    ));
    assert!(contact("respnse = \"penalty\"").contains("did you mean `response`?"));
    let newmark =
        |lines: &str| refused(&format!("{CUBE}[integrator]\nmethod = \"newmark\"\nstep = \"1 ms\"\n{lines}"));
    let text = newmark("[contact]\nresponse = \"constraint\"\n");
    assert!(text.contains("`response` is \"constraint\", which steps of method = \"newmark\" do not have; use response = \"penalty\""), "{text}");
    let text = newmark(&format!("{FLOOR}restitution = 0.5\n"));
    assert!(text.contains("`restitution` has no meaning with method = \"newmark\"; leave it out, or use method = \"explicit\""), "{text}");
    let text = said(&format!("{FLOOR}restitution = 0.5\n[contact]\nresponse = \"penalty\"\n"));
    assert!(text.contains("`restitution` has no meaning with response = \"penalty\"; leave it out, or use response = \"constraint\""), "{text}");
    let body = |keys: &str| {
        refused(&CUBE.replace("contact = { thickness = 0 }", &format!("contact = {{ {keys} }}")))
    };
    assert!(body("thickness = -1").contains("`contact.thickness` is -1 m; it must be 0 or above"));
    assert!(
        body("surface = \"embedded\"")
            .contains("`contact.surface` is \"embedded\", and body \"cube\" has no `surface`; add surface")
    );
    assert!(body("surface = \"fine\"").contains("known are `mesh`, `embedded`"));
}

#[test]
fn bodies_that_begin_inside_colliders_are_told_where() {
    let low = CUBE.replace("contact = { thickness = 0 }", "position = [0, 0, \"-2 cm\"]");
    let text = refused(&format!("{low}{FLOOR}"));
    assert_eq!(
        text,
        "x.toml:11:1: 9 points of body `cube` begin inside collider `floor`, the deepest at (0, 0, -0.02) m, 20 mm deep; \
         move one of them, or write allow_overlap = true in [contact]: then the body is pushed out gently"
    );
    let allowed = compiled(&format!("{low}{FLOOR}[contact]\nallow_overlap = true\n"));
    assert_eq!((allowed.overlaps.len(), allowed.overlaps[0].depth), (9, 0.02));
    // the whole of it: the plane faces the other way
    let wrong = refused(&format!(
        "{}{}",
        CUBE.replace("contact = { thickness = 0 }", "position = [0, 0, -1]"),
        FLOOR
    ));
    assert!(
        wrong.contains("26 points of body `cube` begin inside collider `floor`")
            && wrong.contains("1 m deep"),
        "{wrong}"
    );
    assert!(wrong.contains("all of it is behind the plane, whose `normal` points to where bodies are: write normal = [0, 0, -1], or move one of them"), "{wrong}");
    // where thickness is what overlaps, it is named
    let thick = said(&format!("{FLOOR}thickness = \"1 mm\"\n"));
    assert!(thick.contains("9 points") && thick.contains("1 mm deep (`thickness` counts, 1 mm)"), "{thick}");
    let one = said("[[collider]]\nshape = \"sphere\"\ncenter = [0, 0, -0.05]\nradius = 0.051\n");
    assert!(
        one.contains("1 point of body `cube` begins inside collider `collider 1`, at (0, 0, 0) m, 1 mm deep"),
        "{one}"
    );
    // what touches without depth is no overlap, and what is held stays where it is
    compiled(&format!("{CUBE}{FLOOR}"));
    compiled(&format!(
        "{low}[[body.cube.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n{FLOOR}"
    ));
}

#[test]
fn slips_of_units_of_colliders_are_warned_of() {
    let ball = "[[collider]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [0, 0, -300]\nradius = 250\nfriction = 30\n";
    let made = compiled(&format!("{CUBE}{ball}"));
    let said: Vec<&str> = made.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("collider \"ball\" is 500 m long: it looks wrong by 10^3"), "{said:?}");
    assert!(
        said[1].contains("friction of collider \"ball\" is 30") && said[1].ends_with("write \"30 %\""),
        "{said:?}"
    );
    let cut = compiled(&format!("{CUBE}{FLOOR}move = [0, 0, -1]\nover = \"3 s\"\n"));
    assert!(
        cut.warnings[0].message.starts_with("collider `floor` takes 3 s and has not come to its full value"),
        "{:?}",
        cut.warnings
    );
}

#[test]
fn surfaces_of_files_are_solids_where_they_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    // a tetrahedron without one of its sides
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    std::fs::write(folder.path().join("tet.obj"), open).unwrap();
    let mesh =
        "[[collider]]\nshape = \"mesh\"\nfile = \"tet.obj\"\nscale = \"1 cm\"\nposition = [0, 0, -1]\n";
    let said = |text: &str| {
        std::fs::write(folder.path().join("tet.obj"), text).unwrap();
        tried_in(folder.path(), &format!("{CUBE}{mesh}")).err().unwrap_or_default()
    };
    let text = said(open);
    assert!(text.starts_with("x.toml:13:8: the surface of `tet.obj` is not closed: it has 3 edges with a triangle on one side only, the first at"), "{text}");
    assert!(
        text.ends_with("close its holes, or use a box, sphere or capsule; `pliant check` examines the file"),
        "{text}"
    );
    let closed = open.to_owned() + "f 1 4 3\n";
    std::fs::write(folder.path().join("tet.obj"), &closed).unwrap();
    let made = tried_in(folder.path(), &format!("{CUBE}{mesh}")).unwrap();
    let ColliderShape::Mesh(solid) = &made.model.colliders()[0].shape else { panic!("no mesh") };
    assert_eq!((solid.triangles().len(), solid.distance([-0.01, 0.001, 0.001]).0), (4, 0.01));
    // another surface is another run
    std::fs::write(folder.path().join("tet.obj"), closed.replace("v 0 0 1", "v 0 0 2")).unwrap();
    let other = tried_in(folder.path(), &format!("{CUBE}{mesh}")).unwrap();
    assert_ne!(made.fingerprint, other.fingerprint);
    let inward =
        open.replace("f 1 3 2", "f 1 2 3").replace("f 1 2 4", "f 1 4 2").replace("f 2 3 4", "f 2 4 3")
            + "f 1 3 4\n";
    assert!(
        said(&inward).contains(
            "triangles of `tet.obj` face inward; `pliant mesh convert IN --repair -o OUT` turns them"
        ),
        "{}",
        said(&inward)
    );
}
