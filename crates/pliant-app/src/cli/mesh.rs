//! `pliant mesh`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use pliant_scene::Quantity;
use pliant_scene::units::Length;

/// The commands about mesh files.
#[derive(Debug, Subcommand)]
pub enum MeshCommand {
    /// Make the mesh of a shape: box, torus, tube, cylinder, sphere or hemisphere
    Make(MeshMake),
    /// Read a mesh, mend or cut it if asked to, and write it in another format
    Convert(MeshConvert),
    /// Report what a mesh holds, the quality of its elements and what is wrong with it
    Inspect(MeshInspect),
}

/// `pliant mesh make`.
#[derive(Args, Debug)]
pub struct MeshMake {
    /// The shape
    #[command(subcommand)]
    pub shape: ShapeArguments,
}

/// Where a made mesh goes.
#[derive(Args, Debug)]
pub struct Target {
    /// The file to write; its ending tells the format
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Write a .msh as text
    #[arg(long)]
    pub ascii: bool,
}

/// How the cells of round shapes are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RoundElement {
    /// Tetrahedra
    Tet,
    /// Hexahedra
    Hex,
}

/// How the cells of a box are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GridElement {
    /// The same as tet5
    Tet,
    /// Five tetrahedra a cell, mirrored from cell to cell
    Tet5,
    /// Six tetrahedra a cell
    Tet6,
    /// One hexahedron a cell
    Hex,
}

/// A shape and its measures. Lengths are in m or carry a unit: 0.05, "5 cm".
#[derive(Debug, Subcommand)]
pub enum ShapeArguments {
    /// From the origin to SIZE
    Box {
        /// Edge lengths along x, y and z
        #[arg(long, value_name = "X,Y,Z", value_parser = lengths::<3>, allow_negative_numbers = true)]
        size: [f64; 3],
        /// Cells along x, y and z
        #[arg(long, value_name = "X,Y,Z", value_parser = counts::<3>)]
        cells: [usize; 3],
        /// How cells are filled
        #[arg(long, value_enum, default_value = "tet")]
        element: GridElement,
        #[command(flatten)]
        #[allow(missing_docs)]
        target: Target,
    },
    /// About the z axis, of tetrahedra
    Torus {
        /// From the axis to the middle of the tube
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        radius: f64,
        /// Radius of the tube
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        tube: f64,
        /// Sections around the axis
        #[arg(long, default_value = "20")]
        sections: usize,
        /// Nodes on the rim of a section
        #[arg(long, default_value = "8")]
        rim: usize,
        #[command(flatten)]
        #[allow(missing_docs)]
        target: Target,
    },
    /// Hollow, along z from z = 0
    Tube {
        /// Radius of the bore
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        inner: f64,
        /// Outer radius
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        outer: f64,
        /// Length along z
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        height: f64,
        /// Cells around, across the wall and along
        #[arg(long, value_name = "AROUND,RADIAL,AXIAL", value_parser = counts::<3>)]
        cells: [usize; 3],
        /// How cells are filled
        #[arg(long, value_enum, default_value = "tet")]
        element: RoundElement,
        #[command(flatten)]
        #[allow(missing_docs)]
        target: Target,
    },
    /// Solid, along z from z = 0
    Cylinder {
        /// Radius
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        radius: f64,
        /// Length along z
        #[arg(long, value_parser = length, allow_negative_numbers = true)]
        height: f64,
        /// Cells across the inner square (a diameter has about twice as many) and along
        #[arg(long, value_name = "ACROSS,AXIAL", value_parser = counts::<2>)]
        cells: [usize; 2],
        /// How cells are filled
        #[arg(long, value_enum, default_value = "tet")]
        element: RoundElement,
        #[command(flatten)]
        #[allow(missing_docs)]
        target: Target,
    },
    /// A ball about the origin
    Sphere {
        #[command(flatten)]
        #[allow(missing_docs)]
        ball: Ball,
        #[command(flatten)]
        #[allow(missing_docs)]
        target: Target,
    },
    /// The half of a ball with z >= 0
    Hemisphere {
        #[command(flatten)]
        #[allow(missing_docs)]
        ball: Ball,
        #[command(flatten)]
        #[allow(missing_docs)]
        target: Target,
    },
}

