//! `surface` of a body: where it lies, what it follows, and what is said of one that does not fit.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use pliant_geometry::vector::norm;
use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, SceneError, compile};

/// A box of 1 x 1 x 1 m; `SURFACE` and `POSE` are replaced.
const SCENE: &str = r#"
duration = "1 s"
[material.m]
law = "st-venant"
young = "1 MPa"
poisson = 0.3
density = "1000 kg/m^3"
[body.b]
material = "m"
mesh = { shape = "box", size = [1, 1, 1], cells = [2, 2, 2], element = "hex" }
surface = SURFACE
POSE
"#;

/// A tetrahedron in millimetres, turned outward.
const OBJ: &str =
    "v 100 100 100\nv 900 100 100\nv 100 900 100\nv 100 100 900\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn compiled(text: &str, folder: &Path) -> Result<Compiled, SceneError> {
    let (scene, source) = Scene::parse(text, "scene.toml")?;
    compile(&LoadedScene { scene, source, folder: folder.to_path_buf() }, CompileOptions::default())
}

/// Compiles the scene with a surface, beside a file `fine.obj`.
fn with(surface: &str, obj: &str) -> Result<Compiled, SceneError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("fine.obj"), obj).unwrap();
    compiled(&SCENE.replace("SURFACE", surface).replace("POSE", ""), folder.path())
}

fn fault(result: Result<Compiled, SceneError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn a_file_is_scaled_placed_with_the_body_and_bound_to_its_cells() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("fine.obj"), OBJ).unwrap();
    let pose = "position = [5, 0, 0]\nrotation = { axis = [0, 0, 1], angle = \"90 deg\" }";
    let text = SCENE.replace("SURFACE", "{ file = \"fine.obj\", scale = \"1 mm\" }").replace("POSE", pose);
    let compiled = compiled(&text, folder.path()).unwrap_or_else(|e| panic!("{e}"));
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let embedding = compiled.surfaces[0].as_ref().unwrap();
    assert_eq!((embedding.vertex_count(), embedding.surface().triangles().len()), (4, 4));
    assert_eq!(embedding.outside().count, 0);
    // a quarter turn about z takes (x, y, z) to (-y, x, z)
    let expected = [[4.9, 0.1, 0.1], [4.9, 0.9, 0.1], [4.1, 0.1, 0.1], [4.9, 0.1, 0.9]];
    let mut followed = Vec::new();
    embedding.positions_into(compiled.model.layout().bodies()[0].mesh.positions(), &mut followed);
    for ((rest, x), expected) in embedding.surface().positions().iter().zip(&followed).zip(expected) {
        for place in [rest, x] {
            let off = norm(std::array::from_fn(|c| place[c] - expected[c]));
            assert!(off < 1e-14, "{place:?} {expected:?}");
        }
    }
}

#[test]
fn a_shape_is_shown_by_its_boundary() {
    let compiled = with("{ shape = \"box\", size = [1, 1, 1], cells = [8, 8, 8] }", OBJ).unwrap();
    let embedding = compiled.surfaces[0].as_ref().unwrap();
    // 6 faces of 8 x 8 squares of 2 triangles each
    assert_eq!(embedding.surface().triangles().len(), 768);
    assert_eq!((embedding.surface().cell_count(), embedding.outside().count), (0, 0));
    let plain = SCENE.replace("surface = SURFACE\n", "").replace("POSE", "");
    assert!(self::compiled(&plain, Path::new(".")).unwrap().surfaces[0].is_none());
}

#[test]
fn vertices_far_outside_are_warned_of_with_count_distance_and_place() {
    let far = OBJ.replace("v 100 100 900", "v 100 100 1900");
    let compiled = with("{ file = \"fine.obj\", scale = \"1 mm\" }", &far).unwrap();
    let [warning] = &compiled.warnings[..] else { panic!("{:?}", compiled.warnings) };
    let expected = "1 of 4 vertices lie far outside the cells that move them, the farthest 0.9000 m, at (0.1000, 0.1000, 1.9000) m \
                    beside a cell 0.8660 m across";
    assert!(warning.message.contains(expected), "{}", warning.message);
    assert!(warning.message.starts_with("the surface of body `b`: "), "{}", warning.message);
    // a little outside is what coarse cells cannot help
    let near = OBJ.replace("v 100 100 900", "v 100 100 1100");
    assert_eq!(with("{ file = \"fine.obj\", scale = \"1 mm\" }", &near).unwrap().warnings, []);
    // the unit forgotten: everything is far
    let metres = with("{ file = \"fine.obj\" }", OBJ).unwrap();
    assert!(metres.warnings.iter().any(|w| w.message.contains("4 of 4 vertices")), "{:?}", metres.warnings);
}

#[test]
fn triangles_that_face_the_wrong_side_are_warned_of() {
    let turned = OBJ.replace("f 1 3 2", "f 1 2 3");
    let compiled = with("{ file = \"fine.obj\", scale = \"1 mm\" }", &turned).unwrap();
    let told = |what: &str| compiled.warnings.iter().any(|w| w.message.contains(what));
    assert!(told("3 edges whose two triangles face opposite sides"), "{:?}", compiled.warnings);
}

#[test]
fn what_cannot_be_shown_is_refused_with_its_place() {
    let missing = fault(with("{ file = \"finer.obj\" }", OBJ));
    assert!(missing.contains("scene.toml:11:") && missing.contains("finer.obj"), "{missing}");
    assert!(missing.contains("paths are relative to the scene file"), "{missing}");
    let points = fault(with("{ file = \"fine.obj\" }", "v 0 0 0\nv 1 0 0\n"));
    assert!(points.contains("fine.obj") || points.contains("no triangles"), "{points}");
    let unknown = fault(with("{ file = \"fine.obj\", size = 3 }", OBJ));
    assert!(unknown.contains("scene.toml:11:") && unknown.contains("size"), "{unknown}");
    let scale = fault(with("{ file = \"fine.obj\", scale = \"-1 mm\" }", OBJ));
    assert!(scale.contains("`scale`"), "{scale}");
    let text = SCENE.replace("surface = SURFACE", "surfaces = { file = \"fine.obj\" }").replace("POSE", "");
    let wrong = fault(compiled(&text, Path::new(".")));
    assert!(wrong.contains("`surfaces`") && wrong.contains("`surface`"), "{wrong}");
}

#[test]
fn another_surface_is_another_run() {
    let of = |obj: &str| with("{ file = \"fine.obj\", scale = \"1 mm\" }", obj).unwrap().fingerprint;
    assert_eq!(of(OBJ), of(OBJ));
    assert_ne!(of(OBJ), of(&OBJ.replace("v 900", "v 800")));
}
