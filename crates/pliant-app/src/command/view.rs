//! `pliant view`: the viewer in a browser.

use crate::cli::View;
use crate::report::Failure;
use crate::server;

/// Serves until Ctrl-C.
pub fn view(options: &View) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.map_or(0, usize::from)).build();
    let pool = pool.map_err(|e| Failure::Ran(format!("the threads could not be started: {e}")))?;
    let (gallery, first) = server::gallery(options.scene.as_deref())?;
    let live = server::Live::start(gallery, &first, pool).map_err(Failure::Ran)?;
    server::serve(live, options)
}
