//! The simulation thread, without a network.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Live, Picture};
use crate::server::gallery::{Gallery, gallery};
use crate::server::wire::command::Hold;
use crate::server::wire::frame::Arrow;
use crate::server::wire::{Command, Field, Order};

/// Long enough for a busy machine; nothing waits that long when all is well.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn live(scene: &str) -> Live {
    started(gallery(None).unwrap_or_else(|_| panic!("the gallery can be read")).0, scene)
}

pub(super) fn started(gallery: Gallery, scene: &str) -> Live {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let live = Live::start(gallery, scene, pool).unwrap();
    // time begins with the first look
    until(&live, "the first picture", |picture, _| picture.number > 0).bytes(Field::None);
    live
}

pub(super) fn order(live: &Live, sequence: u32, order: Order) {
    live.send(Command { sequence, order });
}

pub(super) fn picture(live: &Live) -> Arc<Picture> {
    live.pictures().borrow().clone()
}

pub(super) fn status(live: &Live) -> Value {
    serde_json::from_str(&live.status().borrow()).unwrap()
}

/// Waits until something is so.
pub(super) fn until(
    live: &Live,
    what: &str,
    mut holds: impl FnMut(&Picture, &Value) -> bool,
) -> Arc<Picture> {
    let start = Instant::now();
    loop {
        let (picture, status) = (picture(live), status(live));
        if holds(&picture, &status) {
            return picture;
        }
        assert!(start.elapsed() < PATIENCE, "{what} did not happen: {status}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for a state that knows of a command.
pub(super) fn after(live: &Live, sequence: u32) -> Arc<Picture> {
    until(live, "the command", |picture, _| picture.sequence == sequence)
}

#[test]
fn time_runs_stops_steps_and_begins_again() {
    let live = live("hello_bar");
    let early = until(&live, "the first picture", |p, _| p.number > 0);
    until(&live, "time", |p, _| p.time > early.time + 0.05);
    order(&live, 1, Order::Pause);
    let paused = after(&live, 1);
    assert_eq!(status(&live)["phase"], "paused");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(picture(&live).number, paused.number, "nothing is published while nothing changes");
    order(&live, 2, Order::Step);
    let stepped = after(&live, 2);
    assert_eq!(stepped.stats.steps, paused.stats.steps + 1.0);
    assert!(stepped.time > paused.time);
    order(&live, 3, Order::Reset);
    let reset = after(&live, 3);
    assert_eq!((reset.time, reset.stats.steps), (0.0, 0.0));
    // at rest, to the bit
    let rest: Vec<[f64; 3]> = {
        let surface = reset.surface.as_ref().unwrap();
        surface.nodes.iter().map(|&n| surface.model().layout().rest_of(n)).collect()
    };
    assert_eq!(reset.positions, rest);
    order(&live, 4, Order::Play);
    until(&live, "time", |p, _| p.time > 0.02);
}

#[test]
fn a_finer_surface_is_shown_coloured_and_held_in_place_of_the_cells() {
    let live = live("embedded_ring");
    until(&live, "time", |p, _| p.time > 0.05);
    order(&live, 1, Order::Pause);
    // the state itself is shown, not one between two
    order(&live, 2, Order::Step);
    let before = after(&live, 2);
    let surface = Arc::clone(before.surface.as_ref().unwrap());
    assert_eq!((before.positions.len(), surface.triangles.len()), (3072, 6144));
    let topology = before.topology(surface.hash).unwrap();
    let word = |i: usize| u32::from_le_bytes(topology[4 * i..4 * i + 4].try_into().unwrap());
    // vertices, triangles, and 3/2 edges a triangle of a closed surface
    assert_eq!([word(2), word(3), word(4)], [3072, 6144, 9216]);
    let coarse = surface.model().layout().node_count();
    assert!(surface.nodes.len() <= coarse && coarse < 300, "{} of {coarse} nodes", surface.nodes.len());
    let tube = |p: &[f64; 3]| (p[0].hypot(p[1]) - 0.1).hypot(p[2]);
    assert!(before.positions.iter().all(|p| (tube(p) - 0.02).abs() < 0.01), "it follows the ring");

    // a colour for each vertex, none below nothing
    let x = surface.model().layout().rest().to_vec();
    let still = pliant_solid::FullState { v: vec![0.0; x.len()], x, ..pliant_solid::FullState::default() };
    assert_eq!(surface.cell_means(&still, Field::VonMises), vec![0.0; 3072], "at rest there is no stress");
    // and what is turned inside out is found: here a mirror image
    let mirrored = pliant_solid::FullState { x: still.x.iter().map(|x| -x).collect(), ..still.clone() };
    assert_eq!((surface.inverted(&still)[0], surface.inverted(&mirrored)[0]), (0, 576));
    until(&live, "the stress", |p, _| {
        let _ = p.bytes(Field::VonMises);
        p.cells.as_ref().is_some_and(|full| {
            let stress = surface.cell_means(full, Field::VonMises);
            stress.len() == 3072 && stress.iter().all(|s| *s >= 0.0) && stress.iter().any(|s| *s > 100.0)
        })
    });

    // what is picked on a fine triangle is a point of the matter
    let (triangle, weights) = (1234, [0.2, 0.3, 0.5]);
    let corners = surface.triangles[triangle].map(|v| before.positions[v as usize]);
    let picked: [f64; 3] = std::array::from_fn(|c| (0..3).map(|i| weights[i] * corners[i][c]).sum());
    let target = [picked[0], picked[1], picked[2] + 0.1];
    let hold = Hold { topology: surface.hash, triangle: triangle as u32, weights, target };
    order(&live, 3, Order::Grab(hold));
    let arrow = after(&live, 3).arrows[0];
    assert!((0..3).all(|c| (arrow.point[c] - picked[c]).abs() < 1e-12), "{:?} {picked:?}", arrow.point);
    order(&live, 4, Order::Play);
    until(&live, "the pull", |p, _| {
        let corners = surface.triangles[triangle].map(|v| p.positions[v as usize]);
        let height: f64 = (0..3).map(|i| weights[i] * corners[i][2]).sum();
        height > picked[2] + 0.05 && p.stats.force > 0.0
    });
}

#[test]
fn a_hand_pulls_with_a_force_and_lets_go() {
    let live = live("hello_bar");
    until(&live, "time", |p, _| p.time > 0.0);
    order(&live, 1, Order::Pause);
    let before = after(&live, 1);
    let surface = Arc::clone(before.surface.as_ref().unwrap());
    // the triangle whose corners are farthest from the wall at x = 0
    let reach = |corners: &[u32; 3]| corners.iter().map(|v| before.positions[*v as usize][0]).sum::<f64>();
    let farthest = (0..surface.triangles.len())
        .max_by(|a, b| reach(&surface.triangles[*a]).total_cmp(&reach(&surface.triangles[*b])));
    let triangle = farthest.unwrap() as u32;
    let corner = before.positions[surface.triangles[triangle as usize][0] as usize];
    let target = [corner[0], corner[1], corner[2] + 0.3];
    let hold = Hold { topology: surface.hash, triangle, weights: [1.0, 0.0, 0.0], target };
    order(&live, 2, Order::Grab(hold.clone()));
    order(&live, 3, Order::Play);
    let pulled = until(&live, "the force", |p, _| p.stats.force > 1.0);
    let arrow = pulled.arrows[0];
    assert_eq!(arrow.kind, 1);
    assert_eq!(arrow.target, target);
    assert!(arrow.force[2] > 0.0, "it pulls up: {:?}", arrow.force);
    assert!(pulled.stats.force <= pulled.stats.largest_force * (1.0 + 1e-9));
    // the held corner follows the hand, which is far stiffer than the bar
    let corner = surface.triangles[triangle as usize][0] as usize;
    until(&live, "the motion", |p, _| p.positions[corner][2] > before.positions[corner][2] + 0.15);
    order(&live, 4, Order::Release);
    until(&live, "the end of the force", |p, _| {
        p.sequence == 4 && p.stats.force == 0.0 && p.arrows.is_empty()
    });
    // a triangle of another scene is none of this one
    order(&live, 5, Order::Grab(Hold { topology: surface.hash ^ 1, ..hold.clone() }));
    until(&live, "the refusal", |_, s| {
        s["notice"]["text"].as_str().is_some_and(|t| t.contains("grab again"))
    });
    order(&live, 6, Order::Grab(Hold { triangle: u32::MAX, ..hold }));
    until(&live, "the refusal", |_, s| {
        s["notice"]["text"].as_str().is_some_and(|t| t.contains("no such triangle"))
    });
}

#[test]
fn no_time_passes_before_somebody_looks() {
    let (gallery, _) = gallery(None).unwrap_or_else(|_| panic!("the gallery can be read"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let live = Live::start(gallery, "hello_bar", pool).unwrap();
    let first = until(&live, "the first picture", |picture, _| picture.number > 0);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!((picture(&live).time, picture(&live).number), (0.0, first.number));
    first.bytes(Field::Displacement);
    until(&live, "time", |picture, _| picture.time > 0.0);
}

/// Grabs the corner of a free end and holds it, wherever the body turns.
#[test]
fn the_force_is_that_of_the_spring_that_is_drawn() {
    let live = live("hello_bar");
    order(&live, 1, Order::Pause);
    let before = after(&live, 1);
    let surface = Arc::clone(before.surface.as_ref().unwrap());
    let reach = |v: &u32| surface.model().layout().rest_of(surface.nodes[*v as usize]).iter().sum::<f64>();
    let farthest = (0..before.positions.len() as u32).max_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap();
    let triangle = surface.triangles.iter().position(|t| t[0] == farthest).unwrap();
    let x = before.positions[farthest as usize];
    // far enough that the end turns
    let target = [x[0] - 0.2, x[1], x[2] + 0.3];
    let hold = Hold { topology: surface.hash, triangle: triangle as u32, weights: [1.0, 0.0, 0.0], target };
    order(&live, 2, Order::Grab(hold));
    // while time stands still the spring is as long as it is drawn, and damps nothing
    let paused = after(&live, 2);
    let stretch = |p: &Picture| {
        let Arrow { point, target, .. } = p.arrows[0];
        (0..3).map(|c| (target[c] - point[c]).powi(2)).sum::<f64>().sqrt()
    };
    let stiffness = 500e3 * 0.15 * (1.0_f64 + 0.09 + 0.09).sqrt(); // E R, R = 15 % of the extent
    let expected = (stiffness * stretch(&paused)).min(paused.stats.largest_force);
    assert!((paused.stats.force / expected - 1.0).abs() < 1e-6, "{} {expected}", paused.stats.force);
    order(&live, 3, Order::Play);
    order(&live, 4, Order::Speed(4.0));
    until(&live, "rest", |p, _| p.sequence == 4 && p.time > 6.0);
    // what is left of the swing would be in the damper's force
    order(&live, 5, Order::Pause);
    let end = after(&live, 5);
    let (arrow, length) = (end.arrows[0], stretch(&end));
    let along: f64 = (0..3).map(|c| arrow.force[c] * (arrow.target[c] - arrow.point[c])).sum();
    assert!(length > 1e-3, "the spring is stretched: {arrow:?}");
    assert!(along / (length * end.stats.force) > 1.0 - 1e-9, "it pulls towards the mouse: {arrow:?}");
    let ratio = end.stats.force / (stiffness * length);
    assert!((ratio - 1.0).abs() < 1e-9, "{} {length}", end.stats.force);
}

#[test]
fn matter_that_is_turned_inside_out_is_told() {
    let live = live("pull_and_let_go");
    let start = until(&live, "the first picture", |p, _| p.number > 0);
    let surface = Arc::clone(start.surface.as_ref().unwrap());
    let farthest = |t: &[u32; 3]| t.iter().map(|v| start.positions[*v as usize][0]).sum::<f64>();
    let triangle = (0..surface.triangles.len())
        .max_by(|a, b| farthest(&surface.triangles[*a]).total_cmp(&farthest(&surface.triangles[*b])));
    let hold = |target| Hold {
        topology: surface.hash,
        triangle: triangle.unwrap() as u32,
        weights: [1.0, 0.0, 0.0],
        target,
    };
    order(&live, 1, Order::Grab(hold([0.6, 0.0, 0.0])));
    // through the wall and out on the other side: no st-venant beam stands that
    for sequence in 2..200 {
        let side = if sequence % 8 < 4 { -1.5 } else { 1.5 };
        order(&live, sequence, Order::Move([side, 0.4, 0.4]));
        std::thread::sleep(Duration::from_millis(15));
        if status(&live)["phase"] == "diverged" || !status(&live)["warnings"].as_array().unwrap().is_empty() {
            break;
        }
    }
    let told = |s: &Value| s["warnings"][0]["text"].as_str().is_some_and(|text| text.contains("inside out"));
    until(&live, "the warning", |_, s| s["phase"] == "diverged" || told(s));
    order(&live, 1000, Order::Reset);
    until(&live, "the end of the warning", |p, s| {
        p.sequence == 1000 && s["warnings"].as_array().unwrap().is_empty()
    });
}

#[test]
fn every_scene_of_the_gallery_opens_and_moves() {
    let live = live("hello_bar");
    let scenes: Value = serde_json::from_str(live.scenes()).unwrap();
    let ids: Vec<&str> = scenes.as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert!(ids.len() >= 11 && ids.contains(&"static_twist"), "{ids:?}");
    for (id, sequence) in ids.iter().zip(1..) {
        order(&live, sequence, Order::Open { scene: (*id).into() });
        let moving = |p: &Picture, s: &Value| {
            let moved = p
                .surface
                .as_ref()
                .is_some_and(|surface| surface.displacements(&p.positions).iter().any(|d| *d > 1e-6));
            p.sequence == sequence && s["scene"]["id"] == *id && moved
        };
        let picture = until(&live, id, moving);
        // all fields can be asked for; the stresses come with a later picture
        assert!(picture.bytes(Field::Displacement).len() > 64 + 8 * picture.positions.len());
        let plain = picture.bytes(Field::None).len();
        until(&live, "stresses", |p, _| p.bytes(Field::VonMises).len() > plain);
        assert!(
            status(&live)["scene"]["description"].as_str().is_some_and(|text| text.contains("Try")),
            "{id}: what to try"
        );
    }
}

#[test]
fn statics_comes_to_its_equilibrium_and_then_follows_a_hand() {
    let live = live("static_twist");
    // the loads come up over one second that stands for them
    let done = until(&live, "the equilibrium", |p, s| s["phase"] == "finished" && p.time == 1.0);
    let surface = Arc::clone(done.surface.as_ref().unwrap());
    // a vertex at half height is free
    let middle = surface
        .triangles
        .iter()
        .position(|t| (done.positions[t[0] as usize][2] - 0.12).abs() < 0.01)
        .unwrap();
    let corner = surface.triangles[middle][0] as usize;
    let x = done.positions[corner];
    let target = [x[0] + 0.01, x[1], x[2]];
    let hold = Hold { topology: surface.hash, triangle: middle as u32, weights: [1.0, 0.0, 0.0], target };
    order(&live, 1, Order::Grab(hold));
    let pulled = until(&live, "the pull", |p, _| p.sequence == 1 && p.positions[corner][0] > x[0] + 0.001);
    assert!(pulled.stats.force > 0.0);
    order(&live, 2, Order::Release);
    let back = after(&live, 2);
    assert!((back.positions[corner][0] - x[0]).abs() < 1e-6, "the former equilibrium again");
}

#[test]
fn what_cannot_be_opened_is_said() {
    let live = live("hello_bar");
    until(&live, "time", |p, _| p.time > 0.0);
    order(&live, 1, Order::Open { scene: "helo_bar".into() });
    until(&live, "the hint", |_, s| {
        s["notice"]["text"].as_str().is_some_and(|t| t.contains("did you mean `hello_bar`?"))
    });
    assert_eq!(status(&live)["phase"], "running", "and what ran goes on");
}

#[test]
fn a_short_motion_is_shown_slowly() {
    for (scene, speed) in [("hello_bar", 1.0), ("hex_bar_traction", 1.0 / 16.0), ("viscous_block", 0.25)] {
        let live = live(scene);
        // 4 s fill the screen; of 0.126 s a sixteenth is the slowest there is; 1.2 s / 3 s = 0.4, so a quarter
        until(&live, "the scene", |p, _| p.number > 0);
        assert_eq!(status(&live)["speed"], speed, "{scene}");
    }
}

#[test]
fn stresses_of_a_scene_that_stands_still_are_published_once() {
    let live = live("hello_bar");
    until(&live, "time", |p, _| p.time > 0.0);
    order(&live, 1, Order::Pause);
    let paused = after(&live, 1);
    assert!(paused.cells.is_none(), "nobody has asked");
    paused.bytes(Field::VonMises);
    let stressed = until(&live, "stresses", |p, _| p.cells.is_some());
    assert_eq!(stressed.number, paused.number + 1);
    stressed.bytes(Field::VonMises);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(picture(&live).number, stressed.number, "the wish is fulfilled");
    // whoever still looks gets them with the next state
    order(&live, 2, Order::Step);
    assert!(after(&live, 2).cells.is_some());
}

#[test]
fn topologies_of_the_scenes_before_are_still_there() {
    let live = live("hello_bar");
    let hash = |p: &Picture| p.surface.as_ref().map_or(0, |surface| surface.hash);
    let bar = hash(&until(&live, "the first picture", |p, _| p.number > 0));
    let mut known = vec![bar];
    for (sequence, scene) in (1..).zip(["tumbling_block", "pull_and_let_go", "jelly", "breathing_ball"]) {
        order(&live, sequence, Order::Open { scene: scene.into() });
        known.push(hash(&until(&live, scene, |p, _| !known.contains(&hash(p)))));
    }
    let there: Vec<bool> = known.iter().map(|hash| live.topology(*hash).is_some()).collect();
    assert_eq!(there, [false, true, true, true, true], "four are kept");
}
