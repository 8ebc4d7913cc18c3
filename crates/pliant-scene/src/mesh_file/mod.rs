//! Mesh files: reading bodies and surfaces, writing meshes and frames.
//!
//! A reader is chosen by what the file begins with, and by its extension where that says nothing. A file
//! can cause an error, never a panic, and never an allocation out of proportion to its length: every
//! count is held against the bytes that are left. Coordinates are taken as they are; units are the scene's matter.

use std::io;
use std::path::{Path, PathBuf};

use pliant_geometry::Mesh;

use crate::input_file;

mod abaqus;
mod abaqus_element;
mod abaqus_keyword;
mod abaqus_sets;
mod builder;
mod cell_kind;
mod error;
mod gmsh;
mod gmsh_22;
mod gmsh_41;
mod gmsh_mesh;
mod gmsh_sections;
mod gmsh_write;
mod group_sets;
mod lines;
mod medit;
mod node_tags;
mod numbering;
mod numbers;
mod obj;
mod obj_write;
mod ply;
mod ply_write;
mod pvd;
mod references;
mod repeats;
mod scanner;
pub mod series;
mod stl;
mod stl_write;
mod stored_type;
mod surface_builder;
mod tetgen;
mod triangle_surface;
mod vega;
mod vtk_legacy;
mod vtu;
mod vtu_array;
mod vtu_mesh;
mod vtu_read;
mod write;
mod xml;

pub use error::{MeshFileError, Place};
pub use gmsh_write::{MshEncoding, write_msh};
pub use obj_write::write_obj;
pub use ply_write::{NodeScalars, write_ply};
pub use pvd::{PvdFrame, PvdSeries};
pub use stl_write::write_stl;
pub use triangle_surface::TriangleSurface;
pub use vtu::{Field, FieldValues, VtuFrame, write_vtu};
pub use vtu_mesh::{GroupMarks, write_mesh_vtu};
pub use write::{MeshWriteError, WriteOptions, known_output_formats, write, writes_surface_only};

use error::ReadError;

/// What a mesh file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// Nodes, cells, surface triangles and named groups.
    pub mesh: Mesh,
    /// What was left out or changed on the way, one sentence each.
    pub notes: Vec<String>,
}

/// A file to read, and the way to those beside it.
struct Input<'a> {
    bytes: &'a [u8],
    path: &'a Path,
    neighbours: Neighbours<'a>,
}

/// Where files beside the one that is read are.
#[derive(Clone, Copy)]
enum Neighbours<'a> {
    OnDisk,
    /// By their names.
    InMemory(&'a [(&'a str, &'a [u8])]),
}

impl Input<'_> {
    /// A file in the same folder, by its bare name.
    fn beside(&self, name: &Path) -> Result<(PathBuf, Vec<u8>), ReadError> {
        let name = name.file_name().unwrap_or_default();
        let path = self.path.with_file_name(name);
        let read = match self.neighbours {
            Neighbours::OnDisk => input_file::read_input(&path),
            Neighbours::InMemory(files) => {
                let found = files.iter().find(|(other, _)| name == *other);
                found.map(|(_, bytes)| bytes.to_vec()).ok_or(io::ErrorKind::NotFound.into())
            }
        };
        match read {
            Ok(bytes) => Ok((path, bytes)),
            Err(source) => Err(ReadError::Missing(path, source)),
        }
    }
}

type Reader = fn(&Input) -> Result<MeshFile, ReadError>;

/// A format that is read.
struct Format {
    name: &'static str,
    /// Without dots; the first is the usual one.
    extensions: &'static [&'static str],
    /// What such a file begins with, blanks apart; empty where only the extension tells.
    openings: &'static [&'static [u8]],
    read: Reader,
}

