//! Mesh files: reading bodies (legacy VTK, Gmsh), writing frames (VTU with a PVD series).
//!
//! A reader is chosen by what the file begins with, and by its extension where that says nothing. A file
//! can cause an error, never a panic, and never an allocation out of proportion to its length: every
//! count is held against the bytes that are left. Coordinates are taken as they are; units are the scene's matter.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pliant_geometry::{Mesh, MeshError};

mod gmsh;
mod gmsh_22;
mod gmsh_41;
mod pvd;
mod scanner;
mod vtk_legacy;
mod vtu;
mod xml;

pub use pvd::{PvdFrame, PvdSeries};
pub use vtu::{Field, FieldValues, VtuFrame, write_vtu};

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
    #[error(
        "{}: not a mesh file that is known here; \
         use legacy VTK (.vtk, ASCII) or Gmsh (.msh, version 2.2 or 4.1, ASCII)", .file.display()
    )]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// Something in the file is wrong.
    #[error("{}:{line}: {problem}, found {found:?}; {way_out}", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
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

/// What a reader can stumble over; [`read`] adds the file.
#[derive(Debug)]
enum ReadError {
    Fault(scanner::Fault),
    Mesh(MeshError),
}

impl From<scanner::Fault> for ReadError {
    fn from(fault: scanner::Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<MeshError> for ReadError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

type Reader = fn(&[u8]) -> Result<Mesh, ReadError>;

/// Each format: its extension, how its files begin, its reader.
static FORMATS: [(&str, &[u8], Reader); 2] =
    [("vtk", b"# vtk DataFile", vtk_legacy::parse), ("msh", b"$MeshFormat", gmsh::parse)];

/// The format that content begins like.
fn format_of(bytes: &[u8]) -> Option<&'static (&'static str, &'static [u8], Reader)> {
    let start = bytes.trim_ascii_start();
    FORMATS.iter().find(|(_, opening, _)| start.starts_with(opening))
}

/// Whether content begins as one of the mesh formats does.
pub(crate) fn begins_like_a_mesh(bytes: &[u8]) -> bool {
    format_of(bytes).is_some()
}

/// Reads a mesh; the format is told by the content, or else by the extension.
pub fn read(path: &Path) -> Result<Mesh, MeshFileError> {
    let file = path.to_owned();
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(source) => return Err(MeshFileError::Read { file, source }),
    };
    let by_content = format_of(&bytes);
    let by_extension = || {
        let extension = path.extension()?.to_str()?;
        FORMATS.iter().find(|(known, _, _)| extension.eq_ignore_ascii_case(known))
    };
    let Some((_, _, parse)) = by_content.or_else(by_extension) else {
        return Err(MeshFileError::UnknownFormat { file });
    };
    parse(&bytes).map_err(|error| match error {
        ReadError::Mesh(source) => MeshFileError::Mesh { file, source },
        ReadError::Fault(fault) => MeshFileError::Content {
            file,
            line: fault.line,
            problem: fault.problem,
            found: fault.found,
            way_out: fault.way_out,
        },
    })
}
