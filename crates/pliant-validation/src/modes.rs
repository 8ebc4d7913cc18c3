//! Natural frequencies of our own stiffness and mass matrices, all of them, by dense algebra.
//!
//! ```text
//! K u = omega^2 M u,   M = L L^T:   eigenvalues of L^-1 K L^-T                              (1)
//! ```

use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, Par, Side};
use pliant_numerics::BlockMatrix;
use pliant_solid::Model;

use crate::CaseError;
use crate::measure::{Vec3, placed};
use crate::newton::{STIFFNESS, free_dofs};

/// Angular frequencies, rad/s, ascending, rigid motions included; `is_free` as in [`free_dofs`].
pub fn omegas(model: &Model, is_free: impl Fn(Vec3, usize) -> bool) -> Result<Vec<f64>, CaseError> {
    let kept = free_dofs(model, is_free);
    let stiffness = dense(&model.tangent(&placed(model, |p| p), STIFFNESS), &kept);
    let mass = dense(&model.mass_matrix(), &kept);
    let factor = mass.llt(Side::Lower).map_err(|e| CaseError::Eigenvalues(format!("{e:?}")))?;
    let mut reduced = stiffness;
    solve_lower_triangular_in_place(factor.L(), reduced.as_mut(), Par::Seq);
    let mut turned = reduced.transpose().to_owned();
    solve_lower_triangular_in_place(factor.L(), turned.as_mut(), Par::Seq);
    let symmetric = (&turned + turned.transpose()) * faer::Scale(0.5);
    Ok(eigenvalues(&symmetric)?.into_iter().map(|l| l.max(0.0).sqrt()).collect())
}

/// Eigenvalues of a symmetric matrix, ascending.
pub fn eigenvalues(matrix: &Mat<f64>) -> Result<Vec<f64>, CaseError> {
    matrix.self_adjoint_eigenvalues(Side::Lower).map_err(|e| CaseError::Eigenvalues(format!("{e:?}")))
}

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
