//! The scene file as data: what it says, checked for everything that needs no mesh.
//!
//! One file per table. Keys of features that do not exist yet are unknown keys. Values that a later
//! stage may refuse are [`Located`], so that its complaint can point at the line.
//! To add a key: a field with a doc comment (it becomes the schema's text), its check in `validate`,
//! and a line in the full scene of `tests/scene_keys.rs`.

mod acting_names;
mod body;
mod bone;
mod cell_counts;
mod collider;
mod contact;
mod fix;
mod found;
mod gravity;
mod initial;
mod integrator;
mod interaction;
mod load;
mod located;
mod material;
mod mesh;
mod motion;
mod network;
mod path;
pub mod plausibility;
mod read;
mod region;
mod spring_row;
mod translate;
mod validate;
mod validate_body;
mod validate_collider;
mod validate_mesh;
mod validate_motion;
mod validate_network;
mod view;
mod wall;

pub use acting_names::{collider_name, fix_name, grab_name, load_name};
pub use body::{Body, InsideOut, Mass, Rotation};
pub use bone::{Attach, Bone, BonePart, Hinge};
pub use collider::{CarriedBy, Carrier, Collider, ColliderShape};
pub use contact::{BodyContact, ContactRules, ContactSurface, Response};
pub use fix::{Axes, Fix};
pub use gravity::Gravity;
pub use initial::{Initial, InitialKind};
pub use integrator::{
    DampingMatrix, Integrator, Lengths, Method, PeriodError, Precision, Solve, Solver, Step,
};
pub use interaction::{Format, Grab, Output, Probe};
pub use load::{Load, LoadKind, LoadScript, LoadSine, TimedFactor};
pub use located::Located;
pub use material::{Damping, Law, Material, RotationField, Rotations, StretchLimit, Warp};
pub use mesh::{Element, Mesh, Shape};
pub use motion::{Motion, Sine, TimedVector, Turn};
pub use network::{Network, NetworkLaw};
pub use plausibility::{Warning, collider_size_warning, size_warning, warnings};
pub use read::LoadedScene;
pub use region::{BoxRegion, PlaneRegion, Region, SphereRegion};
pub use spring_row::{SpringRow, SpringTable};
pub use view::{Camera, View, ViewField};

use crate::units::{Quantity, Time};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A scene: bodies, what acts on them, and for how long.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Pliant scene")]
pub struct Scene {
    /// One line that says what happens.
    #[serde(default)]
    pub title: String,
    /// Longer text for readers.
    #[serde(default)]
    pub description: Option<String>,
    /// Simulated time, above 0. Only `method = "static"` does without: it brings the loads up over one second that stands for them.
    #[serde(default = "unsaid_duration")]
    pub duration: Located<Quantity<Time>>,
    /// Acceleration of gravity: one number along -z, or three in world axes; none when absent.
    #[serde(default)]
    pub gravity: Option<Located<Gravity>>,
    /// What happens when a body's motion is no longer finite.
    #[serde(default)]
    pub on_divergence: OnDivergence,
    /// How the scene moves through time.
    #[serde(default)]
    pub integrator: Integrator,
    /// What bodies are made of, by name.
    #[serde(default)]
    pub material: BTreeMap<String, Material>,
    /// Springs that bodies are made of instead, by name.
    #[serde(default)]
    pub network: BTreeMap<String, Network>,
    /// Bodies, by name.
    #[serde(default)]
    pub body: BTreeMap<String, Body>,
    /// Rigid shapes that all bodies meet.
    #[serde(default)]
    pub collider: Vec<Located<Collider>>,
    /// How bodies answer what they touch.
    #[serde(default)]
    pub contact: ContactRules,
    /// Points pulled along paths.
    #[serde(default)]
    pub grab: Vec<Grab>,
    /// Points recorded in `probes.csv`.
    #[serde(default)]
    pub probe: Vec<Probe>,
    /// How the viewer opens it.
    #[serde(default)]
    pub view: View,
    /// What is written while the scene runs.
    #[serde(default)]
    pub output: Output,
}

impl Scene {
    /// Acceleration of gravity, m/s^2; zero when the scene has none.
    pub fn gravity_si(&self) -> [f64; 3] {
        self.gravity.as_ref().map_or([0.0; 3], |gravity| gravity.si())
    }
}

impl Scene {
    /// How steps answer contacts: as the scene says, or the method's own way.
    pub fn response(&self) -> Response {
        let own = match *self.integrator.method {
            Method::Explicit => Response::Constraint,
            Method::Newmark | Method::ImplicitEuler | Method::Static | Method::Quasistatic => {
                Response::Penalty
            }
        };
        self.contact.response.as_ref().map_or(own, |response| **response)
    }
}

/// One second from no place in the file.
fn unsaid_duration() -> Located<Quantity<Time>> {
    Quantity::of(1.0).into()
}

/// What happens when a body's motion is no longer finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnDivergence {
    /// The run ends with the last good state.
    #[default]
    Stop,
    /// That body stops where it was and the others go on.
    Freeze,
}

/// The JSON schema of the scene file, for editors.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Scene).to_value()
}

/// [`schema`] as indented text.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}
