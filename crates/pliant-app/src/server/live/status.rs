//! What the pages are told of the scene, as JSON.

use pliant_scene::SceneError;
use pliant_scene::spec::Camera;
use pliant_scene::units::si_array;
use pliant_solid::integrator::{Divergence, StepError};
use pliant_solid::{Matter, Model, World};
use serde::Serialize;

use crate::run::help;

/// What the simulation is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A scene is being made.
    Loading,
    /// Time runs.
    Running,
    /// Time stands still.
    Paused,
    /// Statics is at its equilibrium.
    Finished,
    /// A body diverged; the last good state is shown.
    Diverged,
    /// The scene could not be made.
    Failed,
}

/// The status message.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    r#type: &'static str,
    /// What it is at.
    pub phase: Phase,
    /// Wanted speed.
    pub speed: f64,
    /// Which scene.
    pub scene: Option<SceneCard>,
    /// What looked wrong but may be meant, and what is wrong now.
    pub warnings: Vec<Warned>,
    /// Whether the scene's file is another one than when it was read.
    pub edited: bool,
    /// What went wrong.
    pub failure: Option<Trouble>,
    /// Something to say once.
    pub notice: Option<Notice>,
}

/// A scene in short.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SceneCard {
    /// Its id in the gallery.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub description: String,
    /// The file that the program was started with, if this is it.
    pub file: Option<String>,
    /// The integrator's name.
    pub method: &'static str,
    /// Of a headless run, s.
    pub duration: f64,
    /// Hash of the topology, in hex; empty while loading.
    pub topology: String,
    /// Its bodies.
    pub bodies: Vec<BodyCard>,
    /// What bodies are coloured by at first, if it says so.
    pub field: Option<&'static str>,
    /// Where the camera stands at first, if it says so.
    pub camera: Option<CameraCard>,
}

/// A body in short.
#[derive(Clone, Debug, Serialize)]
pub struct BodyCard {
    name: String,
    nodes: usize,
    elements: usize,
    springs: usize,
}

/// Where the camera stands and looks, m.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CameraCard {
    from: [f64; 3],
    to: [f64; 3],
}

impl CameraCard {
    /// As a scene says it.
    pub fn of(camera: &Camera) -> Self {
        Self { from: si_array(&camera.from), to: si_array(&camera.to) }
    }
}

/// A warning. Its text may change while its cause lasts; its name does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warned {
    /// The same as long as the cause is.
    pub id: String,
    /// What to say of it now.
    pub text: String,
}

/// What went wrong, and the way out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trouble {
    /// What.
    pub what: String,
    /// The way out.
    pub help: String,
    /// The body.
    pub body: Option<String>,
    /// When, s.
    pub time: Option<f64>,
    /// Where, m.
    pub place: Option<[f64; 3]>,
}

/// Something to say once.
#[derive(Clone, Debug, Serialize)]
pub struct Notice {
    number: u32,
    text: String,
}

impl Status {
    /// Before the first scene.
    pub fn new() -> Self {
        let (speed, warnings) = (1.0, Vec::new());
        Self {
            r#type: "status",
            phase: Phase::Loading,
            speed,
            scene: None,
            warnings,
            edited: false,
            failure: None,
            notice: None,
        }
    }

    /// Says something once.
    pub fn say(&mut self, text: impl Into<String>) {
        let number = self.notice.as_ref().map_or(1, |notice| notice.number + 1);
        self.notice = Some(Notice { number, text: text.into() });
    }

    /// The message.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Trouble {
    /// For a terminal.
    pub fn text(&self) -> String {
        if self.help.is_empty() { self.what.clone() } else { format!("{}\nhelp: {}", self.what, self.help) }
    }

    /// A scene that cannot be read or compiled.
    pub fn of_scene(error: &SceneError) -> Self {
        Self {
            what: error.to_string(),
            help: "mend the scene file, then open the scene again".into(),
            ..Self::default()
        }
    }

    /// A step that failed.
    pub fn of_step(error: &StepError, world: &World) -> Self {
        let place = match error.reason {
            Divergence::LostDefiniteness { place } => Some(place),
            _ => error.worst.as_ref().map(|worst| worst.place),
        };
        let finite = |p: &[f64; 3]| p.iter().all(|x| x.is_finite());
        Self {
            what: error.to_string(),
            help: help(error, world.model(), world.integrator()),
            body: Some(error.body_name.clone()),
            time: Some(error.time),
            place: place.filter(finite),
        }
    }
}

/// Names, sizes and numbers of a model's bodies.
pub fn body_cards(model: &Model) -> Vec<BodyCard> {
    let card = |(body, matter): (&pliant_solid::Body, &Matter)| BodyCard {
        name: body.name.clone(),
        nodes: body.mesh.node_count(),
        elements: body.mesh.cell_count(),
        springs: matter.network().map_or(0, |network| network.springs.len()),
    };
    model.layout().bodies().iter().zip(model.matter()).map(card).collect()
}
