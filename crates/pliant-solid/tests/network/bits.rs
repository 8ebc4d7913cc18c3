//! The same bits on any number of threads, and after a state was saved.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, StepChoice};
use pliant_solid::law::{RotationField, Rotations, Warp};
use pliant_solid::{NetworkLaw, State, World};

use super::support::meshes::block;
use super::support::run;
use super::{bytes, cloth, implicit, of_cells, scene};

/// A hanging cloth of several parts.
fn hanging_cloth() -> super::support::Scene {
    let (mesh, network) = cloth([1.0, 1.0], [60, 60]);
    scene(&mesh, &network).gravity([0.0, 0.5, -9.81]).hold(|p| p[1] > 0.999 && (p[0] < 1e-9 || p[0] > 0.999))
}

const LAWS: [(&str, NetworkLaw); 3] = [
    ("springs", NetworkLaw::Springs),
    ("linear", NetworkLaw::Linear),
    ("warped", NetworkLaw::Warped(Warp { field: RotationField::Polar, rotations: Rotations::Node })),
];

fn bar(law: NetworkLaw) -> super::support::Scene {
    let mesh = block([0.4, 0.1, 0.1], [12, 4, 4], BoxElement::Tet6);
    scene(&mesh, &of_cells(&mesh, law)).gravity([0.0, 0.0, -9.81]).hold(|p| p[0] < 1e-9)
}

fn same_bits(name: &str, world: impl Fn() -> World + Sync, steps: usize) {
    let results: Vec<Vec<u8>> = [1, 2, 8]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = world();
                run(&mut world, steps);
                bytes(world.state())
            })
        })
        .collect();
    assert!(results[0] == results[1] && results[0] == results[2], "{name}: threads differ");
}

#[test]
fn cloth_and_bars_move_alike_on_any_number_of_threads() {
    same_bits("explicit", || hanging_cloth().auto(0.9).world(), 30);
    same_bits("implicit", || hanging_cloth().integrator(implicit(StepChoice::Fixed(5e-3))).world(), 4);
    for (name, law) in LAWS {
        same_bits(name, || bar(law).world(), 20);
    }
}

fn continues(name: &str, scene: impl Fn() -> World, steps: usize) {
    let mut whole = scene();
    run(&mut whole, steps);
    let saved = bytes(whole.state());
    let mut resumed = scene();
    resumed.restore(postcard::from_bytes::<State>(&saved).unwrap()).unwrap();
    for _ in 0..steps {
        let (a, b) = (whole.step(&Inputs::default()).unwrap(), resumed.step(&Inputs::default()).unwrap());
        assert_eq!(a, b, "{name}");
        assert!(bytes(whole.state()) == bytes(resumed.state()), "{name}");
    }
}

#[test]
fn a_saved_network_continues_with_the_same_bits() {
    continues("explicit cloth", || hanging_cloth().auto(0.9).world(), 40);
    let euler = |choice| hanging_cloth().integrator(implicit(choice)).world();
    continues("implicit cloth", || euler(StepChoice::Fixed(5e-3)), 5);
    continues("implicit cloth, automatic", || euler(StepChoice::Auto { safety: 1.0 }), 5);
    for (name, law) in LAWS {
        continues(name, || bar(law).world(), 40);
    }
}
