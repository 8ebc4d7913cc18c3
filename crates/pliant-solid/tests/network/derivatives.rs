//! Forces are the derivative of energy, matrices of forces; definite ones are.

use std::sync::Arc;

use pliant_numerics::BlockMatrix;
use pliant_solid::term::{Coeffs, Report, Scatter};
use pliant_solid::{FullState, Model};

use super::support::{Noise, cross, dot, forces, peak, peak_difference, placed, stored, triple};
use super::{networks, scene, warped};

/// Bent, stretched by a fifth and shaken, so that springs are long, short and turned.
fn deformed(model: &Model, seed: u64) -> FullState {
    let mut noise = Noise::new(seed);
    placed(model, |[x, y, z]| {
        let bent = [1.2 * x + 0.3 * y * y, y + 2.0 * x * z, z + 3.0 * x * x - y];
        bent.map(|c| c + 0.01 * noise.next())
    })
}

fn product(model: &Model, full: &FullState, c: Coeffs, along: &[f64], definite: bool) -> Vec<f64> {
    let mut matrix = BlockMatrix::zero(Arc::clone(model.structure().all()));
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        match definite {
            true => term.definite_tangent_add(&full.at(), c, &mut matrix, &mut scratch),
            false => term.tangent_add(&full.at(), c, &mut matrix, &mut scratch),
        }
    }
    let mut out = vec![0.0; along.len()];
    matrix.multiply_into(along, &mut out);
    out
}

const K: Coeffs = Coeffs { k: 1.0, d: 0.0 };
const D: Coeffs = Coeffs { k: 0.0, d: 1.0 };

#[test]
fn forces_are_the_derivative_of_the_energy() {
    for (name, mesh, network) in networks() {
        let model = scene(&mesh, &network).model();
        let full = deformed(&model, 1);
        let force = forces(&model, &full);
        let along = Noise::new(2).vector(full.x.len(), 1.0);
        // central differences: the error goes with the square of the step, 1e-5 of a spring here
        let moved = |s: f64| {
            let x = full.x.iter().zip(&along).map(|(x, d)| x + s * d).collect();
            stored(&model, &FullState { x, ..full.clone() })
        };
        let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
        let power = -dot(&force, &along);
        assert!(slope.abs() > 0.1, "{name}: {slope}");
        assert!((slope - power).abs() < 1e-6 * peak(&force), "{name}: {slope} against {power}");
    }
}

#[test]
fn matrices_are_the_derivatives_of_forces() {
    for (name, mesh, network) in networks() {
        let model = scene(&mesh, &network).model();
        let full = deformed(&model, 3);
        let along = Noise::new(4).vector(full.x.len(), 1.0);
        let difference = |by_place: bool| -> Vec<f64> {
            let at = |s: f64| {
                let mut moved = full.clone();
                let values = if by_place { &mut moved.x } else { &mut moved.v };
                values.iter_mut().zip(&along).for_each(|(x, d)| *x += s * d);
                forces(&model, &moved)
            };
            let (ahead, behind) = (at(1e-6), at(-1e-6));
            ahead.iter().zip(&behind).map(|(a, b)| (b - a) / 2e-6).collect()
        };
        for (c, by_place) in [(K, true), (D, false)] {
            let (exact, seen) = (product(&model, &full, c, &along, false), difference(by_place));
            assert!(peak(&exact) > 0.05, "{name}: {}", peak(&exact));
            let error = peak_difference(&exact, &seen) / peak(&exact);
            assert!(error < 1e-6, "{name}, places {by_place}: {error:e}");
        }
    }
}

#[test]
fn definite_matrices_resist_every_motion_and_are_exact_at_rest() {
    for (name, mesh, network) in networks() {
        let model = scene(&mesh, &network).model();
        for seed in 0..20 {
            // pressed flat to a tenth and folded over
            let mut full = deformed(&model, seed);
            full.x.chunks_exact_mut(3).for_each(|x| x[0] = 0.1 * (x[0] - 0.1).abs());
            let along = Noise::new(seed + 50).vector(full.x.len(), 1.0);
            let resisted = dot(&along, &product(&model, &full, K, &along, true));
            assert!(resisted > 0.0, "{name}: {resisted}");
        }
        let rest = placed(&model, |x| x);
        let along = Noise::new(7).vector(rest.x.len(), 1.0);
        let exact = product(&model, &rest, K, &along, false);
        let definite = product(&model, &rest, K, &along, true);
        assert!(peak_difference(&exact, &definite) < 1e-9 * peak(&exact), "{name}");
    }
}

