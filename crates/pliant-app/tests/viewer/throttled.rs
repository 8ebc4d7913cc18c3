//! Readers that take nothing: the simulation does not wait for them, nothing is kept for them, and in the end they are dropped.

use std::time::{Duration, Instant};

use super::page::{Event, Page};
use super::program::Viewer;

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

/// After so many frames no more fits between the viewer and a page that does not read.
const STALLED: usize = 150;

/// A viewer of the plate, and a page that keeps up with it.
fn plate() -> (Viewer, Page) {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("plate.toml");
    std::fs::write(&scene, PLATE).unwrap();
    let viewer = Viewer::showing(&scene);
    let page = Page::running(&viewer);
    (viewer, page)
}

/// Pages that acknowledge everything and read nothing.
struct Deaf {
    pages: Vec<Page>,
    newest: u32,
}

impl Deaf {
    /// So many of them, who have not heard of the frames after this one.
    fn open(viewer: &Viewer, count: usize, newest: u32) -> Self {
        Self { pages: (0..count).map(|_| Page::open(viewer)).collect(), newest }
    }

    /// Acknowledges every number at once, and again when the frame has surely gone to a deaf page if it ever will.
    fn nod(&mut self, newest: u32) {
        while self.newest < newest {
            self.newest += 1;
            for page in &mut self.pages {
                page.ack(self.newest);
                page.ack(self.newest.saturating_sub(4));
            }
        }
    }

    /// Hears what one of them was sent: frames until nothing more fitted, then one that is newer by far; how many before that.
    fn hear(&mut self) -> usize {
        let page = &mut self.pages[0];
        page.draws = false;
        page.until(|page| page.frame.is_some());
        let mut last = page.number();
        for frames in 1.. {
            page.until(|page| page.number() != last);
            if page.number() > last + 30 {
                return frames;
            }
            last = page.number();
        }
        unreachable!("more frames than numbers");
    }
}

/// Reads a number of frames.
fn read(page: &mut Page, frames: usize, mut at_each: impl FnMut(u32)) {
    for _ in 0..frames {
        let before = page.number();
        page.until(|page| page.number() != before);
        at_each(page.number());
    }
}

/// Steps a second, read by a page that keeps up.
fn rate(page: &mut Page, during: Duration, mut at_each: impl FnMut(u32)) -> f64 {
    let begin = Instant::now();
    let steps = |page: &Page| page.frame.as_ref().unwrap().steps();
    let first = steps(page);
    while begin.elapsed() < during {
        read(page, 1, &mut at_each);
    }
    (steps(page) - first) / begin.elapsed().as_secs_f64()
}

/// Memory of a process that is its own and in use, in bytes.
#[cfg(target_os = "linux")]
fn resident(viewer: &Viewer) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", viewer.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon")).unwrap();
    1024.0 * line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap()
}

/// Steps a second beside a reader that never acknowledges and four deaf ones, as a part of the steps a second alone, before
/// them or after them, whichever are more; and that the memory does not grow meanwhile.
#[cfg(target_os = "linux")]
fn part_of_speed() -> f64 {
    let (viewer, mut page) = plate();
    let (viewer, page) = (&viewer, &mut page);
    read(page, 20, |_| {});
    let second = Duration::from_secs(1);
    let before = rate(page, second, |_| {});

    let mut mute = Page::open(viewer);
    mute.draws = false;
    mute.until(|page| page.frame.is_some());
    let mut deaf = Deaf::open(viewer, 4, page.number());
    let memory = resident(viewer);
    let mut frames = STALLED;
    read(page, frames, |number| deaf.nod(number));
    let beside = rate(page, 2 * second, |number| {
        frames += 1;
        deaf.nod(number);
    });
    // a queue would have kept most of the frames, and all pages' queues the same bytes
    let queue = (frames * page.frame.as_ref().unwrap().size()) as f64;
    let grown = resident(viewer) - memory;
    assert!(grown < 0.5 * queue, "{grown:.2e} bytes more; a queue would be {queue:.2e}");
    let sent = deaf.hear();
    assert!((5..frames).contains(&sent), "{sent} of {frames} frames were sent to a deaf page");

    drop((mute, deaf));
    page.until(|page| page.role["clients"] == 1);
    let after = rate(page, second, |_| {});
    beside / before.max(after)
}

/// The readers cost some of two cores, and others compete for them: a third of the speed is enough, once in three times. A
/// simulation that waits for its readers stands still each time; one that waits even when they are gone does too.
#[cfg(target_os = "linux")]
#[test]
fn throttled_readers_neither_slow_the_simulation_nor_fill_the_memory() {
    let mut parts = Vec::new();
    while !parts.iter().any(|part| *part > 1.0 / 3.0) {
        assert!(
            parts.len() < 3,
            "beside throttled readers the simulation has {parts:.2?} of its speed alone"
        );
        parts.push(part_of_speed());
    }
}

#[test]
fn a_page_that_takes_nothing_for_ten_seconds_is_dropped_and_others_stay() {
    let (viewer, mut page) = plate();
    let mut mute = Page::open(&viewer);
    mute.draws = false;
    mute.until(|page| page.frame.is_some());
    let mut deaf = Deaf::open(&viewer, 1, page.number());
    page.until(|page| page.role["clients"] == 3);
    read(&mut page, STALLED, |number| deaf.nod(number));
    // now nobody needs a processor
    page.command(serde_json::json!({"type": "pause"}));
    page.until(|page| page.role["clients"] == 2);
    mute.sync();
    // the end came after some frames, not before
    let deaf = &mut deaf.pages[0];
    deaf.draws = false;
    let events = std::iter::from_fn(|| Some(deaf.next()).filter(|event| !matches!(event, Event::End(_))));
    let frames = events.filter(|event| *event == Event::Frame).count();
    assert!((5..STALLED).contains(&frames), "{frames} frames were sent before it was dropped");
}
