//! Springs that push back, under every method: depth, weight, friction, and what they cost.

use pliant_geometry::BoxElement;
use pliant_numerics::Mat3;
use pliant_solid::contact::{Collider, ColliderShape, Response};
use pliant_solid::integrator::{
    EulerSolve, ImplicitEuler, IntegratorKind, Ladder, Lengths, Newmark, StepChoice,
};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, World};

use super::collider;
use super::support::meshes::block;
use super::support::{Scene, moduli, run_until};

const G: f64 = 9.81;
/// Pa/m.
const STIFFNESS: f64 = 2e6;

fn methods() -> Vec<(&'static str, IntegratorKind, f64)> {
    let fixed = StepChoice::Fixed(2e-3);
    let euler = |solve| {
        IntegratorKind::ImplicitEuler(ImplicitEuler { solve, step: fixed, ..ImplicitEuler::default() })
    };
    vec![
        (
            "explicit",
            IntegratorKind::Explicit(pliant_solid::integrator::Explicit {
                step: StepChoice::Auto { safety: 0.9 },
            }),
            0.0,
        ),
        (
            "ladder",
            IntegratorKind::Ladder(Ladder { step: StepChoice::Auto { safety: 0.9 }, lengths: Lengths::Any }),
            1.0,
        ),
        ("newmark", IntegratorKind::Newmark(Newmark { step: fixed, ..Newmark::default() }), 0.0),
        ("euler once", euler(EulerSolve::Linearised { tolerance: 1e-8 }), 0.0),
        ("euler newton", euler(EulerSolve::Newton { tolerance: 1e-8 }), 0.0),
    ]
}

/// A block of 10 cm that falls onto the floor from a millimetre.
fn falling(integrator: IntegratorKind, full: bool, floor: Collider) -> World {
    let mesh =
        block([0.1; 3], [2, 2, 2], BoxElement::Hex).transformed(|p| [p[0], p[1], p[2] + 1e-3]).unwrap();
    Scene::new(mesh, LawKind::Corotated(moduli(1e6, 0.3)))
        .matter(move |m| {
            m.stiffness_damping = 2e-3;
            m.mass_damping = 5.0;
            m.mass = if full { MassKind::Consistent } else { MassKind::Lumped };
        })
        .gravity([0.0, 0.0, -G])
        .collider(floor)
        .response(Response::Penalty)
        .contact(|c| c.stiffness = Some(STIFFNESS))
        .integrator(integrator)
        .world()
}

#[test]
fn a_block_rests_as_deep_as_its_weight_says_under_every_method() {
    // rho g h / k: 0.4905 mm
    let exact = 1000.0 * G * 0.1 / STIFFNESS;
    for (name, integrator, full) in methods() {
        let mut world = falling(integrator, full > 0.0, collider(ColliderShape::Plane));
        let (_, error) = run_until(&mut world, 3.0);
        assert!(error.is_none(), "{name}: {error:?}");
        let contacts: Vec<_> = world.contacts().collect();
        assert_eq!(contacts.len(), 9, "{name}");
        // corners carry a quarter of an inner node's load over a quarter of its area
        let weighed: f64 = contacts.iter().map(|c| -c.gap * c.normal_force).sum::<f64>();
        let push: f64 = contacts.iter().map(|c| c.normal_force).sum();
        assert!((push / G - 1.0).abs() < 2e-3, "{name}: {push}");
        assert!((weighed / push / exact - 1.0).abs() < 0.05, "{name}: {}", weighed / push);
        assert!(world.energy().total().abs() < 0.02, "{name}: {:?}", world.energy());
    }
}

