//! Frames of a run in every format: written while running, the same after a break, nothing of an older run left.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use support::{errors, pliant, run, summary};

/// Two bodies, one a ball of hexahedra; long enough to be interrupted.
const SCENE: &str = r#"
duration = "0.4 s"
gravity = [0, 0, -9.81]
[material.m]
law = "neo-hookean"
young = "50 kPa"
poisson = 0.3
density = 1000
[body.ball]
material = "m"
mesh = { shape = "sphere", radius = "5 cm", cells = 6, element = "hex" }
[[body.ball.fix]]
where = { sphere = { center = [0, 0, 0.05], radius = "2 cm" } }
[body.bar]
material = "m"
mesh = { shape = "box", size = [0.2, 0.04, 0.04], cells = [20, 4, 4] }
position = [0.1, 0, 0]
[[body.bar.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
[output]
frames_per_second = 100
formats = ["vtu", "obj", "ply", "pc2", "gltf", "pov", "obj"]
"#;

/// Every file below a folder but those that tell wall times.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(next) = todo.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            if name != "summary.json" && name != "snapshot.pliant" {
                out.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    out
}

#[test]
fn every_format_is_written_and_the_same_after_a_break() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.toml");
    std::fs::write(&file, SCENE).unwrap();
    let file = file.to_str().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let output = run(&["run", file, "-o", whole.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));

    let mut child = pliant().args(["run", file, "-o", parts.to_str().unwrap()]).spawn().unwrap();
    let begin = Instant::now();
    while !parts.join("ply/bar_000005.ply").exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success() && child.wait().unwrap().code() == Some(130));
    assert_eq!(summary(&parts)["status"], "stopped");
    let early = files(&parts);
    let frames = early.keys().filter(|n| n.starts_with("pov/ball_")).count();
    let line = format!("+KFI0 +KFF{} ", frames - 1);
    for name in ["pov/all_bodies.pov", "pov/ball.pov"] {
        assert!(String::from_utf8_lossy(&early[name]).contains(&line), "{name}: {frames} frames");
    }
    let output = run(&["run", file, "-o", parts.to_str().unwrap(), "--resume"]);
    assert!(output.status.success(), "{}", errors(&output));

    let (whole_files, part_files) = (files(&whole), files(&parts));
    let names: Vec<&String> = whole_files.keys().collect();
    assert_eq!(names, part_files.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole_files {
        assert!(*bytes == part_files[name], "{name} differs after --resume");
    }
    let count =
        |start: &str, end: &str| names.iter().filter(|n| n.starts_with(start) && n.ends_with(end)).count();
    // 41 frames of 2 bodies
    for (start, end) in [("frames/", ".vtu"), ("obj/", ".obj"), ("ply/", ".ply"), ("pov/", ".inc")] {
        assert_eq!(count(start, end), 82, "{start}");
    }
    for name in ["pc2/ball.pc2", "pc2/bar.obj", "gltf/ball.gltf", "gltf/bar.bin", "pov/all_bodies.pov"] {
        assert!(whole_files.contains_key(name), "{name}: {names:?}");
    }
    for name in ["pov/all_bodies.pov", "pov/ball.pov", "pov/bar.pov"] {
        let text = String::from_utf8(part_files[name].clone()).unwrap();
        assert!(
            text.lines().next().unwrap().contains("the frames 0 to 40, of 100 a second"),
            "{name}: {text}"
        );
    }
    // the count in the header of a point cache: 41 samples
    assert_eq!(whole_files["pc2/ball.pc2"][28..32], 41_i32.to_le_bytes());

    // a mesh that somebody converted with this program is theirs too
    let (from, to) = (whole.join("pc2/ball.obj"), whole.join("obj/converted.obj"));
    std::fs::copy(from, to).unwrap();
    // another scene in the same folder leaves nothing of this one, and everything of somebody else's
    for theirs in ["obj/chair.obj", "gltf/theirs.gltf", "pc2/theirs.pc2"] {
        std::fs::write(whole.join(theirs), "o chair\nv 0 0 0\n").unwrap();
    }
    std::fs::write(
        file,
        SCENE
            .replace("0.4 s", "0.02 s")
            .replace("\"vtu\", \"obj\", \"ply\", \"pc2\", \"gltf\", \"pov\", ", ""),
    )
    .unwrap();
    let output = run(&["run", file, "-o", whole.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    let left = files(&whole);
    let left: Vec<&str> = left.keys().map(String::as_str).collect();
    let expected: Vec<String> = ["ball", "bar"]
        .iter()
        .flat_map(|body| (0..3).map(move |frame| format!("obj/{body}_{frame:06}.obj")))
        .collect();
    let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expected.extend([
        "energy.csv",
        "forces.csv",
        "probes.csv",
        "obj/chair.obj",
        "obj/converted.obj",
        "gltf/theirs.gltf",
        "pc2/theirs.pc2",
    ]);
    expected.sort_unstable();
    assert_eq!(left, expected);
}

/// A coarse ball that falls freely, with a fine surface; long enough to be interrupted.
const FINER: &str = r#"
duration = "0.4 s"
gravity = [0, 0, -9.81]
[material.m]
law = "neo-hookean"
young = "50 kPa"
poisson = 0.3
density = 1000
[body.ball]
material = "m"
mesh = { shape = "sphere", radius = "5 cm", cells = 4, element = "hex" }
surface = { shape = "sphere", radius = "5 cm", cells = 16 }
[output]
frames_per_second = 100
formats = ["vtu", "obj", "ply", "pc2", "gltf", "pov"]
"#;

#[test]
fn a_finer_surface_stands_for_its_body_and_goes_on_after_a_break() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.toml");
    std::fs::write(&file, FINER).unwrap();
    let file = file.to_str().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let output = run(&["run", file, "-o", whole.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));

    let mut child = pliant().args(["run", file, "-o", parts.to_str().unwrap()]).spawn().unwrap();
    let begin = Instant::now();
    while !parts.join("surfaces/ball_000005.vtu").exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success() && child.wait().unwrap().code() == Some(130));
    assert_eq!(summary(&parts)["status"], "stopped");
    let output = run(&["run", file, "-o", parts.to_str().unwrap(), "--resume"]);
    assert!(output.status.success(), "{}", errors(&output));
    let (whole_files, part_files) = (files(&whole), files(&parts));
    assert_eq!(whole_files.keys().collect::<Vec<_>>(), part_files.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole_files {
        assert!(*bytes == part_files[name], "{name} differs after --resume");
    }

    // the boundary of the fine ball: 6 faces of 16 x 16 squares, two triangles each
    let mesh = |path: &str| pliant_scene::mesh_file::read(&whole.join(path)).unwrap().mesh;
    let count = |path: &str| (mesh(path).node_count(), mesh(path).triangles().len());
    let fine = (6 * 16 * 16 + 2, 2 * 6 * 16 * 16);
    for path in ["obj/ball_000040.obj", "ply/ball_000040.ply", "pc2/ball.obj", "surfaces/ball_000040.vtu"] {
        assert_eq!(count(path), fine, "{path}");
    }
    // the volume mesh is what it was
    assert!(mesh("frames/ball_000040.vtu").hexes().len() > 200, "cells of the coarse ball");
    // the points of a cache are counted in its header, behind 16 bytes
    assert_eq!(whole_files["pc2/ball.pc2"][16..20], (fine.0 as i32).to_le_bytes());
    let inc = String::from_utf8(whole_files["pov/ball_000040.inc"].clone()).unwrap();
    assert!(inc.contains(&format!("normal_vectors {{ {}", fine.0)), "POV-Ray has fine normals");
    let pvd = String::from_utf8(whole_files["scene_surfaces.pvd"].clone()).unwrap();
    assert_eq!(pvd.matches("file=\"surfaces/ball_").count(), 41);
    // free fall: g t^2 / 2 after 0.4 s, for every vertex, inside the coarse cells or not
    let (start, end) = (mesh("obj/ball_000000.obj"), mesh("obj/ball_000040.obj"));
    for (a, b) in start.positions().iter().zip(end.positions()) {
        let fall = [b[0] - a[0], b[1] - a[1], b[2] - a[2] + 0.5 * 9.81 * 0.4 * 0.4];
        assert!(fall.iter().all(|x| x.abs() < 1e-9), "{fall:?}");
    }

    // a surface series that is gone is told, not begun anew in the middle
    std::fs::remove_file(parts.join("scene_surfaces.pvd")).unwrap();
    std::fs::write(file, FINER.replace("0.4 s", "0.5 s")).unwrap();
    let output = run(&["run", file, "-o", parts.to_str().unwrap(), "--resume"]);
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert!(errors(&output).contains("scene_surfaces.pvd"), "{}", errors(&output));
    // and a new run leaves nothing of it
    std::fs::write(file, FINER.replace("surface =", "# ").replace("0.4 s", "0.02 s")).unwrap();
    let output = run(&["run", file, "-o", whole.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(files(&whole).keys().all(|name| !name.contains("surfaces")), "{:?}", files(&whole).keys());
}

#[test]
fn pov_ray_renders_both_bodies_where_it_is_installed() {
    if std::process::Command::new("povray").arg("--version").output().is_err() {
        // the structure of its files is checked in pliant-scene; only the picture needs the program
        assert!(
            std::env::var_os("PLIANT_FULL").is_none(),
            "the full tier needs povray (Debian: apt install povray)"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.toml");
    std::fs::write(&file, SCENE.replace("0.4 s", "0.02 s")).unwrap();
    let out = folder.path().join("out");
    let output = run(&["run", file.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    let rendered = std::process::Command::new("povray")
        .args(["all_bodies.pov", "+W64", "+H48", "-D", "+FP8", "+KFI1", "+KFF1", "+Opicture.ppm"])
        .current_dir(out.join("pov"))
        .output()
        .unwrap();
    assert!(rendered.status.success(), "{}", errors(&rendered));
    let picture = std::fs::read_dir(out.join("pov"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "ppm"))
        .unwrap();
    let bytes = std::fs::read(picture).unwrap();
    let pixels = &bytes[bytes.len() - 3 * 64 * 48..];
    let mut colours: Vec<&[u8]> = pixels.chunks(3).collect();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 50, "{} colours", colours.len());
}
