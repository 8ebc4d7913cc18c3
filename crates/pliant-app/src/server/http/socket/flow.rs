//! Which frame a page is due: at most one is under way, and only the newest is ever sent.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::server::wire::{Field, Wanted};

/// What the reader hears and the writer has to know.
#[derive(Default)]
pub struct Flow {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    // sent and not yet drawn
    under_way: Option<u32>,
    sent: Option<u32>,
    wanted: Wanted,
    // something was chosen after the last frame
    fresh: bool,
}

impl Flow {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page has drawn a frame; others than the one under way do not count.
    pub fn ack(&self, frame: u32) {
        let mut state = self.state();
        if state.under_way == Some(frame) {
            state.under_way = None;
            self.changed.notify_one();
        }
    }

    /// The page wants other colours: the current picture is due again.
    pub fn colour(&self, field: Field) {
        self.choose(|wanted| wanted.field = field);
    }

    /// The page wants contacts marked, or no more: likewise.
    pub fn mark(&self, contacts: bool) {
        self.choose(|wanted| wanted.contacts = contacts);
    }

    fn choose(&self, change: impl FnOnce(&mut Wanted)) {
        let mut state = self.state();
        change(&mut state.wanted);
        state.fresh = true;
        self.changed.notify_one();
    }

    /// Whether a frame may be sent.
    pub fn is_free(&self) -> bool {
        self.state().under_way.is_none()
    }

    /// If the picture of this number should be sent now, what is wanted of it; it is then under way.
    pub fn depart(&self, number: u32) -> Option<Wanted> {
        let mut state = self.state();
        let due = state.under_way.is_none() && (state.fresh || state.sent != Some(number));
        due.then(|| {
            state.under_way = Some(number);
            state.sent = Some(number);
            state.fresh = false;
            state.wanted
        })
    }

    /// Waits for news of the page.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_frame_is_under_way_until_it_is_drawn() {
        let flow = Flow::default();
        assert_eq!(flow.depart(7), Some(Field::None.into()));
        assert_eq!(flow.depart(8), None);
        flow.ack(6);
        flow.ack(8);
        assert_eq!(flow.depart(9), None, "a frame that was not sent was acknowledged");
        flow.ack(7);
        assert_eq!(flow.depart(12), Some(Field::None.into()), "8 to 11 are skipped");
    }

    #[test]
    fn nothing_is_sent_twice_unless_something_else_is_wanted() {
        let flow = Flow::default();
        assert!(flow.depart(7).is_some());
        flow.ack(7);
        assert_eq!(flow.depart(7), None);
        flow.colour(Field::VonMises);
        assert_eq!(flow.depart(7), Some(Field::VonMises.into()));
        // chosen while it is under way: due again after the acknowledgement
        flow.colour(Field::Displacement);
        assert_eq!(flow.depart(7), None);
        flow.ack(7);
        assert_eq!(flow.depart(7), Some(Field::Displacement.into()));
        flow.ack(7);
        assert_eq!(flow.depart(7), None);
        flow.mark(true);
        assert_eq!(flow.depart(7), Some(Wanted { field: Field::Displacement, contacts: true }));
    }
}
