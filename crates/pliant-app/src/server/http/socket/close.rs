//! Why the server ends a stream.

use std::borrow::Cow;

use axum::extract::ws::CloseFrame;
use tungstenite::error::ProtocolError;

/// The most bytes of a reason (RFC 6455, 5.5: 125 with the code).
const REASON: usize = 123;

/// A code and a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Close {
    /// As in docs/src/viewer-protocol.md.
    pub code: u16,
    reason: Cow<'static, str>,
}

impl Close {
    /// The program ends.
    pub const AWAY: Self = Self::new(1001, "the program ends");
    /// A page speaks text only.
    pub const BINARY: Self = Self::new(1003, "binary messages are not understood");
    /// More messages than a page has a use for.
    pub const FLOOD: Self = Self::new(1008, "too many messages");
    /// All places are taken.
    pub const FULL: Self = Self::new(1008, "too many pages are open: close one");
    /// A message over the limit.
    pub const LARGE: Self = Self::new(1009, "a message is larger than 64 KiB");
    /// A frame could not be encoded: our bug.
    pub const BROKEN: Self = Self::new(1011, "a frame could not be made");
    /// Nothing came, no answer to a ping either.
    pub const SILENT: Self = Self::new(4001, "nothing was heard for 60 s");

    const fn new(code: u16, reason: &'static str) -> Self {
        Self { code, reason: Cow::Borrowed(reason) }
    }

    /// A message that cannot be read, with the reason as far as it fits.
    pub fn unreadable(reason: &str) -> Self {
        Self { code: 1002, reason: Cow::Owned(reason[..reason.floor_char_boundary(REASON)].to_owned()) }
    }

    /// What an error while reading calls for; nothing if the page has gone.
    pub fn after(error: axum::Error) -> Option<Self> {
        let error = error.into_inner();
        match error.downcast_ref::<tungstenite::Error>()? {
            tungstenite::Error::Capacity(_) => Some(Self::LARGE),
            tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
            error @ (tungstenite::Error::Protocol(_) | tungstenite::Error::Utf8(_)) => {
                Some(Self::unreadable(&error.to_string()))
            }
            _ => None,
        }
    }
}

impl From<Close> for CloseFrame {
    fn from(close: Close) -> Self {
        Self { code: close.code, reason: close.reason.as_ref().into() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const PROTOCOL: &str = include_str!("../../../../../../docs/src/viewer-protocol.md");

    #[test]
    fn the_protocol_names_the_codes_that_the_server_sends_and_no_others() {
        let (_, named) = PROTOCOL.split_once("Close codes:").unwrap();
        let words = named.split(|c: char| !c.is_ascii_digit()).filter(|word| word.len() == 4);
        let named: BTreeSet<u16> = words.map(|word| word.parse().unwrap()).collect();
        let sent = [
            Close::AWAY,
            Close::BINARY,
            Close::FLOOD,
            Close::FULL,
            Close::LARGE,
            Close::BROKEN,
            Close::SILENT,
            Close::unreadable(""),
        ];
        assert_eq!(named, sent.map(|close| close.code).into());
    }

    #[test]
    fn a_long_reason_is_cut_between_letters() {
        // 2 bytes a letter, so that 123 falls into the middle of one
        let close = Close::unreadable(&"ä".repeat(100));
        assert_eq!(close.reason.len(), 122);
        assert_eq!(Close::unreadable("short").reason, "short");
    }

    #[test]
    fn each_error_has_its_code() {
        let after = |error: tungstenite::Error| Close::after(axum::Error::new(error)).map(|close| close.code);
        let large = tungstenite::error::CapacityError::MessageTooLong { size: 2, max_size: 1 };
        assert_eq!(after(large.into()), Some(1009));
        assert_eq!(after(ProtocolError::UnmaskedFrameFromClient.into()), Some(1002));
        assert_eq!(after(ProtocolError::ResetWithoutClosingHandshake.into()), None);
        assert_eq!(after(tungstenite::Error::ConnectionClosed), None);
    }
}
