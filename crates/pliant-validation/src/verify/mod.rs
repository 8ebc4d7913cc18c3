//! `pliant verify`: runs of this program beside numbers that others made.
//!
//! A [`Case`] builds a model, runs it and compares what comes out with references, a [`Row`] each. Every case must be
//! able to fail: it takes a [`Perturbation`] of the law it is about, and names one (`flaw`) under which at least one
//! row leaves its band. Bands are those of the reference suite, or the digits it prints.

mod markdown;
mod number;
mod perturbation;
mod row;
mod text;

pub use markdown::markdown;
pub(crate) use number::shown;
pub use perturbation::{MakeLaw, Perturbation};
pub use row::{ErrorKind, Expected, Origin, Row, Verdict, vector_rows};
pub use text::{listing, text};

use pliant_numerics::parallel;
use rayon::prelude::*;
use serde::Serialize;

use crate::CaseError;

/// One comparison with the reference suite.
pub struct Case {
    /// Its name in the reference suite.
    pub id: &'static str,
    /// What happens, in a line.
    pub title: &'static str,
    /// Section of the reference suite, and how its numbers were made.
    pub source: &'static str,
    /// The file of the case in `src/case`.
    pub file: &'static str,
    /// A perturbation that the case must notice.
    pub flaw: Perturbation,
    /// Runs it; the first row is the one that tables show.
    pub compare: fn(Perturbation) -> Result<Vec<Row>, CaseError>,
}

impl Case {
    /// Runs the case with a law that may be perturbed.
    pub fn run(&self, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
        (self.compare)(perturbation)
    }
}

/// What a case gave.
#[derive(Serialize)]
pub struct Outcome {
    /// Its name in the reference suite.
    pub id: &'static str,
    /// What happens, in a line.
    pub title: &'static str,
    /// Section of the reference suite, and how its numbers were made.
    pub source: &'static str,
    /// The file of the case, from the root of the repository.
    pub file: String,
    /// The comparisons; none if the case stopped.
    pub rows: Vec<Row>,
    /// Why it stopped.
    pub error: Option<String>,
}

impl Outcome {
    /// Whether every row is in its band.
    pub fn passed(&self) -> bool {
        self.error.is_none() && self.rows.iter().all(Row::passed)
    }
}

/// Runs cases, in their order, side by side.
pub fn run(cases: &[&'static Case], perturbation: Perturbation) -> Vec<Outcome> {
    let one = |case: &&'static Case| {
        let (rows, error) = match case.run(perturbation) {
            Ok(rows) => (rows, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let file = format!("crates/pliant-validation/src/case/{}", case.file);
        Outcome { id: case.id, title: case.title, source: case.source, file, rows, error }
    };
    parallel::collect(cases.par_iter(), one)
}

/// Rows inside and outside their bands, and cases that stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Cases.
    pub cases: usize,
    /// Rows inside their band.
    pub passed: usize,
    /// Rows outside.
    pub failed: usize,
    /// Cases without a result.
    pub stopped: usize,
}

/// Counts the rows of all outcomes.
pub fn count(outcomes: &[Outcome]) -> Count {
    let rows = || outcomes.iter().flat_map(|outcome| &outcome.rows);
    Count {
        cases: outcomes.len(),
        passed: rows().filter(|row| row.verdict == Verdict::Pass).count(),
        failed: rows().filter(|row| row.verdict == Verdict::Fail).count(),
        stopped: outcomes.iter().filter(|outcome| outcome.error.is_some()).count(),
    }
}