static FORMATS: &[Format] = &[
    Format {
        name: "legacy VTK",
        extensions: &["vtk"],
        openings: &[b"# vtk DataFile"],
        read: vtk_legacy::parse,
    },
    Format {
        name: "VTK XML",
        extensions: &["vtu"],
        openings: &[b"<?xml", b"<VTKFile"],
        read: vtu_read::parse,
    },
    Format { name: "Gmsh", extensions: &["msh"], openings: &[b"$MeshFormat"], read: gmsh::parse },
    Format { name: "Medit", extensions: &["mesh"], openings: medit::OPENINGS, read: medit::parse },
    Format { name: "TetGen", extensions: &["ele", "node"], openings: &[], read: tetgen::parse },
    Format { name: "Vega", extensions: &["veg"], openings: &[b"*VERTICES", b"# Vega"], read: vega::parse },
    Format { name: "Abaqus", extensions: &["inp"], openings: abaqus::OPENINGS, read: abaqus::parse },
    Format { name: "PLY", extensions: &["ply"], openings: &[b"ply\n", b"ply\r"], read: ply::parse },
    // these two begin in no way of their own: bytes may begin with anything, and words with "solid"
    Format { name: "OBJ", extensions: &["obj"], openings: &[], read: obj::parse },
    Format { name: "STL", extensions: &["stl"], openings: &[], read: stl::parse },
];

/// The format that content begins like.
fn format_of(bytes: &[u8]) -> Option<&'static Format> {
    let start = bytes.trim_ascii_start();
    FORMATS.iter().find(|format| format.openings.iter().any(|opening| start.starts_with(opening)))
}

/// Whether content begins as one of the mesh formats does.
pub(crate) fn begins_like_a_mesh(bytes: &[u8]) -> bool {
    format_of(bytes).is_some()
}

/// Reads a mesh; the format is told by the content, or else by the extension.
pub fn read(path: &Path) -> Result<MeshFile, MeshFileError> {
    let file = path.to_owned();
    match input_file::read_input(path) {
        Ok(bytes) => read_input(&Input { bytes: &bytes, path, neighbours: Neighbours::OnDisk }),
        Err(source) => Err(MeshFileError::Read { file, source }),
    }
}

/// Reads a mesh from memory; `name` stands for the file in messages, and its extension tells the format where the
/// content does not.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    read_bytes_beside(name, bytes, &[])
}

/// The same, with the files beside it by their bare names: some formats are spread over several.
pub fn read_bytes_beside(
    name: &str,
    bytes: &[u8],
    others: &[(&str, &[u8])],
) -> Result<MeshFile, MeshFileError> {
    read_input(&Input { bytes, path: Path::new(name), neighbours: Neighbours::InMemory(others) })
}

/// The byte order mark that some editors put before UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

fn read_input(input: &Input) -> Result<MeshFile, MeshFileError> {
    let file = input.path.to_owned();
    if let [0xff, 0xfe, _, 0, ..] | [0xfe, 0xff, 0, _, ..] = input.bytes {
        let fault = error::Fault {
            place: Place::Byte(0),
            problem: "the text is UTF-16".to_owned(),
            found: String::new(),
            way_out: "save it as UTF-8 or plain ASCII".to_owned(),
        };
        return Err(ReadError::Fault(fault).of_file(file));
    }
    let bytes = input.bytes.strip_prefix(UTF8_MARK).unwrap_or(input.bytes);
    let input = &Input { bytes, ..*input };
    let by_extension = || {
        let extension = input.path.extension()?.to_str()?;
        FORMATS.iter().find(|format| format.extensions.iter().any(|e| extension.eq_ignore_ascii_case(e)))
    };
    let Some(format) = format_of(input.bytes).or_else(by_extension) else {
        return Err(MeshFileError::UnknownFormat { file, known: known_formats() });
    };
    (format.read)(input).map_err(|error| error.of_file(file))
}

/// The formats that are read, with their extensions.
pub fn known_formats() -> String {
    let one = |format: &Format| format!("{} (.{})", format.name, format.extensions.join(", ."));
    FORMATS.iter().map(one).collect::<Vec<_>>().join(", ")
}
