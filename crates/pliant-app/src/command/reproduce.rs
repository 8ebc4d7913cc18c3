//! `pliant reproduce`: the tables and figures of the papers, made anew.

use pliant_validation::reproduce::{FIGURES, lines, summary, write};

use super::{chosen, json_text};
use crate::cli::Reproduce;
use crate::report::{self, Failure};
use crate::run::not_a_file;

/// Makes figures and writes them; one that differs from the paper is told, and is no failure.
pub fn reproduce(options: &Reproduce) -> Result<(), Failure> {
    let figures = chosen(&options.ids, FIGURES, |figure| figure.id)?;
    let Some(output) = options.output.as_ref().filter(|_| !options.list) else {
        figures.iter().for_each(|figure| report::line(&format!("{:16} {}", figure.id, figure.title)));
        return Ok(());
    };
    not_a_file(output).map_err(Failure::Input)?;
    let made: Result<Vec<_>, _> = figures.iter().map(|figure| figure.make()).collect();
    let made = made.map_err(|e| Failure::Ran(e.to_string()))?;
    let files = write(&made, output).map_err(|e| Failure::Ran(e.to_string()))?;
    if options.json {
        report::line(&json_text(&made)?);
        return Ok(());
    }
    made.iter().for_each(|one| report::line(&lines(one)));
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    report::line(&format!("{}\nwritten: {}", summary(&made), names.join(", ")));
    Ok(())
}
