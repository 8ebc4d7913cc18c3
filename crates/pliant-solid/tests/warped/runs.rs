//! Warped bodies in motion.

use pliant_geometry::BoxElement;
use pliant_solid::World;
use pliant_solid::law::LawKind;
use pliant_solid::law::{RotationField, Rotations};

use super::support::meshes::block;
use super::support::{Scene, moduli, node_at, run, run_until, triple};
use super::{YOUNG, bar, warp, warped, warps};

/// A twisted, damped, falling block of 3025 nodes: twelve chunks.
fn large(law: LawKind) -> World {
    Scene::new(block([0.1, 0.1, 0.24], [10, 10, 24], BoxElement::Tet5), law)
        .gravity([0.0, 1.0, -9.81])
        .hold(|p| p[2] < 1e-9)
        .velocity(|[x, y, z]| [-30.0 * y * z, 30.0 * x * z, 0.0])
        .matter(|m| m.stiffness_damping = 1e-5)
        .dt(2e-5)
        .world()
}

#[test]
fn the_same_bits_for_1_2_and_8_threads() {
    for (name, warp) in warps() {
        let bits = |world: &mut World| {
            run(world, 20);
            let state = world.state();
            state.x.iter().chain(&state.v).map(|v| v.to_bits()).collect::<Vec<u64>>()
        };
        let alone = bits(&mut large(warped(warp)));
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| bits(&mut large(warped(warp))));
            assert!(found == alone, "{name}: {threads} threads");
        }
    }
}

/// A bar held at one end falls under gravity and sways; the tip's path beside that of the law `corotated`.
#[test]
fn a_hanging_bar_stays_near_the_corotated_one() {
    let path = |law: LawKind| {
        let mut world = Scene::new(bar(), law)
            .gravity([0.0, 0.0, -9.81])
            .hold(|p| p[0] < 1e-9)
            .matter(|m| m.mass_damping = 1.0)
            .auto(0.9)
            .world();
        let tip = node_at(world.model().layout(), [1.0, 0.3, 0.3]);
        let places: Vec<[f64; 3]> = (1..=20)
            .map(|frame| {
                let (_, error) = run_until(&mut world, 0.1 * f64::from(frame));
                assert!(error.is_none(), "{law:?}: {}", error.unwrap());
                triple(&world.state().x, tip)
            })
            .collect();
        places
    };
    let corotated = path(LawKind::Corotated(moduli(10.0 * YOUNG, 0.3)));
    let deepest = corotated.iter().map(|p| 0.3 - p[2]).fold(0.0, f64::max);
    // measured: 0.6 % with all edges of a node, 10 % with three of them
    for (name, warp, band) in [
        ("polar", warp(RotationField::Polar, Rotations::Node), 0.01),
        ("frames", warp(RotationField::Frames, Rotations::Node), 0.12),
    ] {
        let found = path(LawKind::Warped(moduli(10.0 * YOUNG, 0.3), warp));
        let distance =
            |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt();
        let farthest = found.iter().zip(&corotated).map(distance).fold(0.0, f64::max);
        println!("{name}: {farthest} m apart, {deepest} m deep");
        assert!(farthest < band * deepest, "{name}: {farthest} of {deepest} m");
    }
}
