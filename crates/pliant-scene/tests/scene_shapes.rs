//! Generated shapes: their keys, the meshes they make, and what is said of wrong ones.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use std::path::PathBuf;

use pliant_scene::MeshReport;
use pliant_scene::spec::{Mesh, Shape, warnings};
use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};

fn text(mesh: &str) -> String {
    format!(
        "duration = \"1 s\"\n[material.m]\nlaw = \"st-venant\"\nyoung = \"100 kPa\"\npoisson = 0.33\n\
         density = 1000\n[body.b]\nmaterial = \"m\"\nmesh = {mesh}\n"
    )
}

fn report(mesh: &str) -> MeshReport {
    let (scene, source) = Scene::parse(&text(mesh), "x.toml").unwrap_or_else(|e| panic!("{mesh}: {e}"));
    let loaded = LoadedScene { scene, source, folder: PathBuf::new() };
    let compiled = compile(&loaded, CompileOptions::default()).unwrap_or_else(|e| panic!("{mesh}: {e}"));
    compiled.meshes.into_iter().next().unwrap()
}

fn message(mesh: &str) -> String {
    Scene::parse(&text(mesh), "x.toml").err().unwrap_or_else(|| panic!("accepted: {mesh}")).to_string()
}

#[test]
fn every_shape_becomes_a_mesh_without_findings() {
    for (mesh, nodes, tets, hexes, size) in [
        // counts by the formulas of the generators, sizes by the measures
        (
            r#"{ shape = "torus", radius = "10 cm", tube = "3 cm", sections = 20, rim = 8 }"#,
            180,
            480,
            0,
            [0.26, 0.26, 0.06],
        ),
        (
            r#"{ shape = "tube", inner = "1 cm", outer = "2 cm", height = "5 cm", cells = [16, 2, 8] }"#,
            432,
            1536,
            0,
            [0.04, 0.04, 0.05],
        ),
        (
            r#"{ shape = "cylinder", radius = "2 cm", height = "5 cm", cells = [4, 10], element = "hex" }"#,
            627,
            0,
            480,
            [0.04, 0.04, 0.05],
        ),
        (
            r#"{ shape = "sphere", radius = "5 cm", cells = 4, element = "hex" }"#,
            321,
            0,
            256,
            [0.1, 0.1, 0.1],
        ),
        (
            r#"{ shape = "hemisphere", radius = "5 cm", cells = 2, element = "tet" }"#,
            35,
            96,
            0,
            [0.1, 0.1, 0.05],
        ),
    ] {
        let report = report(mesh);
        assert_eq!((report.nodes, report.tets, report.hexes), (nodes, tets, hexes), "{mesh}");
        assert!(report.findings.is_empty(), "{mesh}: {:?}", report.findings);
        for axis in 0..3 {
            assert!((report.size[axis] - size[axis]).abs() < 1e-15, "{mesh}: {:?}", report.size);
        }
    }
}