#[test]
fn statics_finds_the_block_that_dynamics_comes_to() {
    // held along x and y by its middle line... a block on springs alone is free: its sides are held along x and y
    let mesh = block([0.1; 3], [2, 2, 2], BoxElement::Hex);
    let mut world = Scene::new(mesh, LawKind::Corotated(moduli(1e6, 0.0)))
        .hold_along(|_| true, [true, true, false], pliant_solid::Motion::Still, None)
        .hold_along(
            |p| p[2] > 0.099,
            [false, false, true],
            pliant_solid::Motion::Carry { shift: [0.0, 0.0, -2e-3], turn: None, over: 1.0 },
            None,
        )
        .collider(collider(ColliderShape::Plane))
        .contact(|c| c.stiffness = Some(STIFFNESS))
        .statics()
        .world();
    let (_, error) = run_until(&mut world, 1.0);
    assert!(error.is_none(), "{error:?}");
    // a column of E / h in series with the springs: p = 2 mm / (h / E + 1 / k)
    let pressure = 2e-3 / (0.1 / 1e6 + 1.0 / STIFFNESS);
    let push: f64 = world.contacts().map(|c| c.normal_force).sum();
    assert!((push / (pressure * 0.01) - 1.0).abs() < 1e-6, "{push} {}", pressure * 0.01);
}

#[test]
fn springs_stick_below_the_critical_angle_and_slide_above_it() {
    for (name, integrator, full) in methods() {
        for (degrees, friction, accelerates) in [(30.0_f64, 0.3, Some(2.356_287)), (20.0, 0.5, None)] {
            let turned = Mat3::rotation([0.0, 1.0, 0.0], degrees.to_radians());
            let mesh = block([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex)
                .transformed(|p| turned.mul_vec(p))
                .unwrap();
            let floor = Collider { axes: turned, friction, ..collider(ColliderShape::Plane) };
            let mut world = Scene::new(mesh, LawKind::Corotated(moduli(1e6, 0.3)))
                .matter(move |m| {
                    m.stiffness_damping = 1e-3;
                    m.mass = if full > 0.0 { MassKind::Consistent } else { MassKind::Lumped };
                })
                .gravity([0.0, 0.0, -G])
                .collider(floor)
                .response(Response::Penalty)
                .integrator(integrator.clone())
                .world();
            let speed = |world: &World| {
                let (state, mass) = (world.state(), world.model().mass());
                let along = |v: &[f64]| (0..3).map(|c| v[c] * turned.column(0)[c]).sum::<f64>();
                let whole: f64 = mass.iter().sum();
                state.v.chunks_exact(3).zip(mass).map(|(v, m)| m * along(v)).sum::<f64>() / whole
            };
            run_until(&mut world, 0.5);
            let before = (speed(&world), world.state().x[0]);
            let (_, error) = run_until(&mut world, 1.0);
            assert!(error.is_none(), "{name}: {error:?}");
            match accelerates {
                None => {
                    let drift = world.state().x[0] - before.1;
                    assert!(drift.abs() < 1e-5, "{name}: drift {drift}");
                }
                Some(exact) => {
                    let found = (speed(&world) - before.0) / 0.5;
                    assert!((found / exact - 1.0).abs() < 0.01, "{name}: {found}");
                }
            }
        }
    }
}

#[test]
fn springs_let_nothing_through_a_thin_plate() {
    // a plate of 2 cm below a cube that comes with 3 m/s: 3 cm a step of 10 ms
    let plate =
        Collider { origin: [0.05, 0.05, -0.01], ..collider(ColliderShape::Box { half: [1.0, 1.0, 0.01] }) };
    for (name, step) in [("5 ms", 5e-3), ("10 ms", 1e-2)] {
        let mesh =
            block([0.1; 3], [2, 2, 2], BoxElement::Hex).transformed(|p| [p[0], p[1], p[2] + 0.05]).unwrap();
        let euler = ImplicitEuler { step: StepChoice::Fixed(step), ..ImplicitEuler::default() };
        let mut world = Scene::new(mesh, LawKind::Corotated(moduli(2e5, 0.3)))
            .matter(|m| m.stiffness_damping = 2e-3)
            .gravity([0.0, 0.0, -G])
            .velocity(|_| [0.0, 0.0, -3.0])
            .collider(plate.clone())
            .integrator(IntegratorKind::ImplicitEuler(euler))
            .world();
        let (_, error) = run_until(&mut world, 0.8);
        let lowest = world.state().x.chunks_exact(3).map(|x| x[2]).fold(f64::INFINITY, f64::min);
        // told as diverged, or above the plate's middle
        assert!(error.is_some() || lowest > -0.01, "{name}: {lowest}");
        assert!(error.is_none(), "{name}: {error:?}");
    }
}
