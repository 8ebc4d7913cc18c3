//! Series of frames: whole after every frame, gone on with after a stop, laid out as the formats say.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_scene::mesh_file::series::{SeriesKind, SeriesPlace, SurfaceFrame, SurfaceSeries, open_series};
use pliant_scene::mesh_file::{self, TriangleSurface};
use serde_json::Value;

/// Two cells by one by one; all 12 nodes are on the boundary, whose 10 squares are 20 triangles.
fn bar() -> Mesh {
    box_mesh([1.0, 0.3, 0.3], [2, 1, 1], BoxElement::Hex).unwrap()
}

/// The bar bends down more from frame to frame.
fn positions(mesh: &Mesh, frame: u64) -> Vec<[f64; 3]> {
    mesh.positions().iter().map(|&[x, y, z]| [x, y, z - 0.1 * frame as f64 * x * x / 3.0]).collect()
}

fn place(folder: &Path, kept_frames: u64) -> SeriesPlace<'_> {
    SeriesPlace { folder, name: "soft bar", kept_frames, frames_per_second: 30.0 }
}

fn opened(kind: SeriesKind, folder: &Path, kept_frames: u64) -> Box<dyn SurfaceSeries> {
    let surface = TriangleSurface::of(&bar()).unwrap();
    open_series(kind, &place(folder, kept_frames), surface).unwrap_or_else(|error| panic!("{error}"))
}

fn push(series: &mut dyn SurfaceSeries, number: u64) {
    let mesh = bar();
    let von_mises: Vec<f64> = (0..mesh.node_count()).map(|i| number as f64 + i as f64).collect();
    let positions = positions(&mesh, number);
    let time = number as f64 / 30.0;
    series.push(&SurfaceFrame { number, time, positions: &positions, von_mises: &von_mises }).unwrap();
}

/// Everything in the folder, by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn int(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn a_resumed_series_is_the_one_that_was_never_stopped() {
    for (word, kind) in SeriesKind::WORDS {
        assert_eq!(kind.word(), word);
        let whole = tempfile::tempdir().unwrap();
        let mut series = opened(kind, whole.path(), 0);
        (0..70).for_each(|number| push(series.as_mut(), number));
        series.finish().unwrap();
        // stopped without a word after frame 66, then gone on with from frame 40
        let stopped = tempfile::tempdir().unwrap();
        fs::write(stopped.path().join("soft bar_x.obj"), "not a frame").unwrap();
        let mut series = opened(kind, stopped.path(), 0);
        (0..67).for_each(|number| push(series.as_mut(), number));
        drop(series);
        let mut series = opened(kind, stopped.path(), 40);
        (40..70).for_each(|number| push(series.as_mut(), number));
        series.finish().unwrap();
        let foreign = stopped.path().join("soft bar_x.obj");
        assert_eq!(
            fs::read_to_string(&foreign).unwrap(),
            "not a frame",
            "{word}: a foreign file is left alone"
        );
        fs::remove_file(foreign).unwrap();
        assert!(contents(whole.path()) == contents(stopped.path()), "{word}");
        // fewer than 71 are there
        let surface = TriangleSurface::of(&bar()).unwrap();
        let error = open_series(kind, &place(stopped.path(), 71), surface).err().unwrap().to_string();
        assert!(error.contains("71") && error.contains("without --resume"), "{word}: {error}");
        assert!(contents(whole.path()) == contents(stopped.path()), "{word}: a refusal changes nothing");
        // anew: nothing of the longer run stays
        let mut series = opened(kind, stopped.path(), 0);
        push(series.as_mut(), 0);
        series.finish().unwrap();
        let once = tempfile::tempdir().unwrap();
        let mut series = opened(kind, once.path(), 0);
        push(series.as_mut(), 0);
        series.finish().unwrap();
        assert!(contents(once.path()) == contents(stopped.path()), "{word}");
    }
}

#[test]
fn frames_out_of_order_and_of_other_meshes_are_refused() {
    for (word, kind) in SeriesKind::WORDS {
        let folder = tempfile::tempdir().unwrap();
        let mut series = opened(kind, folder.path(), 0);
        push(series.as_mut(), 0);
        let before = contents(folder.path());
        let mesh = bar();
        let (all, few) = (mesh.positions(), &mesh.positions()[1..]);
        let stress = vec![0.0; mesh.node_count()];
        for (number, positions) in [(2, all), (0, all), (1, few)] {
            let frame = SurfaceFrame { number, time: 0.1, positions, von_mises: &stress };
            assert!(series.push(&frame).is_err(), "{word} {number}");
        }
        assert!(contents(folder.path()) == before, "{word}");
        push(series.as_mut(), 1);
    }
}

#[test]
fn frames_in_files_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for kind in [SeriesKind::Obj, SeriesKind::Ply] {
        let mut series = opened(kind, folder.path(), 0);
        (0..3).for_each(|number| push(series.as_mut(), number));
    }
    let surface = TriangleSurface::of(&bar()).unwrap();
    for file in ["soft bar_000002.obj", "soft bar_000002.ply"] {
        let mesh = mesh_file::read(&folder.path().join(file)).unwrap().mesh;
        assert_eq!(mesh.triangles(), surface.triangles());
        assert_eq!(mesh.positions(), positions(&bar(), 2), "{file}: all nodes are on the boundary");
    }
}

