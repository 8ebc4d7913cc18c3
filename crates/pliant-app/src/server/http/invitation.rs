//! The invitation: the token in a printed address. It serves once. Whoever came in by it has the cookie, and the program prints another
//! for whoever comes next.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::token::Token;
use crate::report::Failure;

/// The token that lets the next browser in.
pub struct Invitation {
    // none if the system has no random numbers any more
    current: Mutex<Option<Token>>,
    used: watch::Sender<u64>,
}

impl Invitation {
    /// A random one.
    pub fn new() -> Result<Self, Failure> {
        Ok(Self::beginning_with(Token::random()?))
    }

    /// With a known token, which the next one is not.
    pub fn beginning_with(token: Token) -> Self {
        Self { current: Mutex::new(Some(token)), used: watch::Sender::new(0) }
    }

    fn current(&self) -> MutexGuard<'_, Option<Token>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The token for an address.
    pub fn token(&self) -> Option<String> {
        self.current().as_ref().map(Token::to_string)
    }

    /// Whether an offered text is the invitation; then it has served, and another takes its place.
    pub fn accept(&self, offered: &str) -> bool {
        let mut current = self.current();
        if !current.as_ref().is_some_and(|token| token.is(offered)) {
            return false;
        }
        *current = Token::random().ok();
        drop(current);
        self.used.send_modify(|times| *times += 1);
        true
    }

    /// How often an invitation was used, again and again.
    pub fn used(&self) -> watch::Receiver<u64> {
        self.used.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_serves_once_and_another_follows() {
        let invitation = Invitation::beginning_with(Token::chosen(&"i".repeat(32)).unwrap());
        assert!(!invitation.accept("i") && !invitation.accept(""));
        assert!(invitation.accept(&"i".repeat(32)));
        assert!(!invitation.accept(&"i".repeat(32)), "twice");
        assert_eq!(*invitation.used().borrow(), 1);
        let next = invitation.token().unwrap();
        assert!(next.len() == 64 && invitation.accept(&next) && !invitation.accept(&next));
    }
}
