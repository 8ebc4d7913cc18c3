//! The simulation thread, and the handle by which the network side knows it.
//!
//! The thread owns the world and waits for nobody: it publishes its latest state into a slot, and pages take from there what they
//! can use. Nothing is encoded before a page wants it.

mod around;
mod ball;
mod clearance;
mod demand;
mod edited;
mod hand;
mod orders;
mod pace;
mod picture;
mod player;
mod publisher;
mod stage;
mod status;
mod surface;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tool_tests;
#[cfg(test)]
mod warning_tests;

pub use picture::Picture;

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use bytes::Bytes;
use tokio::sync::watch;

use super::gallery::Gallery;
use super::wire::Command;
use publisher::Publisher;
use stage::Stage;

/// What reaches the simulation thread.
pub enum Request {
    /// The controller wants something.
    Command(Command),
    /// The first page has come.
    Looked,
    /// A page wants stresses.
    Cells,
}

/// What the network side sees of the simulation. Cloning it is cheap; nothing in it waits for the simulation.
#[derive(Clone)]
pub struct Live {
    requests: Sender<Request>,
    pictures: watch::Receiver<Arc<Picture>>,
    status: watch::Receiver<Arc<str>>,
    scenes: Arc<str>,
}

impl Live {
    /// Starts the thread with a scene of the gallery; its steps run in the pool.
    pub fn start(gallery: Gallery, first: &str, pool: rayon::ThreadPool) -> Result<Self, String> {
        let (requests, inbox) = channel();
        let scenes: Arc<str> = gallery.json().into();
        let (publisher, pictures) = Publisher::new(requests.clone());
        let (stage, status) = Stage::new(gallery, publisher);
        let first = first.to_owned();
        let work = move || pool.install(move || stage.run(&first, &inbox));
        std::thread::Builder::new()
            .name("simulation".into())
            .spawn(work)
            .map_err(|e| format!("the simulation's thread could not be started: {e}"))?;
        Ok(Self { requests, pictures, status, scenes })
    }

    /// Hands over a command; it is carried out between two steps.
    pub fn send(&self, command: Command) {
        // the thread ends with the program only
        let _ = self.requests.send(Request::Command(command));
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

    /// The topology with a hash, if it is the one shown or one of those before.
    pub fn topology(&self, hash: u64) -> Option<Bytes> {
        self.pictures.borrow().topology(hash)
    }
}
