//! Takes connections, few enough and each within its limits, and lets HTTP speak over them.

use std::io::Result;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::address::Address;
use super::connection::Connection;
use super::places::{Place, Places};
use super::routes::router;
use super::site::Site;

/// How long a request's head may take, and how long a connection may be idle between two requests.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// The largest head, in bytes.
const HEAD_BYTES: usize = 16 * 1024;

/// The most headers of a request.
const HEADERS: usize = 64;

/// The pause after a connection could not be taken, for want of file handles for instance.
const PAUSE: Duration = Duration::from_millis(50);

/// Listens at an address until the returned set is dropped.
pub fn listen(address: Address, site: Arc<Site>) -> Result<JoinSet<()>> {
    let places = Places::new();
    let router = router(site);
    let mut listening = JoinSet::new();
    for listener in address.listeners {
        let listener = TcpListener::from_std(listener)?;
        listening.spawn(accept(listener, router.clone(), Arc::clone(&places)));
    }
    Ok(listening)
}

async fn accept(listener: TcpListener, router: Router, places: Arc<Places>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        drop(tokio::spawn(converse(stream, places.enter(), router.clone())));
    }
}

/// Requests and answers over one connection, until it ends, becomes a stream, or has to leave for others.
async fn converse(stream: TcpStream, place: Place, router: Router) {
    // frames and commands must not wait to be sent together
    let _ = stream.set_nodelay(true);
    let (standing, answers) = (place.standing().clone(), TowerToHyperService::new(router));
    let known = standing.clone();
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(known.clone());
        answers.call(request)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(Connection::new(stream, place)), service)
        .with_upgrades();
    // a broken connection is the peer's affair
    tokio::select! {
        _ = served => {}
        () = standing.crowded_out() => {}
    }
}
