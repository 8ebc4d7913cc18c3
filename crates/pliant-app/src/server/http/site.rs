//! Everything that answers need: the simulation, the door, the pages that are open, and when it ends.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::door::Door;
use super::invitation::Invitation;
use super::room::Room;
use crate::server::Live;

/// The most pages at once.
const PAGES: u32 = 16;

/// Everything that answers need.
pub struct Site {
    /// The simulation.
    pub live: Live,
    /// The pages that are open.
    pub room: Arc<Room>,
    /// Who may come in.
    pub door: Door,
    places: Arc<Semaphore>,
    ending: watch::Receiver<bool>,
}

impl Site {
    /// A site without pages, which ends when `ending` becomes true.
    pub fn new(live: Live, door: Door, ending: watch::Receiver<bool>) -> Arc<Self> {
        let simulation = live.clone();
        let room = Room::new(move |command| simulation.send(command));
        Arc::new(Self { live, room, door, places: Arc::new(Semaphore::new(PAGES as usize)), ending })
    }

    /// What lets the next browser in, where that is needed.
    pub fn invitation(&self) -> Option<&Invitation> {
        self.door.invitation()
    }

    /// A place for a page, if there is one left.
    pub fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Waits for the end of the program.
    pub async fn ended(&self) {
        let mut ending = self.ending.clone();
        if ending.wait_for(|end| *end).await.is_err() {
            // nobody is left who could end it
            std::future::pending::<()>().await;
        }
    }

    /// Waits until all pages have gone, but no longer than this.
    pub async fn emptied(&self, longest: Duration) {
        // whoever has not heard by then never will
        let _ = timeout(longest, self.places.acquire_many(PAGES)).await;
    }
}
