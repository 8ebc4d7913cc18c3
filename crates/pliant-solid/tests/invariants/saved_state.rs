//! State is sufficient: save, load, continue gives the same bits.

use pliant_solid::integrator::Inputs;
use pliant_solid::term::{LoadHistory, NodalForce};
use pliant_solid::{Motion, State};

use super::support::{Scene, node_at, run};
use super::{bytes, tower};

/// With all that remembers something: damping, a moving fix, a load, accounts, the step's limit.
fn eventful() -> Scene {
    let history = || LoadHistory { release: Some(0.12), ..LoadHistory::growing(0.05) };
    tower()
        .gravity([1.0, 0.0, -9.81])
        .matter(|m| (m.mass_damping, m.stiffness_damping) = (1.0, 1e-4))
        .carry(|p| p[2] > 0.299, Motion::Sine { amplitude: [0.01, 0.0, 0.0], omega: 30.0, phase: 0.2 })
        .term(move |l| NodalForce {
            forces: vec![(node_at(l, [0.1, 0.1, 0.15]), [1.0, 0.0, 0.0])],
            history: history(),
        })
}

fn continues_with_the_same_bits(scene: impl Fn() -> Scene) {
    let end = Inputs { end: Some(0.2), ..Inputs::default() };
    // saved after 1, 37, 60 steps: before, between and after renewals of the limit
    for saved_after in [1, 37, 60] {
        let mut whole = scene().world();
        run(&mut whole, saved_after);
        let saved = bytes(whole.state());
        // a new process: another model, another workspace
        let mut resumed = scene().world();
        resumed.restore(postcard::from_bytes::<State>(&saved).unwrap()).unwrap();
        assert!(bytes(resumed.state()) == saved);
        let mut steps = 0;
        while whole.state().time < 0.2 {
            let (a, b) = (whole.step(&end).unwrap(), resumed.step(&end).unwrap());
            assert_eq!(a, b);
            assert!(bytes(whole.state()) == bytes(resumed.state()), "after {saved_after} + {steps} steps");
            steps += 1;
        }
        assert!(steps > 20);
        assert_eq!(whole.state().time, 0.2, "the run ends exactly");
        assert_eq!(whole.energy(), resumed.energy());
    }
}

#[test]
fn a_saved_run_with_a_fixed_step_continues_with_the_same_bits() {
    continues_with_the_same_bits(|| eventful().dt(2e-4));
}

#[test]
fn a_saved_run_with_an_automatic_step_continues_with_the_same_bits() {
    continues_with_the_same_bits(|| eventful().auto(0.3));
}

#[test]
fn a_run_ends_exactly_where_it_should() {
    // a fixed step is a multiple, not a sum: 1000 steps of 0.1/1000 are 0.1 to the bit
    let mut world = tower().dt(0.1 / 1000.0).world();
    for _ in 0..1000 {
        world.step(&Inputs { end: Some(0.1), ..Inputs::default() }).unwrap();
    }
    assert_eq!(world.state().time, 0.1);
    // an automatic one is cut, and the last two steps are alike
    let mut world = tower().auto(0.9).world();
    let mut steps = Vec::new();
    while world.state().time < 0.1 {
        steps.push(world.step(&Inputs { end: Some(0.1), ..Inputs::default() }).unwrap().dt);
    }
    assert_eq!(world.state().time, 0.1);
    let [.., before, last] = steps[..] else { panic!("few steps") };
    assert!((last - before).abs() < 1e-9 * last || last > 0.5 * before, "{before:e} {last:e}");
    assert!(steps.iter().all(|dt| *dt <= steps[0] * 1.1 && *dt > 0.0));
}

#[test]
fn time_goes_on_after_the_end_if_it_is_asked_to() {
    for scene in [tower().dt(1e-3), tower().auto(0.9)] {
        let mut world = scene.gravity([1.0, 0.0, 0.0]).world();
        let inputs = Inputs { end: Some(0.01), ..Inputs::default() };
        while world.state().time < 0.01 {
            world.step(&inputs).unwrap();
        }
        let report = world.step(&inputs).unwrap();
        assert!(report.dt > 1e-4 && world.state().time > 0.01, "{report:?}");
        assert!(world.state().v.iter().all(|v| v.is_finite()));
    }
}
