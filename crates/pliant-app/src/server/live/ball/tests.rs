//! How a ball begins and how it is led, without a world.

#![allow(clippy::unwrap_used)]

use super::*;

/// A ball at the origin, in a scene of 1 m.
fn ball() -> Ball {
    let placing = Placing { topology: 0, place: [0.0; 3], towards: [0.0, 0.0, 1.0], radius: 0.1 };
    Ball::place(&placing, (&[], &[]), 1.0)
}

#[test]
fn it_is_led_smoothly_never_faster_than_its_limit_and_arrives() {
    // steps of an explicit method, of an implicit one, and of one much longer than it follows in
    for h in [1e-4, 1e-2, 0.5] {
        let mut ball = ball();
        ball.aim([2.0, 1.0, -0.5], 0.1, 1.0);
        let (mut time, mut before) = (0.0, [0.0; 3]);
        while time < 60.0 {
            ball.lead(h);
            let Tool { origin, velocity, .. } = ball.tool().clone();
            let change = norm(std::array::from_fn(|c| velocity[c] - before[c]));
            assert!(norm(velocity) <= ball.fastest(h) * (1.0 + 1e-12), "h {h}: {velocity:?}");
            // no leap of the velocity: at most its limit over T/4
            assert!(change <= 4.0 * h / FOLLOWS_IN * ball.fastest(h) + 1e-12, "h {h}: {change}");
            ball.went(h);
            // where a step with this velocity leads
            let led: Vec3 = std::array::from_fn(|c| origin[c] + h * velocity[c]);
            assert_eq!(ball.tool().origin, led);
            (time, before) = (time + h, velocity);
        }
        assert!(norm(ball.way()) < 1e-6, "h {h}: {:?}", ball.tool().origin);
    }
}

#[test]
fn it_never_passes_its_target() {
    for h in [1e-4, 1e-2, 0.5] {
        let mut ball = ball();
        ball.aim([0.01, 0.0, 0.0], 0.1, 1.0);
        for _ in 0..1000 {
            ball.lead(h);
            ball.went(h);
            assert!(ball.tool().origin[0] <= 0.01 * (1.0 + 1e-12), "h {h}: {}", ball.tool().origin[0]);
        }
    }
}

#[test]
fn it_follows_the_clock_on_the_wall_but_not_into_the_slowest_motion() {
    let limit = |speed| {
        let mut ball = ball();
        ball.aim([1.0; 3], 0.1, speed);
        ball.fastest(0.0)
    };
    assert_eq!([limit(4.0), limit(1.0), limit(0.25), limit(0.0625)], [0.375, 1.5, 6.0, 6.0]);
    // and never farther than a quarter of its radius in a step
    assert_eq!(ball().fastest(0.05), 0.5);
}

#[test]
fn it_is_shown_where_it_was_at_the_time_that_is_shown() {
    let mut ball = ball();
    ball.aim([1.0, 0.0, 0.0], 0.1, 1.0);
    ball.lead(0.01);
    let start = ball.tool().origin;
    ball.went(0.01);
    assert_eq!(ball.shown(0.0).place, ball.tool().origin);
    let gap: f64 = norm(std::array::from_fn(|c| ball.shown(0.01).place[c] - start[c]));
    assert!(gap < 1e-15, "{gap}");
}

#[test]
fn its_radius_follows_too() {
    let mut ball = ball();
    ball.aim([0.0; 3], 0.2, 1.0);
    ball.lead(1e-3);
    let first = ball.shown(0.0).radius;
    assert!(first > 0.1 && first < 0.11, "{first}");
    (0..2000).for_each(|_| ball.lead(1e-3));
    assert!((ball.shown(0.0).radius - 0.2).abs() < 1e-6);
    assert_eq!(ball.tool().shape, ColliderShape::Sphere { radius: ball.shown(0.0).radius });
}

#[test]
fn where_no_time_passes_it_goes_little_by_little_and_comes_to_an_end() {
    let mut ball = ball();
    ball.aim([0.095, 0.0, 0.0], 0.1, 1.0);
    let mut ways = 0;
    while ball.is_under_way() {
        let before = ball.tool().origin;
        ball.shift();
        ball.went(0.0);
        assert!(norm(std::array::from_fn(|c| ball.tool().origin[c] - before[c])) <= 0.0125 * (1.0 + 1e-12));
        assert_eq!(ball.tool().velocity, [0.0; 3]);
        ways += 1;
    }
    // 7.6 eighths of its radius
    assert_eq!((ways, ball.tool().origin), (8, [0.095, 0.0, 0.0]));
    // a way that leads to no equilibrium is taken back, and shorter ones are tried
    ball.aim([0.2, 0.0, 0.0], 0.1, 1.0);
    let mut tries = Vec::new();
    loop {
        ball.shift();
        assert!(ball.has_shifted());
        tries.push((ball.tool().origin[0] - 0.095) / 0.0125);
        if ball.stays() {
            break;
        }
    }
    assert!(!ball.is_under_way() && ball.tool().origin == [0.095, 0.0, 0.0]);
    assert_eq!(tries.len(), 7);
    assert!((0..7).all(|i| (tries[i] - 0.5_f64.powi(i as i32)).abs() < 1e-9), "{tries:?}");
}
