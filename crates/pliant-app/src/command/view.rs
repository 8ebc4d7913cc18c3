//! `pliant view`: the viewer in a browser.

use super::scene_word::gallery_id;
use crate::cli::{View, nearest_command};
use crate::report::Failure;
use crate::server;

/// Serves until Ctrl-C.
pub fn view(options: &View) -> Result<(), Failure> {
    server::tell_missing_page(options);
    let wish = options.scene.as_deref().and_then(gallery_id);
    let file = options.scene.as_deref().filter(|_| wish.is_none());
    if let Some(word) = file.filter(|path| path.extension().is_none() && !path.exists()) {
        return Err(Failure::Input(no_such(&word.to_string_lossy())));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.map_or(0, usize::from)).build();
    let pool = pool.map_err(|e| Failure::Ran(format!("the threads could not be started: {e}")))?;
    let (gallery, first) = server::gallery(file)?;
    let live = server::Live::start(gallery, wish.unwrap_or(&first), pool).map_err(Failure::Ran)?;
    server::serve(live, options)
}

/// A word that is no scene may have been meant as a command, or as one of the gallery.
fn no_such(word: &str) -> String {
    let nothing = format!("there is neither a file, a scene of the gallery nor a command `{word}`");
    match (nearest_command(word), pliant_scene::nearest(word, server::gallery_ids())) {
        (Some(near), _) => format!("{nothing}; did you mean `pliant {near}`?"),
        (None, Some(near)) => format!("{nothing}; did you mean `{near}`?"),
        (None, None) => format!("{nothing}; `pliant --help` lists the commands"),
    }
}