/// Measures of a ball.
#[derive(Args, Debug)]
pub struct Ball {
    /// Radius
    #[arg(long, value_parser = length, allow_negative_numbers = true)]
    pub radius: f64,
    /// Cells across the inner cube; a diameter has about twice as many
    #[arg(long, value_name = "N")]
    pub cells: usize,
    /// How cells are filled
    #[arg(long, value_enum, default_value = "tet")]
    pub element: RoundElement,
}

/// `pliant mesh convert`.
#[derive(Args, Debug)]
pub struct MeshConvert {
    /// The mesh to read
    #[arg(value_name = "IN")]
    pub file: PathBuf,
    /// The file to write; its ending tells the format
    #[arg(value_name = "OUT", required_unless_present = "output", conflicts_with = "output")]
    pub written: Option<PathBuf>,
    /// The same as OUT
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Length of one unit of the file, such as "1 mm"
    #[arg(long, value_name = "LENGTH", value_parser = positive_length, allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// Join nodes closer than this length, in m after --scale unless it has a unit; 0 joins those at the same place
    #[arg(long, value_name = "LENGTH", value_parser = length, allow_negative_numbers = true)]
    pub merge: Option<f64>,
    /// Turn elements and triangles that are the wrong way round
    #[arg(long)]
    pub repair: bool,
    /// Keep one connected part only, counted from 0, the largest first
    #[arg(long, value_name = "N", conflicts_with = "group")]
    pub part: Option<usize>,
    /// Keep one group only
    #[arg(long, value_name = "NAME")]
    pub group: Option<String>,
    /// Keep the surface only, as triangles
    #[arg(long)]
    pub surface: bool,
    /// Drop nodes that no element uses
    #[arg(long)]
    pub drop_unused: bool,
    /// Write a .msh as text
    #[arg(long)]
    pub ascii: bool,
    /// Print the result only, no notes
    #[arg(long, short)]
    pub quiet: bool,
}

impl MeshConvert {
    /// The file to write.
    pub fn target(&self) -> &Path {
        // clap sees to it that there is exactly one
        self.written.as_deref().or(self.output.as_deref()).unwrap_or(Path::new(""))
    }
}

/// `pliant mesh inspect`.
#[derive(Args, Debug)]
pub struct MeshInspect {
    /// The mesh to read
    #[command(flatten)]
    pub source: MeshSource,
    /// Write a .vtu whose colours show quality and connected parts
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A file to examine.
#[derive(Args, Debug)]
pub struct MeshSource {
    /// The file
    pub file: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Length of one unit of the mesh file, such as "1 mm"
    #[arg(long, value_name = "LENGTH", value_parser = positive_length, allow_negative_numbers = true)]
    pub scale: Option<f64>,
}

/// A length above 0.
fn positive_length(text: &str) -> Result<f64, String> {
    let metres = length(text)?;
    if metres > 0.0 { Ok(metres) } else { Err("it must be above 0, such as \"1 mm\"".into()) }
}

/// A length in m: a bare number, or one with a unit.
fn length(text: &str) -> Result<f64, String> {
    let bare: Option<f64> = text.trim().parse().ok().filter(|length: &f64| length.is_finite());
    match bare {
        Some(length) => Ok(length),
        None => text.trim().parse::<Quantity<Length>>().map(|length| length.si()).map_err(|e| e.to_string()),
    }
}

/// As many lengths, with commas between them.
fn lengths<const N: usize>(text: &str) -> Result<[f64; N], String> {
    list(text, length)
}

/// As many whole numbers, with commas between them.
fn counts<const N: usize>(text: &str) -> Result<[usize; N], String> {
    list(text, |item| item.trim().parse().map_err(|_| format!("{item:?} is no whole number")))
}

fn list<T, const N: usize>(text: &str, one: impl Fn(&str) -> Result<T, String>) -> Result<[T; N], String> {
    let items = text.split(',').map(one).collect::<Result<Vec<T>, String>>()?;
    let found = items.len();
    items.try_into().map_err(|_| format!("expected {N} values with commas between them, found {found}"))
}
