//! The simulation thread, and the handle by which the network side knows it.

mod picture;

pub use picture::Picture;

use std::sync::Arc;
use std::sync::mpsc::Sender;

use bytes::Bytes;
use tokio::sync::watch;

use super::gallery::Gallery;
use super::wire::Command;

/// What the network side sees of the simulation. Cloning it is cheap; nothing in it waits for the simulation.
#[derive(Clone)]
pub struct Live {
    commands: Sender<Command>,
    pictures: watch::Receiver<Arc<Picture>>,
    status: watch::Receiver<Arc<str>>,
    scenes: Arc<str>,
}

impl Live {
    /// Starts the thread with a scene of the gallery.
    pub fn start(gallery: Gallery, first: &str, pool: rayon::ThreadPool) -> Result<Self, String> {
        let _ = (gallery, first, pool);
        Err("not yet".into())
    }

    /// Hands over a command; it is carried out between two steps.
    pub fn send(&self, command: Command) {
        // the thread ends with the program only
        let _ = self.commands.send(command);
    }

    /// The latest published state, again and again.
    pub fn pictures(&self) -> watch::Receiver<Arc<Picture>> {
        self.pictures.clone()
    }

    /// The latest status message, as JSON text.
    pub fn status(&self) -> watch::Receiver<Arc<str>> {
        self.status.clone()
    }

    /// What `/api/scenes` answers.
    pub fn scenes(&self) -> &str {
        &self.scenes
    }

    /// The topology with a hash, if a page may still want it.
    pub fn topology(&self, hash: u64) -> Option<Bytes> {
        let picture = self.pictures.borrow();
        (picture.topology_hash() == hash).then(|| picture.topology())
    }
}
