//! The network side: who may come in, what is served, how a page gets its frames.

use crate::cli::View;
use crate::report::Failure;
use crate::server::Live;

/// Listens on loopback until Ctrl-C.
pub fn serve(_live: Live, _options: &View) -> Result<(), Failure> {
    Err(Failure::Ran("the viewer does not serve yet".into()))
}
