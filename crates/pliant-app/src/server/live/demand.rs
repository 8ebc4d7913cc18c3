//! Whether anybody looks: time begins with the first to do so, and all nodes are published only for those who want stresses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::Request;

/// How long a wish lasts.
const LASTS: Duration = Duration::from_secs(2);

/// The pages' side: says that somebody looks.
pub struct Demand {
    looked: AtomicBool,
    asked: AtomicBool,
    requests: Sender<Request>,
}

impl Demand {
    /// Nobody looks yet.
    pub fn new(requests: Sender<Request>) -> Self {
        Self { looked: AtomicBool::new(false), asked: AtomicBool::new(false), requests }
    }

    /// Somebody looks; the first to do so wakes the simulation.
    pub fn look(&self) {
        if !self.looked.swap(true, Ordering::Relaxed) {
            let _ = self.requests.send(Request::Looked);
        }
    }

    /// Somebody wants stresses; the first to ask wakes the simulation.
    pub fn ask_for_cells(&self) {
        if !self.asked.swap(true, Ordering::Relaxed) {
            let _ = self.requests.send(Request::Cells);
        }
    }

    /// Somebody got stresses and still looks; nobody is woken, or a scene that stands still would be published for ever.
    pub fn go_on(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }
}

/// The simulation's side: how long the last wish still counts.
#[derive(Default)]
pub struct Wish {
    until: Option<Instant>,
}

impl Wish {
    /// Somebody asked.
    pub fn renew(&mut self) {
        self.until = Some(Instant::now() + LASTS);
    }

    /// Whether stresses are wanted now; whoever still looks asks anew with every frame.
    pub fn lasts(&mut self, demand: &Demand) -> bool {
        if demand.asked.swap(false, Ordering::Relaxed) {
            self.renew();
        }
        self.until.is_some_and(|until| Instant::now() < until)
    }
}
