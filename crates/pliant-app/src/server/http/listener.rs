//! Takes connections, few enough and each within its limits, and lets HTTP speak over them.

use std::io::Result;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::address::Address;
use super::connection::Connection;
use super::routes::{Site, router};

/// The most connections at once, those of pages' streams included.
const CONNECTIONS: usize = 64;

/// How long a request's head may take, and how long a connection may be idle between two requests.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// The largest head, in bytes.
const HEAD_BYTES: usize = 16 * 1024;

/// The most headers of a request.
const HEADERS: usize = 64;

/// The pause after a connection could not be taken, for want of file handles for instance.
const PAUSE: Duration = Duration::from_millis(50);

/// What a connection beyond the limit reads.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n";

/// Listens at an address until the returned set is dropped.
pub fn listen(address: Address, site: Arc<Site>) -> Result<JoinSet<()>> {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let router = router(site);
    let mut listening = JoinSet::new();
    for listener in address.listeners {
        let listener = TcpListener::from_std(listener)?;
        listening.spawn(accept(listener, router.clone(), Arc::clone(&places)));
    }
    Ok(listening)
}

async fn accept(listener: TcpListener, router: Router, places: Arc<Semaphore>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => drop(tokio::spawn(converse(stream, place, router.clone()))),
            // an accepted stream counts as writable at once, and all of it fits; nothing is waited for
            Err(_) => drop(stream.try_write(FULL)),
        }
    }
}

/// Requests and answers over one connection, until it ends or becomes a stream.
async fn converse(stream: TcpStream, place: OwnedSemaphorePermit, router: Router) {
    // frames and commands must not wait to be sent together
    let _ = stream.set_nodelay(true);
    let connection = TokioIo::new(Connection::new(stream, place));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(connection, TowerToHyperService::new(router))
        .with_upgrades();
    // a broken connection is the peer's affair
    let _ = served.await;
}
