//! What a page is told: who it is, how the simulation stands, and the newest frame whenever it has drawn the last.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Message;
use bytes::Bytes;
use futures_util::SinkExt;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, interval_at, timeout};

use super::close::Close;
use super::flow::Flow;
use crate::server::Live;
use crate::server::http::room::Seat;
use crate::server::live::Picture;
use crate::server::wire::Wanted;

/// The version of docs/src/viewer-protocol.md.
const PROTOCOL: u32 = 3;

/// The time between two pings.
const PING: Duration = Duration::from_secs(15);

/// How long a message may take to be sent; who reads slower is dropped.
const SENDING: Duration = Duration::from_secs(10);

/// One page's voice.
pub struct Writer<'a> {
    /// Where its messages go.
    pub sink: &'a mut super::Sink,
    /// Its place.
    pub seat: &'a Seat,
    /// What the reader hears.
    pub flow: &'a Flow,
    /// The simulation.
    pub live: &'a Live,
}

/// Something to say.
enum Due {
    Text(String),
    Ping,
    Frame(Arc<Picture>, Wanted),
}

impl Writer<'_> {
    /// Speaks until nobody listens any more.
    pub async fn run(self) -> Option<Close> {
        let mut company = self.seat.company();
        let mut status = self.live.status();
        let mut pictures = self.live.pictures();
        let hello = json!({"type": "hello", "protocol": PROTOCOL, "version": env!("CARGO_PKG_VERSION")});
        let role = self.seat.role(&company.borrow_and_update());
        let standing = status.borrow_and_update().to_string();
        for text in [hello.to_string(), role, standing] {
            send(self.sink, Message::Text(text.into())).await?;
        }
        let mut ping = interval_at(Instant::now() + PING, PING);
        loop {
            let due = tokio::select! {
                biased;
                () = renewed(&mut company) => Due::Text(self.seat.role(&company.borrow_and_update())),
                () = renewed(&mut status) => Due::Text(status.borrow_and_update().to_string()),
                _ = ping.tick() => Due::Ping,
                (picture, wanted) = departing(self.flow, &mut pictures) => Due::Frame(picture, wanted),
            };
            let message = match due {
                Due::Text(text) => Message::Text(text.into()),
                Due::Ping => Message::Ping(Bytes::new()),
                Due::Frame(picture, wanted) => match encoded(picture, wanted).await {
                    Some(bytes) => Message::Binary(bytes),
                    None => return Some(Close::BROKEN),
                },
            };
            send(self.sink, message).await?;
        }
    }
}

/// Sends a message within its time; nothing if nobody takes it.
async fn send(sink: &mut super::Sink, message: Message) -> Option<()> {
    timeout(SENDING, sink.send(message)).await.ok()?.ok()
}

/// Waits for a change; for ever if there will be none.
async fn renewed<T>(value: &mut watch::Receiver<T>) {
    if value.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits until the page may have a frame that it has not got, and marks the newest as under way.
async fn departing(flow: &Flow, pictures: &mut watch::Receiver<Arc<Picture>>) -> (Arc<Picture>, Wanted) {
    loop {
        let picture = Arc::clone(&pictures.borrow_and_update());
        // 0: no scene has been made yet, and an empty frame would never be acknowledged
        if picture.number() != 0
            && let Some(wanted) = flow.depart(picture.number())
        {
            return (picture, wanted);
        }
        tokio::select! {
            () = flow.changed() => {}
            () = renewed(pictures), if flow.is_free() => {}
        }
    }
}

/// The frame's bytes, made where it delays nobody.
async fn encoded(picture: Arc<Picture>, wanted: Wanted) -> Option<Bytes> {
    tokio::task::spawn_blocking(move || picture.bytes(wanted)).await.ok()
}
