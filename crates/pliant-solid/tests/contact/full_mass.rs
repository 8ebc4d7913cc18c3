//! Contact where mass is full: the ladder of factors meets colliders through rows.

use pliant_geometry::BoxElement;
use pliant_solid::contact::{Collider, ColliderShape, Response};
use pliant_solid::integrator::{IntegratorKind, Ladder, Lengths, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, World};

use super::collider;
use super::support::meshes::block;
use super::support::{Scene, moduli, run};

const G: f64 = 9.81;

fn ladder(dt: f64) -> IntegratorKind {
    IntegratorKind::Ladder(Ladder { step: StepChoice::Fixed(dt), lengths: Lengths::Any })
}

fn standing(friction: f64, speed: f64, response: Response) -> World {
    let cube = block([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex);
    Scene::new(cube, LawKind::Corotated(moduli(1e6, 0.3)))
        .matter(|m| {
            m.mass = MassKind::Consistent;
            m.stiffness_damping = 2e-4;
        })
        .gravity([0.0, 0.0, -G])
        .velocity(move |_| [speed, 0.0, 0.0])
        .collider(Collider { friction, ..collider(ColliderShape::Plane) })
        .response(response)
        .integrator(ladder(5e-5))
        .world()
}

#[test]
fn a_block_of_full_mass_carries_its_weight() {
    for response in [Response::Constraint, Response::Smooth] {
        let mut world = standing(0.3, 0.0, response);
        run(&mut world, 6000);
        let mut sum = 0.0;
        for _ in 0..6000 {
            run(&mut world, 1);
            sum += world.state().contacts.touches().iter().map(|t| t.force[2]).sum::<f64>();
        }
        let mass: f64 = world.model().mass().iter().sum();
        assert!((sum / 6000.0 / (mass * G) - 1.0).abs() < 1e-3, "{response:?}: {}", sum / 6000.0);
        assert!(world.deepest_penetration() < 1e-5, "{response:?}: {}", world.deepest_penetration());
    }
}

#[test]
fn a_block_of_full_mass_stops_where_friction_says() {
    let mut world = standing(0.4, 1.0, Response::Constraint);
    run(&mut world, 8000);
    let exact = 1.0 / (2.0 * 0.4 * G);
    let (state, rest) = (world.state(), world.model().layout().rest());
    let way = (state.x[0] - rest[0]).abs();
    assert!((way - exact).abs() < 0.02 * exact, "{way} {exact}");
}

#[test]
fn a_bar_of_full_mass_leaves_as_it_came() {
    // BAR-IMPACT-1 with 25 elements of consistent mass: no published figure; waves are 2 L / c = 0.0632456 s in contact
    let mesh = block([0.4, 0.4, 1.0], [1, 1, 25], BoxElement::Hex)
        .transformed(|p| [p[0], p[1], p[2] + 1e-4])
        .unwrap();
    let mut world = Scene::new(mesh, LawKind::Linear(moduli(1e6, 0.0)))
        .matter(|m| m.mass = MassKind::Consistent)
        .velocity(|_| [0.0, 0.0, -1.0])
        .collider(collider(ColliderShape::Plane))
        .integrator(ladder(2e-4))
        .world();
    let (mut first, mut last) = (None, 0.0);
    while world.state().time < 0.12 {
        run(&mut world, 1);
        let pushed: f64 = world.state().contacts.touches().iter().map(|t| t.force[2]).sum();
        if pushed > 0.0 {
            first.get_or_insert(world.state().time);
            last = world.state().time;
        }
    }
    let contact = (last - first.unwrap()) / 0.063_245_6;
    assert!((contact - 1.0).abs() < 0.04, "{contact}");
    let (mass, v) = (world.model().mass(), &world.state().v);
    let speed = v.chunks_exact(3).zip(mass).map(|(v, m)| m * v[2]).sum::<f64>() / mass.iter().sum::<f64>();
    assert!(speed > 0.95 && speed < 1.01, "{speed}");
}
