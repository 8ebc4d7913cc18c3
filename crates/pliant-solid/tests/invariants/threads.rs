//! The same bits for 1, 2 and 8 threads.

use pliant_geometry::BoxElement;
use pliant_solid::World;
use pliant_solid::assembly::Precision;
use pliant_solid::law::LawKind;

use super::bytes;
use super::support::meshes::block;
use super::support::{Scene, moduli, run};

/// A twisted, falling, damped block: 10 x 10 x 24 cells are 12 000 tets or 2400 hexes, several
/// partitions, and 3025 nodes are several chunks.
fn block_of(element: BoxElement, law: LawKind, precision: Precision) -> Scene {
    Scene::new(block([0.1, 0.1, 0.24], [10, 10, 24], element), law)
        .precision(precision)
        .gravity([0.0, 1.0, -9.81])
        .hold(|p| p[2] < 1e-9)
        .velocity(|[x, y, z]| [-30.0 * y * z, 30.0 * x * z, 0.0])
        .matter(|m| (m.mass_damping, m.stiffness_damping) = (0.5, 1e-5))
}

fn same_bits(name: &str, world: impl Fn() -> World + Sync, steps: usize) {
    let results: Vec<(Vec<u8>, u64)> = [1, 2, 8]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = world();
                run(&mut world, steps);
                (bytes(world.state()), world.energy().total().to_bits())
            })
        })
        .collect();
    assert!(results[0] == results[1], "{name}: 2 threads differ from 1");
    assert!(results[0] == results[2], "{name}: 8 threads differ from 1");
    // and without a pool of one's own
    let mut world = world();
    run(&mut world, steps);
    assert!(bytes(world.state()) == results[0].0, "{name}: the caller's own thread differs");
}

#[test]
fn tetrahedra_and_hexahedra_move_alike_on_any_number_of_threads() {
    let m = moduli(1e5, 0.3);
    for element in [BoxElement::Tet5, BoxElement::Hex] {
        for (name, law) in [("st-venant", LawKind::StVenant(m)), ("neo-hookean", LawKind::NeoHookean(m))] {
            for precision in [Precision::Double, Precision::Single] {
                let world = || block_of(element, law, precision).dt(2e-5).world();
                same_bits(&format!("{element:?} {name} {precision:?}"), world, 20);
            }
        }
    }
}

#[test]
fn the_automatic_step_is_the_same_on_any_number_of_threads() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    same_bits("auto", || block_of(BoxElement::Tet5, law, Precision::Double).auto(0.9).world(), 40);
}

#[test]
fn bodies_of_both_elements_move_alike_on_any_number_of_threads() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let world = || {
        let other = block([0.1, 0.1, 0.24], [10, 10, 24], BoxElement::Hex);
        block_of(BoxElement::Tet6, law, Precision::Double).body("second", other, law).dt(2e-5).world()
    };
    same_bits("two bodies", world, 20);
}

#[test]
fn equations_are_solved_alike_on_any_number_of_threads() {
    // far apart in size: the small one's factor is not worth cutting, the large one's is
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    for element in [BoxElement::Tet5, BoxElement::Hex] {
        let world = || block_of(element, law, Precision::Double).newmark(2e-3).world();
        same_bits(&format!("newmark {element:?}"), world, 2);
    }
    let resting = || {
        Scene::new(block([0.1, 0.1, 0.24], [10, 10, 24], BoxElement::Tet5), law)
            .gravity([0.0, 1.0, -9.81])
            .hold(|p| p[2] < 1e-9)
            .statics()
            .world()
    };
    same_bits("statics", resting, 1);
}
