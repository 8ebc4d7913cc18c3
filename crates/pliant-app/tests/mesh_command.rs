//! `pliant mesh` and `pliant check` of meshes, as a person and as a program would use them.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;

use serde_json::Value;
use support::{errors, pliant, text};

/// Runs in a folder; gives the exit code, standard output and standard error.
fn run_in(folder: &Path, line: &str) -> (i32, String, String) {
    let output = pliant().current_dir(folder).args(line.split(' ')).output().unwrap();
    (output.status.code().unwrap(), text(&output), errors(&output))
}

fn json_in(folder: &Path, line: &str) -> Value {
    let (_, out, err) = run_in(folder, line);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{line}: {error}: {out} {err}"))
}

#[test]
fn the_torus_of_the_paper_is_made_and_survives_every_format() {
    // [Stolfi]: 20 sections of 8 rim vertices and a centre: 180 vertices, 480 tetrahedra, 320 surface triangles
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    let (code, out, _) = run_in(folder, "mesh make torus --radius 10cm --tube 0.03 -o torus.msh");
    assert_eq!(code, 0);
    assert!(out.contains("180 nodes, 480 tetrahedra"), "{out}");
    let whole = json_in(folder, "mesh inspect torus.msh --json");
    for format in ["torus.vtu", "again.msh"] {
        assert_eq!(run_in(folder, &format!("mesh convert torus.msh -o {format}")).0, 0);
        let mut read = json_in(folder, &format!("mesh inspect {format} --json"));
        read["name"] = whole["name"].clone();
        assert_eq!(read, whole, "{format}");
    }
    for format in ["torus.obj", "torus.ply", "torus.stl"] {
        let (code, out, _) = run_in(folder, &format!("mesh convert torus.vtu -o {format}"));
        assert!(code == 0 && out.contains("160 nodes, 320 surface triangles"), "{out}");
        let read = json_in(folder, &format!("mesh inspect {format} --json"));
        assert_eq!((&read["triangles"], &read["surface"]["sound"]), (&320.into(), &true.into()), "{format}");
    }
}

#[test]
fn every_shape_can_be_made() {
    let keep = tempfile::tempdir().unwrap();
    let pi = std::f64::consts::PI;
    // exact volumes; inscribed polyhedra are somewhat smaller
    let shapes = [
        ("box --size 0.1,0.2,0.3 --cells 2,3,4 --element tet6", 0.006),
        ("tube --inner 0.5 --outer 1 --height 2 --cells 32,2,4 --element hex", 1.5 * pi),
        ("cylinder --radius 1 --height 2 --cells 8,4", 2.0 * pi),
        ("sphere --radius 1 --cells 8 --element hex", 4.0 / 3.0 * pi),
        ("hemisphere --radius 1 --cells 8", 2.0 / 3.0 * pi),
        ("torus --radius 2 --tube 1 --sections 48 --rim 32", 4.0 * pi * pi),
    ];
    for (shape, exact) in shapes {
        let (code, out, err) = run_in(keep.path(), &format!("mesh make {shape} -o shape.vtu"));
        assert_eq!(code, 0, "{shape}: {out}{err}");
        let report = json_in(keep.path(), "check shape.vtu --json");
        assert_eq!(
            (&report["ok"], report["findings"].as_array().unwrap().len()),
            (&true.into(), 0),
            "{shape}"
        );
        let volume = report["volume_m3"].as_f64().unwrap();
        assert!(volume <= exact * (1.0 + 1e-12) && volume > 0.97 * exact, "{shape}: {volume} of {exact}");
    }
    for bad in ["sphere --radius -1 --cells 3", "torus --radius 1 --tube 2", "box --size 1,1,1 --cells 0,1,1"]
    {
        let (code, _, err) = run_in(keep.path(), &format!("mesh make {bad} -o bad.vtu"));
        assert_eq!(code, 2, "{bad}: {err}");
        assert!(err.starts_with("error: ") && !keep.path().join("bad.vtu").exists(), "{err}");
    }
}

