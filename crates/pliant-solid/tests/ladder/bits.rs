//! Saved states go on with the same bits, and so do any number of threads.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::Inputs;
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, Motion, State};

use super::{automatic, between, ladder};
use crate::support::meshes::block;
use crate::support::{Scene, moduli, run};

fn bytes(state: &State) -> Vec<u8> {
    postcard::to_stdvec(state).unwrap()
}

/// A turning, viscous tower with a moving hold that lets go: references, rungs and factors change.
fn eventful() -> Scene {
    Scene::new(block([0.1, 0.1, 0.3], [2, 2, 6], BoxElement::Hex), LawKind::StVenant(moduli(1e5, 0.3)))
        .gravity([1.0, 0.0, -9.81])
        .matter(|m| (m.mass, m.mass_damping, m.stiffness_damping) = (MassKind::Consistent, 1.0, 3e-3))
        .hold_along(|p| p[2] < 1e-9, [true; 3], Motion::Still, Some(0.12))
        .carry(|p| p[2] > 0.299, Motion::Sine { amplitude: [0.03, 0.0, 0.0], omega: 30.0, phase: 0.2 })
        .velocity(|p| [-10.0 * p[1], 10.0 * p[0], 0.0])
}

fn continues_with_the_same_bits(scene: impl Fn() -> Scene) {
    let end = Inputs { end: Some(0.2), ..Inputs::default() };
    for saved_after in [1, 37, 130] {
        let mut whole = scene().world();
        run(&mut whole, saved_after);
        let saved = bytes(whole.state());
        let mut resumed = scene().world();
        resumed.restore(postcard::from_bytes::<State>(&saved).unwrap()).unwrap();
        let mut steps = 0;
        while whole.state().time < 0.2 {
            assert_eq!(whole.step(&end).unwrap(), resumed.step(&end).unwrap());
            assert!(bytes(whole.state()) == bytes(resumed.state()), "after {saved_after} + {steps} steps");
            steps += 1;
        }
        assert!(steps > 20);
        assert_eq!(whole.energy(), resumed.energy());
    }
}

#[test]
fn a_saved_run_with_a_fixed_step_continues_with_the_same_bits() {
    continues_with_the_same_bits(|| ladder(eventful(), 4e-4));
}

#[test]
fn a_saved_run_with_an_automatic_step_continues_with_the_same_bits() {
    continues_with_the_same_bits(|| automatic(eventful(), 0.9));
}

#[test]
fn a_saved_run_between_the_rungs_continues_with_the_same_bits() {
    continues_with_the_same_bits(|| between(eventful(), 0.9));
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    // 2541 nodes are several chunks of the vector loops
    let scene = |beta: f64| {
        let mesh = block([0.1, 0.1, 0.2], [10, 10, 20], BoxElement::Hex);
        let scene = Scene::new(mesh, LawKind::NeoHookean(moduli(1e5, 0.3)))
            .matter(move |m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, beta))
            .gravity([0.0, 1.0, -9.81])
            .hold(|p| p[2] < 1e-9)
            .carry(|p| p[2] > 0.199, Motion::Sine { amplitude: [0.01, 0.0, 0.0], omega: 30.0, phase: 0.2 });
        automatic(scene, 0.9)
    };
    for beta in [0.0, 1e-4] {
        let states = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = scene(beta).world();
                run(&mut world, 12);
                (bytes(world.state()), world.energy().total().to_bits())
            })
        });
        assert!(states[0] == states[1], "beta {beta}");
    }
}
