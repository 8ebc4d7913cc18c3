//! What a scene or mesh can get wrong is said before step 1, with the place and the way out.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, SceneError, compile};
use pliant_scene::{Severity, inspect};

const GOOD: &str = r#"
duration = "1 s"
gravity = [0, 0, -9.81]
[integrator]
step = "auto"
[material.m]
law = "st-venant"
young = "1 MPa"
poisson = 0.3
density = "1000 kg/m^3"
[body.b]
material = "m"
mesh = { shape = "box", size = [1, 0.2, 0.2], cells = [5, 1, 1], element = "hex" }
[[body.b.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
[[probe]]
name = "tip"
body = "b"
at = [1, 0.1, 0.1]
"#;

fn compiled(text: &str, folder: &Path) -> Result<Compiled, SceneError> {
    let (scene, source) = Scene::parse(text, "scene.toml")?;
    compile(&LoadedScene { scene, source, folder: folder.to_path_buf() }, CompileOptions::default())
}

fn message(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "the good scene has no {from:?}");
    let text = GOOD.replace(from, to);
    match compiled(&text, Path::new(".")) {
        Ok(_) => panic!("the scene compiled with {to:?}"),
        Err(error) => error.to_string(),
    }
}

/// Compiles a scene whose body is a mesh file with this content.
fn with_mesh(points: &[[f64; 3]], tets: &[[usize; 4]]) -> Result<Compiled, SceneError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("body.vtk"), vtk(points, tets)).unwrap();
    let text = GOOD.replace(
        "{ shape = \"box\", size = [1, 0.2, 0.2], cells = [5, 1, 1], element = \"hex\" }",
        "{ file = \"body.vtk\" }",
    );
    let text = text.split("[[body.b.fix]]").next().unwrap().to_string();
    compiled(&text, folder.path())
}

fn vtk(points: &[[f64; 3]], tets: &[[usize; 4]]) -> String {
    let mut text = format!(
        "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
        points.len()
    );
    points.iter().for_each(|p| text += &format!("{} {} {}\n", p[0], p[1], p[2]));
    text += &format!("CELLS {} {}\n", tets.len(), 5 * tets.len());
    tets.iter().for_each(|t| text += &format!("4 {} {} {} {}\n", t[0], t[1], t[2], t[3]));
    text += &format!("CELL_TYPES {}\n{}", tets.len(), "10\n".repeat(tets.len()));
    text
}

