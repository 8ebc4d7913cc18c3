//! `[view]`: how the viewer opens the scene. Runs do not read it.

use super::Located;
use crate::units::{Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// How the viewer opens the scene; a run does not read it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// What bodies are coloured by at first; plain when absent.
    #[serde(default)]
    pub field: Option<ViewField>,
    /// Where the camera stands and looks at first; so that all bodies are seen when absent.
    #[serde(default)]
    pub camera: Option<Camera>,
}

/// What bodies are coloured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ViewField {
    /// A colour for each body.
    None,
    /// Distance from the rest position.
    Displacement,
    /// Von Mises stress of the Cauchy stress.
    VonMises,
    /// Elastic energy per rest volume.
    EnergyDensity,
}

impl ViewField {
    /// As scene files and pages call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Displacement => "displacement",
            Self::VonMises => "von-mises",
            Self::EnergyDensity => "energy-density",
        }
    }
}

/// Where the camera stands and looks; z is up.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Where it stands, in world coordinates.
    pub from: Located<[Quantity<Length>; 3]>,
    /// What it looks at; another place than `from`.
    pub to: Located<[Quantity<Length>; 3]>,
}
