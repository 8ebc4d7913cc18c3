//! Secrets of this run: the one in the cookie, by which a page shows that it was let in, and those of invitations.

use std::fmt::{Display, Formatter};
use std::hint::black_box;

use crate::report::Failure;

/// Random bytes of a token: 256 bits, twice what a guesser can never reach.
const BYTES: usize = 32;

/// The fewest characters of a token that a user chose: 128 bits if they are random hex digits.
const SHORTEST: usize = 32;

/// The most, so that it fits into a header.
const LONGEST: usize = 256;

/// The environment variable that fixes the secret of the cookie, so that pages outlive a restart.
const VARIABLE: &str = "PLIANT_TOKEN";

/// A secret, made of letters, digits, `_` and `-` only.
pub struct Token(String);

impl Token {
    /// The one that the environment gives, otherwise a new one.
    pub fn of_this_run() -> Result<Self, Failure> {
        match std::env::var_os(VARIABLE) {
            None => Self::random(),
            Some(text) => Self::chosen(&text.to_string_lossy()),
        }
    }

    /// A new one.
    pub fn random() -> Result<Self, Failure> {
        let mut bytes = [0_u8; BYTES];
        getrandom::fill(&mut bytes).map_err(|e| {
            Failure::Ran(format!(
                "the system gives no random numbers ({e}): set {VARIABLE} to a secret of your own"
            ))
        })?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// A user's own.
    pub fn chosen(text: &str) -> Result<Self, Failure> {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if plain && (SHORTEST..=LONGEST).contains(&text.len()) {
            return Ok(Self(text.into()));
        }
        Err(Failure::Input(format!(
            "{VARIABLE} must be {SHORTEST} to {LONGEST} letters, digits, `_` or `-`: change it, or unset it for a random one"
        )))
    }

    /// Whether a text is the token; takes equally long wherever they differ.
    pub fn is(&self, text: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), text.as_bytes());
        if ours.len() != theirs.len() {
            return false;
        }
        let differences = ours.iter().zip(theirs).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
        black_box(differences) == 0
    }
}

/// For printed addresses and the cookie only.
impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_token_has_256_bits_and_never_comes_again() {
        let (one, two) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.0.len(), 64);
        assert!(one.0.bytes().all(|b| b.is_ascii_hexdigit()));
        assert_ne!(one.0, two.0);
    }

    #[test]
    fn a_chosen_token_is_long_and_plain() {
        assert!(Token::chosen("0123456789abcdefABCDEF_-01234567").is_ok());
        for bad in
            ["", "short", &"a".repeat(31), &"a".repeat(257), &format!("{};", "a".repeat(40)), &"ä".repeat(32)]
        {
            let Err(Failure::Input(message)) = Token::chosen(bad) else { panic!("{bad} was taken") };
            assert!(message.contains("unset it"), "{message}");
        }
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = Token::chosen(&"k".repeat(40)).unwrap();
        assert!(token.is(&"k".repeat(40)));
        for other in [String::new(), "k".repeat(39), "k".repeat(41), format!("{}l", "k".repeat(39))] {
            assert!(!token.is(&other), "{other}");
        }
    }
}
