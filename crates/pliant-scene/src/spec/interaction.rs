//! `[[grab]]`, `[[probe]]` and `[output]`: what touches bodies and what is written down.

use super::{Located, TimedVector};
use crate::mesh_file::series::SeriesKind;
use crate::units::{Force, Frequency, Length, LineDamping, Quantity, Stiffness, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// A damped spring from a point of a body to a moving target.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// Its name in `forces.csv`, used once; `grab.1` and so on when absent.
    #[serde(default)]
    pub name: Option<Located<String>>,
    /// Name of a body of this scene.
    pub body: Located<String>,
    /// The grabbed point, in the mesh's own coordinates after `scale`.
    pub at: Located<[Quantity<Length>; 3]>,
    /// Targets at increasing times, in world coordinates: [["0 s", [1, 0, 0]], ["1 s", [1, 0, "5 cm"]]].
    pub path: Located<Vec<TimedVector>>,
    /// Time at which the grab ends; never when absent.
    #[serde(default)]
    pub release: Option<Located<Quantity<Time>>>,
    /// Stiffness of the spring; chosen from the body when absent.
    #[serde(default)]
    pub stiffness: Option<Located<Quantity<Stiffness>>>,
    /// Damping of the spring; chosen from stiffness and mass when absent.
    #[serde(default)]
    pub damping: Option<Located<Quantity<LineDamping>>>,
    /// Largest force of the spring; unlimited when absent.
    #[serde(default)]
    pub max_force: Option<Located<Quantity<Force>>>,
}

/// A material point whose motion is recorded.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Name in `probes.csv`, used once.
    pub name: Located<String>,
    /// Name of a body of this scene.
    pub body: Located<String>,
    /// The point, in the mesh's own coordinates after `scale`.
    pub at: Located<[Quantity<Length>; 3]>,
}

/// What is written while the scene runs.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Frames per simulated second; 0 writes none.
    pub frames_per_second: Located<Quantity<Frequency>>,
    /// File formats of the frames.
    pub formats: Vec<Format>,
    /// Whether CSV files begin with lines that say what their columns are, with units; such lines begin with `#`.
    pub csv_comments: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self { frames_per_second: Quantity::of(30.0).into(), formats: vec![Format::Vtu], csv_comments: false }
    }
}

/// A file format of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// VTK's XML format for unstructured grids, with a .pvd that lists the frames.
    Vtu,
    /// The surface of each body, an OBJ file a frame, in the folder `obj`.
    Obj,
    /// The same as PLY files, with the von Mises stress, in `ply`.
    Ply,
    /// A point cache for Blender beside an OBJ file, in `pc2`.
    Pc2,
    /// An animation with a morph target a frame, in `gltf`.
    Gltf,
    /// Meshes and a scene for POV-Ray, in `pov`.
    Pov,
}

impl Format {
    /// The kind of series of surfaces it is; `None` for frames of whole bodies.
    pub fn series(self) -> Option<SeriesKind> {
        match self {
            Self::Vtu => None,
            Self::Obj => Some(SeriesKind::Obj),
            Self::Ply => Some(SeriesKind::Ply),
            Self::Pc2 => Some(SeriesKind::Pc2),
            Self::Gltf => Some(SeriesKind::Gltf),
            Self::Pov => Some(SeriesKind::Pov),
        }
    }
}
