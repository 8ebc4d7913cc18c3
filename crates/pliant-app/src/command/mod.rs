//! One file per command.

mod bench;
mod check;
mod contact_report;
mod mesh;
mod mesh_report;
mod reproduce;
mod run;
mod scene_word;
mod verify;
mod view;

use crate::cli::{Arguments, Command, Machine};
use crate::report::{self, Failure};

/// Runs the command that was asked for.
pub fn dispatch(arguments: &Arguments) -> Result<(), Failure> {
    let Some(command) = &arguments.command else { return view::view(&arguments.view) };
    match command {
        Command::View(options) => view::view(options),
        Command::Run(options) => run::run(options),
        Command::Check(options) => check::check(options),
        Command::Mesh(command) => mesh::mesh(command),
        Command::Bench(options) => bench::bench(options),
        Command::Verify(options) => verify::verify(options),
        Command::Reproduce(options) => reproduce::reproduce(options),
        Command::Schema => {
            report::line(pliant_scene::spec::schema_text().trim_end());
            Ok(())
        }
    }
}

/// The pool that steps run in.
fn thread_pool(machine: &Machine) -> Result<rayon::ThreadPool, Failure> {
    let threads = machine.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| Failure::Ran(format!("the threads could not be started: {e}")))
}

/// JSON text of a result.
fn json_text(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map_err(|e| Failure::Ran(format!("the result could not be written as JSON: {e}")))
}

/// The things that ids name, all if there are none; an unknown id is told with the nearest known one.
fn chosen<T>(
    ids: &[String],
    all: &'static [T],
    name: fn(&T) -> &'static str,
) -> Result<Vec<&'static T>, Failure> {
    if ids.is_empty() {
        return Ok(all.iter().collect());
    }
    let mut ids: Vec<&String> = ids.iter().collect();
    let mut seen = Vec::new();
    ids.retain(|id| {
        let new = !seen.contains(&id.to_ascii_lowercase());
        seen.push(id.to_ascii_lowercase());
        new
    });
    let find = |id: &String| {
        let known = all.iter().find(|one| name(one).eq_ignore_ascii_case(id));
        known.ok_or_else(|| {
            let hint = match pliant_scene::nearest(id, all.iter().map(name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", all.iter().map(name).collect::<Vec<_>>().join(", ")),
            };
            Failure::Input(format!("`{id}` is unknown; {hint}"))
        })
    };
    ids.into_iter().map(find).collect()
}
