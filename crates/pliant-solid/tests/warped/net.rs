//! Net force and torque: there without the correction, gone with it.

use pliant_numerics::Mat3;
use pliant_solid::law::{RotationField, Rotations};

use super::reference::{Reference, points};
use super::support::Noise;
use super::{force, meshes, model, pushed, warped, warps};

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[test]
fn bodies_do_not_push_or_turn_themselves() {
    for (shape, mesh) in meshes() {
        let reference = Reference::new(&mesh);
        for (name, warp) in warps() {
            let scene = super::Scene::new(mesh.clone(), warped(warp)).matter(|m| m.stiffness_damping = 1e-3);
            let (elastic, damped) = (model(&mesh, warped(warp)), scene.model());
            for seed in 0..5 {
                let mut noise = Noise::new(seed);
                let f = Mat3::rotation([1.0, 2.0, -1.0], 2.0) * (Mat3::identity() + noise.matrix(0.3));
                let mut state = pushed(&elastic, seed, 0.005, |p| f.mul_vec(p));
                state.v = noise.vector(state.x.len(), 1.0);
                let x = points(&state.x);
                for model in [&elastic, &damped] {
                    let (found, report) = force(model, &state.at());
                    let found = points(&found);
                    let [left, turning] = reference.net(&x, &found).map(norm);
                    let size: f64 = found.iter().map(|f| norm(*f)).sum();
                    assert!(left < 1e-14 * size, "{shape}, {name}: {left:e} of {size:e} N");
                    assert!(turning < 1e-14 * size * 0.1, "{shape}, {name}: {turning:e} N m of {size:e} N");
                    let ghost = report.ghost;
                    assert!(ghost.torque > 1e-4 * size * 0.1, "{shape}, {name}: {ghost:?} of {size:e} N");
                    if warp.rotations == Rotations::Body {
                        // the matrix itself keeps momentum
                        assert!(ghost.force < 1e-14 * size, "{shape}, {name}: {ghost:?}");
                    } else {
                        assert!(ghost.force > 1e-4 * size, "{shape}, {name}: {ghost:?} of {size:e} N");
                    }
                }
            }
        }
    }
}

#[test]
fn what_was_removed_is_told() {
    for (shape, mesh) in meshes() {
        let reference = Reference::new(&mesh);
        for (name, warp) in warps().into_iter().filter(|(_, w)| w.field == RotationField::Polar) {
            let model = model(&mesh, warped(warp));
            let f = Mat3::rotation([1.0, 2.0, -1.0], 2.0) * (Mat3::identity() + Noise::new(3).matrix(0.3));
            let state = pushed(&model, 3, 0.005, |p| f.mul_vec(p));
            let x = points(&state.x);
            let plain = reference.forces(warp, &reference.rotations(warp, &x).unwrap(), &x);
            let [expected, turning] = reference.net(&x, &plain).map(norm);
            let size: f64 = plain.iter().map(|f| norm(*f)).sum();
            let ghost = force(&model, &state.at()).1.ghost;
            assert!((ghost.force - expected).abs() < 1e-13 * size, "{shape}, {name}");
            assert!((ghost.torque - turning).abs() < 1e-13 * size * 0.1, "{shape}, {name}");
        }
    }
}

/// Power lost to damping is the work of the forces that damping adds, and does not see how fast the whole body flies.
#[test]
fn damping_takes_what_its_forces_take() {
    for (shape, mesh) in meshes() {
        for (name, warp) in warps() {
            let beta = 1e-3;
            let scene =
                super::Scene::new(mesh.clone(), warped(warp)).matter(move |m| m.stiffness_damping = beta);
            let (elastic, damped) = (model(&mesh, warped(warp)), scene.model());
            let f = Mat3::rotation([1.0, 2.0, -1.0], 2.0) * (Mat3::identity() + Noise::new(3).matrix(0.2));
            let mut state = pushed(&elastic, 3, 0.003, |p| f.mul_vec(p));
            state.v = Noise::new(4).vector(state.x.len(), 1.0);
            let plain = force(&elastic, &state.at()).0;
            let (with, report) = force(&damped, &state.at());
            let taken: f64 = (0..with.len()).map(|i| (plain[i] - with[i]) * state.v[i]).sum();
            let told = report.dissipated_power;
            assert!(told > 0.0 && (told - taken).abs() < 1e-11 * told, "{shape}, {name}: {told} {taken}");
            // a flight on top
            let mut flying = state.clone();
            flying.v.iter_mut().for_each(|v| *v += 5.0);
            let flown = force(&damped, &flying.at()).1.dissipated_power;
            assert!((flown - told).abs() < 1e-10 * told, "{shape}, {name}: {flown} {told}");
        }
    }
}