#[test]
fn cells_are_one_number_or_several() {
    let (scene, source) =
        Scene::parse(&text(r#"{ shape = "sphere", radius = 1, cells = 8 }"#), "x.toml").unwrap();
    let Mesh::Shape(Shape::Sphere { cells, .. }) = &*scene.body["b"].mesh else { panic!("no sphere") };
    assert_eq!((**cells, &source.text[cells.span()]), (8, "8"));
    for (cells, expected) in [
        ("\"8\"", "`cells` in [body.b.mesh]: invalid type: string \"8\", expected a number of cells"),
        ("-8", "`cells` in [body.b.mesh]: invalid value: integer `-8`"),
        ("5000000000", "`cells` in [body.b.mesh]: invalid value"),
        ("[1, 2, -3]", "`cells` item 3 in [body.b.mesh]: invalid value"),
        ("[1, 2]", "has 2 numbers in `cells`, but a sphere is cut by 1; write { shape = \"sphere\""),
        ("[]", "has 0 numbers in `cells`"),
    ] {
        let found = message(&format!(r#"{{ shape = "sphere", radius = 1, cells = {cells} }}"#));
        assert!(found.contains(expected), "{found}");
    }
    let found = message(r#"{ shape = "box", size = [1, 1, 1], cells = 4 }"#);
    assert!(found.contains("has 1 numbers in `cells`, but a box is cut by 3"), "{found}");
}

#[test]
fn keys_of_other_shapes_and_missing_ones_are_told_with_a_table_that_would_do() {
    for (mesh, expected) in [
        (
            r#"{ shape = "sphere", size = [1, 1, 1], cells = 4 }"#,
            "has `size`, which a sphere does not take; write { shape = \"sphere\"",
        ),
        (
            r#"{ shape = "box", radius = 1, cells = [1, 1, 1] }"#,
            "has `radius`, which a box does not take; write { shape = \"box\"",
        ),
        (
            r#"{ shape = "torus", radius = 1, tube = 0.1, sections = 9, rim = 4, element = "hex" }"#,
            "has `element`, which a torus does not take",
        ),
        (
            r#"{ shape = "torus", radius = 1, sections = 9, rim = 4 }"#,
            "lacks `tube` of the torus; write { shape = \"torus\"",
        ),
        (
            r#"{ shape = "tube", inner = 1, outer = 2, cells = [9, 1, 1] }"#,
            "lacks `height` of the tube; write",
        ),
        (r#"{ shape = "cylinder", radius = 1, height = 2 }"#, "lacks `cells` of the cylinder; write"),
        (
            r#"{ shape = "hemisphere", radius = 1, cells = 2, element = "tet5" }"#,
            "a hemisphere takes \"tet\" or \"hex\"",
        ),
        (r#"{ shape = "sphere", radius = 1, cells = 2, scale = 1 }"#, "has `scale`, which belongs to `file`"),
        (r#"{ file = "a.msh", radius = 1 }"#, "has `radius`, which belongs to `shape`"),
        (r#"{ shape = "spere", radius = 1, cells = 2 }"#, "did you mean `sphere`?"),
    ] {
        let found = message(mesh);
        assert!(found.starts_with("x.toml:9:") && found.contains(expected), "{mesh}: {found}");
    }
}

#[test]
fn wrong_measures_and_counts_are_told_with_their_place() {
    for (mesh, expected) in [
        (
            r#"{ shape = "sphere", radius = 0, cells = 4 }"#,
            "x.toml:9:37: `radius` is 0 m; it must be above 0",
        ),
        (
            r#"{ shape = "sphere", radius = 1, cells = 0 }"#,
            "x.toml:9:48: `cells` of the sphere is 0; it must be 1 or more",
        ),
        (
            r#"{ shape = "sphere", radius = 1, cells = 136 }"#,
            "`cells` of the sphere is 136, more than 10000000 cells; use fewer cells",
        ),
        (
            r#"{ shape = "hemisphere", radius = 1, cells = 4000000000 }"#,
            "more than 10000000 cells; use fewer cells",
        ),
        (
            r#"{ shape = "cylinder", radius = 1, height = 1, cells = [4, 0] }"#,
            "`cells` of the cylinder is [4, 0]; each number must be 1 or more",
        ),
        (
            r#"{ shape = "cylinder", radius = 1, height = -1, cells = [4, 1] }"#,
            "`height` is -1 m; it must be above 0",
        ),
        (
            r#"{ shape = "tube", inner = 2, outer = 1, height = 1, cells = [9, 1, 1] }"#,
            "`inner` is 2 m and `outer` is 1 m; `inner` must be below `outer`",
        ),
        (
            r#"{ shape = "tube", inner = 1, outer = 2, height = 1, cells = [2, 1, 1] }"#,
            "the first number, around the axis, must be 3 or more",
        ),
        (
            r#"{ shape = "torus", radius = 1, tube = 1, sections = 9, rim = 4 }"#,
            "`tube` must be below `radius`",
        ),
        (
            r#"{ shape = "torus", radius = 1, tube = 0.1, sections = 2, rim = 4 }"#,
            "`sections` of the torus is 2; it must be 3 or more",
        ),
        (
            r#"{ shape = "torus", radius = 1, tube = 0.1, sections = 100000, rim = 1000 }"#,
            "`sections` times `rim` of the torus is more than 10000000",
        ),
    ] {
        let found = message(mesh);
        assert!(found.contains(expected), "{mesh}: {found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
}

#[test]
fn sizes_that_look_like_millimetres_are_warned_of() {
    let warned = |mesh: &str| {
        let (scene, source) = Scene::parse(&text(mesh), "x.toml").unwrap();
        warnings(&scene, &source)
    };
    let found = warned(r#"{ shape = "sphere", radius = 60, cells = 4 }"#);
    assert!(found.len() == 1 && found[0].message.contains("body \"b\" is 120 m long"), "{found:?}");
    let thin = r#"{ shape = "tube", inner = 0.01, outer = 0.010001, height = 1, cells = [9, 1, 1] }"#;
    assert!(warned(thin)[0].message.contains("thick: it looks wrong"));
    assert_eq!(warned(r#"{ shape = "sphere", radius = "5 cm", cells = 4 }"#), []);
}