#[test]
fn stability_sees_at_least_the_definite_matrix() {
    // x^T A x of the bound is no less than that of the matrix, wherever springs have turned to
    for (name, mesh, network) in networks() {
        let model = scene(&mesh, &network).model();
        for seed in 0..20 {
            let full = deformed(&model, seed);
            let along = Noise::new(seed + 9).vector(full.x.len(), 1.0);
            for c in [K, D] {
                let mut bound = vec![0.0; along.len()];
                for term in model.terms() {
                    let mut scratch = term.new_scratch();
                    let mut out = Scatter::new(&mut bound, &mut scratch);
                    term.tangent_apply_add(&full.at(), c, &along, &mut out);
                }
                let (most, own) =
                    (dot(&along, &bound), dot(&along, &product(&model, &full, c, &along, true)));
                assert!(most >= own * (1.0 - 1e-12), "{name}: {most} below {own}");
            }
        }
    }
}

#[test]
fn springs_that_turn_make_no_net_force_and_no_torque() {
    let turning = networks().into_iter().filter(|(name, ..)| !name.contains("linear"));
    for (name, mesh, network) in turning {
        let model = scene(&mesh, &network).model();
        let mut full = deformed(&model, 5);
        full.v = Noise::new(6).vector(full.x.len(), 1.0);
        let force = forces(&model, &full);
        let (mut sum, mut torque) = ([0.0; 3], [0.0; 3]);
        for node in 0..model.layout().node_count() as u32 {
            let (f, x) = (triple(&force, node), triple(&full.x, node));
            let turned = cross(x, f);
            (0..3).for_each(|c| (sum[c], torque[c]) = (sum[c] + f[c], torque[c] + turned[c]));
        }
        let all = sum.iter().chain(&torque).fold(0.0_f64, |most, c| most.max(c.abs()));
        assert!(all < 1e-12 * peak(&force), "{name}: {all:e}");
    }
}

#[test]
fn damping_takes_power_and_nothing_else_does() {
    for (name, mesh, network) in networks() {
        let model = scene(&mesh, &network).model();
        let mut full = deformed(&model, 8);
        full.v = Noise::new(9).vector(full.x.len(), 1.0);
        let report = |full: &FullState| {
            let mut force = vec![0.0; full.x.len()];
            let mut told = Report::default();
            for term in model.terms() {
                let mut scratch = term.new_scratch();
                let mut out = Scatter::new(&mut force, &mut scratch);
                told.dissipated_power += term.force_add(&full.at(), &mut out).dissipated_power;
            }
            (force, told.dissipated_power)
        };
        let (moving, lost) = report(&full);
        let (still, none) = report(&FullState { v: vec![0.0; full.x.len()], ..full.clone() });
        let taken: f64 = (0..moving.len()).map(|i| (still[i] - moving[i]) * full.v[i]).sum();
        assert!(none == 0.0 && lost > 0.0, "{name}");
        assert!((taken - lost).abs() < 1e-10 * lost, "{name}: {taken} against {lost}");
    }
}

#[test]
fn everything_is_finite_where_particles_meet() {
    for (name, mesh, network) in networks() {
        let model = scene(&mesh, &network).model();
        let full = placed(&model, |_| [0.1, 0.2, 0.3]);
        let along = Noise::new(7).vector(full.x.len(), 1.0);
        for values in [forces(&model, &full), product(&model, &full, K, &along, true)] {
            assert!(values.iter().all(|v| v.is_finite()), "{name}");
        }
        assert!(stored(&model, &full).is_finite(), "{name}");
    }
}

#[test]
fn a_warped_network_follows_turns_and_is_linear_for_small_ones() {
    let (_, mesh, _) = networks().remove(0);
    let springs = super::of_cells(&mesh, pliant_solid::NetworkLaw::Springs);
    let (turned, plain) = (scene(&mesh, &warped(&mesh)).model(), scene(&mesh, &springs).model());
    // a turn by two thirds of a circle makes no force
    let rotation = pliant_numerics::Mat3::rotation([1.0, 2.0, -1.0], 4.0);
    let stretched = placed(&turned, |x| rotation.mul_vec(x).map(|c| 1.01 * c));
    let rigid = placed(&turned, |x| rotation.mul_vec(x));
    assert!(peak(&forces(&turned, &rigid)) < 1e-9 * peak(&forces(&turned, &stretched)));
    // a hundredth longer: springs and their matrix differ by the square of the strain at most
    let (a, b) = (forces(&turned, &stretched), forces(&plain, &stretched));
    assert!(peak_difference(&a, &b) < 1e-2 * peak(&b), "{:e}", peak_difference(&a, &b) / peak(&b));
}
