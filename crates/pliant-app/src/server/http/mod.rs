//! The network side: who may come in, what is served, how a page gets its frames.
//!
//! `address` chooses a port of loopback, `listener` takes connections and `places` how many, `door` decides who
//! may come in by an `invitation` or a cookie, `routes` answers from what `site` holds, `socket` is the stream of
//! one page and `room` knows which page controls. Nothing here can make the simulation wait.

mod address;
mod announce;
mod answer;
mod connection;
mod door;
mod invitation;
mod listener;
mod pages;
mod places;
mod redirect;
mod room;
mod routes;
mod site;
mod socket;
mod token;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::cli::View;
use crate::report::Failure;
use crate::server::Live;
use address::Address;
use door::{Door, Keys};
use invitation::Invitation;
use site::Site;
use token::Token;

pub use announce::tell_missing_page;

/// Threads of the network; encoding has its own.
const THREADS: usize = 2;

/// Threads that encode frames.
const ENCODERS: usize = 4;

/// How long a browser may take to start.
const BROWSER_START: Duration = Duration::from_secs(60);

/// How long pages may take to hear that the program ends.
const FAREWELL: Duration = Duration::from_millis(700);

/// Listens on loopback until Ctrl-C.
pub fn serve(live: Live, options: &View) -> Result<(), Failure> {
    let keys = if options.no_token {
        None
    } else {
        Some(Keys { secret: Token::of_this_run()?, invitation: Invitation::new()? })
    };
    let address = Address::bind(options.port)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(ENCODERS)
        .enable_all()
        .build()
        .map_err(|e| Failure::Ran(format!("the threads of the network could not be started: {e}")))?;
    let ending = interrupt()?;
    let port = address.port;
    let site = Site::new(live, Door::new(port, keys), ending);
    let served = runtime.block_on(async {
        let listening = listener::listen(address, Arc::clone(&site))?;
        tokio::select! {
            () = invite(&site, port, options) => {}
            () = site.ended() => {}
        }
        drop(listening);
        site.emptied(FAREWELL).await;
        Ok(())
    });
    // a frame that is still being encoded is for nobody
    runtime.shutdown_background();
    served.map_err(|e: std::io::Error| Failure::Ran(format!("the viewer cannot listen: {e}")))
}

/// Prints the address and opens it, and prints another whenever somebody has come in; for ever.
async fn invite(site: &Site, port: u16, options: &View) {
    let mut used = site.invitation().map(Invitation::used);
    let url = || announce::url(port, site.invitation().and_then(Invitation::token).as_deref());
    announce::announce(&url(), options);
    let redirect = if options.no_open { None } else { announce::open(&url(), site.invitation().is_some()) };
    if let Some(used) = &mut used {
        // the page on disk has led the browser here, or never will
        let _ = timeout(BROWSER_START, used.changed()).await;
        drop(redirect);
        loop {
            if *used.borrow_and_update() > 0 {
                announce::announce_next(&url());
            }
            if used.changed().await.is_err() {
                break;
            }
        }
    }
    std::future::pending().await
}

/// Becomes true with Ctrl-C.
fn interrupt() -> Result<watch::Receiver<bool>, Failure> {
    let (end, ending) = watch::channel(false);
    ctrlc::set_handler(move || {
        end.send_replace(true);
    })
    .map_err(|e| Failure::Ran(format!("Ctrl-C cannot be caught: {e}")))?;
    Ok(ending)
}
