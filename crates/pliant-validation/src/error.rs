//! Why a case or a figure has no result.

use pliant_geometry::{EmbeddingError, GeneratorError};
use pliant_scene::mesh_file::MeshFileError;
use pliant_solid::assembly::BuildError;
use pliant_solid::integrator::{Refusal, StepError};
use pliant_solid::law::MaterialError;
use pliant_solid::rigid::BoneError;

/// What stopped a case or a figure.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// A box could not be made.
    #[error(transparent)]
    Box(#[from] GeneratorError),
    /// A mesh of the crate could not be read.
    #[error(transparent)]
    Mesh(#[from] MeshFileError),
    /// A surface could not be bound.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
    /// Moduli out of range.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The model could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A rigid part could not be made.
    #[error(transparent)]
    Bone(#[from] BoneError),
    /// The integrator did not take the model.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A step diverged.
    #[error(transparent)]
    Diverged(#[from] StepError),
    /// The scene of a figure could not be compiled.
    #[error(transparent)]
    Scene(#[from] pliant_scene::SceneError),
    /// A stiffness has no Cholesky factor.
    #[error("the stiffness has no factor ({0}); hold more nodes, or load less")]
    NotPositive(String),
    /// Eigenvalues could not be found.
    #[error("the eigenvalues were not found ({0}); use a coarser mesh")]
    Eigenvalues(String),
    /// A file of the crate is not what it should be.
    #[error("{file}: {problem}; restore the file from the repository")]
    Data {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file of the result could not be written.
    #[error("{file}: {source}; choose another folder")]
    Write {
        /// The file.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
}
