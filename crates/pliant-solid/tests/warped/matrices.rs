//! The matrix with the rotations held.

use pliant_numerics::{BlockMatrix, Mat3};
use pliant_solid::Model;
use pliant_solid::law::{RotationField, Rotations, Warp};
use pliant_solid::term::{At, Coeffs, Scatter};

use super::reference::{Reference, points};
use super::support::{Noise, at, peak, peak_difference};
use super::{bar, bent, meshes, model, pushed, warped, warps};

const STIFFNESS: Coeffs = Coeffs { k: 1.0, d: 0.0 };

fn matrix(model: &Model, at: &At, c: Coeffs) -> BlockMatrix {
    let mut out = BlockMatrix::zero(model.structure().all().clone());
    let term = &model.terms()[0];
    let mut scratch = term.new_scratch();
    // twice: the second time with places found before, and added to what is there
    for _ in 0..2 {
        term.tangent_add(at, c, &mut out, &mut scratch);
    }
    out.blocks_mut().iter_mut().for_each(|b| *b = b.scale(0.5));
    out
}

fn product(matrix: &BlockMatrix, direction: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; direction.len()];
    matrix.multiply_into(direction, &mut out);
    out
}

fn norm(matrix: &BlockMatrix) -> f64 {
    matrix.blocks().iter().map(|b| b.dot(b)).sum::<f64>().sqrt()
}

fn difference(a: &BlockMatrix, b: &BlockMatrix) -> BlockMatrix {
    let mut out = a.clone();
    out.blocks_mut().iter_mut().zip(b.blocks()).for_each(|(a, b)| *a = *a - *b);
    out
}

#[test]
fn the_matrix_is_the_change_of_the_force_with_the_rotations_held() {
    for (shape, mesh) in meshes() {
        let reference = Reference::new(&mesh);
        for (name, warp) in warps().into_iter().filter(|(_, w)| w.field == RotationField::Polar) {
            let model = model(&mesh, warped(warp));
            let f = Mat3::rotation([1.0, 2.0, -1.0], 2.0) * (Mat3::identity() + Noise::new(1).matrix(0.3));
            let state = pushed(&model, 1, 0.005, |p| f.mul_vec(p));
            let direction = Noise::new(2).vector(state.x.len(), 0.01);
            let x = points(&state.x);
            let rotations = reference.rotations(warp, &x).unwrap();
            // affine in x where the rotations are held, so that the step may be long
            let moved: Vec<f64> = state.x.iter().zip(&direction).map(|(x, d)| x + d).collect();
            let [before, after] =
                [&x, &points(&moved)].map(|x| reference.forces(warp, &rotations, x).concat());
            let expected: Vec<f64> = before.iter().zip(&after).map(|(b, a)| b - a).collect();
            let found = product(&matrix(&model, &state.at(), STIFFNESS), &direction);
            let error = peak_difference(&found, &expected);
            assert!(error < 1e-12 * peak(&expected), "{shape}, {name}: {error:e} of {:e}", peak(&expected));
        }
    }
}

#[test]
fn products_with_and_without_the_matrix_agree() {
    let c = Coeffs { k: 0.7, d: 300.0 };
    for (shape, mesh) in meshes() {
        for (name, warp) in warps() {
            let scene = super::Scene::new(mesh.clone(), warped(warp)).matter(|m| m.stiffness_damping = 2e-3);
            let model = scene.model();
            let state = pushed(&model, 1, 0.01, |p| [-p[1], p[0], p[2]]);
            let direction = Noise::new(2).vector(state.x.len(), 1.0);
            let expected = product(&matrix(&model, &state.at(), c), &direction);
            let mut found = vec![0.0; direction.len()];
            let mut scratch = model.terms()[0].new_scratch();
            let mut out = Scatter::new(&mut found, &mut scratch);
            model.terms()[0].tangent_apply_add(&state.at(), c, &direction, &mut out);
            let error = peak_difference(&found, &expected);
            assert!(error < 1e-13 * peak(&expected), "{shape}, {name}: {error:e} of {:e}", peak(&expected));
            // D is beta K
            let plain = product(&matrix(&model, &state.at(), STIFFNESS), &direction);
            let weight = c.k + c.d * 2e-3;
            let scaled: Vec<f64> = plain.iter().map(|p| weight * p).collect();
            assert!(peak_difference(&scaled, &expected) < 1e-13 * peak(&expected), "{shape}, {name}");
        }
    }
}

/// |A - A^T| / |A| of a bar bent by 90 degrees.
fn skewness(warp: Warp) -> f64 {
    let model = model(&bar(), warped(warp));
    let state = pushed(&model, 0, 0.0, bent);
    let exact = matrix(&model, &state.at(), STIFFNESS);
    let mut transposed = exact.clone();
    let pattern = exact.pattern();
    for row in 0..pattern.row_count() as u32 {
        for (place, &column) in (pattern.row_start(row as usize)..).zip(pattern.row(row as usize)) {
            transposed.blocks_mut()[place] = exact.block(column, row).transpose();
        }
    }
    norm(&difference(&exact, &transposed)) / norm(&exact)
}

/// Bands around values measured here; the shape is made by `bent`, its rotations differ by 9 degrees from one layer of nodes to the next.
#[test]
fn the_matrix_of_a_bent_bar_is_not_symmetric() {
    for (name, warp) in warps() {
        let skew = skewness(warp);
        let band = match (warp.rotations, warp.field) {
            (Rotations::Node, RotationField::Polar) => 0.05..0.07, // measured 0.0610
            (Rotations::Node, RotationField::Frames) => 0.065..0.09, // measured 0.0769
            (Rotations::Body, _) => 0.0..1e-14,                    // one rotation for all
            (Rotations::Mixed, _) => 0.02..0.12, // of the diagonal alone: measured 0.0235 and 0.0977
        };
        assert!(band.contains(&skew), "{name}: {skew}");
    }
}

#[test]
fn at_rest_all_matrices_are_that_of_the_linear_law() {
    for (shape, mesh) in meshes() {
        let reference = Reference::new(&mesh);
        for (name, warp) in warps() {
            let model = model(&mesh, warped(warp));
            let rest = model.layout().rest();
            let still = vec![0.0; rest.len()];
            let found = matrix(&model, &at(0.0, rest, &still), STIFFNESS);
            let error = norm(&difference(&found, &reference.stiffness)) / norm(&found);
            assert!(error < 1e-14, "{shape}, {name}: {error:e}");
        }
    }
}
