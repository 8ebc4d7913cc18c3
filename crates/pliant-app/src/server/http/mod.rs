//! The network side: who may come in, what is served, how a page gets its frames.
//!
//! `address` chooses a port of loopback, `listener` takes connections, `door` decides who may come in, `routes` answers,
//! `socket` is the stream of one page and `room` knows which page controls. Nothing here can make the simulation wait.

mod address;
mod announce;
mod answer;
mod connection;
mod door;
mod listener;
mod pages;
mod room;
mod routes;
mod socket;
mod token;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::cli::View;
use crate::report::Failure;
use crate::server::Live;
use address::Address;
use door::Door;
use routes::Site;
use token::Token;

/// Threads of the network; encoding has its own.
const THREADS: usize = 2;

/// Threads that encode frames.
const ENCODERS: usize = 4;

/// How long pages may take to hear that the program ends.
const FAREWELL: Duration = Duration::from_millis(700);

/// Listens on loopback until Ctrl-C.
pub fn serve(live: Live, options: &View) -> Result<(), Failure> {
    let token = if options.no_token { None } else { Some(Token::of_this_run()?) };
    let address = Address::bind(options.port)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(ENCODERS)
        .enable_all()
        .build()
        .map_err(|e| Failure::Ran(format!("the threads of the network could not be started: {e}")))?;
    let ending = interrupt()?;
    let url = announce::url(address.port, token.as_ref());
    let site = Site::new(live, Door::new(address.port, token), ending);
    let served = runtime.block_on(async {
        let listening = listener::listen(address, Arc::clone(&site))?;
        announce::announce(&url, options);
        site.ended().await;
        drop(listening);
        site.emptied(FAREWELL).await;
        Ok(())
    });
    // a frame that is still being encoded is for nobody
    runtime.shutdown_background();
    served.map_err(|e: std::io::Error| Failure::Ran(format!("the viewer cannot listen: {e}")))
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
