//! What a page says: acknowledgements, wishes, and the controller's commands.

use std::time::{Duration, Instant};

use axum::extract::ws::Message;
use futures_util::StreamExt;
use tokio::time::timeout;

use super::close::Close;
use super::flow::Flow;
use super::rate::Bucket;
use crate::server::http::room::Seat;
use crate::server::wire::{self, parse};

/// After this silence, in which not even a ping was answered, the page is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// One page's ear.
pub struct Reader<'a> {
    /// Its messages.
    pub stream: &'a mut super::Stream,
    /// Its place.
    pub seat: &'a Seat,
    /// What the writer has to know.
    pub flow: &'a Flow,
}

impl Reader<'_> {
    /// Listens until the page goes, or must go.
    pub async fn run(self) -> Option<Close> {
        let mut bucket = Bucket::full(Instant::now());
        loop {
            let message = match timeout(SILENCE, self.stream.next()).await {
                Err(_) => return Some(Close::SILENT),
                Ok(None) => return None,
                Ok(Some(Err(error))) => return Close::after(error),
                Ok(Some(Ok(message))) => message,
            };
            if !bucket.take(Instant::now()) {
                return Some(Close::FLOOD);
            }
            match message {
                Message::Text(text) => match parse(&text) {
                    Ok(message) => self.act(message),
                    Err(error) => return Some(Close::unreadable(&error.to_string())),
                },
                Message::Binary(_) => return Some(Close::BINARY),
                // pings are answered, and a close too, by the next read
                Message::Ping(_) | Message::Pong(_) | Message::Close(_) => {}
            }
        }
    }

    fn act(&self, message: wire::Message) {
        match message {
            wire::Message::Ack { frame } => self.flow.ack(frame),
            wire::Message::Field(field) => self.flow.colour(field),
            wire::Message::Contacts { shown } => self.flow.mark(shown),
            wire::Message::Take => self.seat.take(),
            wire::Message::Command(command) => self.seat.command(command),
        }
    }
}
