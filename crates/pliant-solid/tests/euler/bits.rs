//! The same bits on any number of threads and after a restart.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::{EulerSolve, ImplicitEuler, Inputs, IntegratorKind};
use pliant_solid::law::{LawKind, Warp};
use pliant_solid::{Motion, State, World};

use super::support::{Scene, moduli, run};
use super::{bar, euler};

fn laws() -> [(&'static str, LawKind); 2] {
    let m = moduli(1e5, 0.33);
    [("corotated", LawKind::Corotated(m)), ("warped", LawKind::Warped(m, Warp::default()))]
}

/// 15 x 15 x 40 cells are 10 496 nodes: two parts of the sweeps.
fn large(law: LawKind) -> World {
    let mesh = box_mesh([0.15, 0.15, 0.4], [15, 15, 40], BoxElement::Tet5).unwrap();
    let scene = Scene::new(mesh, law).gravity([0.0, -9.81, 0.0]).hold(|p| p[2] < 1e-9);
    scene.integrator(IntegratorKind::ImplicitEuler(euler(0.01))).world()
}

fn bytes(state: &State) -> Vec<u8> {
    postcard::to_allocvec(state).unwrap()
}

#[test]
fn threads_do_not_change_a_bit() {
    for (name, law) in laws() {
        let results = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = large(law);
                assert!(world.model().layout().free_count() > 2 * 4096);
                run(&mut world, 3);
                bytes(world.state())
            })
        });
        assert!(results[0] == results[1] && results[0] == results[2], "{name}");
    }
}

#[test]
fn a_saved_run_continues_with_the_same_bits() {
    let newton = ImplicitEuler { solve: EulerSolve::Newton { tolerance: 1e-6 }, ..euler(0.01) };
    for (name, law) in laws() {
        for integrator in
            [euler(0.01), newton, ImplicitEuler { step: ImplicitEuler::default().step, ..euler(0.01) }]
        {
            if name == "warped" && integrator == newton {
                continue;
            }
            let scene = || {
                bar(law, integrator)
                    .gravity([0.0, -9.81, 0.0])
                    .matter(|m| (m.mass_damping, m.stiffness_damping) = (0.5, 1e-3))
                    .carry(
                        |p| p[2] < 1e-9,
                        Motion::Sine { amplitude: [0.0, 0.05, 0.0], omega: 9.0, phase: 0.3 },
                    )
            };
            let mut whole = scene().world();
            run(&mut whole, 7);
            let saved = bytes(whole.state());
            let mut resumed = scene().world();
            resumed.restore(postcard::from_bytes(&saved).unwrap()).unwrap();
            let end = Inputs { end: Some(0.5), ..Inputs::default() };
            while whole.state().time < 0.5 {
                let (a, b) = (whole.step(&end).unwrap(), resumed.step(&end).unwrap());
                assert_eq!(a, b, "{name}");
                assert!(bytes(whole.state()) == bytes(resumed.state()), "{name}");
            }
            assert_eq!(whole.state().time, 0.5);
        }
    }
}