#[test]
fn a_point_cache_announces_only_whole_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("soft bar.pc2");
    let mut series = opened(SeriesKind::Pc2, folder.path(), 0);
    for number in 0..4 {
        push(series.as_mut(), number);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(&bytes[..12], b"POINTCACHE2\0");
        // version, points; first frame, frames a sample; samples
        assert_eq!((int(&bytes, 12), int(&bytes, 16)), (1, 12));
        assert_eq!((float(&bytes, 20), float(&bytes, 24)), (0.0, 1.0));
        assert_eq!(u64::from(int(&bytes, 28)), number + 1);
        assert_eq!(bytes.len(), 32 + (number as usize + 1) * 12 * 12);
        let last = positions(&bar(), number);
        for (i, x) in last.as_flattened().iter().enumerate() {
            assert_eq!(float(&bytes, 32 + number as usize * 144 + 4 * i), *x as f32);
        }
    }
    // the OBJ beside it is the surface at rest, vertex by vertex
    let rest = mesh_file::read(&folder.path().join("soft bar.obj")).unwrap().mesh;
    assert_eq!(rest.positions(), TriangleSurface::of(&bar()).unwrap().rest());
    // half a sample behind the last is passed over
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([1; 50]);
    fs::write(&path, &bytes).unwrap();
    drop(opened(SeriesKind::Pc2, folder.path(), 4));
    assert_eq!(fs::read(&path).unwrap(), bytes[..bytes.len() - 50]);
}

/// A number of the document.
fn at(document: &Value, pointer: &str) -> usize {
    document.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{pointer}")) as usize
}

/// Four letters are three bytes.
fn unpacked(uri: &str) -> Vec<u8> {
    let letters = uri.strip_prefix("data:application/octet-stream;base64,").unwrap().trim_end_matches('=');
    let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits: Vec<bool> = Vec::new();
    for letter in letters.chars() {
        let value = all.find(letter).unwrap();
        bits.extend((0..6).rev().map(|bit| value >> bit & 1 == 1));
    }
    let byte = |bits: &[bool]| bits.iter().fold(0, |sum, &bit| 2 * sum + u8::from(bit));
    bits.chunks_exact(8).map(byte).collect()
}

#[test]
fn a_gltf_animation_says_where_every_frame_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = opened(SeriesKind::Gltf, folder.path(), 0);
    for count in 1..=5_usize {
        push(series.as_mut(), count as u64 - 1);
        let text = fs::read(folder.path().join("soft bar.gltf")).unwrap();
        let document: Value = serde_json::from_slice(&text).unwrap();
        let bin = fs::read(folder.path().join("soft bar.bin")).unwrap();
        assert_eq!(document["buffers"][0]["uri"], "soft%20bar.bin");
        assert_eq!(at(&document, "/buffers/0/byteLength"), bin.len());
        // 20 triangles and 12 vertices; a frame is a time and 12 ways
        assert_eq!(bin.len(), 20 * 12 + 12 * 12 + count * (4 + 12 * 12));
        let targets = document["meshes"][0]["primitives"][0]["targets"].as_array().unwrap();
        assert_eq!(targets.len(), count);
        for (frame, target) in targets.iter().enumerate() {
            let accessor = &document["accessors"][at(target, "/POSITION")];
            let view = &document["bufferViews"][at(accessor, "/bufferView")];
            let start = at(view, "/byteOffset") + at(accessor, "/byteOffset");
            assert_eq!((at(accessor, "/count"), at(view, "/byteStride")), (12, 12));
            let (mut min, mut max) = ([f64::MAX; 3], [f64::MIN; 3]);
            for (i, place) in positions(&bar(), frame as u64).iter().enumerate() {
                for k in 0..3 {
                    let way = float(&bin, start + 12 * i + 4 * k);
                    let shown = float(&bin, 240 + 12 * i + 4 * k) + way;
                    // both are floats of numbers below 1: two roundings
                    assert!((f64::from(shown) - place[k]).abs() <= f64::from(f32::EPSILON));
                    min[k] = min[k].min(f64::from(way));
                    max[k] = max[k].max(f64::from(way));
                }
            }
            assert_eq!(
                (&accessor["min"], &accessor["max"]),
                (&serde_json::json!(min), &serde_json::json!(max))
            );
        }
        // buffer 1: times, places of the ones in the identity, ones
        let own = unpacked(document["buffers"][1]["uri"].as_str().unwrap());
        assert_eq!((own.len(), at(&document, "/buffers/1/byteLength")), (12 * count, 12 * count));
        for frame in 0..count {
            assert_eq!(float(&own, 4 * frame), (frame as f64 / 30.0) as f32);
            assert_eq!(int(&own, 4 * (count + frame)) as usize, frame * count + frame);
            assert_eq!(float(&own, 4 * (2 * count + frame)), 1.0);
        }
        let sampler = &document["animations"][0]["samplers"][0];
        assert_eq!(at(&document["accessors"][at(sampler, "/output")], "/count"), count * count);
    }
}

