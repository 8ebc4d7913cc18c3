//! The stream of one page: a reader and a writer side by side, so that a page that is slow to read is still heard.

mod close;
mod flow;
mod rate;
mod reader;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::timeout;

use super::site::Site;
use close::Close;
use flow::Flow;
use reader::Reader;
use writer::Writer;

/// The largest message of a page, in bytes.
const LARGEST: usize = 64 * 1024;

/// The most that may wait to be written; it must hold the largest frame.
const WAITING: usize = 64 * 1024 * 1024;

/// How long a page may take to hear why the stream ends, and to answer.
const PARTING: Duration = Duration::from_secs(1);

/// What goes to a page.
type Sink = SplitSink<WebSocket, Message>;

/// What comes from it.
type Stream = SplitStream<WebSocket>;

/// The limits of a stream.
pub fn limited(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(LARGEST).max_frame_size(LARGEST).max_write_buffer_size(WAITING)
}

/// Serves a page until one side ends it.
pub async fn attend(socket: WebSocket, site: Arc<Site>) {
    let (mut sink, mut stream) = socket.split();
    let place = site.place();
    let close = match place {
        Some(_) => converse(&mut sink, &mut stream, &site).await,
        None => Some(Close::FULL),
    };
    if let Some(close) = close {
        part(&mut sink, &mut stream, close).await;
    }
}

/// Reads and writes; what comes back is why the server ends it, nothing if the page did.
async fn converse(sink: &mut Sink, stream: &mut Stream, site: &Site) -> Option<Close> {
    let seat = site.room.enter();
    let flow = Flow::default();
    let reader = Reader { stream, seat: &seat, flow: &flow };
    let writer = Writer { sink, seat: &seat, flow: &flow, live: &site.live };
    tokio::select! {
        () = site.ended() => Some(Close::AWAY),
        close = reader.run() => close,
        close = writer.run() => close,
    }
}

/// Says why, and waits a moment for the page to say that it heard.
async fn part(sink: &mut Sink, stream: &mut Stream, close: Close) {
    let told = timeout(PARTING, sink.send(Message::Close(Some(close.into())))).await;
    if matches!(told, Ok(Ok(()))) {
        let _ = timeout(PARTING, async { while let Some(Ok(_)) = stream.next().await {} }).await;
    }
}
