//! Bones and ties: saved, restored and on any number of threads the same bits; hands pull bones.

use pliant_solid::integrator::{Inputs, IntegratorKind};
use pliant_solid::rigid::Joint;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{OnDivergence, World};

use super::support::{Scene, Vec3, run};
use super::{block, corotated, distance, euler, explicit, node};

fn head(integrator: IntegratorKind, joint: Joint) -> World {
    Scene::new(block([0.2, 0.2, 0.3], [4, 4, 6]), corotated(2e4))
        .bone(|p| p[0] > 0.05 && p[0] < 0.15 && p[2] < 0.2, joint, 2000.0)
        .gravity([1.0, 0.0, -9.81])
        .integrator(integrator)
        .world()
}

fn methods() -> [(&'static str, IntegratorKind); 2] {
    [("explicit", explicit(2e-4)), ("implicit Euler", euler(0.01))]
}

const HINGE: Joint = Joint::Hinge { point: [0.1, 0.1, 0.0], axis: [0.0, 1.0, 0.0] };

#[test]
fn a_saved_state_goes_on_with_the_same_bits() {
    for (name, method) in methods() {
        for joint in [Joint::Free, HINGE] {
            let mut world = head(method.clone(), joint);
            run(&mut world, 20);
            let saved = world.state().clone();
            run(&mut world, 20);
            let mut again = World::new(
                std::sync::Arc::clone(world.model()),
                std::sync::Arc::clone(world.scheme()),
                OnDivergence::Stop,
            )
            .unwrap();
            again.restore(saved).unwrap();
            run(&mut again, 20);
            assert_eq!(again.state(), world.state(), "{name}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for (name, method) in methods() {
        let states = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = head(method.clone(), HINGE);
                run(&mut world, 20);
                world.state().clone()
            })
        });
        assert!(states.iter().all(|s| *s == states[0]), "{name}");
    }
}

/// A live hand on a bone, with gradients and with a factor: both find the same step, and the bone comes to the hand.
#[test]
fn a_hand_pulls_a_bone() {
    use pliant_solid::integrator::{ImplicitEuler, LinearSolver, StepChoice};
    let ends = [LinearSolver::Gradients, LinearSolver::Direct].map(|solver| {
        let method =
            ImplicitEuler { step: StepChoice::Fixed(0.01), solver: Some(solver), ..ImplicitEuler::default() };
        let mut world = head(IntegratorKind::ImplicitEuler(method), HINGE);
        let held = world.model().layout().bodies()[0].world[5 * 4 + 2]; // a node of the bone
        let place = [0.4, 0.1, 0.1];
        let hand = Grab {
            point: [(held, 1.0)].into(),
            path: GrabPath::held_at(place),
            stiffness: 5e3,
            damping: 20.0,
            max_force: f64::INFINITY,
        };
        for _ in 0..150 {
            world.step(&Inputs { grabs: std::slice::from_ref(&hand), ..Inputs::default() }).unwrap();
        }
        node(&world, 5 * 4 + 2)
    });
    let [a, b]: [Vec3; 2] = ends;
    assert!(distance(a, b) < 1e-5, "{a:?} {b:?}");
    let rest: Vec3 = [0.1, 0.2, 0.0];
    assert!(distance(a, rest) < 0.3);
}

/// A rigid block on a hand of 1 MN/m, in steps of 10 ms: it swings and does not take off.
#[test]
fn a_stiff_hand_holds_a_rigid_block() {
    let mut world = Scene::new(block([0.1, 0.1, 0.1], [1, 1, 1]), corotated(1e5))
        .bone(|_| true, Joint::Free, 1000.0)
        .gravity([0.0, 0.0, -9.81])
        .integrator(euler(0.01))
        .world();
    let corner = world.model().layout().bodies()[0].world[7];
    let path = GrabPath::held_at([0.1, 0.1, 0.1]);
    let hand =
        Grab { point: [(corner, 1.0)].into(), path, stiffness: 1e6, damping: 0.0, max_force: f64::INFINITY };
    for _ in 0..300 {
        let report = world.step(&Inputs { grabs: std::slice::from_ref(&hand), ..Inputs::default() }).unwrap();
        assert_eq!(report.halvings, 0);
    }
    assert!(distance(node(&world, 7), [0.1, 0.1, 0.1]) < 1e-3, "{:?}", node(&world, 7));
    // all it can have is what it has fallen: m g r
    assert!(world.energy().kinetic < 9.81 * 0.09 * 2.0, "{:?}", world.energy());
}
