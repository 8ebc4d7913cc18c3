//! GRAD-1: forces are the derivative of energy, tangents the derivative of forces.

use std::sync::Arc;

use pliant_numerics::BlockMatrix;
use pliant_solid::assembly::Precision;
use pliant_solid::term::{Coeffs, Scatter};
use pliant_solid::{FullState, Model};

use super::support::{Noise, Scene, dot, forces, laws, peak, peak_difference, placed, stored};
use super::{cell_size, meshes};

const YOUNG: f64 = 1e5;
const STIFFNESS: Coeffs = Coeffs { k: 1.0, d: 0.0 };

/// Moved by up to a tenth of a cell's edge at every node, so that |grad u| is about 0.2, and moving.
fn deformed(model: &Model, h: f64) -> FullState {
    let mut noise = Noise::new(41);
    let mut full = placed(model, |p| p);
    full.x.iter_mut().for_each(|x| *x += 0.1 * h * noise.next());
    full.v.iter_mut().for_each(|v| *v = h * noise.next());
    full
}

/// Every mesh under every law, undamped and damped.
fn cases() -> Vec<(String, Arc<Model>, f64)> {
    let mut out = Vec::new();
    for (name, mesh) in meshes() {
        for (law_name, law) in laws(YOUNG, 0.3) {
            for beta in [0.0, 0.01] {
                let scene = Scene::new(mesh.clone(), law).matter(|m| m.stiffness_damping = beta);
                out.push((format!("{name} {law_name} beta {beta}"), scene.model(), cell_size(&mesh)));
            }
        }
    }
    out
}

#[test]
fn force_is_minus_the_gradient_of_energy() {
    for (name, model, h) in cases() {
        let mut full = deformed(&model, h);
        full.v.fill(0.0);
        let (force, step) = (forces(&model, &full), 1e-5 * h);
        let slope = |i: usize| {
            let mut shifted =
                FullState { time: 0.0, x: full.x.clone(), v: full.v.clone(), ..FullState::default() };
            shifted.x[i] += step;
            let high = stored(&model, &shifted);
            shifted.x[i] -= 2.0 * step;
            (high - stored(&model, &shifted)) / (2.0 * step)
        };
        let slopes: Vec<f64> = (0..force.len()).map(|i| -slope(i)).collect();
        let error = peak_difference(&force, &slopes) / peak(&force);
        assert!(error < 1e-7, "{name}: {error:e}");
    }
}

/// K or D column by column, from differences of forces.
fn difference_matrix(model: &Model, full: &FullState, step: f64, by_velocity: bool) -> Vec<Vec<f64>> {
    let column = |i: usize| {
        let shifted = |amount: f64| {
            let mut s = FullState { time: 0.0, x: full.x.clone(), v: full.v.clone(), ..FullState::default() };
            let values = if by_velocity { &mut s.v } else { &mut s.x };
            values[i] += amount;
            forces(model, &s)
        };
        let (high, low) = (shifted(step), shifted(-step));
        high.iter().zip(&low).map(|(high, low)| -(high - low) / (2.0 * step)).collect()
    };
    (0..full.x.len()).map(column).collect()
}

fn assert_columns(name: &str, matrix: &BlockMatrix, columns: &[Vec<f64>], tolerance: f64) {
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    let mut left = columns.to_vec();
    matrix.for_each_entry(|r, c, value| {
        left[c][r] -= value;
        largest = largest.max(value.abs());
    });
    left.iter().for_each(|column| error = error.max(peak(column)));
    assert!(error < tolerance * largest, "{name}: {:e}", error / largest);
}

#[test]
fn stiffness_is_minus_the_derivative_of_force_by_position() {
    for (name, model, h) in cases() {
        let mut full = deformed(&model, h);
        // K is the elastic part alone: damping forces change with position too, but are no stiffness
        full.v.fill(0.0);
        let tangent = model.tangent(&full, STIFFNESS);
        assert_columns(&name, &tangent, &difference_matrix(&model, &full, 1e-5 * h, false), 1e-7);
    }
}

#[test]
fn damping_is_minus_the_derivative_of_force_by_velocity() {
    for (name, model, h) in cases().into_iter().filter(|(name, ..)| name.ends_with("0.01")) {
        let full = deformed(&model, h);
        let tangent = model.tangent(&full, Coeffs { k: 0.0, d: 1.0 });
        // linear in velocity: differences are exact but for rounding
        assert_columns(&name, &tangent, &difference_matrix(&model, &full, h, true), 1e-11);
    }
}

