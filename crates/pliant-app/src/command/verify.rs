//! `pliant verify`: runs of this program beside numbers that others made.

use pliant_validation::case::CASES;
use pliant_validation::verify::{Case, Perturbation, count, listing, markdown, run, text};
use serde_json::json;

use super::{chosen, json_text};
use crate::cli::Verify;
use crate::report::{self, Failure};

/// Runs cases; a row out of its band is exit code 1.
pub fn verify(options: &Verify) -> Result<(), Failure> {
    let cases = chosen(&options.ids, CASES, |case| case.id)?;
    if options.list && options.json {
        let one = |case: &&Case| json!({ "id": case.id, "title": case.title, "source": case.source });
        let all: Vec<_> = cases.iter().map(one).collect();
        report::line(&json_text(&all)?);
        return Ok(());
    }
    if options.list {
        report::line(&listing(&cases));
        return Ok(());
    }
    let outcomes = run(&cases, Perturbation::None);
    let total = count(&outcomes);
    if options.json {
        report::line(&json_text(&json!({ "cases": outcomes, "count": total }))?);
    } else if options.markdown {
        report::line(&markdown(&outcomes));
    } else {
        report::line(&text(&outcomes));
    }
    if total.failed + total.stopped == 0 {
        return Ok(());
    }
    let bad: Vec<&str> = outcomes.iter().filter(|o| !o.passed()).map(|o| o.id).collect();
    Err(Failure::Ran(format!("not verified: {}; the rows above say by how much", bad.join(", "))))
}
