//! What a page sees of the simulation, and that no page can slow it down.

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;

use crate::page::Page;
use crate::program::Viewer;

#[test]
fn a_page_is_told_who_it_is_and_how_things_stand_before_the_first_frame() {
    let viewer = Viewer::start();
    let mut page = Page::open(&viewer);
    let kinds: Vec<String> = (0..3)
        .map(|_| {
            let Message::Text(text) = page.socket.read().unwrap() else { panic!("not a text") };
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            value["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["hello", "role", "status"]);
}

#[test]
fn without_an_acknowledgement_no_second_frame_comes() {
    let viewer = Viewer::start();
    let mut other = Page::running(&viewer);
    let mut page = Page::open(&viewer);
    page.draws = false;
    page.until(|page| page.frame.is_some());
    let first = page.number();
    // the simulation goes on
    other.until(|other| other.number() > first + 20);
    assert!(!page.sync(), "a second frame came");
    // acknowledgements of others do not count
    page.ack(first + 1);
    page.ack(first.wrapping_sub(1));
    assert!(!page.sync(), "a wrong acknowledgement counted");
}

#[test]
fn after_a_late_acknowledgement_the_newest_frame_comes() {
    let viewer = Viewer::start();
    let mut other = Page::running(&viewer);
    let mut page = Page::open(&viewer);
    page.draws = false;
    page.until(|page| page.frame.is_some());
    let first = page.number();
    other.until(|other| other.number() > first + 20);
    page.ack(first);
    let known = other.number();
    page.until(|page| page.number() != first);
    assert!(page.number() >= known, "{} came though {known} was there", page.number());
}

/// Reads until time stands still and the last frame of it is here.
fn pause(page: &mut Page) {
    page.command(json!({"type": "pause"}));
    page.until(|page| page.status["phase"] == "paused");
    while page.sync() {
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn other_colours_come_even_while_time_stands_still() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    pause(&mut page);
    assert!(page.frame.as_ref().unwrap().block(b"FILD").is_none());
    for (field, kind) in [("displacement", 1), ("von-mises", 2), ("energy-density", 3)] {
        page.say(&json!({"type": "field", "field": field}));
        page.until(|page| page.frame.as_ref().unwrap().block(b"FILD").is_some_and(|block| block[0] == kind));
    }
    page.say(&json!({"type": "field", "field": "none"}));
    page.until(|page| page.frame.as_ref().unwrap().block(b"FILD").is_none());
}

#[test]
fn each_page_has_its_own_colours() {
    let viewer = Viewer::start();
    let mut one = Page::running(&viewer);
    let mut two = Page::running(&viewer);
    one.say(&json!({"type": "field", "field": "displacement"}));
    one.until(|page| page.frame.as_ref().unwrap().block(b"FILD").is_some());
    assert!(two.sync() || two.frame.is_some());
    assert!(two.frame.as_ref().unwrap().block(b"FILD").is_none());
}

#[test]
fn another_scene_comes_even_while_time_stands_still() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    let hash = page.status["scene"]["topology"].clone();
    pause(&mut page);
    page.command(json!({"type": "open", "scene": "tumbling_block"}));
    page.until(|page| page.status["scene"]["id"] == "tumbling_block" && page.status["phase"] != "loading");
    let other = page.status["scene"]["topology"].as_str().unwrap().to_owned();
    assert_ne!(hash, other);
    let hash = u64::from_str_radix(&other, 16).unwrap();
    page.until(|page| page.frame.as_ref().unwrap().topology() == hash);
    assert_eq!(viewer.get(&format!("/api/topology/{other}")).status, 200);
}

/// A plate of 101 x 101 x 2 nodes, all on the surface: 20402 vertices, about 120 kB a frame.
const PLATE: &str = r#"
title = "A large plate"
duration = "1000 s"
gravity = [0.0, 0.0, -9.81]
[integrator]
method = "explicit"
step = "auto"
[material.jelly]
law = "st-venant"
young = "10 kPa"
poisson = 0.3
density = "1000 kg/m^3"
damping = { mass = 5.0 }
[body.plate]
material = "jelly"
mesh = { shape = "box", size = ["1 m", "1 m", "0.02 m"], cells = [100, 100, 1], element = "hex" }
[[body.plate.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
"#;

/// Steps a second, read by a page that keeps up.
fn rate(page: &mut Page, during: Duration, mut at_each_frame: impl FnMut(u32)) -> f64 {
    let begin = Instant::now();
    let first = page.frame.as_ref().unwrap().steps();
    while begin.elapsed() < during {
        let before = page.number();
        page.until(|page| page.number() != before);
        at_each_frame(page.number());
    }
    (page.frame.as_ref().unwrap().steps() - first) / begin.elapsed().as_secs_f64()
}

/// Memory of a process that is its own and in use, in bytes.
#[cfg(target_os = "linux")]
fn resident(viewer: &Viewer) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", viewer.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon")).unwrap();
    1024.0 * line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap()
}

/// A reader that never acknowledges, and one that acknowledges everything and reads nothing.
#[cfg(target_os = "linux")]
#[test]
fn throttled_readers_neither_slow_the_simulation_nor_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("plate.toml");
    std::fs::write(&scene, PLATE).unwrap();
    let viewer = Viewer::showing(&scene);
    let mut page = Page::running(&viewer);
    let time = Duration::from_secs(6);
    rate(&mut page, Duration::from_secs(2), |_| {});
    let alone = rate(&mut page, time, |_| {});

    let mut mute = Page::open(&viewer);
    mute.draws = false;
    mute.until(|page| page.frame.is_some());
    let mut acknowledged = page.number() - 1;
    let mut deaf: Vec<Page> = (0..4).map(|_| Page::open(&viewer)).collect();
    let before = resident(&viewer);
    let mut frames = 0.0;
    let beside = rate(&mut page, time, |number| {
        frames += 1.0;
        // every number once, and late enough that the frame has gone to a deaf page if it ever will
        while acknowledged + 3 < number {
            acknowledged += 1;
            deaf.iter_mut().for_each(|one| one.ack(acknowledged));
        }
    });
    // a queue for each of the five would have kept most of the frames
    let queued = 5.0 * frames * page.frame.as_ref().unwrap().size() as f64;
    let grown = resident(&viewer) - before;
    println!("{alone:.0} and {beside:.0} steps a second, {grown:.2e} bytes more, {queued:.2e} not kept");
    assert!(grown < 0.25 * queued, "{grown:.3e} bytes more; queues would be {queued:.3e}");
    // the readers cost some of two cores, but nobody waits for them: a simulation that did would stand still
    assert!(beside > 0.4 * alone, "{beside} steps a second beside them, {alone} alone");
    // who takes nothing for long is dropped; the mute one stays
    page.until(|page| page.role["clients"] == 2);
    let one = &mut deaf[0];
    one.draws = false;
    // it was really sent frames until nothing more fitted between here and there
    (0..5).for_each(|_| while one.next() != crate::page::Event::Frame {});
}

#[test]
fn a_page_that_vanishes_without_a_word_leaves_the_others_alone() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    let mut gone = Page::running(&viewer);
    page.until(|page| page.role["clients"] == 2);
    // half a message, then nothing
    gone.socket.get_mut().write_all(&[0x81]).unwrap();
    drop(gone);
    page.until(|page| page.role["clients"] == 1);
    let now = page.number();
    page.until(|page| page.number() > now + 5);
}
