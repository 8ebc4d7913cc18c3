//! Writing a mesh in the format that the file's extension names.
//!
//! Volume formats keep cells, surface triangles and groups. Surface formats keep the boundary, or the triangles of a
//! mesh that has no cells.

use std::io;
use std::path::{Path, PathBuf};

use pliant_geometry::{Mesh, SurfaceError};

use super::gmsh_write::{MshEncoding, write_msh};
use super::obj_write::{write_grouped_obj, write_obj};
use super::ply_write::write_ply;
use super::stl_write::write_stl;
use super::triangle_surface::TriangleSurface;
use super::vtu_mesh::write_mesh_vtu;

/// Choices that a format leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// How numbers of a .msh file are stored.
    pub msh: MshEncoding,
}

/// Why a mesh cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum MeshWriteError {
    /// The extension names no format that is written.
    #[error("{}: no mesh format is written for this extension; use {known}", .file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// The formats there are, with their extensions.
        known: String,
    },
    /// The file cannot be written.
    #[error("cannot write the mesh: {source}")]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The mesh has no well-defined boundary.
    #[error("{}: the mesh has no surface to write: {source}; or write .vtu or .msh", .file.display())]
    Surface {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        source: SurfaceError,
    },
    /// Neither cells nor triangles.
    #[error("{}: the mesh has neither cells nor triangles, so it has no surface; write .vtu or .msh", .file.display())]
    NoSurface {
        /// The file.
        file: PathBuf,
    },
}

type SurfaceWriter = fn(&Path, &TriangleSurface, &Mesh) -> io::Result<()>;

/// What a format stores.
#[derive(Clone, Copy)]
enum Writer {
    Volume(fn(&Path, &Mesh, &WriteOptions) -> io::Result<()>),
    Surface(SurfaceWriter),
}

/// A format that is written.
struct OutputFormat {
    name: &'static str,
    extension: &'static str,
    writer: Writer,
}

static OUTPUT_FORMATS: &[OutputFormat] = &[
    OutputFormat {
        name: "VTK XML",
        extension: "vtu",
        writer: Writer::Volume(|path, mesh, _| write_mesh_vtu(path, mesh)),
    },
    OutputFormat {
        name: "Gmsh 4.1",
        extension: "msh",
        writer: Writer::Volume(|path, mesh, options| write_msh(path, mesh, options.msh)),
    },
    OutputFormat { name: "OBJ", extension: "obj", writer: Writer::Surface(obj) },
    OutputFormat {
        name: "PLY",
        extension: "ply",
        writer: Writer::Surface(|path, surface, mesh| write_ply(path, surface, mesh.positions(), &[])),
    },
    OutputFormat {
        name: "STL",
        extension: "stl",
        writer: Writer::Surface(|path, surface, mesh| write_stl(path, surface, mesh.positions())),
    },
];

/// Writes a mesh in the format of the extension, replacing what is there.
pub fn write(path: &Path, mesh: &Mesh, options: &WriteOptions) -> Result<(), MeshWriteError> {
    let file = || path.to_owned();
    let Some(format) = format_of(path) else {
        return Err(MeshWriteError::UnknownFormat { file: file(), known: known_output_formats() });
    };
    let written = match format.writer {
        Writer::Volume(write) => write(path, mesh, options),
        Writer::Surface(write) => {
            if mesh.cell_count() == 0 && mesh.triangles().is_empty() {
                return Err(MeshWriteError::NoSurface { file: file() });
            }
            let surface = TriangleSurface::of(mesh);
            let surface = surface.map_err(|source| MeshWriteError::Surface { file: file(), source })?;
            write(path, &surface, mesh)
        }
    };
    written.map_err(|source| MeshWriteError::Write { file: file(), source })
}

/// Whether the extension names a format that keeps no cells, only the surface.
pub fn writes_surface_only(path: &Path) -> bool {
    format_of(path).is_some_and(|format| matches!(format.writer, Writer::Surface(_)))
}

/// The formats that are written, with their extensions.
pub fn known_output_formats() -> String {
    let one = |format: &OutputFormat| format!("{} (.{})", format.name, format.extension);
    OUTPUT_FORMATS.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn format_of(path: &Path) -> Option<&'static OutputFormat> {
    let extension = path.extension()?.to_str()?;
    OUTPUT_FORMATS.iter().find(|format| extension.eq_ignore_ascii_case(format.extension))
}

fn obj(path: &Path, surface: &TriangleSurface, mesh: &Mesh) -> io::Result<()> {
    // only there a triangle of the surface is one of the mesh, and knows its groups
    if mesh.cell_count() == 0 {
        return write_grouped_obj(path, mesh);
    }
    write_obj(path, surface, mesh.positions())
}
