//! Which path answers what.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::door::{Door, Entry};
use super::invitation::Invitation;
use super::places::Standing;
use super::room::Room;
use super::{answer, pages, socket};
use crate::server::Live;
use crate::server::wire::command;

/// The most pages at once.
const PAGES: u32 = 16;

/// Everything that answers need.
pub struct Site {
    /// The simulation.
    pub live: Live,
    /// The pages that are open.
    pub room: Arc<Room>,
    door: Door,
    places: Arc<Semaphore>,
    ending: watch::Receiver<bool>,
}

impl Site {
    /// A site without pages, which ends when `ending` becomes true.
    pub fn new(live: Live, door: Door, ending: watch::Receiver<bool>) -> Arc<Self> {
        let simulation = live.clone();
        let room = Room::new(move |command| simulation.send(command));
        Arc::new(Self { live, room, door, places: Arc::new(Semaphore::new(PAGES as usize)), ending })
    }

    /// What lets the next browser in, where that is needed.
    pub fn invitation(&self) -> Option<&Invitation> {
        self.door.invitation()
    }

    /// A place for a page, if there is one left.
    pub fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Waits for the end of the program.
    pub async fn ended(&self) {
        let mut ending = self.ending.clone();
        if ending.wait_for(|end| *end).await.is_err() {
            // nobody is left who could end it
            std::future::pending::<()>().await;
        }
    }

    /// Waits until all pages have gone, but no longer than this.
    pub async fn emptied(&self, longest: Duration) {
        // whoever has not heard by then never will
        let _ = timeout(longest, self.places.acquire_many(PAGES)).await;
    }
}

/// All paths, behind the door.
pub fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/api/scenes", get(scenes))
        .route("/api/topology/{hash}", get(topology))
        .route("/socket", get(stream))
        .fallback(file)
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guard))
        .with_state(site)
}

/// Lets in or refuses, and protects every answer.
async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let standing = head.extensions.get::<Standing>();
    let mut response = match site.door.check(&head) {
        Ok(_) if standing.is_some_and(|standing| !standing.rise()) => answer::full(),
        Ok(Entry::Welcome) => next.run(Request::from_parts(head, body)).await,
        Ok(Entry::Swap) => site.door.swap(&head),
        Err(refusal) => {
            standing.inspect(|standing| standing.spoke());
            refusal.into_response()
        }
    };
    answer::protect(&mut response);
    response
}

async fn scenes(State(site): State<Arc<Site>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], site.live.scenes().to_owned()).into_response()
}

async fn topology(State(site): State<Arc<Site>>, Path(hash): Path<String>) -> Response {
    let found = command::hash(&hash).ok().and_then(|hash| site.live.topology(hash));
    let Some(bytes) = found else { return answer::nothing() };
    ([(header::CONTENT_TYPE, "application/octet-stream")], Body::from(bytes)).into_response()
}

async fn stream(State(site): State<Arc<Site>>, upgrade: WebSocketUpgrade) -> Response {
    socket::limited(upgrade).on_upgrade(|socket| socket::attend(socket, site))
}

async fn file(uri: Uri, headers: HeaderMap) -> Response {
    pages::page(uri.path(), &headers)
}