#[test]
fn tangents_are_symmetric() {
    for (name, model, h) in cases() {
        let full = deformed(&model, h);
        let tangent = model.tangent(&full, Coeffs { k: 1.0, d: 1.0 });
        let (mut error, mut largest) = (0.0_f64, 0.0_f64);
        let block = |r: usize, c: usize| tangent.block((r / 3) as u32, (c / 3) as u32).0[r % 3][c % 3];
        tangent.for_each_entry(|r, c, value| {
            error = error.max((value - block(c, r)).abs());
            largest = largest.max(value.abs());
        });
        assert!(error < 1e-13 * largest, "{name}: {:e}", error / largest);
    }
}

fn applied(model: &Model, full: &FullState, c: Coeffs, direction: &[f64]) -> Vec<f64> {
    let mut force = vec![0.0; full.x.len()];
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        let mut out = Scatter::new(&mut force, &mut scratch);
        term.tangent_apply_add(&full.at(), c, direction, &mut out);
    }
    force
}

#[test]
fn applying_the_tangent_equals_multiplying_by_its_matrix() {
    for (name, model, h) in cases() {
        let full = deformed(&model, h);
        let direction = Noise::new(42).vector(full.x.len(), 1.0);
        let c = Coeffs { k: 0.7, d: 1.3 };
        let mut product = vec![0.0; direction.len()];
        model.tangent(&full, c).multiply_into(&direction, &mut product);
        let ours = applied(&model, &full, c, &direction);
        assert!(peak_difference(&ours, &product) < 1e-13 * peak(&product) * 10.0, "{name}");
    }
}

#[test]
fn damping_takes_the_power_that_it_reports() {
    // power = - f_visc . v = v D v
    for (name, model, h) in cases().into_iter().filter(|(name, ..)| name.ends_with("0.01")) {
        let full = deformed(&model, h);
        let mut reported = 0.0;
        let mut force = vec![0.0; full.x.len()];
        for term in model.terms() {
            let mut scratch = term.new_scratch();
            let mut out = Scatter::new(&mut force, &mut scratch);
            reported += term.force_add(&full.at(), &mut out).dissipated_power;
        }
        let damping = applied(&model, &full, Coeffs { k: 0.0, d: 1.0 }, &full.v);
        let expected = dot(&damping, &full.v);
        assert!(expected > 0.0 && (reported - expected).abs() < 1e-12 * expected, "{name}");
        let still =
            FullState { time: 0.0, x: full.x.clone(), v: vec![0.0; full.v.len()], ..FullState::default() };
        let viscous: Vec<f64> = force.iter().zip(forces(&model, &still)).map(|(a, b)| b - a).collect();
        assert!(peak_difference(&viscous, &damping) < 1e-11 * peak(&force), "{name}");
    }
}

#[test]
fn floats_give_the_forces_of_doubles_to_six_digits() {
    for (name, mesh) in meshes() {
        let h = cell_size(&mesh);
        for (law_name, law) in laws(YOUNG, 0.3) {
            let double = Scene::new(mesh.clone(), law).model();
            let single = Scene::new(mesh.clone(), law).precision(Precision::Single).model();
            let full = deformed(&double, h);
            let (exact, short) = (forces(&double, &full), forces(&single, &full));
            let error = peak_difference(&exact, &short) / peak(&exact);
            println!("{name} {law_name}: f32 forces off by {error:.1e}");
            assert!(error < 2e-6, "{name} {law_name}: {error:e}");
            let (exact, short) = (stored(&double, &full), stored(&single, &full));
            assert!((exact - short).abs() < 2e-6 * exact, "{name} {law_name}");
        }
    }
}

#[test]
fn floats_do_not_care_where_a_body_is_or_how_fast_it_flies() {
    // 1 km away at 100 m/s: a float holds 6e-5 m there, which is no strain of a cell of 4 cm
    for (name, mesh) in meshes() {
        let h = cell_size(&mesh);
        for (law_name, law) in laws(YOUNG, 0.3).into_iter().skip(1) {
            let scene = Scene::new(mesh.clone(), law).matter(|m| m.stiffness_damping = 0.01);
            let model = scene.precision(Precision::Single).model();
            let near = deformed(&model, h);
            let far = FullState {
                time: 0.0,
                x: near.x.iter().enumerate().map(|(i, x)| x + [1000.0, -300.0, 200.0][i % 3]).collect(),
                v: near.v.iter().enumerate().map(|(i, v)| v + [100.0, 0.0, -30.0][i % 3]).collect(),
                ..FullState::default()
            };
            let (here, there) = (forces(&model, &near), forces(&model, &far));
            let error = peak_difference(&here, &there) / peak(&here);
            assert!(error < 2e-6, "{name} {law_name}: {error:e}");
            let (here, there) = (stored(&model, &near), stored(&model, &far));
            assert!((here - there).abs() < 2e-6 * here, "{name} {law_name}");
        }
    }
}
