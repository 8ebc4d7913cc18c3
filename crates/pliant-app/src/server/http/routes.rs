//! Which path answers what.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::door::Entry;
use super::places::Standing;
use super::site::Site;
use super::{answer, pages, socket};
use crate::server::wire::command;

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
