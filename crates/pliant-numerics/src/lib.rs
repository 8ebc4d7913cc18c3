//! Algebra that knows no physics.
//!
//! Lanes ([`Lane`], [`Pack`]) let a formula be written once and run for one number or for four or
//! eight at a time; [`Mat3`] is a 3x3 matrix of lanes; [`ordered`] sums over fixed chunks, so that
//! results do not depend on the number of threads; [`BlockMatrix`] is a sparse matrix of 3x3
//! blocks with a fixed pattern, [`BlockCholesky`] its factor; [`ScalarMatrix`] and [`ScalarCholesky`] are those of blocks
//! that are numbers times the identity; [`ordering`] numbers the rows so that the factors stay sparse; [`Lanczos`] finds the
//! largest eigenvalue of an operator, [`MetricLanczos`] that of a pencil of two; [`small`] solves dense equations, with bounds and without full rank.

mod block_cholesky;
mod block_matrix;
mod disjoint;
mod eigen;
mod gradients;
mod jacobi;
mod lanczos;
mod lane;
mod mat3;
mod metric_lanczos;
pub mod ordered;
pub mod ordering;
mod pack;
pub mod parallel;
mod pattern;
mod polar;
mod scalar_cholesky;
mod scalar_matrix;
pub mod small;
mod sparse_cholesky;
mod supernodal;
mod transpose;

pub use block_cholesky::BlockCholesky;
pub use block_matrix::BlockMatrix;
pub use disjoint::DisjointMut;
pub use eigen::symmetric_eigen;
pub use gradients::{ConjugateGradients, ExtraProduct, GradientLimits, GradientReport, Preconditioner};
pub use jacobi::diagonalise;
pub use lanczos::{Lanczos, Ritz};
pub use lane::Lane;
pub use mat3::Mat3;
pub use metric_lanczos::{MetricLanczos, Pencil};
pub use pack::{F32x8, F64x4, Pack};
pub use pattern::{BlockPattern, PatternBuilder};
pub use polar::nearest_rotation;
pub use scalar_cholesky::ScalarCholesky;
pub use scalar_matrix::ScalarMatrix;
pub use sparse_cholesky::CholeskyError;
