//! The scenes that the viewer offers: the gallery, embedded in the program, and the file it was started with.

use std::path::{Path, PathBuf};

use pliant_scene::{LoadedScene, Scene, SceneError};
use serde::Serialize;

use crate::report::Failure;

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The scene that is shown without a wish.
const FIRST: &str = "jelly";

/// One scene to choose.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// What names it in links.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows and what to try.
    pub description: String,
    #[serde(skip)]
    source: Text,
}

/// Where the text of a scene is.
#[derive(Clone, Debug)]
enum Text {
    Embedded(&'static str),
    File(PathBuf),
}

/// All scenes to choose, in the order to show them.
#[derive(Clone, Debug)]
pub struct Gallery {
    offers: Vec<Offer>,
}

/// Ids of the scenes that are part of the program.
pub fn gallery_ids() -> impl Iterator<Item = &'static str> + Clone {
    SCENES.iter().map(|(id, _)| *id)
}

/// A scene that is part of the program.
pub fn gallery_scene(id: &str) -> Result<LoadedScene, SceneError> {
    let text = SCENES.iter().find(|(known, _)| *known == id).map_or("", |(_, text)| text);
    embedded(id, text)
}

/// The gallery with a user's scene, if any, in front, and the id of the scene to begin with.
pub fn gallery(file: Option<&Path>) -> Result<(Gallery, String), Failure> {
    let mut offers = Vec::new();
    for (id, text) in SCENES {
        let scene = embedded(id, text)?;
        offers.push(Offer::of(id, &scene, Text::Embedded(text)));
    }
    let Some(path) = file else { return Ok((Gallery { offers }, FIRST.into())) };
    let scene = Scene::read(path)?;
    let id = path.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
    offers.retain(|offer| offer.id != id);
    offers.insert(0, Offer::of(&id, &scene, Text::File(path.to_path_buf())));
    Ok((Gallery { offers }, id))
}

impl Offer {
    fn of(id: &str, loaded: &LoadedScene, source: Text) -> Self {
        let (title, description) = (title(id, &loaded.scene), description(&loaded.scene));
        Self { id: id.into(), title, description, source }
    }

    /// Its file, if it is not embedded.
    pub fn file(&self) -> Option<&Path> {
        match &self.source {
            Text::Embedded(_) => None,
            Text::File(path) => Some(path),
        }
    }

    /// Reads it, a file anew each time.
    pub fn read(&self) -> Result<LoadedScene, SceneError> {
        match &self.source {
            Text::Embedded(text) => embedded(&self.id, text),
            Text::File(path) => Scene::read(path),
        }
    }
}

/// What a scene is called.
pub fn title(id: &str, scene: &Scene) -> String {
    if scene.title.is_empty() { id.into() } else { scene.title.clone() }
}

/// What a scene says of itself, on one line.
pub fn description(scene: &Scene) -> String {
    scene.description.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A scene of the gallery.
fn embedded(id: &str, text: &str) -> Result<LoadedScene, SceneError> {
    let (scene, source) = Scene::parse(text, &format!("{id}.toml"))?;
    Ok(LoadedScene { scene, source, folder: PathBuf::new() })
}

impl Gallery {
    /// The scene with an id.
    pub fn find(&self, id: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.id == id)
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.offers.iter().map(|offer| offer.id.as_str())
    }

    /// What `/api/scenes` answers.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.offers).unwrap_or_default()
    }
}