/// Two unit tets that share a face, written as if in mm and without shared nodes, the second inside out.
const BROKEN: &str = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n\
    0 0 0 1000 0 0 0 1000 0 0 0 1000\n1000 0 0 0 1000 0 0 0 1000 1000 1000 1000\n5000 5000 5000\n\
    CELLS 2 10\n4 0 1 2 3\n4 4 6 5 7\nCELL_TYPES 2\n10\n10\n";

#[test]
fn a_broken_mesh_is_reported_and_mended() {
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    std::fs::write(folder.join("broken.vtk"), BROKEN).unwrap();
    let report = json_in(folder, "check broken.vtk --json");
    let findings = report["findings"].as_array().unwrap();
    let kinds: Vec<&str> = findings.iter().map(|f| f["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["inverted", "coincident-nodes", "disconnected", "orphans", "units"]);
    assert_eq!(findings[0]["severity"], "error");
    assert_eq!(findings[0]["place"]["number"], 1);
    assert_eq!(findings[0]["place"]["position"], serde_json::json!([500.0, 500.0, 500.0]));
    assert_eq!(findings[1]["count"], 3);
    let (code, out, err) = run_in(folder, "check broken.vtk");
    assert_eq!(code, 2);
    assert!(out.contains("element 1 at (500, 500, 500) m") && err.contains("cannot be simulated"));

    let line = "mesh convert broken.vtk -o good.msh --scale 1mm --merge 1e-6 --repair --drop-unused";
    let (code, out, err) = run_in(folder, line);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("3 nodes joined") && out.contains("1 tetrahedra"), "{out}");
    let mended = json_in(folder, "check good.msh --json");
    assert_eq!((&mended["ok"], &mended["nodes"], &mended["tets"]), (&true.into(), &5.into(), &2.into()));
    assert_eq!(mended["findings"], serde_json::json!([]));
    // 1/6 of the corner and 1/3 of the rest of the cube
    assert!((mended["volume_m3"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    // parts that do not exist, and other slips of the keyboard
    for (line, part) in [
        ("mesh convert good.msh -o x.vtu --part 3", "the mesh has 1 connected parts"),
        ("mesh convert good.msh -o x.vtu --group skin", "no group"),
        ("mesh convert good.msh -o x.xyz", "no mesh format is written"),
        ("mesh convert good.msh -o x.vtu --merge -1", "tolerance"),
        ("mesh inspect nothing.msh", "cannot read the mesh file"),
    ] {
        let (code, _, err) = run_in(folder, line);
        assert!(code == 2 && err.contains(part), "{line}: {err}");
    }
}

#[test]
fn parts_and_colours_are_written() {
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    assert_eq!(run_in(folder, "mesh make box --size 1,1,1 --cells 2,1,1 --element hex -o box.vtu").0, 0);
    let (code, out, _) = run_in(folder, "mesh inspect box.vtu -o colours.vtu");
    assert!(code == 0 && out.contains("quality (1 is best): least 1.000"), "{out}");
    let colours = std::fs::read(folder.join("colours.vtu")).unwrap();
    let head = String::from_utf8_lossy(&colours[..900]).into_owned();
    for field in ["quality", "volume", "part"] {
        assert!(head.contains(&format!("Name=\"{field}\"")), "{head}");
    }
    let (code, _, err) = run_in(folder, "mesh inspect box.vtu -o colours.msh");
    assert!(code == 2 && err.contains(".vtu only"), "{err}");
}

#[test]
fn a_scene_with_errors_is_told_in_json_with_places() {
    let keep = tempfile::tempdir().unwrap();
    let scene = "duration = 1\ngravity = [0, 0]\n[material.m]\nlaw = \"linear\"\nyoung = 1e5\npoisson = 0.3\n\
                 density = 1000\n[body.b]\nmaterial = \"m\"\nmesh = { shape = \"sphere\", radius = \"5 cm\" }\n";
    std::fs::write(keep.path().join("a.toml"), scene).unwrap();
    let report = json_in(keep.path(), "check a.toml --json");
    assert_eq!(report["ok"], false);
    let errors = report["errors"].as_array().unwrap();
    let lines: Vec<u64> = errors.iter().map(|e| e["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 10]);
    assert!(errors.iter().all(|e| e["file"] == "a.toml" && e["column"].as_u64().unwrap() > 0), "{errors:?}");
    assert!(errors[1]["message"].as_str().unwrap().contains("cells"), "{errors:?}");
}

#[test]
fn what_cannot_be_read_is_told_in_json_too() {
    let keep = tempfile::tempdir().unwrap();
    std::fs::write(keep.path().join("cut.vtk"), &BROKEN[..150]).unwrap();
    for command in ["check", "mesh inspect"] {
        let report = json_in(keep.path(), &format!("{command} cut.vtk --json"));
        assert_eq!((&report["ok"], &report["errors"][0]["file"]), (&false.into(), &"cut.vtk".into()));
        assert_eq!(report["errors"][0]["line"], 7);
        assert!(report["errors"][0]["way_out"].as_str().unwrap().contains("cut off"), "{report}");
        let missing = json_in(keep.path(), &format!("{command} nothing.vtk --json"));
        assert_eq!((&missing["ok"], &missing["errors"][0]["line"]), (&false.into(), &Value::Null));
    }
    // a scene with a broken mesh tells what is known of the mesh
    std::fs::write(keep.path().join("broken.vtk"), BROKEN).unwrap();
    let scene = "duration = 1\n[material.m]\nlaw = \"linear\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\n\
                 [body.b]\nmaterial = \"m\"\nmesh = { file = \"broken.vtk\", scale = \"1 mm\" }\n";
    std::fs::write(keep.path().join("a.toml"), scene).unwrap();
    let report = json_in(keep.path(), "check a.toml --json");
    assert_eq!(report["errors"][0]["line"], 9);
    assert_eq!(report["bodies"][0]["findings"][0]["kind"], "inverted");
    assert_eq!(report["bodies"][0]["findings"][0]["place"]["number"], 1);
}

#[test]
fn slips_that_would_destroy_something_are_refused() {
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    assert_eq!(run_in(folder, "mesh make box --size 1,1,1 --cells 2,2,2 -o box.vtu").0, 0);
    let before = std::fs::read(folder.join("box.vtu")).unwrap();
    for (line, part) in [
        ("mesh convert box.vtu --merge 5 -o small.vtu", "leaves no element"),
        ("mesh inspect box.vtu -o box.vtu", "this is the mesh itself"),
        ("mesh inspect box.vtu --scale 0", "must be above 0"),
        ("mesh convert box.vtu --scale -1 -o x.vtu", "must be above 0"),
        ("mesh convert box.vtu --scale 1e200 -o x.vtu", "too large for numbers"),
        ("mesh convert box.vtu --ascii -o x.ply", "--ascii is for .msh"),
        ("mesh make sphere --radius 1 --cells 300 -o big.vtu", "use fewer cells"),
    ] {
        let (code, out, err) = run_in(folder, line);
        assert!(code == 2 && err.contains(part), "{line}: {out}{err}");
    }
    assert_eq!(std::fs::read(folder.join("box.vtu")).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "nothing was written");
    #[cfg(target_os = "linux")]
    {
        std::os::unix::fs::symlink("/dev/full", folder.join("full.vtu")).unwrap();
        let (code, _, err) = run_in(folder, "mesh convert box.vtu -o full.vtu");
        assert!(code == 2 && err.contains("full.vtu: it is a device"), "{err}");
    }
}

#[test]
fn folded_hexahedra_are_not_called_reversed() {
    // the unit cube with one corner pushed far in: its volume is still above 0
    let keep = tempfile::tempdir().unwrap();
    let file = |corner: &str| {
        let text = format!(
            "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n\
             0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 {corner} 0 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n"
        );
        std::fs::write(keep.path().join("hex.vtk"), text).unwrap();
        run_in(keep.path(), "check hex.vtk")
    };
    let (code, out, _) = file("0.2 0.2 0.2");
    assert!(code == 2 && out.contains("1 of 1 elements is folded") && !out.contains("reversed"), "{out}");
    let (code, out, _) = file("0.5 0.5 0.5");
    assert!(code == 0 && out.contains("folded at a corner") && !out.contains("error"), "{out}");
    assert!(!out.contains("sliver"), "{out}");
}
