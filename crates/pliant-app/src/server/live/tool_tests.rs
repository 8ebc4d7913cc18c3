//! The user's tool in the simulation thread: taken up, led, put away.

#![allow(clippy::unwrap_used)]

use pliant_geometry::vector::norm;

use super::tests::{after, live, order, picture, status, until};
use super::{Live, Picture};
use crate::server::wire::command::Placing;
use crate::server::wire::frame::{Ball, PUSHES};
use crate::server::wire::{Order, Wanted};

const RADIUS: f64 = 0.1;

/// Beside the bar of `hello_bar`, which is 1 x 0.3 x 0.3 m.
const BESIDE: [f64; 3] = [0.5, -0.5, 0.15];

/// From the front.
fn placing(topology: u64, place: [f64; 3]) -> Order {
    Order::Tool(Placing { topology, place, towards: [0.0, -1.0, 0.0], radius: RADIUS })
}

fn take_up(live: &Live, sequence: u32, place: [f64; 3]) -> Ball {
    let topology = picture(live).surface.as_ref().unwrap().hash;
    order(live, sequence, placing(topology, place));
    after(live, sequence).tool.unwrap()
}

fn lead(live: &Live, sequence: u32, target: [f64; 3]) {
    order(live, sequence, Order::Lead { target, radius: RADIUS });
}

fn gap(a: [f64; 3], b: [f64; 3]) -> f64 {
    norm(std::array::from_fn(|c| a[c] - b[c]))
}

#[test]
fn a_tool_is_led_at_a_bounded_speed_and_put_away() {
    let live = live("hello_bar");
    until(&live, "time", |p, _| p.time > 0.0);
    let first = take_up(&live, 1, BESIDE);
    assert_eq!((first.place, first.radius), (BESIDE, RADIUS));
    let target = [1.5, -0.5, 0.6];
    lead(&live, 2, target);
    // 1.5 extents a second at normal speed, more in slow motion, never more than four times that
    let fastest = 4.0 * 1.5 * (1.0_f64 + 0.09 + 0.09).sqrt();
    let (mut before, mut seen) = (None, 0);
    let end = until(&live, "the way", |p, _| {
        let now = (p.time, p.tool.unwrap().place);
        if let Some((time, place)) = before.replace(now) {
            assert!(gap(now.1, place) <= fastest * (now.0 - time) + 1e-12, "{place:?} {now:?}");
            seen += usize::from(now.1 != place);
        }
        gap(now.1, target) < 1e-3
    });
    assert!(seen > 3, "it went there in {seen} leaps");
    assert!(end.flags & PUSHES != 0);
    order(&live, 3, Order::PutAway);
    let gone = after(&live, 3);
    assert!(gone.tool.is_none() && gone.flags & PUSHES == 0);
}

#[test]
fn a_tool_for_another_scene_is_not_taken_up() {
    let live = live("hello_bar");
    order(&live, 1, placing(17, BESIDE));
    assert!(after(&live, 1).tool.is_none());
}

#[test]
fn a_tool_begins_outside_of_bodies() {
    let live = live("hello_bar");
    order(&live, 1, Order::Pause);
    let bar = after(&live, 1).positions.clone();
    // the middle of the bar's side, and a whole diagonal inside
    for (sequence, place) in [(2, [0.5, 0.0, 0.15]), (3, [0.5, 0.2, 0.15])] {
        let Ball { place, radius } = take_up(&live, sequence, place);
        assert!(bar.iter().all(|vertex| gap(*vertex, place) > radius), "{place:?}");
        assert!(place[1] < -0.5 * RADIUS, "before the side that is seen: {place:?}");
    }
}

#[test]
fn a_tool_stands_still_while_time_does() {
    let live = live("hello_bar");
    order(&live, 1, Order::Pause);
    take_up(&live, 2, BESIDE);
    lead(&live, 3, [0.0, -0.5, 0.0]);
    assert_eq!(after(&live, 3).tool.unwrap().place, BESIDE);
    order(&live, 4, Order::Step);
    order(&live, 5, Order::Step);
    assert_ne!(after(&live, 5).tool.unwrap().place, BESIDE);
}

#[test]
fn a_reset_puts_the_tool_away() {
    let live = live("hello_bar");
    take_up(&live, 1, BESIDE);
    order(&live, 2, Order::Reset);
    assert!(after(&live, 2).tool.is_none());
    // and what is led without a tool leads nothing
    lead(&live, 3, [1.0; 3]);
    assert!(after(&live, 3).tool.is_none());
}

