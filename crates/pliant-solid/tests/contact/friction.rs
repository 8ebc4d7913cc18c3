//! INCLINE-1: a stiff block on a slope, g = 9.81 m/s^2. 30 degrees and mu = 0.3: a = g (sin - mu cos) = 2.356287 m/s^2; 20 degrees and mu = 0.5: it
//! sticks; on the flat from 2 m/s with mu = 0.4: it stops after 0.509684 m, in 0.509684 s.

use pliant_geometry::BoxElement;
use pliant_numerics::Mat3;
use pliant_solid::World;
use pliant_solid::contact::{Collider, ColliderShape};
use pliant_solid::law::LawKind;

use super::collider;
use super::support::meshes::block;
use super::support::{Scene, moduli, run_until};

const G: f64 = 9.81;
const DT: f64 = 1e-4;

/// A block on a slope about y, standing at rest on it, its lower face along the slope.
fn on_slope(degrees: f64, friction: f64, speed: f64) -> World {
    let angle = degrees.to_radians();
    let turned = Mat3::rotation([0.0, 1.0, 0.0], angle);
    let mesh = block([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex);
    let mesh = mesh.transformed(|p| turned.mul_vec(p)).unwrap();
    let floor = Collider { axes: turned, friction, ..collider(ColliderShape::Plane) };
    let down = turned.column(0);
    Scene::new(mesh, LawKind::Corotated(moduli(1e6, 0.3)))
        .matter(|m| m.mass_damping = 0.0)
        .matter(|m| m.stiffness_damping = 2e-4)
        .collider(floor)
        .gravity([0.0, 0.0, -G])
        .velocity(move |_| down.map(|c| speed * c))
        .dt(DT)
        .world()
}

/// How far the middle of mass has gone down the slope, m, and how fast it goes.
fn down(world: &World, degrees: f64) -> (f64, f64) {
    let axis = Mat3::rotation([0.0, 1.0, 0.0], degrees.to_radians()).column(0);
    let (state, rest) = (world.state(), world.model().layout().rest());
    let mass = world.model().mass();
    let whole: f64 = mass.iter().sum();
    let (mut way, mut speed) = (0.0, 0.0);
    for (node, m) in mass.iter().enumerate() {
        for c in 0..3 {
            let i = 3 * node + c;
            way += m * axis[c] * (state.x[i] - rest[i]) / whole;
            speed += m * axis[c] * state.v[i] / whole;
        }
    }
    (way, speed)
}

fn weight_carried(world: &mut World, seconds: f64) -> f64 {
    let (from, mut impulse) = (world.state().time, 0.0);
    while world.state().time < from + seconds {
        super::support::run(world, 1);
        let up: f64 = world.state().contacts.touches().iter().map(|t| t.force[2]).sum();
        impulse += up * DT;
    }
    impulse / (world.state().time - from)
}

#[test]
fn a_block_at_rest_carries_its_weight() {
    let mut world = on_slope(0.0, 0.3, 0.0);
    run_until(&mut world, 0.5);
    let mass: f64 = world.model().mass().iter().sum();
    let carried = weight_carried(&mut world, 1.0);
    assert!((carried / (mass * G) - 1.0).abs() < 1e-3, "{carried} {}", mass * G);
    assert!(down(&world, 0.0).0.abs() < 1e-9);
}

#[test]
fn a_block_slides_down_a_slope_as_coulomb_says() {
    let mut world = on_slope(30.0, 0.3, 0.0);
    run_until(&mut world, 0.2);
    let (way, speed) = down(&world, 30.0);
    run_until(&mut world, 0.7);
    let (way1, speed1) = down(&world, 30.0);
    let exact = 2.356_287;
    let mean = (speed1 - speed) / 0.5;
    assert!((mean / exact - 1.0).abs() < 0.01, "{mean}");
    assert!(((way1 - way) / (0.5 * speed + 0.125 * exact) - 1.0).abs() < 0.01, "{way} {way1}");
}

#[test]
fn a_block_holds_below_the_critical_angle() {
    // atan 0.5 = 26.5651 degrees
    for degrees in [20.0, 0.95 * 26.5651] {
        let mut world = on_slope(degrees, 0.5, 0.0);
        run_until(&mut world, 0.6);
        let (before, _) = down(&world, degrees);
        run_until(&mut world, 1.6);
        let (after, speed) = down(&world, degrees);
        assert!((after - before).abs() < 1e-6, "{degrees}: drift {} m", after - before);
        assert!(speed.abs() < 1e-5, "{degrees}: {speed}");
    }
}

#[test]
fn a_sliding_block_stops_where_friction_says_and_stays() {
    let mut world = on_slope(0.0, 0.4, 2.0);
    run_until(&mut world, 0.8);
    let (way, speed) = down(&world, 0.0);
    let exact = 2.0 * 2.0 / (2.0 * 0.4 * G);
    assert!((way - exact).abs() < 0.01 * exact + 0.5 * 2.0 * DT, "{way} {exact}");
    assert!(speed.abs() < 1e-4, "{speed}");
    run_until(&mut world, 1.2);
    assert!((down(&world, 0.0).0 - way).abs() < 1e-5, "it does not come back");
}
