//! The lowest natural frequencies by subspace iteration with the sparse factors that the solvers use.
//!
//! ```text
//! Y = (K + s M)^-1 M X,   (Y^T M X) Z = (Y^T M Y) Z diag(omega^2 + s),   X <- Y Z           (1)
//! ```
//!
//! Source: Bathe and Wilson (1972). Errors of omega_k^2 fall by ((omega_k^2 + s) / (omega_p^2 + s))^2 each time for p columns. The shift s is
//! zero unless the body is free: then K alone has no factor.

use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Mat, Par, Side};
use pliant_numerics::{BlockCholesky, BlockMatrix};
use pliant_solid::{FullState, Model};

use crate::CaseError;
use crate::modes::{STIFFNESS, held_dofs};

/// Changes of all wanted frequencies squared at which (1) ends, as parts of them.
const SETTLED: f64 = 1e-12;
const MOST_ITERATIONS: usize = 100;

/// The `count` lowest angular frequencies of small motions about a state, rad/s, ascending, rigid motions included.
pub fn lowest_omegas(model: &Model, full: &FullState, count: usize) -> Result<Vec<f64>, CaseError> {
    let held = held_dofs(model);
    let (stiffness, mass) = (model.tangent(full, STIFFNESS), model.mass_matrix());
    let shift = if held.contains(&true) { 0.0 } else { small_shift(&stiffness, &mass) };
    let mut shifted = stiffness.clone();
    let blocks = shifted.blocks_mut().iter_mut().zip(mass.blocks());
    blocks.for_each(|(k, m)| *k = *k + m.scale(shift));
    let structure = model.structure();
    let no_factor = |e: &dyn std::fmt::Display| CaseError::NotPositive(e.to_string());
    let mut factor =
        BlockCholesky::analyse(structure.free(), &model.elimination().order).map_err(|e| no_factor(&e))?;
    factor.factor(&shifted, &held).map_err(|e| no_factor(&e))?;
    let columns = (2 * count).max(count + 8).min(held.iter().filter(|h| !**h).count());
    let mut space = start(&held, columns);
    let mut before = vec![f64::INFINITY; count];
    for _ in 0..MOST_ITERATIONS {
        let squares = iterate(&mass, &held, &mut factor, &mut space)?.map(|square| square - shift);
        let squares: Vec<f64> = squares.take(count).collect();
        let change = |(now, before): (&f64, &f64)| (now - before).abs() / (now.abs() + shift);
        let largest = squares.iter().zip(&before).map(change).fold(0.0, f64::max);
        before = squares;
        if largest < SETTLED {
            return Ok(before.into_iter().map(|l| l.max(0.0).sqrt()).collect());
        }
    }
    Err(CaseError::Eigenvalues(format!("still changing after {MOST_ITERATIONS} iterations")))
}

/// A ten-thousandth of the mean of all omega^2: below the lowest of any mesh that is fine enough to be of use.
fn small_shift(stiffness: &BlockMatrix, mass: &BlockMatrix) -> f64 {
    let trace = |matrix: &BlockMatrix| {
        let rows = 0..matrix.pattern().row_count() as u32;
        rows.map(|r| matrix.block(r, r).trace()).sum::<f64>()
    };
    1e-4 * trace(stiffness) / trace(mass)
}

/// Columns without any symmetry; always the same.
fn start(held: &[bool], columns: usize) -> Vec<Vec<f64>> {
    let mut seed = 1_u64;
    let mut next = || {
        // Knuth's linear congruential generator
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let column = |_| held.iter().map(|h| if *h { 0.0 } else { next() }).collect();
    (0..columns).map(column).collect()
}

fn product(matrix: &BlockMatrix, column: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; column.len()];
    matrix.multiply_into(column, &mut out);
    out
}

fn zero_held(column: &mut [f64], held: &[bool]) {
    column.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(value, _)| *value = 0.0);
}

/// (1): turns the columns into better modes and gives omega^2 + s, ascending.
fn iterate(
    mass: &BlockMatrix,
    held: &[bool],
    factor: &mut BlockCholesky,
    space: &mut Vec<Vec<f64>>,
) -> Result<impl Iterator<Item = f64> + use<>, CaseError> {
    let mut right: Vec<Vec<f64>> = space.iter().map(|column| product(mass, column)).collect();
    right.iter_mut().for_each(|column| zero_held(column, held));
    space.clone_from(&right);
    space.iter_mut().for_each(|column| factor.solve_in_place(column));
    let images: Vec<Vec<f64>> = space.iter().map(|column| product(mass, column)).collect();
    // the inverse problem, whose largest eigenvalues have all their digits
    let (inverse, weights) = generalized(&products(space, &images), &products(space, &right))?;
    let mixed = |k: usize| {
        let mut out = vec![0.0; held.len()];
        for (j, column) in space.iter().enumerate() {
            out.iter_mut().zip(column).for_each(|(o, y)| *o += weights[(j, k)] * y);
        }
        out
    };
    *space = (0..space.len()).rev().map(mixed).collect();
    Ok(inverse.into_iter().rev().map(f64::recip))
}

/// A z = l B z with B positive definite: l ascending, and z in columns.
fn generalized(a: &Mat<f64>, b: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>), CaseError> {
    let failed = |e: &dyn std::fmt::Debug| CaseError::Eigenvalues(format!("{e:?}"));
    let factor = b.llt(Side::Lower).map_err(|e| failed(&e))?;
    let mut reduced = a.clone();
    solve_lower_triangular_in_place(factor.L(), reduced.as_mut(), Par::Seq);
    let mut turned = reduced.transpose().to_owned();
    solve_lower_triangular_in_place(factor.L(), turned.as_mut(), Par::Seq);
    let symmetric = (&turned + turned.transpose()) * faer::Scale(0.5);
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).map_err(|e| failed(&e))?;
    let mut vectors = eigen.U().to_owned();
    solve_upper_triangular_in_place(factor.L().transpose(), vectors.as_mut(), Par::Seq);
    let values = eigen.S().column_vector();
    Ok(((0..a.nrows()).map(|k| values[k]).collect(), vectors))
}

/// Y^T Z.
fn products(left: &[Vec<f64>], right: &[Vec<f64>]) -> Mat<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    Mat::from_fn(left.len(), right.len(), |i, j| dot(&left[i], &right[j]))
}
