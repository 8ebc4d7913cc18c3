//! `contacts.csv`, and what else a run tells of contact.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;
use std::time::{Duration, Instant};

use support::{errors, pliant, run, summary, text};

/// A block that slides down a floor that is not level, and a ball that comes down on it.
const SLIDE: &str = "duration = \"0.4 s\"\ngravity = [2, 0, -9.81]\n[material.m]\nlaw = \"corotated\"\nyoung = \"200 kPa\"\npoisson = 0.3\n\
    density = 1000\ndamping = { mass = 5 }\n[body.block]\nmaterial = \"m\"\nposition = [0, 0, \"1 mm\"]\n\
    mesh = { shape = \"box\", size = [0.1, 0.1, 0.1], cells = [6, 6, 6], element = \"hex\" }\n\
    [[collider]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nfriction = 0.1\n\
    [[collider]]\nshape = \"sphere\"\ncenter = [0.06, 0.05, 0.16]\nradius = 0.05\nmove = [0, 0, \"-2 cm\"]\nover = \"0.3 s\"\n\
    [output]\nframes_per_second = 500\nformats = []\n";

fn scene(folder: &Path, content: &str) -> String {
    let file = folder.join("slide.toml");
    std::fs::write(&file, content).unwrap();
    file.to_str().unwrap().into()
}

