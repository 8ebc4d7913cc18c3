//! The surface of a body through a run, frame by frame, for programs that animate.
//!
//! A series holds one frame at a time, whatever the length of the run; glTF keeps 32 bytes of each besides. What is on
//! disk is readable after every frame, also when the program was stopped in the middle of one. Frames are numbered from
//! 0 without gaps. Lengths are in m, z points up.

use std::io;
use std::path::{Path, PathBuf};

use super::triangle_surface::TriangleSurface;

mod earlier;
mod gltf;
mod gltf_document;
mod numbered_files;
mod pc2;
mod pov;
mod pov_scene;
mod surface_files;

pub use earlier::{clear_series, is_ours, strangers};
pub use gltf::GltfSeries;
pub(crate) use gltf::MOST_FRAMES as MOST_GLTF_FRAMES;
pub use pc2::Pc2Series;
pub use pov::PovSeries;
pub use pov_scene::{PovScene, set_last_frame, write_pov_scene};
pub use surface_files::{ObjSeries, PlySeries};

/// One frame of a body.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceFrame<'a> {
    /// From 0, without gaps.
    pub number: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Where the nodes are, m: all nodes of the body's mesh.
    pub positions: &'a [[f64; 3]],
    /// Von Mises stress at the nodes, Pa.
    pub von_mises: &'a [f64],
}

/// Takes the frames of a run, in order.
pub trait SurfaceSeries: Send {
    /// Adds a frame. Afterwards what is on disk is whole.
    fn push(&mut self, frame: &SurfaceFrame) -> io::Result<()>;
    /// Brings everything up to date; to be called at the end of a run.
    fn finish(&mut self) -> io::Result<()>;
}

/// Where a series is written, and how much of it is there already.
#[derive(Clone, Copy, Debug)]
pub struct SeriesPlace<'a> {
    /// An existing folder.
    pub folder: &'a Path,
    /// What the names of its files begin with.
    pub name: &'a str,
    /// Frames of an earlier run that stay; what is behind them is dropped. 0 begins anew.
    pub kept_frames: u64,
    /// Frames of a second of simulated time.
    pub frames_per_second: f64,
}

impl SeriesPlace<'_> {
    /// The file NAME.extension.
    fn file(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.name))
    }
}

/// The kinds of series there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// An OBJ file a frame.
    Obj,
    /// A PLY file a frame, with the von Mises stress.
    Ply,
    /// A point cache beside an OBJ file.
    Pc2,
    /// One animation with a morph target a frame.
    Gltf,
    /// A mesh a frame, and a scene that shows them.
    Pov,
}

impl SeriesKind {
    /// All kinds, with the word that names each.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("obj", Self::Obj),
        ("ply", Self::Ply),
        ("pc2", Self::Pc2),
        ("gltf", Self::Gltf),
        ("pov", Self::Pov),
    ];

    /// The word that names it.
    pub fn word(self) -> &'static str {
        let known = Self::WORDS.iter().find(|(_, kind)| *kind == self);
        known.map_or("", |(word, _)| word)
    }
}

/// Begins a series, or goes on with one.
pub fn open_series(
    kind: SeriesKind,
    place: &SeriesPlace,
    surface: TriangleSurface,
) -> io::Result<Box<dyn SurfaceSeries>> {
    Ok(match kind {
        SeriesKind::Obj => Box::new(ObjSeries::open(place, surface)?),
        SeriesKind::Ply => Box::new(PlySeries::open(place, surface)?),
        SeriesKind::Pc2 => Box::new(Pc2Series::open(place, surface)?),
        SeriesKind::Gltf => Box::new(GltfSeries::open(place, surface)?),
        SeriesKind::Pov => Box::new(PovSeries::open(place, surface)?),
    })
}

/// Refuses a frame that is not the next one.
fn check_number(frame: &SurfaceFrame, next: u64) -> io::Result<()> {
    if frame.number == next {
        return Ok(());
    }
    let problem = format!("frame {} was given where {next} comes next", frame.number);
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

/// An error of the system with the file it is about.
fn at<'a>(path: &'a Path) -> impl Fn(io::Error) -> io::Error + 'a {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A series that cannot be gone on with.
fn not_resumable(path: &Path, why: impl std::fmt::Display) -> io::Error {
    let problem = format!(
        "{}: {why}; put the file back as it was, or run without --resume to start anew",
        path.display()
    );
    io::Error::new(io::ErrorKind::InvalidData, problem)
}
