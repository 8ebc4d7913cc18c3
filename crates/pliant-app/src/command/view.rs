//! `pliant view`: the viewer in a browser.

use clap::CommandFactory;

use crate::cli::{Arguments, View};
use crate::report::Failure;
use crate::server;

/// Serves until Ctrl-C.
pub fn view(options: &View) -> Result<(), Failure> {
    if let Some(word) = options.scene.as_deref().filter(|path| path.extension().is_none() && !path.exists()) {
        return Err(Failure::Input(no_such(&word.to_string_lossy())));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.map_or(0, usize::from)).build();
    let pool = pool.map_err(|e| Failure::Ran(format!("the threads could not be started: {e}")))?;
    let (gallery, first) = server::gallery(options.scene.as_deref())?;
    let live = server::Live::start(gallery, &first, pool).map_err(Failure::Ran)?;
    server::serve(live, options)
}

/// A word that is no scene may have been meant as a command.
fn no_such(word: &str) -> String {
    let program = Arguments::command();
    let commands: Vec<&str> = program.get_subcommands().map(|command| command.get_name()).collect();
    match pliant_scene::nearest(word, commands.iter().copied()) {
        Some(near) => {
            format!("there is neither a file nor a command `{word}`; did you mean `pliant {near}`?")
        }
        None => format!("there is neither a file nor a command `{word}`; `pliant --help` lists the commands"),
    }
}