fn table(out: &Path, name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(out.join(name)).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn number(field: &str) -> f64 {
    field.parse().unwrap()
}

#[test]
fn rows_of_contacts_add_up_to_the_forces_of_colliders() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (scene(folder.path(), SLIDE), folder.path().join("out"));
    let output = run(&["run", &file, "-o", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    let head = std::fs::read_to_string(out.join("contacts.csv")).unwrap();
    assert!(
        head.starts_with("time,collider,body,vertex,x,y,z,nx,ny,nz,gap,normal_force,fx,fy,fz\n"),
        "{head}"
    );
    let (contacts, forces) = (table(&out, "contacts.csv"), table(&out, "forces.csv"));
    for name in ["floor", "collider 2"] {
        let rows: Vec<_> = forces.iter().filter(|row| row[1] == name).collect();
        assert!(rows.len() > 190 && rows.iter().all(|row| row[2] == "collider"), "{name}: {}", rows.len());
        assert!(contacts.iter().any(|row| row[1] == name), "{name} is touched");
        for row in rows {
            let mut sum = [0.0; 6];
            for touch in contacts.iter().filter(|touch| touch[0] == row[0] && touch[1] == name) {
                let [p, n, f] = [4, 7, 12].map(|at| [at, at + 1, at + 2].map(|i| number(&touch[i])));
                let force: [f64; 3] = std::array::from_fn(|c| number(&touch[11]) * n[c] + f[c]);
                for c in 0..3 {
                    let (d, e) = ((c + 1) % 3, (c + 2) % 3);
                    sum[c] += force[c];
                    sum[3 + c] += p[d] * force[e] - p[e] * force[d];
                }
            }
            let told: Vec<f64> = row[3..].iter().map(|field| number(field)).collect();
            let largest = told.iter().fold(1e-9, |most: f64, f| most.max(f.abs()));
            assert!((0..6).all(|c| (sum[c] - told[c]).abs() < 1e-9 * largest), "{row:?} {sum:?}");
        }
    }
    // nodes of the lowest layer, by the mesh's numbers
    assert!(contacts.iter().filter(|row| row[1] == "floor").all(|row| row[3].parse::<u32>().unwrap() < 49));
    let s = summary(&out);
    let end = contacts.iter().filter(|row| number(&row[0]) == 0.4).count();
    assert!(end > 0 && s["contacts"]["count"] == end, "{} {end}", s["contacts"]);
    let deepest = s["contacts"]["deepest_penetration_m"].as_f64().unwrap();
    let least = contacts.iter().map(|row| number(&row[10])).fold(0.0, f64::min);
    assert!(deepest > 0.0 && deepest >= -least, "{deepest} {least}");
    assert!(text(&output).contains("deepest penetration"), "{}", text(&output));
    let energy = table(&out, "energy.csv");
    let (row, told) = (number(&energy.last().unwrap()[6]), s["energy"]["contact"].as_f64().unwrap());
    // a number read from JSON may be off in its last bit
    assert!((row - told).abs() <= 1e-15 * told.abs(), "{row} {told}");
}

#[test]
fn a_run_interrupted_in_contact_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    // long enough to be met on the way by a busy machine
    let file = scene(folder.path(), &SLIDE.replace("0.4 s", "2 s"));
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let output = run(&["run", &file, "-o", whole.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    let mut child = pliant().args(["run", &file, "-o", parts.to_str().unwrap()]).spawn().unwrap();
    // in the middle of contact
    let (begin, written) = (Instant::now(), parts.join("contacts.csv"));
    let lines = || std::fs::read_to_string(&written).unwrap_or_default().lines().count();
    while lines() < 200 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success() && child.wait().unwrap().code() == Some(130));
    // what a program that is killed has written beyond its snapshot
    let mut torn = std::fs::OpenOptions::new().append(true).open(&written).unwrap();
    std::io::Write::write_all(&mut torn, b"9e0,floor,block,1,0e0\n9e0,fl").unwrap();
    let output = run(&["run", &file, "-o", parts.to_str().unwrap(), "--resume"]);
    assert!(output.status.success(), "{}", errors(&output));
    for name in ["contacts.csv", "forces.csv", "energy.csv"] {
        let bytes = |out: &Path| std::fs::read(out.join(name)).unwrap();
        assert!(bytes(&whole) == bytes(&parts), "{name} differs after --resume");
    }
    assert_eq!(summary(&whole)["contacts"], summary(&parts)["contacts"]);
    // a table that is gone is missed
    std::fs::remove_file(parts.join("contacts.csv")).unwrap();
    let missed = run(&["run", &file, "-o", parts.to_str().unwrap(), "--resume"]);
    assert!(errors(&missed).contains("contacts.csv: the file is missing"), "{}", errors(&missed));
}

#[test]
fn the_table_is_there_only_where_there_are_colliders() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let short = SLIDE.replace("0.4 s", "10 ms").replace("formats = []", "formats = []\ncsv_comments = true");
    let file = scene(folder.path(), &short);
    assert!(run(&["run", &file, "-o", out.to_str().unwrap()]).status.success());
    let head = std::fs::read_to_string(out.join("contacts.csv")).unwrap();
    assert!(head.contains("# gap (m): distance to the collider, below 0 where it is inside"), "{head}");
    // the next run in the same folder has none
    let alone = &short[..short.find("[[collider]]").unwrap()];
    let file = scene(folder.path(), &format!("{alone}[output]\nformats = []\n"));
    let output = run(&["run", &file, "-o", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(!out.join("contacts.csv").exists());
    assert_eq!(summary(&out)["contacts"]["count"], 0);
    assert!(!text(&output).contains("penetration"), "{}", text(&output));
    // somebody else's file of that name is in nobody's way there, and is refused where it is
    std::fs::write(out.join("contacts.csv"), "name,mail\n").unwrap();
    assert!(run(&["run", &file, "-o", out.to_str().unwrap()]).status.success());
    assert!(out.join("contacts.csv").exists());
    let file = scene(folder.path(), &short);
    let refused = run(&["run", &file, "-o", out.to_str().unwrap()]);
    assert!(errors(&refused).contains("Pliant did not write it"), "{}", errors(&refused));
}

#[test]
fn check_tells_colliders_the_response_and_overlaps() {
    let folder = tempfile::tempdir().unwrap();
    let told = |content: &str| {
        let output = run(&["check", &scene(folder.path(), content)]);
        assert!(output.status.success(), "{}", errors(&output));
        text(&output)
    };
    let said = told(SLIDE);
    assert!(said.contains("collider `floor`: plane, friction 0.1\n"), "{said}");
    assert!(
        said.contains("collider `collider 2`: sphere of radius 50 mm, friction 0, moved by its script\n"),
        "{said}"
    );
    assert!(said.contains("contact: response = \"constraint\"\n"), "{said}");
    let low = SLIDE.replace("\"1 mm\"", "\"-1 mm\"");
    let refused = run(&["check", &scene(folder.path(), &low)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        errors(&refused).contains("49 points of body `block` begin inside collider `floor`"),
        "{}",
        errors(&refused)
    );
    let said = told(&format!("{low}[contact]\nallow_overlap = true\n"));
    assert!(
        said.contains("overlap at the start, which the scene allows: 49 points, the deepest at"),
        "{said}"
    );
    let json = run(&["check", &scene(folder.path(), SLIDE), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text(&json)).unwrap();
    assert_eq!(json["colliders"]["names"], serde_json::json!(["floor", "collider 2"]));
    assert_eq!(json["colliders"]["response"], "constraint");
}

/// Every scene of contact as far as it takes to touch: the same bits on 1, 2 and 8 threads.
#[test]
fn threads_do_not_change_a_bit_of_a_contact() {
    let scenes = [("ball_drop", "0.32 s"), ("incline", "0.1 s"), ("roll", "0.1 s"), ("tool_push", "0.5 s")];
    for (name, duration) in scenes.into_iter().chain([("press", "0.3 s"), ("tube_drop", "0.35 s")]) {
        let folder = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(support::root().join(format!("scenes/{name}.toml"))).unwrap();
        let line = text.lines().find(|line| line.starts_with("duration = ")).unwrap();
        let short = text.replace(line, &format!("duration = \"{duration}\""));
        let file = scene(folder.path(), &format!("{short}formats = []\n"));
        let on = |threads: &str| {
            let out = folder.path().join(threads);
            let output =
                run(&["run", &file, "-o", out.to_str().unwrap(), "-q", "--force", "--threads", threads]);
            assert!(output.status.success(), "{name}: {}", errors(&output));
            ["contacts.csv", "energy.csv", "forces.csv"].map(|table| std::fs::read(out.join(table)).unwrap())
        };
        let alone = on("1");
        assert!(alone[0].len() > 1000, "{name} touches");
        assert!(on("2") == alone && on("8") == alone, "{name}");
    }
}
