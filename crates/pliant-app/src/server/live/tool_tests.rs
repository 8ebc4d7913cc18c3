//! The user's tool in the simulation thread: taken up, led, put away.

#![allow(clippy::unwrap_used)]

use pliant_geometry::vector::norm;

use super::tests::{after, live, order, picture, status, until};
use super::{Live, Picture};
use crate::server::wire::Order;
use crate::server::wire::command::Placing;
use crate::server::wire::frame::{Ball, PUSHES};

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
    until(&live, "the equilibrium", |_, s| s["phase"] == "finished");
    take_up(&live, 1, [1.0, 0.0, 0.0]);
    let target = [1.1, 0.0, 0.0];
    lead(&live, 2, target);
    let steps = after(&live, 1).stats.steps;
    let there = until(&live, "the way", |p: &Picture, _| p.tool.is_some_and(|ball| ball.place == target));
    // eighths of its radius
    assert!(there.stats.steps >= steps + 8.0, "{} {steps}", there.stats.steps);
    assert_eq!(status(&live)["phase"], "finished");
}
