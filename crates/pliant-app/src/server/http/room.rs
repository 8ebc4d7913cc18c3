//! The pages that are open: one controls, the others look on.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::watch;

use crate::server::wire::{Command, Order};

/// What the server orders has no number of a page.
const NO_SEQUENCE: u32 = 0;

/// All open pages.
pub struct Room {
    pages: Mutex<Pages>,
    changes: watch::Sender<Company>,
    send: Box<dyn Fn(Command) + Send + Sync>,
}

#[derive(Default)]
struct Pages {
    last: u64,
    // numbers rise, so the first is the oldest
    open: BTreeSet<u64>,
    controller: Option<u64>,
}

/// Who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Company {
    controller: Option<u64>,
    pages: usize,
}

/// A page's place in the room, which it leaves when this is dropped.
pub struct Seat {
    room: Arc<Room>,
    number: u64,
}

impl Room {
    /// An empty room, with the way to the simulation.
    pub fn new(send: impl Fn(Command) + Send + Sync + 'static) -> Arc<Self> {
        let changes = watch::Sender::new(Company::default());
        Arc::new(Self { pages: Mutex::default(), changes, send: Box::new(send) })
    }

    /// A new page, which controls if it is the only one.
    pub fn enter(self: &Arc<Self>) -> Seat {
        let mut pages = self.pages();
        pages.last += 1;
        let number = pages.last;
        pages.open.insert(number);
        pages.controller.get_or_insert(number);
        self.tell(&pages);
        Seat { room: Arc::clone(self), number }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, pages: &Pages) {
        self.changes.send_replace(Company { controller: pages.controller, pages: pages.open.len() });
    }

    /// Another page controls; nothing stays in the hand of the one before, and no tool.
    fn hand_over(&self, pages: &mut Pages, to: Option<u64>) {
        pages.controller = to;
        for order in [Order::Release, Order::PutAway] {
            (self.send)(Command { sequence: NO_SEQUENCE, order });
        }
    }
}

impl Seat {
    /// Becomes the controller.
    pub fn take(&self) {
        let mut pages = self.room.pages();
        if pages.controller != Some(self.number) {
            self.room.hand_over(&mut pages, Some(self.number));
            self.room.tell(&pages);
        }
    }

    /// Passes on a command of the controller and ignores those of others.
    pub fn command(&self, command: Command) {
        // under the lock: nothing of the old controller may come after the hand-over
        let pages = self.room.pages();
        if pages.controller == Some(self.number) {
            (self.room.send)(command);
        }
    }

    /// Who is there, again and again.
    pub fn company(&self) -> watch::Receiver<Company> {
        self.room.changes.subscribe()
    }

    /// What this page is told of it.
    pub fn role(&self, company: &Company) -> String {
        let role = if company.controller == Some(self.number) { "controller" } else { "spectator" };
        json!({"type": "role", "role": role, "clients": company.pages}).to_string()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut pages = self.room.pages();
        pages.open.remove(&self.number);
        if pages.controller == Some(self.number) {
            let oldest = pages.open.first().copied();
            self.room.hand_over(&mut pages, oldest);
        }
        self.room.tell(&pages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A room that keeps what it sends.
    fn room() -> (Arc<Room>, Arc<Mutex<Vec<Command>>>) {
        let sent = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&sent);
        (Room::new(move |command| kept.lock().unwrap().push(command)), sent)
    }

    fn role(seat: &Seat) -> String {
        let text = seat.role(&seat.company().borrow());
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        format!("{} of {}", value["role"].as_str().unwrap(), value["clients"])
    }

    fn pause(sequence: u32) -> Command {
        Command { sequence, order: Order::Pause }
    }

    /// What the room sends when another page controls.
    fn empty_hands() -> [Command; 2] {
        [Order::Release, Order::PutAway].map(|order| Command { sequence: 0, order })
    }

    #[test]
    fn the_first_page_controls_and_the_others_look_on() {
        let (room, sent) = room();
        let (first, second) = (room.enter(), room.enter());
        assert_eq!((role(&first), role(&second)), ("controller of 2".into(), "spectator of 2".into()));
        second.command(pause(1));
        first.command(pause(2));
        assert_eq!(*sent.lock().unwrap(), [pause(2)]);
    }

    #[test]
    fn who_takes_control_has_it_and_hands_are_empty() {
        let (room, sent) = room();
        let (first, second) = (room.enter(), room.enter());
        second.take();
        assert_eq!((role(&first), role(&second)), ("spectator of 2".into(), "controller of 2".into()));
        first.command(pause(1));
        second.command(pause(1));
        // taken again by who has it: nothing is let go
        second.take();
        let [released, put_away] = empty_hands();
        assert_eq!(*sent.lock().unwrap(), [released, put_away, pause(1)]);
    }

    #[test]
    fn when_the_controller_leaves_the_oldest_other_page_follows() {
        let (room, sent) = room();
        let (first, second, third) = (room.enter(), room.enter(), room.enter());
        drop(first);
        assert_eq!((role(&second), role(&third)), ("controller of 2".into(), "spectator of 2".into()));
        drop(third);
        assert_eq!(role(&second), "controller of 1");
        drop(second);
        // two controllers left; the spectator's going let nothing go
        assert_eq!(*sent.lock().unwrap(), [empty_hands(), empty_hands()].concat());
        assert_eq!(role(&room.enter()), "controller of 1");
    }
}
