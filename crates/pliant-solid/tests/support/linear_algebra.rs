//! Dense eigenvalues and sparse solves, by faer, for comparison only.

use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};
use pliant_numerics::BlockMatrix;

/// The rows and columns of a block matrix that `kept` lists, dense.
pub fn dense(matrix: &BlockMatrix, kept: &[usize]) -> Mat<f64> {
    let mut place = vec![usize::MAX; 3 * matrix.pattern().row_count()];
    kept.iter().enumerate().for_each(|(i, &dof)| place[dof] = i);
    let mut out = Mat::zeros(kept.len(), kept.len());
    matrix.for_each_entry(|r, c, value| {
        if place[r] != usize::MAX && place[c] != usize::MAX {
            out[(place[r], place[c])] += value;
        }
    });
    out
}

/// Eigenvalues of a symmetric matrix, ascending.
pub fn eigenvalues(matrix: &Mat<f64>) -> Vec<f64> {
    matrix.self_adjoint_eigenvalues(Side::Lower).unwrap()
}

/// Eigenvalues of K u = lambda M u, ascending: those of L^-1 K L^-T with M = L L^T.
pub fn generalized_eigenvalues(stiffness: &Mat<f64>, mass: &Mat<f64>) -> Vec<f64> {
    let factor = mass.llt(Side::Lower).unwrap();
    let mut reduced = stiffness.clone();
    let lower = factor.L();
    faer::linalg::triangular_solve::solve_lower_triangular_in_place(lower, reduced.as_mut(), faer::Par::Seq);
    let mut turned = reduced.transpose().to_owned();
    faer::linalg::triangular_solve::solve_lower_triangular_in_place(lower, turned.as_mut(), faer::Par::Seq);
    let symmetric = (&turned + turned.transpose()) * faer::Scale(0.5);
    eigenvalues(&symmetric)
}

/// Solves the rows and columns in `kept` of a symmetric positive definite system.
pub fn solve_symmetric(matrix: &BlockMatrix, kept: &[usize], right: &[f64]) -> Vec<f64> {
    let mut place = vec![usize::MAX; 3 * matrix.pattern().row_count()];
    kept.iter().enumerate().for_each(|(i, &dof)| place[dof] = i);
    let mut entries = Vec::new();
    matrix.for_each_entry(|r, c, val| {
        if place[r] != usize::MAX && place[c] != usize::MAX {
            entries.push(Triplet { row: place[r], col: place[c], val });
        }
    });
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(kept.len(), kept.len(), &entries).unwrap();
    let factor = matrix.sp_cholesky(Side::Lower).unwrap();
    let mut solution = Mat::from_fn(kept.len(), 1, |i, _| right[i]);
    factor.solve_in_place(solution.as_mut());
    (0..kept.len()).map(|i| solution[(i, 0)]).collect()
}
