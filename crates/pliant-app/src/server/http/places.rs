//! Places among the connections: some for whoever comes, and others for those who have shown the token. Where guests crowd, the one that
//! has been silent longest leaves, so that nobody can lock the owner out by holding connections open.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The most connections of those who hold the token, pages' streams included.
pub const MEMBERS: usize = 64;

/// The most connections of those who have not shown it yet.
pub const GUESTS: usize = 32;

/// All places.
pub struct Places {
    /// The one that spoke last at the end.
    guests: Mutex<VecDeque<Arc<Inner>>>,
    members: Arc<Semaphore>,
}

struct Inner {
    places: Arc<Places>,
    leave: Notify,
    must_leave: AtomicBool,
    member: Mutex<Option<OwnedSemaphorePermit>>,
}

/// The place of one connection, which is given back with this.
pub struct Place(Standing);

/// What a connection's requests know of its place.
#[derive(Clone)]
pub struct Standing(Arc<Inner>);

impl Places {
    /// All of them free.
    pub fn new() -> Arc<Self> {
        Arc::new(Self { guests: Mutex::default(), members: Arc::new(Semaphore::new(MEMBERS)) })
    }

    /// A guest's place; the guest that has been silent longest leaves if there are too many.
    pub fn enter(self: &Arc<Self>) -> Place {
        let inner = Arc::new(Inner {
            places: Arc::clone(self),
            leave: Notify::new(),
            must_leave: AtomicBool::new(false),
            member: Mutex::new(None),
        });
        let mut guests = self.guests();
        guests.push_back(Arc::clone(&inner));
        let crowded = guests.len() > GUESTS;
        if let Some(oldest) = crowded.then(|| guests.pop_front()).flatten() {
            oldest.must_leave.store(true, Ordering::Relaxed);
            oldest.leave.notify_one();
        }
        Place(Standing(inner))
    }

    fn guests(&self) -> MutexGuard<'_, VecDeque<Arc<Inner>>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, inner: &Arc<Inner>) {
        self.guests().retain(|guest| !Arc::ptr_eq(guest, inner));
    }
}

impl Standing {
    /// The token was shown: from now on this is a member's place. False if there is none left.
    pub fn rise(&self) -> bool {
        let Inner { places, member, .. } = &*self.0;
        let mut member = member.lock().unwrap_or_else(PoisonError::into_inner);
        if member.is_none() {
            *member = Arc::clone(&places.members).try_acquire_owned().ok();
            if member.is_some() {
                places.remove(&self.0);
            }
        }
        member.is_some()
    }

    /// A guest said something.
    pub fn spoke(&self) {
        let mut guests = self.0.places.guests();
        if let Some(at) = guests.iter().position(|guest| Arc::ptr_eq(guest, &self.0)) {
            let guest = guests.remove(at);
            guests.extend(guest);
        }
    }

    /// Waits until this guest has to leave.
    pub async fn crowded_out(&self) {
        self.0.leave.notified().await;
    }

    /// Whether this guest has to leave.
    pub fn must_leave(&self) -> bool {
        self.0.must_leave.load(Ordering::Relaxed)
    }
}

impl Place {
    /// For the requests of its connection.
    pub fn standing(&self) -> &Standing {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Standing(inner) = &self.0;
        inner.places.remove(inner);
        // requests that are still being answered no longer hold it
        inner.member.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guest_that_was_silent_longest_leaves_when_one_too_many_comes() {
        let places = Places::new();
        let guests: Vec<Place> = (0..GUESTS).map(|_| places.enter()).collect();
        assert!(guests.iter().all(|guest| !guest.standing().must_leave()));
        guests[0].standing().spoke();
        let _last = places.enter();
        let leaving: Vec<usize> = (0..GUESTS).filter(|i| guests[*i].standing().must_leave()).collect();
        assert_eq!(leaving, [1]);
    }

    #[test]
    fn whoever_has_shown_the_token_stays_however_many_come() {
        let places = Places::new();
        let members: Vec<Place> = (0..MEMBERS).map(|_| places.enter()).collect();
        // one after another, or they would be a crowd of guests
        drop(members);
        let mut members = Vec::new();
        for _ in 0..MEMBERS {
            let place = places.enter();
            assert!(place.standing().rise() && place.standing().rise());
            members.push(place);
        }
        let crowd: Vec<Place> = (0..3 * GUESTS).map(|_| places.enter()).collect();
        assert!(members.iter().all(|member| !member.standing().must_leave()));
        let last = crowd.last().unwrap();
        assert!(!last.standing().must_leave() && !last.standing().rise());
        members.pop();
        assert!(last.standing().rise(), "a place that is given back can be taken");
    }
}