#[test]
fn a_long_gltf_animation_is_described_seldom_but_always_right() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = opened(SeriesKind::Gltf, folder.path(), 0);
    let described = || {
        let text = fs::read(folder.path().join("soft bar.gltf")).unwrap();
        let document: Value = serde_json::from_slice(&text).unwrap();
        document["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len()
    };
    let mut writes = 0;
    let mut last = 0;
    for number in 0..256 {
        push(series.as_mut(), number);
        let now = described();
        writes += usize::from(now != last);
        last = now;
        // behind by a part in 64 at most
        assert!(now <= number as usize + 1 && 64 * (number as usize + 1 - now) <= number as usize + 1);
    }
    // every frame up to 127, then every second, third, fourth of 64 each
    assert!(writes < 127 + 64 + 1, "{writes}");
    series.finish().unwrap();
    assert_eq!(described(), 256);
}

#[test]
fn a_mesh2_has_a_normal_for_every_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = opened(SeriesKind::Pov, folder.path(), 0);
    (0..2).for_each(|number| push(series.as_mut(), number));
    let text = fs::read_to_string(folder.path().join("soft bar_000001.inc")).unwrap();
    let part = |name: &str| {
        let start = text.find(name).unwrap();
        text[start..].split_once('{').unwrap().1.split_once('}').unwrap().0.to_owned()
    };
    for (name, count) in [("vertex_vectors", 12), ("normal_vectors", 12), ("face_indices", 20)] {
        let part = part(name);
        assert!(part.trim().starts_with(&format!("{count},")), "{name}: {part}");
        assert_eq!(part.matches('<').count(), count, "{name}");
    }
    assert_eq!(text.matches('{').count(), text.matches('}').count());
    // outward: at the corner of the origin against all three axes
    let first = part("normal_vectors").split_once('<').unwrap().1.split_once('>').unwrap().0.to_owned();
    let normal: Vec<f64> = first.split(',').map(|x| x.parse().unwrap()).collect();
    assert!(normal.iter().all(|&x| x < 0.0), "{normal:?}");
    // floats
    assert!((normal.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-6, "{normal:?}");
}

/// The first line of the scene that shows the frames.
fn pov_line(folder: &Path) -> String {
    fs::read_to_string(folder.join("soft bar.pov")).unwrap().lines().next().unwrap().to_owned()
}

#[test]
fn a_pov_scene_names_the_frames_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = opened(SeriesKind::Pov, folder.path(), 0);
    for number in 0..12 {
        push(series.as_mut(), number);
        // also where the program is stopped without a word
        assert!(pov_line(folder.path()).contains(&format!("+KFI0 +KFF{number} ")), "{number}");
    }
    drop(series);
    assert!(pov_line(folder.path()).contains("the frames 0 to 11, of 30 a second"));
    // somebody moved the camera; frames behind the fifth are dropped and none is added
    let scene = folder.path().join("soft bar.pov");
    let edited = fs::read_to_string(&scene).unwrap().replace("angle 40", "angle 20");
    fs::write(&scene, &edited).unwrap();
    opened(SeriesKind::Pov, folder.path(), 5).finish().unwrap();
    assert!(pov_line(folder.path()).contains("+KFF4 "), "{}", pov_line(folder.path()));
    let rest = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(rest(&fs::read_to_string(&scene).unwrap()), rest(&edited));
    // a scene that is no longer ours stays as it is
    fs::write(&scene, "// my own\n").unwrap();
    push(opened(SeriesKind::Pov, folder.path(), 5).as_mut(), 5);
    assert_eq!(fs::read_to_string(&scene).unwrap(), "// my own\n");
}

#[test]
fn povray_renders_a_frame_where_it_is_installed() {
    if Command::new("povray").arg("--version").output().is_err() {
        assert!(
            std::env::var_os("PLIANT_FULL").is_none(),
            "the full tier needs povray (Debian: apt install povray)"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // POV-Ray's command line takes no blanks in names
    let place = SeriesPlace { name: "bar", ..place(folder.path(), 0) };
    let mut series = open_series(SeriesKind::Pov, &place, TriangleSurface::of(&bar()).unwrap()).unwrap();
    (0..3).for_each(|number| push(series.as_mut(), number));
    let options = ["+KFI2", "+KFF2", "+W64", "+H48", "+FP", "-D", "+Oframe"];
    let run = Command::new("povray").current_dir(folder.path()).arg("bar.pov").args(options).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // a PPM: a header of three lines, then 3 bytes a pixel
    let file = contents(folder.path()).into_iter().find(|(name, _)| name.ends_with(".ppm")).unwrap();
    let pixels: Vec<&[u8]> = file.1[file.1.len() - 64 * 48 * 3..].chunks_exact(3).collect();
    let body = pixels.iter().filter(|pixel| pixel[0] > pixel[2]).count();
    // red on a blue background; the bar covers a part of the picture
    assert!((64..64 * 48 / 2).contains(&body), "{body} of {} pixels", pixels.len());
}
