//! What can be wrong with a mesh file, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use pliant_geometry::MeshError;

/// A place in a file: lines where it is text, bytes where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The line, from 1.
    Line(usize),
    /// The distance from the start of the file in bytes.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "{line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Why a mesh file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MeshFileError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the mesh file: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Neither the extension nor the content is known.
    #[error("{}: not a mesh file that is known here; use {known}", .file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// The formats there are, with their extensions.
        known: String,
    },
    /// Something in the file is wrong.
    #[error("{}:{place}: {problem}, found {found:?}; {way_out}", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Where.
        place: Place,
        /// What is wrong.
        problem: String,
        /// The text there, shortened; empty at the end of the file.
        found: String,
        /// What to do.
        way_out: String,
    },
    /// The file is well-formed, but it is not a mesh.
    #[error("{}: {source}", .file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// What is wrong with the numbers.
        source: MeshError,
    },
}

impl MeshFileError {
    /// The file it is about.
    pub fn file(&self) -> &Path {
        match self {
            Self::Read { file, .. }
            | Self::UnknownFormat { file, .. }
            | Self::Content { file, .. }
            | Self::Mesh { file, .. } => file,
        }
    }
}

/// What is wrong in a file, and where; [`super::read`] adds the file.
#[derive(Debug)]
pub(super) struct Fault {
    pub place: Place,
    pub problem: String,
    pub found: String,
    pub way_out: String,
}

/// What a reader can stumble over; [`super::read`] adds the file.
#[derive(Debug)]
pub(super) enum ReadError {
    /// In the file that was asked for.
    Fault(Fault),
    /// In a file beside it.
    Beside(PathBuf, Fault),
    /// A file beside it cannot be read.
    Missing(PathBuf, io::Error),
    Mesh(MeshError),
}

impl ReadError {
    /// The error a user sees.
    pub fn of_file(self, file: PathBuf) -> MeshFileError {
        let content = |file, fault: Fault| MeshFileError::Content {
            file,
            place: fault.place,
            problem: fault.problem,
            found: fault.found,
            way_out: fault.way_out,
        };
        match self {
            Self::Mesh(source) => MeshFileError::Mesh { file, source },
            Self::Fault(fault) => content(file, fault),
            Self::Beside(file, fault) => content(file, fault),
            Self::Missing(file, source) => MeshFileError::Read { file, source },
        }
    }
}

impl From<Fault> for ReadError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<MeshError> for ReadError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

pub(super) const CUT_OFF: &str = "the file seems to be cut off or damaged: export or copy it again";
