//! Forces: none in rigid motions, the linear law's in small ones, the formulas' in large ones.

use pliant_numerics::Mat3;
use pliant_solid::law::{LawKind, RotationField, Rotations};

use super::reference::{Reference, points};
use super::support::{Noise, add, forces, moduli, order, peak, peak_difference};
use super::{YOUNG, force, meshes, model, pushed, warped, warps};

#[test]
fn no_force_resists_a_rigid_motion() {
    for (shape, mesh) in meshes() {
        for (name, warp) in warps() {
            let model = model(&mesh, warped(warp));
            for (axis, angle) in
                [([1.0, 2.0, 3.0], 0.1), ([0.0, 0.0, 1.0], 3.1), ([-1.0, 0.5, 0.2], std::f64::consts::PI)]
            {
                let turn = Mat3::rotation(axis, angle);
                let state = pushed(&model, 0, 0.0, |p| add(turn.mul_vec(p), [1.0, -2.0, 0.5]));
                let found = peak(&force(&model, &state.at()).0);
                assert!(found < 1e-12 * YOUNG * 0.1 * 0.1, "{shape}, {name}: {found:e} N");
            }
        }
    }
}

#[test]
fn small_motions_meet_the_linear_law() {
    for (shape, mesh) in meshes() {
        let linear = model(&mesh, LawKind::Linear(moduli(YOUNG, 0.3)));
        for (name, warp) in warps() {
            let model = model(&mesh, warped(warp));
            let error = |size: f64| {
                let state = pushed(&model, 1, size, |p| p);
                let law = forces(&linear, &state);
                peak_difference(&force(&model, &state.at()).0, &law) / peak(&law)
            };
            let (coarse, fine) = (error(1e-5), error(5e-6));
            if warp.rotations == Rotations::Mixed {
                // two rotations in one force: sum_j k_ij (W_j - W_i) (X_j - X_i) is of the first order too
                assert!(fine > 0.1 && (coarse / fine - 1.0).abs() < 0.01, "{shape}, {name}: {fine:e}");
            } else {
                // relative to forces of the first order
                let order = order(coarse, fine);
                assert!(coarse < 1e-2 && (order - 1.0).abs() < 0.05, "{shape}, {name}: {coarse:e}, {order}");
            }
        }
    }
}

/// The formulas with rotations by singular values; what ghosts take is looked at in `net`.
#[test]
fn large_motions_meet_the_formulas() {
    for (shape, mesh) in meshes() {
        let reference = Reference::new(&mesh);
        for (name, warp) in warps().into_iter().filter(|(_, w)| w.field == RotationField::Polar) {
            let model = model(&mesh, warped(warp));
            for seed in 0..5 {
                let f = Mat3::rotation([1.0, 2.0, -1.0], 2.0 + f64::from(seed as u32))
                    * (Mat3::identity() + Noise::new(seed).matrix(0.3));
                let state = pushed(&model, seed, 0.005, |p| f.mul_vec(p));
                let x = points(&state.x);
                let rotations = reference.rotations(warp, &x).unwrap();
                let plain = reference.forces(warp, &rotations, &x);
                let expected = without_ghost(&reference, &x, &plain);
                let (found, _) = force(&model, &state.at());
                let error = peak_difference(&found, &expected);
                assert!(error < 1e-12 * peak(&found), "{shape}, {name}: {error:e} of {:e}", peak(&found));
            }
        }
    }
}

/// f_i - m_i (a + alpha x r_i).
fn without_ghost(reference: &Reference, x: &[[f64; 3]], plain: &[[f64; 3]]) -> Vec<f64> {
    let [force, torque] = reference.net(x, plain);
    let total: f64 = reference.mass.iter().sum();
    let weighted = |c: usize| x.iter().zip(&reference.mass).map(|(x, m)| m * x[c]).sum::<f64>() / total;
    let centre: [f64; 3] = std::array::from_fn(weighted);
    let arm = |n: usize| -> [f64; 3] { std::array::from_fn(|c| x[n][c] - centre[c]) };
    let mut inertia = Mat3::zero();
    for (n, m) in reference.mass.iter().enumerate() {
        let r = arm(n);
        let square: f64 = r.iter().map(|c| c * c).sum();
        inertia = inertia + (Mat3::diagonal(square) - Mat3::dyad(r, r)).scale(*m);
    }
    let alpha = inertia.inverse().mul_vec(torque);
    let one = |n: usize| {
        let turned = super::support::cross(alpha, arm(n));
        std::array::from_fn::<f64, 3, _>(|c| plain[n][c] - reference.mass[n] * (force[c] / total + turned[c]))
    };
    (0..x.len()).flat_map(one).collect()
}

#[test]
fn nodes_that_hang_on_others_do_not_resist_rigid_motions_either() {
    let (mesh, hanging) = super::support::meshes::cube_with_hanging_nodes();
    for (name, warp) in warps() {
        let model = super::Scene::new(mesh.clone(), warped(warp)).hanging(hanging.clone()).model();
        let turn = Mat3::rotation([1.0, 2.0, 3.0], 2.0);
        let state = pushed(&model, 0, 0.0, |p| add(turn.mul_vec(p), [1.0, -2.0, 0.5]));
        let found = peak(&force(&model, &state.at()).0);
        assert!(found < 1e-12 * YOUNG, "{name}: {found:e} N");
    }
}