#[test]
fn where_no_time_passes_a_tool_goes_from_equilibrium_to_equilibrium() {
    let live = live("static_twist");
    let start = until(&live, "the equilibrium", |_, s| s["phase"] == "finished");
    // a post from (0, 0, 0) to (0.06, 0.06, 0.24) m; not quite at its middle, so that it also slips
    let (topology, place) = (start.surface.as_ref().unwrap().hash, [0.034, -0.02, 0.12]);
    order(&live, 1, Order::Tool(Placing { topology, place, towards: [0.0, -1.0, 0.0], radius: 0.02 }));
    let steps = after(&live, 1).stats.steps;
    let target = [0.034, -0.005, 0.12];
    order(&live, 2, Order::Lead { target, radius: 0.02 });
    let there = until(&live, "the way", |p: &Picture, _| p.tool.is_some_and(|ball| ball.place == target));
    // at least 15 mm by eighths of its radius
    assert!(there.stats.steps >= steps + 6.0, "{} {steps}", there.stats.steps);
    assert!(there.stats.push > 1.0 && there.stats.contacts >= 1.0, "{:?}", there.stats);
    assert_eq!(status(&live)["phase"], "finished");
    order(&live, 3, Order::PutAway);
    let back = after(&live, 3);
    let strayed = back.positions.iter().zip(&start.positions).map(|(a, b)| gap(*a, *b)).fold(0.0, f64::max);
    assert!(strayed < 1e-6, "the former equilibrium again: {strayed}");
}

#[test]
fn a_tool_pushes_what_it_meets_and_feels_it() {
    let live = live("hello_bar");
    until(&live, "time", |p, _| p.time > 0.0);
    take_up(&live, 1, [0.8, -0.3, 0.1]);
    lead(&live, 2, [0.8, 0.1, 0.1]);
    // half way into the bar, whose side was at y = 0
    let pushed = until(&live, "the push", |p, _| p.stats.push > 1.0 && p.stats.contacts > 0.0);
    let arrow = pushed.arrows.iter().find(|arrow| arrow.kind == 3).unwrap();
    assert!(arrow.force[1] > 0.0, "away from it: {:?}", arrow.force);
    assert!((norm(arrow.force) / pushed.stats.push - 1.0).abs() < 1e-12);
    // a scene without colliders: the tool is the first that is touched
    assert!(pushed.contacts.iter().all(|mark| mark.collider == 0 && mark.normal[1] > 0.0));
    let sum: f64 = pushed.contacts.iter().map(|mark| mark.force[1]).sum();
    assert!((sum / arrow.force[1] - 1.0).abs() < 1e-9, "what the points feel: {sum} {:?}", arrow.force);
    let side = |p: &Picture| {
        let surface = p.surface.as_ref().unwrap();
        let far =
            (0..p.positions.len()).filter(|v| surface.model().layout().rest_of(surface.nodes[*v])[0] > 0.99);
        far.map(|v| p.positions[v][1]).fold(f64::NEG_INFINITY, f64::max)
    };
    until(&live, "the motion", |p, _| side(p) > 0.33);
    order(&live, 3, Order::PutAway);
    until(&live, "the end of the push", |p, _| p.stats.push == 0.0 && p.stats.contacts == 0.0);
    assert_eq!(status(&live)["phase"], "running");
}

#[test]
fn colliders_that_a_script_moves_are_shown_where_they_are() {
    let live = live("press");
    let place = |p: &Picture| p.colliders[0][3];
    let start = until(&live, "the first picture", |p, _| p.number > 0);
    assert_eq!(start.colliders.len(), 1, "only one of the plates moves");
    let end = until(&live, "the way", |p, _| p.time > 0.7);
    // down by 2 cm over 0.7 s
    assert!(gap(place(&end), [0.05, 0.05, 0.09]) < 1e-12, "{:?}", place(&end));
    // and what touches is marked for those who want it
    let [plain, marked] = [false, true].map(|contacts| end.bytes(Wanted { contacts, ..Wanted::default() }));
    assert_eq!(marked.len() - plain.len(), 8 + (44 * end.contacts.len()).next_multiple_of(8));
    assert!(end.contacts.len() >= 50, "both faces of 25 nodes: {}", end.contacts.len());
    assert!(
        end.contacts.iter().all(|mark| (mark.force[2] > 0.0) == (mark.collider == 0)),
        "from below and from above"
    );
}
