//! Which scene a word of the command line names: a file, or a scene of the gallery.

use std::path::Path;

use pliant_scene::{LoadedScene, Scene, nearest};

use crate::report::Failure;
use crate::server::{gallery_ids, gallery_scene};

/// Reads the scene; whatever exists under that name wins over the gallery.
pub fn read_scene(word: &Path) -> Result<LoadedScene, Failure> {
    if let Some(id) = gallery_id(word) {
        return Ok(gallery_scene(id)?);
    }
    match no_such(word) {
        Some(message) => Err(Failure::Input(message)),
        None => Ok(Scene::read(word)?),
    }
}

/// The scene of the gallery that a word names; none where a file or folder of that name exists.
pub fn gallery_id(word: &Path) -> Option<&'static str> {
    gallery_ids().find(|id| Path::new(id) == word && !word.exists())
}

/// What to say where nothing is behind a name and the gallery may have been meant.
fn no_such(word: &Path) -> Option<String> {
    let name = word.display();
    let stem = word.file_stem()?.to_string_lossy().into_owned();
    let is_plain = word.extension().is_none() && word.components().count() == 1;
    // standard input has its own words
    if word.exists() || stem == "-" {
        None
    } else if let Some(id) = gallery_ids().find(|id| *id == stem) {
        Some(format!("{name}: there is no such file; the scene of the gallery is called `{id}`"))
    } else if is_plain {
        let hint = match nearest(&stem, gallery_ids()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the gallery has {}", gallery_ids().collect::<Vec<_>>().join(", ")),
        };
        Some(format!("there is neither a file nor a scene of the gallery `{name}`; {hint}"))
    } else {
        None
    }
}