const CORNER: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn fault(result: Result<Compiled, SceneError>) -> String {
    match result {
        Ok(_) => panic!("it compiled"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_good_scene_compiles_without_a_warning() {
    let compiled = compiled(GOOD, Path::new(".")).unwrap();
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    assert_eq!(compiled.probes[0].rest, [1.0, 0.1, 0.1]);
}

#[test]
fn reversed_tets_are_refused_with_number_and_place() {
    let text = fault(with_mesh(&CORNER, &[[0, 2, 1, 3]]));
    assert!(text.contains("all 1 elements are reversed"), "{text}");
    assert!(text.contains("element 0 at (0.25, 0.25, 0.25) m"), "{text}");
    assert!(text.contains("mesh convert IN --repair"), "{text}");
}

#[test]
fn one_inverted_tet_among_sound_ones_is_named() {
    let mut points = CORNER.to_vec();
    points.push([1.0, 1.0, 1.0]);
    let text = fault(with_mesh(&points, &[[0, 1, 2, 3], [1, 2, 3, 4], [1, 3, 2, 4]]));
    // of the two mirror images on the far side exactly one is reversed
    assert!(text.contains("1 of 3 elements is inverted or reversed; the first is element"), "{text}");
}

#[test]
fn slivers_are_warned_of_and_flat_elements_refused() {
    let mut flat = CORNER;
    flat[3] = [0.4, 0.3, 0.01];
    let warned = with_mesh(&flat, &[[0, 1, 2, 3]]).unwrap();
    let text = &warned.warnings[0].message;
    assert!(text.contains("1 sliver; the worst is element 0 at (0.35, 0.325, 0.0025) m"), "{text}");
    flat[3] = [0.4, 0.3, 1e-9];
    let text = fault(with_mesh(&flat, &[[0, 1, 2, 3]]));
    assert!(text.contains("no usable stiffness or step"), "{text}");
    flat[3] = [0.4, 0.3, 0.0];
    let text = fault(with_mesh(&flat, &[[0, 1, 2, 3]]));
    assert!(text.contains("1 of 1 elements has no volume"), "{text}");
}

#[test]
fn parts_that_are_not_connected_are_warned_of() {
    let mut points = CORNER.to_vec();
    points.extend(CORNER.map(|p| [p[0] + 3.0, p[1], p[2]]));
    points.push([9.0, 9.0, 9.0]);
    let compiled = with_mesh(&points, &[[0, 1, 2, 3], [4, 5, 6, 7]]).unwrap();
    let text: Vec<&str> = compiled.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(
        text.iter().any(|t| t.contains("2 parts that are not connected") && t.contains("(3.25,")),
        "{text:?}"
    );
    assert!(text.iter().any(|t| t.contains("1 node is in no element, the first is node 8")), "{text:?}");
}

#[test]
fn a_mesh_in_millimetres_read_as_metres_is_warned_of() {
    let large = CORNER.map(|p| p.map(|c| 200.0 * c));
    let compiled = with_mesh(&large, &[[0, 1, 2, 3]]).unwrap();
    let text = &compiled.warnings[0].message;
    assert!(text.contains("looks wrong by 10^3") && text.contains("scale = \"1 mm\""), "{text}");
}

#[test]
fn a_surface_without_volume_is_refused() {
    let report = inspect("empty", &pliant_geometry::Mesh::default());
    assert_eq!(report.findings[0].severity, Severity::Error);
    assert!(report.findings[0].message.contains("no tetrahedra and no hexahedra"));
}

#[test]
fn an_unstable_step_is_refused_with_the_number_to_use() {
    let text = message("step = \"auto\"", "step = \"20 ms\"");
    assert!(
        text.starts_with("scene.toml:5:8: the step of 20 ms is not stable: the longest stable one is"),
        "{text}"
    );
    let number = text.split("use step = \"").nth(1).unwrap().split('"').next().unwrap().to_string();
    // the advice works
    compiled(&GOOD.replace("step = \"auto\"", &format!("step = \"{number}\"")), Path::new(".")).unwrap();
    // and --force takes the step as it is
    let text = GOOD.replace("step = \"auto\"", "step = \"20 ms\"");
    let (scene, source) = Scene::parse(&text, "scene.toml").unwrap();
    let loaded = LoadedScene { scene, source, folder: ".".into() };
    assert!(compile(&loaded, CompileOptions { force: true, ..CompileOptions::default() }).is_ok());
}

#[test]
fn a_fix_that_holds_nothing_is_refused() {
    let text = message("point = [0, 0, 0], normal", "point = [-0.5, 0, 0], normal");
    assert!(text.starts_with("scene.toml:15:9: this fix holds no node"), "{text}");
    assert!(text.contains("the mesh spans (0.0000, 0.0000, 0.0000) to (1.0000, 0.2000, 0.2000) m"), "{text}");
}

#[test]
fn a_node_held_twice_along_an_axis_is_refused() {
    let text = message("[[probe]]", "[[body.b.fix]]\nwhere = \"all\"\naxes = \"z\"\n[[probe]]");
    assert!(text.contains("is held along z by fix 1 and by fix 2"), "{text}");
}

#[test]
fn groups_nodes_points_and_files_that_do_not_exist_are_named() {
    let region = "{ plane = { point = [0, 0, 0], normal = [1, 0, 0] } }";
    let text = message(region, "{ group = \"clamp\" }");
    assert!(text.contains("the mesh has no group `clamp`; it has no groups at all"), "{text}");
    let text = message(region, "{ nodes = [0, 99] }");
    assert!(text.contains("there is no node 99: the mesh has nodes 0 to 23"), "{text}");
    let text = message("at = [1, 0.1, 0.1]", "at = [1.3, 0.1, 0.1]");
    assert!(text.contains("(1.3, 0.1, 0.1) m is not in body `b`; it is 0.3000 m outside"), "{text}");
    let mesh = "{ shape = \"box\", size = [1, 0.2, 0.2], cells = [5, 1, 1], element = \"hex\" }";
    let text = message(mesh, "{ file = \"no_such.vtk\" }");
    assert!(text.starts_with("scene.toml:13:") && text.contains("no_such.vtk"), "{text}");
}

#[test]
fn loads_need_something_to_act_on() {
    let load = |lines: &str| message("[[probe]]", &format!("[[body.b.load]]\n{lines}\n[[probe]]"));
    let text = load("where = { nodes = [0] }\ntraction = [0, 0, 1]");
    assert!(text.contains("this load acts on no whole surface face"), "{text}");
    let text = load("where = { sphere = { center = [5, 5, 5], radius = 0.1 } }\nforce = [0, 0, 1]");
    assert!(text.contains("this force acts on no node"), "{text}");
    let text = load("where = { sphere = { center = [5, 5, 5], radius = 0.1 } }\nbody_force = [0, 0, 1]");
    assert!(text.contains("this body force acts on no element"), "{text}");
}

#[test]
fn relaxed_shapes_in_single_precision_are_refused() {
    let text = GOOD
        .replace("step = \"auto\"", "step = \"auto\"\nprecision = \"single\"")
        .replace("[[probe]]", "[[body.b.initial]]\nrelaxed = [[1.1, 0, 0], [0, 1, 0], [0, 0, 1]]\n[[probe]]");
    let text = fault(compiled(&text, Path::new(".")));
    assert!(text.contains("relaxed shapes need `precision = \"double\"`"), "{text}");
}

#[test]
fn body_names_that_are_paths_are_refused() {
    let text = GOOD.replace("body.b", "body.\"../b\"").replace("body = \"b\"", "body = \"../b\"");
    let text = fault(compiled(&text, Path::new(".")));
    assert!(text.contains("a body is named \"../b\""), "{text}");
}

const CORNERS: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];

fn refused(points: &[[f64; 3]], tets: &[[usize; 4]]) -> String {
    with_mesh(points, tets).err().map_or_else(|| panic!("compiled {tets:?}"), |e| e.to_string())
}

#[test]
fn elements_that_overlap_are_refused() {
    // the same tetrahedron twice, the second time beginning elsewhere
    let twice = refused(&CORNERS[..4], &[[0, 1, 2, 3], [1, 2, 0, 3]]);
    assert!(twice.contains("elements overlap at 4 faces") && twice.contains("[0, 1]"), "{twice}");
    // two on the same side of the face 0 1 2
    let same_side = refused(&CORNERS, &[[0, 1, 2, 3], [0, 1, 2, 4]]);
    assert!(same_side.contains("elements overlap at 1 face, the first at (0.5, 0.5, 0) m"), "{same_side}");
    // on both sides is how it should be
    assert!(
        with_mesh(
            &[CORNERS[0], CORNERS[1], CORNERS[2], CORNERS[3], [0.3, 0.3, -1.0]],
            &[[0, 1, 2, 3], [0, 2, 1, 4]]
        )
        .is_ok()
    );
}

#[test]
fn coordinates_beyond_numbers_are_refused() {
    let text =
        refused(&CORNERS[..4].iter().map(|p| p.map(|c| 1e200 * c)).collect::<Vec<_>>(), &[[0, 1, 2, 3]]);
    assert!(text.contains("the mesh is too large for numbers"), "{text}");
}

#[test]
fn scripts_that_cannot_be_are_refused() {
    let negative = message("[[probe]]", "table = [[-1, [0, 0, 0]], [1, [0, 0, 0.2]]]\n[[probe]]");
    assert!(negative.contains("`table` does not begin at rest"), "{negative}");
    let huge = message("normal = [1, 0, 0]", "normal = [1e200, 0, 0]");
    assert!(huge.contains("`normal` has a component of 1e200"), "{huge}");
    let frames = message("[[probe]]", "[output]\nframes_per_second = 1e9\n[[probe]]");
    assert!(frames.contains("`frames_per_second` is 1000000000, 1e9 frames in all"), "{frames}");
}

#[test]
fn scripts_that_never_act_are_warned_of() {
    let warnings = |text: &str| {
        let compiled =
            compiled(&GOOD.replace("[[probe]]", &format!("{text}\n[[probe]]")), Path::new(".")).unwrap();
        compiled.warnings.iter().map(|w| w.message.clone()).collect::<Vec<_>>()
    };
    let grab = |path: &str| format!("[[grab]]\nbody = \"b\"\nat = [1, 0.1, 0.1]\n{path}");
    let late = warnings(&grab("path = [[5, [1, 0.1, 0.1]]]"));
    assert_eq!(late, ["this grab never acts: its path begins at 5 s and it ends at 1 s"]);
    let over = warnings(&grab("path = [[0.5, [1, 0.1, 0.1]]]\nrelease = 0.2"));
    assert_eq!(over, ["this grab never acts: its path begins at 0.5 s and it ends at 0.2 s"]);
    let cut = warnings("move = [0.1, 0, 0]\nover = 0.8\nrelease = 0.5");
    assert_eq!(cut, ["`release` at 0.5 s comes before the end of `over`, 0.8 s"]);
    assert!(warnings("move = [0.01, 0, 0]\nover = 0.5\nrelease = 0.8").is_empty());
    // at a point that the fix holds
    let idle = warnings(
        "[[grab]]\nbody = \"b\"\nat = [0, 0.1, 0.1]\npath = [[0, [0, 0.1, 0.1]], [1, [0, 0.1, 0.5]]]",
    );
    assert!(
        idle.len() == 1 && idle[0].starts_with("the hand pulls body `b` at a point that a fix holds"),
        "{idle:?}"
    );
    let free =
        warnings("release = 0.5\n[[grab]]\nbody = \"b\"\nat = [0, 0.1, 0.1]\npath = [[0, [0, 0.1, 0.1]]]");
    assert!(free.is_empty(), "{free:?}");
}

#[test]
fn hands_that_begin_far_from_their_point_are_warned_of() {
    let warnings = |text: &str| {
        let compiled =
            compiled(&GOOD.replace("[[probe]]", &format!("{text}\n[[probe]]")), Path::new(".")).unwrap();
        compiled.warnings.iter().map(|w| w.message.clone()).collect::<Vec<_>>()
    };
    let grab = |path: &str| format!("[[grab]]\nbody = \"b\"\nat = [1, 0.1, 0.1]\npath = {path}");
    // displacements, where places are meant
    let far = warnings(&grab("[[0, [0, 0, 0]], [1, [0, 0, 0.1]]]"));
    assert!(
        far.len() == 1
            && far[0].starts_with(
                "the path of this grab begins at (0.000, 0.000, 0.000) m, 1.010 m from its point at (1.000, 0.100, 0.100) m"
            ),
        "{far:?}"
    );
    assert!(warnings(&grab("[[0, [1, 0.1, 0.1]], [1, [9, 0, 0.1]]]")).is_empty());
    assert!(warnings(&grab("[[0, [1, 0.1, 0.4]]]")).is_empty());
    // in half a second it may fall by 1.2 m; another hand may take it anywhere
    assert!(warnings(&grab("[[0.5, [1, 0.1, -1]]]")).is_empty());
    let second = format!("{}\n{}", grab("[[0, [1, 0.1, 0.1]]]"), grab("[[0.1, [1, 0.1, -9]]]"));
    assert!(warnings(&second).is_empty());
}

#[test]
fn a_changed_group_makes_another_scene() {
    // the fingerprint tells snapshots apart: the same nodes and elements, another group to hold
    let print = |held: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mesh = format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"held\"\n3 2 \"all\"\n$EndPhysicalNames\n\
             $Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
             $Elements\n2\n1 2 2 1 1 {held}\n2 4 2 2 1 1 2 3 4\n$EndElements\n"
        );
        std::fs::write(folder.path().join("body.msh"), mesh).unwrap();
        let (head, _) = GOOD.split_once("[[body.b.fix]]").unwrap();
        let head = head.replace(
            "{ shape = \"box\", size = [1, 0.2, 0.2], cells = [5, 1, 1], element = \"hex\" }",
            "{ file = \"body.msh\" }",
        );
        let text = format!("{head}[[body.b.fix]]\nwhere = {{ group = \"held\" }}\n");
        compiled(&text, folder.path()).unwrap().fingerprint
    };
    assert_eq!(print("1 2 3"), print("1 2 3"));
    assert_ne!(print("1 2 3"), print("1 2 4"));
}

#[test]
fn a_fix_on_nodes_of_no_element_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("body.vtk"), vtk(&CORNERS, &[[0, 1, 2, 3]])).unwrap();
    let text = GOOD
        .replace(
            "{ shape = \"box\", size = [1, 0.2, 0.2], cells = [5, 1, 1], element = \"hex\" }",
            "{ file = \"body.vtk\" }",
        )
        .replace("{ plane = { point = [0, 0, 0], normal = [1, 0, 0] } }", "{ nodes = [4] }");
    let (text, _) = text.split_once("[[probe]]").unwrap();
    let error = compiled(text, folder.path()).err().unwrap().to_string();
    assert!(error.contains("this fix holds no node"), "{error}");
}
