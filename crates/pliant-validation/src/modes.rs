//! Natural frequencies of our own stiffness and mass matrices, all of them, by dense algebra.
//!
//! ```text
//! K u = omega^2 M u,   M = L L^T:   eigenvalues of L^-1 K L^-T                              (1)
//! ```
//!
//! For the highest frequency, and to hold the lowest ones of [`crate::lowest_modes`] against.

use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, Par, Side};
use pliant_numerics::BlockMatrix;
use pliant_solid::Model;
use pliant_solid::term::Coeffs;

use crate::CaseError;
use crate::measure::placed;

/// Weights of a pure stiffness.
pub const STIFFNESS: Coeffs = Coeffs { k: 1.0, d: 0.0 };

/// Which degrees of freedom the fixes of a model hold.
pub fn held_dofs(model: &Model) -> Vec<bool> {
    let mut held = vec![false; 3 * model.layout().node_count()];
    for fix in model.fixes() {
        for node in &fix.nodes {
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| held[3 * *node as usize + c] = true);
        }
    }
    held
}

/// Angular frequencies at rest, rad/s, ascending, rigid motions included.
pub fn all_omegas(model: &Model) -> Result<Vec<f64>, CaseError> {
    let held = held_dofs(model);
    let kept: Vec<usize> = (0..held.len()).filter(|i| !held[*i]).collect();
    let stiffness = dense(&model.tangent(&placed(model, |p| p), STIFFNESS), &kept);
    let squares = generalized(&stiffness, &dense(&model.mass_matrix(), &kept))?;
    Ok(squares.into_iter().map(|l| l.max(0.0).sqrt()).collect())
}

/// Eigenvalues of (1), ascending.
fn generalized(stiffness: &Mat<f64>, mass: &Mat<f64>) -> Result<Vec<f64>, CaseError> {
    let factor = mass.llt(Side::Lower).map_err(|e| CaseError::Eigenvalues(format!("{e:?}")))?;
    let mut reduced = stiffness.clone();
    solve_lower_triangular_in_place(factor.L(), reduced.as_mut(), Par::Seq);
    let mut turned = reduced.transpose().to_owned();
    solve_lower_triangular_in_place(factor.L(), turned.as_mut(), Par::Seq);
    eigenvalues(&((&turned + turned.transpose()) * faer::Scale(0.5)))
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
